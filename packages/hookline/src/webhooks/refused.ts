// The webhooks that each bot has refused: how many, when and why, and nothing of what they carried.
import type { ProofMemory } from '../bots/proofs.ts'
import type { Log } from '../log/log.ts'
import type { Metrics } from './metrics.ts'
import type { Later, TellOwner } from './noticelimits.ts'

/** One or more for the same reason, each within a minute of the one before. Times are in ms since 1970. */
export interface Refused {
  readonly since: number
  readonly last: number
  readonly count: number
  /** What the sender was answered. */
  readonly status: number
  readonly error: string
  /** More than the sender was told. */
  readonly detail: string | null
}

export interface RefusedOptions {
  readonly memory: ProofMemory
  readonly metrics: Pick<Metrics, 'refused'>
  readonly log: Log
  readonly later: Later
  readonly tellOwner: TellOwner
}

/** Kept for each bot; the oldest goes first. */
const KEPT = 100
const BURST_MS = 60_000
/** Strangers decide how often: the disk hears of it this often at most. */
const SAVED_AFTER_MS = 5_000
const OWNER_TOLD_EVERY_MS = 600_000

interface Ledger {
  rows: Refused[]
  /** Reads what an earlier run has left, once. */
  recalled: Promise<void> | undefined
  ownerToldAt: number
  cancelSaving: (() => void) | undefined
}

export class RefusedWebhooks {
  readonly #options: RefusedOptions
  readonly #ledgers = new Map<string, Ledger>()

  constructor(options: RefusedOptions) {
    this.#options = options
  }

  /** Of a bot that exists: strangers cannot make more of them. `now` is in ms. */
  note(bot: string, what: Pick<Refused, 'status' | 'error' | 'detail'>, now: number): void {
    const { later, metrics, tellOwner } = this.#options
    const ledger = this.#ledgerOf(bot)
    metrics.refused(bot, what.error)
    ledger.rows = withOne(ledger.rows, { since: now, last: now, count: 1, ...what })
    ledger.cancelSaving ??= later(SAVED_AFTER_MS, () => void this.#save(bot, ledger))
    // Of a bot's end its owner is told anyway.
    if (what.status === 410) return
    if (Math.abs(now - ledger.ownerToldAt) < OWNER_TOLD_EVERY_MS) return
    ledger.ownerToldAt = now
    tellOwner(
      bot,
      `a webhook for ${bot} was refused: ${what.status} ${what.error}. To see why: hookline bot deliveries ${bot} --refused`,
    )
  }

  /** Oldest first; also what earlier runs refused. */
  async of(bot: string): Promise<readonly Refused[]> {
    const ledger = this.#ledgerOf(bot)
    await this.#recall(bot, ledger)
    return ledger.rows
  }

  /** For a deleted bot, of which the store forgets everything. */
  forget(bot: string): void {
    this.#ledgers.get(bot)?.cancelSaving?.()
    this.#ledgers.delete(bot)
  }

  /** Resolves when everything is on disk, or was refused by it. */
  async flush(): Promise<void> {
    const unsaved = [...this.#ledgers].filter(([, { cancelSaving }]) => cancelSaving !== undefined)
    await Promise.all(unsaved.map(([bot, ledger]) => this.#save(bot, ledger)))
  }

  #ledgerOf(bot: string): Ledger {
    let ledger = this.#ledgers.get(bot)
    if (!ledger) {
      ledger = { rows: [], recalled: undefined, ownerToldAt: -Infinity, cancelSaving: undefined }
      this.#ledgers.set(bot, ledger)
    }
    return ledger
  }

  #recall(bot: string, ledger: Ledger): Promise<void> {
    ledger.recalled ??= this.#options.memory.load(keyOf(bot)).then((json) => {
      const before = json === undefined ? [] : (JSON.parse(json) as Refused[])
      ledger.rows = [...before, ...ledger.rows].slice(-KEPT)
    })
    // What the disk did not give once is asked for again.
    ledger.recalled.catch(() => (ledger.recalled = undefined))
    return ledger.recalled
  }

  async #save(bot: string, ledger: Ledger): Promise<void> {
    ledger.cancelSaving?.()
    ledger.cancelSaving = undefined
    try {
      await this.#recall(bot, ledger)
      if (this.#ledgers.get(bot) !== ledger) return
      await this.#options.memory.save(keyOf(bot), JSON.stringify(ledger.rows))
    } catch (error) {
      this.#options.log.warn({ err: error, bot }, 'the list of refused webhooks could not be stored')
    }
  }
}

function withOne(rows: readonly Refused[], one: Refused): Refused[] {
  const at = rows.findLastIndex(({ status, error }) => status === one.status && error === one.error)
  const same = rows[at]
  if (!same || Math.abs(one.last - same.last) >= BURST_MS) return [...rows, one].slice(-KEPT)
  const counted = { ...one, since: same.since, count: same.count + 1 }
  return [...rows.toSpliced(at, 1), counted]
}

/** Follows a bot's name and a colon, which no name has. */
function keyOf(bot: string): string {
  return `${bot}:refused`
}
