// A request's target and host: RFC 9112, 3.2.
import type { IncomingMessage } from 'node:http'

export interface Target {
  /** Without the query. */
  readonly path: string
  /** Undefined only with HTTP/1.0. */
  readonly host: string | undefined
}

/** Undefined when it does not have exactly one host: answered with 400. */
export function targetOf(request: IncomingMessage): Target | undefined {
  const { url = '/', headers, httpVersion, rawHeaders } = request
  const hosts = countHosts(rawHeaders)
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) return undefined
  // 3.2.2: the absolute form must be understood, and its host overrides the header.
  const absolute = /^https?:\/\/(?<host>[^/?#]+)(?<rest>.*)/i.exec(url)?.groups
  const path = (absolute?.['rest'] ?? url).split('?', 1)[0] ?? ''
  return { path: path || '/', host: absolute?.['host'] ?? headers.host }
}

/** Names and values alternate. */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.toLowerCase() === 'host') hosts++
  return hosts
}
