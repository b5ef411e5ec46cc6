// The PROXY protocol, versions 1 and 2: a proxy says whom a connection is from, in its first bytes.
// https://www.haproxy.org/download/1.8/doc/proxy-protocol.txt
import { isIP } from 'node:net'
import { plainAddress } from '../net/networks.ts'

export type ProxyHeader =
  /** The bytes begin with something else. */
  | { readonly kind: 'none' }
  /** The bytes may still become a header. */
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'malformed' }
  /** `address` is undefined if the proxy speaks for itself, as in a health check. */
  | { readonly kind: 'header'; readonly address: string | undefined; readonly length: number }

/** Version 1 has at most 107 bytes, with its CRLF (2.1). */
const LONGEST_V1 = 107
const V1 = Buffer.from('PROXY ')
const V2 = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
/** Signature, version and command, family, length of what follows (2.2). */
const V2_HEAD = 16

export function readProxyHeader(bytes: Buffer): ProxyHeader {
  if (beginsLike(bytes, V1)) return bytes.length < V1.length ? { kind: 'incomplete' } : readV1(bytes)
  if (beginsLike(bytes, V2)) return bytes.length < V2_HEAD ? { kind: 'incomplete' } : readV2(bytes)
  return { kind: 'none' }
}

function beginsLike(bytes: Buffer, signature: Buffer): boolean {
  const length = Math.min(bytes.length, signature.length)
  return bytes.subarray(0, length).equals(signature.subarray(0, length))
}

// 2.1: a line that is not exactly right is refused, and the connection ends.
function readV1(bytes: Buffer): ProxyHeader {
  const end = bytes.subarray(0, LONGEST_V1).indexOf('\n')
  if (end === -1) return { kind: bytes.length < LONGEST_V1 ? 'incomplete' : 'malformed' }
  const length = end + 1
  const line = bytes.toString('latin1', 0, length)
  if (/^PROXY UNKNOWN(?: [^\r]*)?\r\n$/.test(line)) return { kind: 'header', address: undefined, length }
  const [, family, address = '', own = '', ...ports] =
    /^PROXY TCP([46]) (\S+) (\S+) (\d{1,5}) (\d{1,5})\r\n$/.exec(line) ?? []
  const isWhole = [address, own].every((each) => isIP(each) === Number(family))
  return isWhole && ports.every((port) => Number(port) <= 65_535)
    ? { kind: 'header', address: plainAddress(address), length }
    : { kind: 'malformed' }
}

function readV2(bytes: Buffer): ProxyHeader {
  const length = V2_HEAD + bytes.readUInt16BE(14)
  if (length > LONGEST_V2) return { kind: 'malformed' }
  if (bytes.length < length) return { kind: 'incomplete' }
  const [version, command] = [bytes.readUInt8(12) >> 4, bytes.readUInt8(12) & 15]
  if (version !== 2 || command > 1) return { kind: 'malformed' }
  const family = bytes.readUInt8(13) >> 4
  const address = bytes.subarray(V2_HEAD, length)
  if (command === 0 || family === 0 || family === 3) return { kind: 'header', address: undefined, length }
  if (family === 1 && address.length >= 12) {
    return { kind: 'header', address: address.subarray(0, 4).join('.'), length }
  }
  if (family === 2 && address.length >= 36) {
    const groups = Array.from({ length: 8 }, (_, i) => address.readUInt16BE(2 * i).toString(16))
    return { kind: 'header', address: plainAddress(groups.join(':')), length }
  }
  return { kind: 'malformed' }
}

/** Addresses and the proxy's additions (TLVs); nobody adds more than this. */
const LONGEST_V2 = V2_HEAD + 2_048
