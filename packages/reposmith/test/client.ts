// Reposmith's own client, where a test needs no command line.
import assert from 'node:assert/strict'
import { createClient, type Client, type ClientOptions } from '../src/host/client.ts'
import { findHost, type Host } from '../src/host/host.ts'
import { TOKEN } from './host.ts'

export function hostAt(url: string): Host {
  const host = findHost({ apiUrl: url }, {})
  assert.ok(host.ok)
  return host.output
}

export function clientFor(
  { url }: { readonly url: string },
  options: Partial<Pick<ClientOptions, 'stop' | 'clock' | 'maxWaitSeconds' | 'onWait'>> = {},
): Client {
  return createClient({
    host: hostAt(url),
    token: { text: TOKEN, variable: 'CODEHOST_TOKEN' },
    version: '0',
    timeoutSeconds: 30,
    maxWaitSeconds: 0,
    stop: new AbortController().signal,
    abandon: new AbortController().signal,
    onWait: () => undefined,
    ...options,
  })
}
