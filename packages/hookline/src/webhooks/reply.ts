// Writes HTTP answers, in JSON unless the bot defines its own.
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { type BotSettings, hasContent } from '../bots/file/botfile.ts'
import { STATUS_CODES } from '../net/http.ts'
import { type Answer, refuse } from './answer.ts'
import { declaredLength } from './body.ts'

export interface Reply {
  readonly status: number
  readonly text: string
  readonly headers: OutgoingHttpHeaders
}

export function replyWith({ status, body, retryAfter }: Answer, headers: OutgoingHttpHeaders = {}): Reply {
  const all: OutgoingHttpHeaders = { 'Content-Type': 'application/json', ...headers }
  if (retryAfter !== undefined) all['Retry-After'] = String(retryAfter)
  return { status, text: JSON.stringify(body), headers: all }
}

export function replyOk(type: string, text: string): Reply {
  return { status: 200, text, headers: { 'Content-Type': type } }
}

/** For an accepted delivery, the reply that the bot's file defines, if any. */
export function replyFor(answer: Answer, custom: BotSettings['trigger']['reply']): Reply {
  if (!custom || answer.status >= 300) return replyWith(answer)
  const { status, type, body } = custom
  return hasContent(status)
    ? { status, text: body, headers: { 'Content-Type': type } }
    : { status, text: '', headers: {} }
}

/** Sends a reply to a request whose body was read, or need not be read. */
export function send(request: IncomingMessage, response: ServerResponse, reply: Reply, close: boolean): void {
  const isUnread = !request.complete && (declaredLength(request) ?? Infinity) > READ_ANYWAY
  const headers: OutgoingHttpHeaders = { ...reply.headers }
  // RFC 9110, 8.6: no Content-Length with 204.
  if (reply.status !== 204) headers['Content-Length'] = Buffer.byteLength(reply.text)
  if (close || isUnread) headers['Connection'] = 'close'
  response.writeHead(reply.status, headers)
  if (isUnread) linger(request, response, reply.text)
  else response.end(reply.text)
}

/** The raw answer for a connection whose bytes are not HTTP, too many, or too slow. */
export function rawReply(code: string | undefined): string {
  const [status, error] = FRAMING_ERRORS[code ?? ''] ?? [400, 'malformed request']
  const text = JSON.stringify(refuse(status, error).body)
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json`
  return `${head}\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`
}

const FRAMING_ERRORS: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'headers too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'body too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request too slow'],
}

// Closing a socket with unread bytes resets it, and the sender may never see the answer. So the answer is sent, further
// input is discarded for a while, and then the connection ends.
function linger(request: IncomingMessage, response: ServerResponse, text: string): void {
  response.write(text)
  let more = LINGER_BYTES
  const end = () => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(end, LINGER_MS)
  request.on('data', (chunk: Buffer) => {
    more -= chunk.length
    if (more < 0) end()
  })
  request.on('end', end)
  request.on('close', end)
}

/** A shorter body is read and discarded, and the connection kept. */
const READ_ANYWAY = 64 * 1024
const LINGER_BYTES = 16 * 1024 * 1024
const LINGER_MS = 2_000
