// A server of a test, at any free port of 127.0.0.1.
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { Server as TlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export interface Listening extends AsyncDisposable {
  readonly url: string
}

export async function listen(server: Server | TlsServer): Promise<Listening> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
