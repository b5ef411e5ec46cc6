// How many connections one address may hold, and how fast it may open them. Loopback is exempt.
import { BlockList, isIPv6 } from 'node:net'

export interface GateLimits {
  readonly perAddress: number
  /** New connections from one address in ten minutes. */
  readonly perTenMinutes: number
}

const WINDOW_MS = 600_000
/** Addresses whose connections are counted at once. */
const MOST_ADDRESSES = 10_000

export class Gate {
  readonly #limits: GateLimits
  readonly #now: () => number
  readonly #open = new Map<string, number>()
  readonly #recent = new Map<string, { since: number; count: number }>()

  constructor(limits: GateLimits, now: () => number) {
    this.#limits = limits
    this.#now = now
  }

  /** Why this address may not come in now, or undefined: it is in, and must `leave`. */
  enter(address: string): string | undefined {
    if (isLoopback(address)) return undefined
    const open = this.#open.get(address) ?? 0
    if (open >= this.#limits.perAddress) return 'Too many connections from your address'
    if (this.#countRecent(address) > this.#limits.perTenMinutes)
      return 'Your address connects too often: wait ten minutes'
    this.#open.set(address, open + 1)
    return undefined
  }

  leave(address: string): void {
    const open = this.#open.get(address) ?? 0
    if (open <= 1) this.#open.delete(address)
    else this.#open.set(address, open - 1)
  }

  /** Those whose ten minutes are over; then, should a whole network be knocking, the ones we have known longest. */
  #forget(now: number): void {
    for (const [each, { since }] of this.#recent) {
      if (now - since >= WINDOW_MS || this.#recent.size > MOST_ADDRESSES) this.#recent.delete(each)
    }
  }

  #countRecent(address: string): number {
    const now = this.#now()
    const known = this.#recent.get(address)
    if (known !== undefined && now - known.since < WINDOW_MS) return ++known.count
    this.#recent.set(address, { since: now, count: 1 })
    if (this.#recent.size > MOST_ADDRESSES) this.#forget(now)
    return 1
  }
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

function isLoopback(address: string): boolean {
  return loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
