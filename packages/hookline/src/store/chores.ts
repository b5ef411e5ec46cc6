// The store's own upkeep, in steps while nobody waits for it: indexing words for search, and checkpointing the WAL.
import type { Committer } from './committer.ts'
import type { OpenDatabase } from './database.ts'

/** Optional: what is not indexed is scanned, and SQLite checkpoints a long WAL by itself, but everybody waits meanwhile. */
export class Chores {
  readonly #committer: Pick<Committer, 'run'>
  readonly #database: Pick<OpenDatabase, 'checkpoint'>
  readonly #now: () => number
  #timer: NodeJS.Timeout | undefined
  /** Since when work has been pending; at first, what an earlier run may have left. */
  #dueSince: number | undefined
  #jobsSinceCheckpoint = 0
  #doneAt = Number.NEGATIVE_INFINITY

  constructor(
    committer: Pick<Committer, 'run'>,
    database: Pick<OpenDatabase, 'checkpoint'>,
    now = () => performance.now(),
  ) {
    this.#committer = committer
    this.#database = database
    this.#now = now
    this.#dueSince = now()
  }

  /** To be called after each batch, with how many jobs it wrote. */
  after(jobs: number): void {
    const now = this.#now()
    this.#jobsSinceCheckpoint += jobs
    if (jobs > 0) this.#dueSince ??= now
    if (this.#dueSince !== undefined && now - this.#dueSince >= LATE_MS) return this.#step()
    this.#soon(jobs > FEW ? EVERY_MS : Math.max(REST_MS, this.#doneAt + EVERY_MS - now))
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #soon(ms: number): void {
    clearTimeout(this.#timer)
    if (this.#dueSince !== undefined) this.#timer = setTimeout(() => this.#step(), ms)
  }

  #step(): void {
    clearTimeout(this.#timer)
    const [grown] = this.#committer.run({ lines: [], writes: [['index', undefined]], reads: [] }).writes
    if (grown?.ok && grown.value === true) return this.#soon(REST_MS)
    // After a failed write, it is tried again after the next batch.
    if (grown?.ok && this.#jobsSinceCheckpoint >= CHECKPOINT_JOBS && this.#database.checkpoint())
      this.#jobsSinceCheckpoint = 0
    this.#dueSince = undefined
    this.#doneAt = this.#now()
  }
}

/** Shortest time from the end of one round to the next. */
const EVERY_MS = 1_000
/** How long nothing must come before a step. */
const REST_MS = 5
/** Work that has waited this long is done without a rest: one step after each batch, which delays the next one by 2 ms. */
const LATE_MS = 10_000
/** After a larger batch more is likely to come, so the next round waits for `EVERY_MS`. */
const FEW = 64
/** About 4 MB of WAL, checkpointed in 2 ms. */
const CHECKPOINT_JOBS = 500
