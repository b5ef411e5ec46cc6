// Bodies declared as forms: `curl -d` declares every body so, and GitHub can send its JSON in the form field `payload`.
import type { IncomingHttpHeaders } from 'node:http'

/** The bytes that should be JSON: without a field `payload`, the whole body. */
export function jsonOf(headers: IncomingHttpHeaders, body: Uint8Array): Uint8Array {
  const field = isForm(headers) && body[0] !== openingBrace ? payloadField(body) : undefined
  return field === undefined ? body : new Uint8Array(field)
}

/** Appended to a JSON error when the body is a form that is not understood; otherwise empty. */
export function aboutForm(headers: IncomingHttpHeaders, body: Uint8Array): string {
  if (/^multipart\/form-data\b/i.test(headers['content-type'] ?? ''))
    return ': this is a multipart form, which is not supported: send JSON'
  if (!isForm(headers) || !/^[\w.%+-]+=/.test(beginningOf(body))) return ''
  return ': this is a form, and only a field payload with JSON in it is supported: send JSON'
}

function isForm(headers: IncomingHttpHeaders): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')
}

function beginningOf(body: Uint8Array): string {
  return Buffer.from(body.subarray(0, 200)).toString('latin1')
}

/** The decoded field `payload`; undefined when there is none. Found by its name: a body may have a million other fields. */
function payloadField(body: Uint8Array): Uint8Array | undefined {
  const form = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  for (let at = form.indexOf(FIELD); at !== -1; at = form.indexOf(FIELD, at + 1)) {
    if (at > 0 && form[at - 1] !== ampersand) continue
    const start = at + FIELD.length
    const end = form.indexOf(ampersand, start)
    return percentDecoded(form.subarray(start, end === -1 ? form.length : end))
  }
  return undefined
}

function percentDecoded(bytes: Buffer): Uint8Array {
  const out = Buffer.alloc(bytes.length)
  let length = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    const hex = byte === 0x25 ? bytes.toString('latin1', index + 1, index + 3) : ''
    if (/^[0-9a-fA-F]{2}$/.test(hex)) {
      out[length++] = Number.parseInt(hex, 16)
      index += 2
    } else {
      out[length++] = byte === 0x2b ? 0x20 : byte
    }
  }
  return out.subarray(0, length)
}

const FIELD = 'payload='
const openingBrace = '{'.charCodeAt(0)
const ampersand = '&'.charCodeAt(0)
