// The places that somebody has logged in from: guesses made elsewhere do not keep them out.
import type { Bits } from '../irc/address.ts'
import type { KeptRecord, RecordRow } from '../store/records.ts'

/** Where they are kept; a promise rejects if the disk refuses. */
export interface PlaceStore {
  all(kind: string): Promise<readonly RecordRow[]>
  save(records: readonly KeptRecord[]): Promise<void>
}

const KIND = 'places'
/** Of one account or operator: beyond this many the one not seen for longest is forgotten. */
const MOST_PLACES = 8
/** Accounts and operators together, likewise. */
const MOST_OWNERS = 10_000
const DAY_MS = 86_400_000
/** One that has not been seen for this long is as any other. */
const KNOWN_MS = 90 * DAY_MS

export class Places {
  readonly #store: PlaceStore
  /** The machine's time of day in Unix ms: when it is set wrong, places may be unknown until it is right again. */
  readonly #now: () => number
  /** When each was last seen; the latest is last, for owners as for places. */
  readonly #seen = new Map<string, Map<Bits, number>>()

  constructor(store: PlaceStore, now: () => number) {
    this.#store = store
    this.#now = now
  }

  /** Once, at start. */
  async load(): Promise<void> {
    const kept = (await this.#store.all(KIND)).map(
      ({ key, json }) => [key, new Map(JSON.parse(json) as [Bits, number][])] as const,
    )
    const latest = ([, places]: (typeof kept)[number]): number => Math.max(0, ...places.values())
    for (const [owner, places] of kept.toSorted((a, b) => latest(a) - latest(b)))
      this.#seen.set(owner, places)
  }

  has(owner: string, place: Bits): boolean {
    const at = this.#seen.get(owner)?.get(place)
    return at !== undefined && Math.abs(this.#now() - at) < KNOWN_MS
  }

  /** They have logged in from there. Saved once a day at most. */
  async note(owner: string, place: Bits): Promise<void> {
    const places = this.#seen.get(owner) ?? new Map<Bits, number>()
    const at = places.get(place)
    if (at !== undefined && Math.abs(this.#now() - at) < DAY_MS) return
    places.delete(place)
    places.set(place, this.#now())
    const [oldest = ''] = places.keys()
    if (places.size > MOST_PLACES) places.delete(oldest)
    this.#seen.delete(owner)
    this.#seen.set(owner, places)
    const changed: KeptRecord[] = [{ kind: KIND, key: owner, json: JSON.stringify([...places]) }]
    const [first = ''] = this.#seen.keys()
    if (this.#seen.size > MOST_OWNERS) {
      this.#seen.delete(first)
      changed.push({ kind: KIND, key: first, json: null })
    }
    await this.#store.save(changed)
  }

  async forget(owner: string): Promise<void> {
    if (this.#seen.delete(owner)) await this.#store.save([{ kind: KIND, key: owner, json: null }])
  }
}
