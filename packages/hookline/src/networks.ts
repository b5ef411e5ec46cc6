// Addresses and networks as people write them, and whether an address is among them.
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import { addressBits, networkText } from './irc/address.ts'

/** Of addresses and networks: `192.0.2.1`, `10.0.0.0/8`, `2001:db8::/32`. */
export function networkList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return list
}

export function isListed(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** True for what `networkList` takes. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/')
  const bits = isIP(address) === 6 ? 128 : 32
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)
  return isIP(address) !== 0 && isPrefix && more.length === 0
}

/**
 * Where a request comes from. What a proxy of ours says in X-Forwarded-For is believed from the right, as far as
 * proxies of ours go: what stands to the left anybody could have written.
 */
export function addressOf(
  remote: string,
  said: string | readonly string[] | undefined,
  proxies: BlockList,
): string {
  let address = plainAddress(remote)
  if (typeof said !== 'string') return address
  const hops = said.split(',').map((hop) => hop.trim())
  while (isListed(proxies, address)) {
    const hop = hops.pop()
    if (hop === undefined) break
    address = plainAddress(withoutPort(hop))
  }
  return address
}

/** `192.0.2.1:4711` and `[2001:db8::1]:4711`, as some proxies write them. */
function withoutPort(hop: string): string {
  return hop.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')
}

/** In the one form that masks and limits know: IPv4 in its own, IPv6 in its shortest, without the interface that a local one came in by. */
export function plainAddress(text: string): string {
  // Dotted and without leading zeros there is one form, and most addresses have it.
  if (isIPv4(text)) return text
  const address = text.replace(/%.*/, '')
  const bits = addressBits(address)
  return bits === undefined ? address : networkText(bits)
}
