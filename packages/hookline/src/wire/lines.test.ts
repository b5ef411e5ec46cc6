import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { Gate } from './gate.ts'
import { refuseLines } from './lines.ts'
import { LINGER_MS } from './peer.ts'

test('a refused client that does not hang up is cut off, and takes no slot', async (t) => {
  const server = createServer()
  server.listen({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const peer = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  t.after(() => {
    peer.destroy()
    server.close()
  })
  const [socket] = (await once(server, 'connection')) as [Socket]
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const limits = { inAll: 8, perAddress: 0, perTenMinutes: 0, ipv4Bits: 32, ipv6Bits: 64, exempt: [] }
  refuseLines(socket, 'Too many connections', new Gate(limits, () => 0))
  peer.resume()
  await once(peer, 'end')
  t.mock.timers.tick(LINGER_MS - 1)
  assert.equal(socket.destroyed, false)
  t.mock.timers.tick(1)
  assert.equal(socket.destroyed, true)
})
