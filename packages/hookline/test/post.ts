// A webhook's sender, driven by a test.
import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'

export interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The body as an object; empty when it is none. */
  readonly json: Readonly<Record<string, unknown>>
}

/** POSTs to a bot's URL; an object is sent as its JSON. */
export function post(
  url: string,
  body: string | Uint8Array | object,
  headers: OutgoingHttpHeaders = {},
): Promise<Answered> {
  const bytes = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  const type = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(bytes) }
  return ask(url, { method: 'POST', headers: { ...type, ...headers }, body: bytes })
}

/** Any request, on a connection of its own. */
export async function ask(
  url: string,
  options: { method?: string; headers?: OutgoingHttpHeaders; body?: string | Uint8Array } = {},
): Promise<Answered> {
  const { method = 'GET', headers = {}, body } = options
  const asking = request(url, { method, headers, agent: false })
  asking.end(body)
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  const text = Buffer.concat(await response.toArray()).toString()
  const json = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {}
  return { status: response.statusCode ?? 0, headers: response.headers, text, json }
}
