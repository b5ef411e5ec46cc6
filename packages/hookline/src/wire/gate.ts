// How many connections there may be, in all and from one place, and how fast a place may open them. A place is an address, or the
// network that one subscriber usually has: a /64 with IPv6, in which anybody can take as many addresses as they like.
//
// Each connection holds a file from the moment the system accepts it, admitted or not. So it is counted from then on; and of those
// that are refused only some may take their time to read why, the others are reset at once.
import type { BlockList } from 'node:net'
import { type Bits, type PlaceBits, placeOf } from '../irc/address.ts'
import { isListed, networkList } from '../net/networks.ts'
import { Tally } from '../net/tally.ts'

export interface GateLimits extends PlaceBits {
  /** In total, exempt and refused ones included. */
  readonly inAll: number
  readonly perAddress: number
  /** New connections from one place in ten minutes. */
  readonly perTenMinutes: number
  /** Addresses and networks to which only the total applies. */
  readonly exempt: readonly string[]
}

const REFUSALS = {
  inAll: 'The server is full: try again later',
  perAddress: 'Too many connections from your address',
  perTenMinutes: 'Your address connects too often: wait ten minutes',
} as const

export type GateLimit = keyof typeof REFUSALS

/** Called with each address that is refused, and the limit that refused it. */
export type OnRefused = (address: string, limit: GateLimit) => void

const WINDOW_MS = 600_000
/** Places whose new connections are counted at a time; beyond it the oldest are forgotten, and may return sooner. */
const MOST_PLACES = 10_000

/** Of all connections, this part is kept for those that are refused and read why, and at most so many. */
const PARTING = { part: 1 / 8, most: 64 }
/** Of them, from one place. */
const PARTING_PER_PLACE = 4

export class Gate {
  readonly #limits: GateLimits
  readonly #mostParting: number
  readonly #exempt: BlockList
  readonly #now: () => number
  readonly #onRefused: OnRefused | undefined
  /** Accepted by the system and not closed yet. */
  #accepted = 0
  #inside = 0
  #parting = 0
  readonly #partingFrom = new Tally<Bits>()
  readonly #open = new Tally<Bits>()
  readonly #recent = new Map<Bits, { since: number; count: number }>()

  constructor(limits: GateLimits, now: () => number, onRefused?: OnRefused) {
    this.#limits = limits
    this.#mostParting = Math.min(PARTING.most, Math.floor(limits.inAll * PARTING.part))
    this.#exempt = networkList(limits.exempt)
    this.#now = now
    this.#onRefused = onRefused
  }

  /** Counts a connection that the system has accepted, until it `closed`. False if it must be reset at once. */
  accept(): boolean {
    if (this.#accepted >= this.#limits.inAll) return false
    this.#accepted++
    return true
  }

  /** Reports a connection that was reset because there is no room for it. */
  overrun(address: string): void {
    this.#refuse(address, 'inAll')
  }

  closed(): void {
    this.#accepted--
  }

  /** Whether a refused connection may take its time to read why, until it `parted`. Else it must be reset at once. */
  part(address: string): boolean {
    const place = this.#placeOf(address)
    if (this.#parting >= this.#mostParting) return false
    if (place !== undefined && this.#partingFrom.count(place) >= PARTING_PER_PLACE) return false
    this.#parting++
    if (place !== undefined) this.#partingFrom.add(place)
    return true
  }

  parted(address: string): void {
    this.#parting--
    const place = this.#placeOf(address)
    if (place !== undefined) this.#partingFrom.remove(place)
  }

  /** Admitted until it leaves; or why this address is refused now. */
  admit(address: string): Admission | string {
    return this.enter(address) ?? new Admission(this, address)
  }

  /** Why it is refused; counted if it is not. */
  enter(address: string): string | undefined {
    const place = this.#placeOf(address)
    const full = this.#fullFor(place)
    if (full !== undefined) return this.#refuse(address, full)
    if (place !== undefined && this.#countRecent(place) > this.#limits.perTenMinutes)
      return this.#refuse(address, 'perTenMinutes')
    this.#take(place)
    return undefined
  }

  /** Takes up room until `leave` for a connection to be admitted later, not yet counted as new. False if there is no room. */
  reserve(address: string): boolean {
    const place = this.#placeOf(address)
    const full = this.#fullFor(place)
    if (full === undefined) this.#take(place)
    else this.#refuse(address, full)
    return full === undefined
  }

  /** A new one of this address turned out to be from elsewhere: it counts as new there alone, admitted or not. */
  uncount(address: string): void {
    const place = this.#placeOf(address)
    const recent = place === undefined ? undefined : this.#recent.get(place)
    if (recent !== undefined) recent.count--
  }

  leave(address: string): void {
    this.#inside--
    const place = this.#placeOf(address)
    if (place !== undefined) this.#open.remove(place)
  }

  #fullFor(place: Bits | undefined): GateLimit | undefined {
    if (this.#inside >= this.#limits.inAll - this.#mostParting) return 'inAll'
    if (place === undefined || this.#open.count(place) < this.#limits.perAddress) return undefined
    return 'perAddress'
  }

  #refuse(address: string, limit: GateLimit): string {
    this.#onRefused?.(address, limit)
    return REFUSALS[limit]
  }

  #take(place: Bits | undefined): void {
    this.#inside++
    if (place !== undefined) this.#open.add(place)
  }

  /** Undefined if exempt. */
  #placeOf(address: string): Bits | undefined {
    if (isListed(this.#exempt, address)) return undefined
    return placeOf(address, this.#limits)
  }

  /** Places whose ten minutes are over and, while there are too many, the oldest. */
  #forget(now: number): void {
    for (const [each, { since }] of this.#recent) {
      if (now - since >= WINDOW_MS || this.#recent.size > MOST_PLACES) this.#recent.delete(each)
    }
  }

  #countRecent(place: Bits): number {
    const now = this.#now()
    const known = this.#recent.get(place)
    if (known !== undefined && now - known.since < WINDOW_MS) return ++known.count
    // Inserted anew, to stand after older ones.
    this.#recent.delete(place)
    this.#recent.set(place, { since: now, count: 1 })
    if (this.#recent.size > MOST_PLACES) this.#forget(now)
    return 1
  }
}

/** An admitted connection. */
export class Admission {
  readonly #gate: Gate
  #address: string

  constructor(gate: Gate, address: string) {
    this.#gate = gate
    this.#address = address
  }

  /** It turned out to be from that address, whose limits now apply. Returns why it is refused, or undefined. */
  move(address: string): string | undefined {
    this.#gate.uncount(this.#address)
    // Its own room first: it needs no second one, of a full server or of a place that it shares with the gateway.
    this.leave()
    const refusal = this.#gate.enter(address)
    if (refusal === undefined) this.#address = address
    else this.#gate.reserve(this.#address)
    return refusal
  }

  leave(): void {
    this.#gate.leave(this.#address)
  }
}
