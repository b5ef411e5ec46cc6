// Bodies that are called forms: `curl -d` calls everything one, and GitHub can send its JSON in the field `payload` of one.
import type { IncomingHttpHeaders } from 'node:http'
import { fromForm } from '../bots/payload.ts'

/** The bytes that should be JSON: without a field `payload` that is the whole body after all. */
export function jsonOf(headers: IncomingHttpHeaders, body: Uint8Array): Uint8Array {
  const field = isForm(headers) && body[0] !== openingBrace ? fromForm(body) : undefined
  return field === undefined ? body : new Uint8Array(field)
}

/** To follow what is wrong with a body as JSON, where its sender was told to send a form. */
export function aboutForm(headers: IncomingHttpHeaders, body: Uint8Array): string {
  if (/^multipart\/form-data\b/i.test(headers['content-type'] ?? ''))
    return ': this is a form with parts, which is not understood: send JSON'
  if (!isForm(headers) || !/^[\w.%+-]+=/.test(beginningOf(body))) return ''
  return ': this is a form, of which only a field payload with JSON in it is understood: send JSON'
}

function isForm(headers: IncomingHttpHeaders): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')
}

function beginningOf(body: Uint8Array): string {
  return Buffer.from(body.subarray(0, 200)).toString('latin1')
}

const openingBrace = '{'.charCodeAt(0)
