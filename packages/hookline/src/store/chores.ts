// What the store does for itself, in steps and while nobody waits for it: words go into the search index, and the log into the file.
import type { Committer } from './committer.ts'
import type { OpenDatabase } from './database.ts'

/** Without them nothing is lost: what is not in the index is looked through, and SQLite folds a long log by itself, while all wait. */
export class Chores {
  readonly #committer: Pick<Committer, 'run'>
  readonly #database: Pick<OpenDatabase, 'fold'>
  readonly #now: () => number
  #timer: NodeJS.Timeout | undefined
  /** Since when something that was written, now or by the server before, waits. */
  #dueSince: number | undefined
  #unfolded = 0
  #doneAt = Number.NEGATIVE_INFINITY

  constructor(
    committer: Pick<Committer, 'run'>,
    database: Pick<OpenDatabase, 'fold'>,
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
    this.#unfolded += jobs
    if (jobs > 0) this.#dueSince ??= now
    if (this.#dueSince !== undefined && now - this.#dueSince >= lateMs) return this.#step()
    this.#soon(jobs > few ? everyMs : Math.max(restMs, this.#doneAt + everyMs - now))
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
    if (grown?.ok && grown.value === true) return this.#soon(restMs)
    // A disk that takes nothing is tried again after the next batch.
    if (grown?.ok && this.#unfolded >= foldJobs && this.#database.fold()) this.#unfolded = 0
    this.#dueSince = undefined
    this.#doneAt = this.#now()
  }
}

/** Once they are done, not again for so long. */
const everyMs = 1_000
/** Nothing came for so long. */
const restMs = 5
/** Where it has not rested for so long one step is taken behind each batch, and the next one waits for 2 ms. */
const lateMs = 10_000
/** After a larger batch there is more to come, and what can wait does. */
const few = 64
/** About 4 MB of log, which are folded in 2 ms. */
const foldJobs = 500
