// Guesses at passwords: how many may be wrong, of what and from where. Whoever has used them up has to wait, and nobody looks at what
// they say meanwhile, right or wrong.
import { isLoopback, placeOf } from '../irc/address.ts'
import type { Log } from '../log/log.ts'
import { LogThrottle } from '../log/logthrottle.ts'
import { Lanes } from './lanes.ts'
import { Places, type PlaceStore } from './places.ts'
import type { AccountRules } from './validity.ts'
import { Throttle } from './throttle.ts'

/** A password that somebody says, and where they are. */
export interface Guess {
  /** `account ann`, `OPER root`: what it would prove. */
  readonly at: string
  readonly address: string
  /**
   * `own`: of one person, so wrong ones are counted wherever they come from. `shared`: of everybody, and only the place can be counted,
   * or a stranger could lock all of them out.
   */
  readonly kind: 'own' | 'shared'
}

export interface Wait {
  readonly ms: number
  /** Because of guesses that others may have made: a proof that nobody can guess is still looked at. */
  readonly isForAll: boolean
}

export interface GuessOptions {
  readonly rules: () => AccountRules
  readonly places: PlaceStore
  /** The machine's time of day in Unix ms. */
  readonly now: () => number
  /** Monotonic ms. */
  readonly elapsed: () => number
  readonly log: Log
}

/** Two hashes are made at a time: one place does not fill the line for the others. */
const AT_ONCE_PER_PLACE = 2

export class Guesses {
  readonly #options: GuessOptions
  readonly #places: Places
  /** By place, and by what is guessed from it. */
  readonly #fromPlace: Throttle
  /** By what is guessed, from all places that are not known. */
  readonly #fromStrangers: Throttle
  readonly #lanes = new Lanes()
  readonly #logThrottle = new LogThrottle()

  constructor(options: GuessOptions) {
    const { elapsed, places, now } = options
    this.#options = options
    this.#places = new Places(places, now)
    this.#fromPlace = new Throttle({ perMs: 60_000, elapsed })
    this.#fromStrangers = new Throttle({ perMs: 3_600_000, elapsed, hasPauses: true })
  }

  /** Once, at start. */
  load(): Promise<void> {
    return this.#places.load()
  }

  /** For whoever has failed too often. Undefined: go on. */
  wait(guess: Guess): Wait | undefined {
    for (const { throttle, who, most } of this.#counted(guess)) {
      const ms = throttle.wait(who, most)
      if (ms === undefined) continue
      this.#tell(guess)
      return { ms, isForAll: throttle === this.#fromStrangers }
    }
    return undefined
  }

  /** `isHopeless`: nobody can guess what was said, so others do not have to wait for it. */
  wrong(guess: Guess, { isHopeless = false } = {}): void {
    for (const { throttle, who } of this.#counted(guess))
      if (!isHopeless || throttle !== this.#fromStrangers) throttle.add(who)
  }

  /** Other guesses from that place still count for it: others may share it, and a guesser may have an account of their own. */
  right({ at, address, kind }: Guess): void {
    const place = this.#placeOf(address)
    this.#fromPlace.forgive(`${place} ${at}`)
    if (kind === 'shared') return
    this.#places
      .note(at, place)
      .catch((error: unknown) => this.#options.log.warn({ err: error }, 'a known address could not be saved'))
  }

  /** What it proved is gone, and may be somebody else's one day. */
  async forget(at: string): Promise<void> {
    await this.#places.forget(at)
  }

  /**
   * Guesses at the same thing one after the other, and those of a place two at a time: of a hundred at once, only as many are looked at
   * as would be if they came one by one. As many wait as there are connections.
   */
  inTurn<T>({ at, address, kind }: Guess, work: () => Promise<T>): Promise<T> {
    const fromHere = () => this.#lanes.run(this.#placeOf(address), AT_ONCE_PER_PLACE, work)
    return kind === 'shared' ? fromHere() : this.#lanes.run(at, 1, fromHere)
  }

  #placeOf(address: string): string {
    return placeOf(address, this.#options.rules().place)
  }

  #counted({ at, address, kind }: Guess): readonly Counted[] {
    const { failuresPerAccount, failuresPerAddress, failuresPerHour } = this.#options.rules()
    const place = this.#placeOf(address)
    const [here, strangers] = [this.#fromPlace, this.#fromStrangers]
    if (kind === 'shared') return [{ throttle: here, who: `${place} ${at}`, most: failuresPerAddress }]
    return [
      ...(this.#places.has(at, place) ? [] : [{ throttle: strangers, who: at, most: failuresPerHour }]),
      { throttle: here, who: `${place} ${at}`, most: failuresPerAccount },
      // Programs on this machine share its address: one's failures must not lock out the others.
      ...(isLoopback(address) ? [] : [{ throttle: here, who: place, most: failuresPerAddress }]),
    ]
  }

  /** Once a minute for each address, with the number of those in between. */
  #tell({ address }: Guess): void {
    const { elapsed, log } = this.#options
    const more = this.#logThrottle.admit(address, elapsed())
    if (more) log.warn({ address, ...more }, 'too many failed logins: this address has to wait')
  }
}

interface Counted {
  readonly throttle: Throttle
  readonly who: string
  readonly most: number
}
