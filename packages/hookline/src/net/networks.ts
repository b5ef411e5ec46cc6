// Parses addresses and networks, and checks whether an address is among them.
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import { addressBits, networkBits, networkText } from '../irc/address.ts'

/** From addresses and networks: `192.0.2.1`, `10.0.0.0/8`, `2001:db8::/32`. */
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

/** Whether it can be compared with addresses, which have no zone id; Node also takes `fe80::1%eth0` for one. */
export function isNetwork(text: string): boolean {
  const [address = ''] = text.split('/')
  return isIP(address) !== 0 && networkBits(text) !== undefined
}

/**
 * The address that a request comes from. X-Forwarded-For is read from the right for as long as the hops are trusted
 * proxies: anybody could have written what is left of them.
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

/** Strips the port of `192.0.2.1:4711` and `[2001:db8::1]:4711`, as some proxies write them. */
function withoutPort(hop: string): string {
  return hop.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')
}

/** The canonical form that masks and limits use: IPv4 as it is, IPv6 in its shortest form without a zone id. */
export function plainAddress(text: string): string {
  // A valid dotted IPv4 address has only this form, and most addresses are such.
  if (isIPv4(text)) return text
  const address = text.replace(/%.*/, '')
  const bits = addressBits(address)
  return bits === undefined ? address : networkText(bits)
}
