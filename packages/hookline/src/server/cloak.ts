// Cloaks: what others see of an address. One keyed hash for the address and one for each network around it, so that a
// ban can target either, and nobody can work out the address.
import { createHmac, randomBytes } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { addressBits, type Bits, isV4, networkOf } from '../irc/address.ts'
import type { Store } from '../store/store.ts'

export type Cloak = (address: string) => string

/** Undefined when disabled. The key is created once and kept: with another key, bans of cloaks would match nobody. */
export async function openCloak({ server }: Config, store: Store): Promise<Cloak | undefined> {
  if (!server.cloak.enabled) return undefined
  return cloakWith(await keyOf(store), server.cloak)
}

async function keyOf({ records }: Store): Promise<Buffer> {
  const kept = (await records.all('secret')).find(({ key }) => key === 'cloak')
  if (kept !== undefined) return Buffer.from(JSON.parse(kept.json) as string, 'hex')
  const made = randomBytes(32)
  await records.save([{ kind: 'secret', key: 'cloak', json: JSON.stringify(made.toString('hex')) }])
  return made
}

export interface CloakShape {
  readonly suffix: string
  /** Prefix lengths of the networks, longest first: each gives a part of the cloak. */
  readonly ipv4: readonly number[]
  readonly ipv6: readonly number[]
}

/** `qm3kdo7x2a.b5u6yvd4xe.r2tq6zq4ja.cloak` */
export function cloakWith(key: Buffer, { suffix, ipv4, ipv6 }: CloakShape): Cloak {
  const partOf = (network: Bits): string => {
    const digest = createHmac('sha256', key).update(network).digest()
    return Array.from(digest.subarray(0, PART_LENGTH), (byte) => ALPHABET[byte & 31]).join('')
  }
  return (address) => {
    const bits = addressBits(address)
    if (bits === undefined) return suffix
    const lengths = isV4(bits) ? ipv4 : ipv6
    return [...lengths.map((length) => partOf(networkOf(bits, length))), suffix].join('.')
  }
}

/** 50 bits: no accidental collisions. */
const PART_LENGTH = 10
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
