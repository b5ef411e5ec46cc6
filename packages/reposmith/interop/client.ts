// Reposmith's own client, for what no command asks of a host.
import assert from 'node:assert/strict'
import { createClient, type Client } from '../src/host/client.ts'
import { findHost } from '../src/host/host.ts'
import { TOKEN } from '../test/host.ts'

export function clientFor({ url }: { readonly url: string }): Client {
  const host = findHost({ apiUrl: url }, {})
  assert.ok(host.ok)
  return createClient({
    host: host.output,
    token: { text: TOKEN, variable: 'CODEHOST_TOKEN' },
    version: '0',
    timeoutSeconds: 30,
    maxWaitSeconds: 0,
    stop: new AbortController().signal,
    abandon: new AbortController().signal,
    onWait: () => undefined,
  })
}
