// Bodies that the sender has compressed (RFC 9110, 8.4).
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { isCode } from '../failure/thrown.ts'

type Unpack = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Buffer>

const ungzip: Unpack = promisify(gunzip)
const unzlib: Unpack = promisify(inflate)
const undeflate: Unpack = promisify(inflateRaw)
const unbrotli: Unpack = promisify(brotliDecompress)

const UNPACK: Readonly<Record<string, Unpack | undefined>> = {
  gzip: ungzip,
  'x-gzip': ungzip,
  // Some senders mean the bare format (RFC 1951), not zlib's, which begins with the method 8.
  deflate: (bytes, options) => ((bytes[0] ?? 0) % 16 === 8 ? unzlib : undeflate)(bytes, options),
  br: unbrotli,
}

/** For `Accept-Encoding` of a refusal (RFC 9110, 12.5.3). */
export const UNDERSTOOD = 'gzip, deflate, br'

/** Undefined if it is as it is; `unknown` if nobody here unpacks it. */
export function codingOf(headers: IncomingHttpHeaders): string | undefined {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (coding === '' || coding === 'identity') return undefined
  return Object.hasOwn(UNPACK, coding) ? coding : 'unknown'
}

/**
 * The body as it was before, in a buffer of its own. Unpacks in the system's threads, which are few, and no further than `limit` bytes: so
 * many at once take little memory, however small they came.
 */
export async function unpackedBody(
  bytes: Uint8Array,
  coding: string,
  limit: number,
): Promise<Uint8Array | 'too large' | 'broken'> {
  try {
    const unpacked = await UNPACK[coding]?.(bytes, { maxOutputLength: limit })
    return unpacked === undefined ? 'broken' : new Uint8Array(unpacked)
  } catch (error) {
    return isCode(error, 'ERR_BUFFER_TOO_LARGE') ? 'too large' : 'broken'
  }
}
