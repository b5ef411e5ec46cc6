// How many connections all may hold together and one place of them, and how fast it may open them. A place is an address, or the network that one line
// usually has: with IPv6 that is a /64, in which anybody may take as many addresses as they like.
import type { BlockList } from 'node:net'
import { type Bits, type PlaceBits, placeOf } from '../irc/address.ts'
import { isListed, networkList } from '../networks.ts'

export interface GateLimits extends PlaceBits {
  /** Of everybody together, whoever is exempt included. */
  readonly inAll: number
  readonly perAddress: number
  /** New connections from one place in ten minutes. */
  readonly perTenMinutes: number
  /** Addresses and networks that come as they like. */
  readonly exempt: readonly string[]
}

const REFUSALS = {
  inAll: 'The server is full: try again later',
  perAddress: 'Too many connections from your address',
  perTenMinutes: 'Your address connects too often: wait ten minutes',
} as const

export type GateLimit = keyof typeof REFUSALS

/** Told of each address that is kept out, and of the limit that does it. */
export type OnRefused = (address: string, limit: GateLimit) => void

const WINDOW_MS = 600_000
/** Places whose new connections are counted at once; beyond it the ones known longest are forgotten, and may come again sooner. */
const MOST_PLACES = 10_000

export class Gate {
  readonly #limits: GateLimits
  readonly #exempt: BlockList
  readonly #now: () => number
  readonly #onRefused: OnRefused | undefined
  #inside = 0
  readonly #open = new Map<Bits, number>()
  readonly #recent = new Map<Bits, { since: number; count: number }>()

  constructor(limits: GateLimits, now: () => number, onRefused?: OnRefused) {
    this.#limits = limits
    this.#exempt = networkList(limits.exempt)
    this.#now = now
    this.#onRefused = onRefused
  }

  /** In, until it leaves; or why this address may not come in now. */
  admit(address: string): Stay | string {
    return this.enter(address) ?? new Stay(this, address)
  }

  /** Why it may not; counted if it may. */
  enter(address: string): string | undefined {
    const place = this.#placeOf(address)
    const full = this.#fullFor(place)
    if (full !== undefined) return this.#refuse(address, full)
    if (place !== undefined && this.#countRecent(place) > this.#limits.perTenMinutes)
      return this.#refuse(address, 'perTenMinutes')
    this.#take(place)
    return undefined
  }

  /** Who may come in later takes up room as well, until `leave`, and is not counted as new yet. False where there is none. */
  knock(address: string): boolean {
    const place = this.#placeOf(address)
    const full = this.#fullFor(place)
    if (full === undefined) this.#take(place)
    else this.#refuse(address, full)
    return full === undefined
  }

  leave(address: string): void {
    this.#inside--
    const place = this.#placeOf(address)
    if (place === undefined) return
    const open = this.#open.get(place) ?? 0
    if (open <= 1) this.#open.delete(place)
    else this.#open.set(place, open - 1)
  }

  #fullFor(place: Bits | undefined): GateLimit | undefined {
    if (this.#inside >= this.#limits.inAll) return 'inAll'
    if (place === undefined || (this.#open.get(place) ?? 0) < this.#limits.perAddress) return undefined
    return 'perAddress'
  }

  #refuse(address: string, limit: GateLimit): string {
    this.#onRefused?.(address, limit)
    return REFUSALS[limit]
  }

  #take(place: Bits | undefined): void {
    this.#inside++
    if (place !== undefined) this.#open.set(place, (this.#open.get(place) ?? 0) + 1)
  }

  /** Undefined for who is exempt. */
  #placeOf(address: string): Bits | undefined {
    if (isListed(this.#exempt, address)) return undefined
    return placeOf(address, this.#limits)
  }

  /** Those whose ten minutes are over; then, should a whole network be knocking, the ones we have known longest. */
  #forget(now: number): void {
    for (const [each, { since }] of this.#recent) {
      if (now - since >= WINDOW_MS || this.#recent.size > MOST_PLACES) this.#recent.delete(each)
    }
  }

  #countRecent(place: Bits): number {
    const now = this.#now()
    const known = this.#recent.get(place)
    if (known !== undefined && now - known.since < WINDOW_MS) return ++known.count
    // Anew, and so behind those that are known longer.
    this.#recent.delete(place)
    this.#recent.set(place, { since: now, count: 1 })
    if (this.#recent.size > MOST_PLACES) this.#forget(now)
    return 1
  }
}

/** Somebody who is in. */
export class Stay {
  readonly #gate: Gate
  #address: string

  constructor(gate: Gate, address: string) {
    this.#gate = gate
    this.#address = address
  }

  /** It turned out to be from that address, whose limits count from now on: why it may not come in, or undefined. */
  move(address: string): string | undefined {
    const refusal = this.#gate.enter(address)
    if (refusal !== undefined) return refusal
    this.#gate.leave(this.#address)
    this.#address = address
    return undefined
  }

  leave(): void {
    this.#gate.leave(this.#address)
  }
}
