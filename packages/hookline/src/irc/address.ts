// Addresses and networks as strings of bits: a network contains an address exactly when the address begins with it.

/** 128 digits `0` or `1` for an address, fewer for a network. IPv4 is IPv4-mapped IPv6 (RFC 4291 2.5.5.2). */
export type Bits = string

/** This machine itself. */
export const LOOPBACK: readonly string[] = ['127.0.0.0/8', '::1']

/** By address or by name. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/i.test(host)
}

/** Of `192.0.2.1`, `192.0.2.0/24`, `2001:db8::1`, `2001:db8::/32`; undefined for anything else. Bits beyond the prefix are ignored. */
export function networkBits(text: string): Bits | undefined {
  const [address = '', prefix, ...more] = text.split('/')
  const bits = addressBits(address)
  if (bits === undefined || more.length > 0 || prefix === '') return undefined
  if (prefix === undefined) return bits
  const before = isV4(bits) && !address.includes(':') ? V4.length : 0
  const length = /^\d{1,3}$/.test(prefix) ? before + Number(prefix) : Number.NaN
  return length <= ADDRESS_BITS ? bits.slice(0, length) : undefined
}

/** A single address, not a network. */
export function addressBits(text: string): Bits | undefined {
  if (!text.includes(':')) {
    const bytes = bytesOf(text)
    return bytes && V4 + bytes.map((byte) => binary(byte, 8)).join('')
  }
  const groups = groupsOf(text)
  return groups?.map((group) => binary(group, 16)).join('')
}

/** How many bits of an address identify the place it is at. */
export interface PlaceBits {
  readonly ipv4Bits: number
  readonly ipv6Bits: number
}

/** The network that one subscriber usually has, in which anybody can take as many addresses as they like. */
export function placeOf(address: string, { ipv4Bits, ipv6Bits }: PlaceBits): Bits {
  const bits = addressBits(address) ?? ''
  return networkOf(bits, isV4(bits) ? ipv4Bits : ipv6Bits)
}

/** The network of that prefix length around an address. */
export function networkOf(address: Bits, length: number): Bits {
  return address.slice(0, isV4(address) ? V4.length + length : length)
}

/** In the usual form: dotted, or the shortest IPv6 (RFC 5952); with the prefix length if it is a network. */
export function networkText(bits: Bits): string {
  const whole = bits.padEnd(ADDRESS_BITS, '0')
  if (isV4(bits)) {
    const address = numbersOf(whole.slice(V4.length), 8).join('.')
    return bits.length === ADDRESS_BITS ? address : `${address}/${bits.length - V4.length}`
  }
  const address = shortest(numbersOf(whole, 16).map((group) => group.toString(16)))
  return bits.length === ADDRESS_BITS ? address : `${address}/${bits.length}`
}

export function isV4(bits: Bits): boolean {
  return bits.startsWith(V4)
}

/** As a middle parameter of a line, which cannot begin with a colon as `::1` does. */
export function asParam(address: string): string {
  return address.startsWith(':') ? `0${address}` : address
}

/** Whether either contains the other. */
export function overlaps(one: Bits, other: Bits): boolean {
  return one.startsWith(other) || other.startsWith(one)
}

const ADDRESS_BITS = 128
/** `::ffff:0:0/96` */
const V4 = '0'.repeat(80) + '1'.repeat(16)

function bytesOf(text: string): number[] | undefined {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return undefined
  const bytes = text.split('.').map(Number)
  return bytes.every((byte) => byte < 256) ? bytes : undefined
}

/** Eight groups. A dotted ending counts as two; `::` as many zeros as are missing. */
function groupsOf(text: string): number[] | undefined {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text)
  if (dotted !== null) {
    const bytes = bytesOf(dotted[2] ?? '')
    if (bytes === undefined) return undefined
    const [a = 0, b = 0, c = 0, d = 0] = bytes
    return groupsOf(`${dotted[1]}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`)
  }
  const [head = '', tail, ...more] = text.split('::')
  const left = hexGroups(head)
  const right = hexGroups(tail ?? '')
  if (left === undefined || right === undefined || more.length > 0) return undefined
  const missing = 8 - left.length - right.length
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  return [...left, ...Array.from({ length: missing }, () => 0), ...right]
}

function hexGroups(text: string): number[] | undefined {
  if (text === '') return []
  const groups = text.split(':')
  return groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : undefined
}

/** RFC 5952 4.2: the first of the longest runs of zeros, of two groups at least, becomes `::`. */
function shortest(groups: readonly string[]): string {
  let [start, length] = [0, 1]
  for (let from = 0; from < groups.length; from++) {
    let to = from
    while (groups[to] === '0') to++
    if (to - from > length) [start, length] = [from, to - from]
  }
  if (length < 2) return groups.join(':')
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`
}

function binary(number: number, length: number): string {
  return number.toString(2).padStart(length, '0')
}

function numbersOf(bits: string, size: number): number[] {
  return Array.from({ length: bits.length / size }, (_, i) =>
    Number.parseInt(bits.slice(i * size, (i + 1) * size), 2),
  )
}
