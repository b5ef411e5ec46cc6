// Jobs that wait for the disk. One batch is under way; whatever comes meanwhile goes into the next.
import type { Log } from '../log/log.ts'
import { BATCH_LINES, FEW_WRITES, nextBatch, type Waiting } from './batch.ts'
import { StoreFailure } from './failure.ts'
import type { HappenedRow, HistoryRow, Renaming } from './historyrows.ts'
import type {
  Batch,
  BatchDone,
  Failed,
  FromWorker,
  Input,
  Output,
  ReadJob,
  Reads,
  Result,
  StoreThread,
  WriteJob,
  Writes,
} from './operations.ts'
import { Pace } from './batchtiming.ts'
import { Trouble } from './trouble.ts'
import { historyValues } from './values.ts'
import { Watchdog } from './watchdog.ts'

export interface QueueOptions {
  readonly log: Log
  /** Jobs that may wait. Beyond it chat lines are dropped and counted, and deliveries are refused as `busy`. */
  readonly maxJobs?: number
  /** How long after a failed write the lines that still wait are tried again. */
  readonly retryMs?: number
  /** Called with what was read, or should have been written, of a damaged file. */
  readonly onDamage?: (damage: string) => void
}

export class JobQueue {
  readonly #worker: StoreThread
  readonly #log: Log
  readonly #maxJobs: number
  readonly #pace: Pace
  readonly #trouble: Trouble

  readonly #onDamage: (damage: string) => void
  readonly #watchdog: Watchdog

  #waiting: Jobs = { lines: [], writes: [], reads: [] }
  #underWay: Jobs | undefined
  /** Of all that waits or is under way. */
  #bytes = 0
  /** Of the next job. */
  #order = 0
  #closing: PromiseWithResolvers<void> | undefined
  #isDead = false
  readonly #death = Promise.withResolvers<string>()
  #isUnreadTold = false

  constructor(worker: StoreThread, options: QueueOptions) {
    this.#worker = worker
    this.#log = options.log
    this.#onDamage = options.onDamage ?? (() => {})
    this.#trouble = new Trouble(options.log)
    this.#watchdog = new Watchdog(options.log, () => this.#refuseWaiting())
    this.#maxJobs = options.maxJobs ?? 20_000
    this.#pace = new Pace(() => this.#send(), options.retryMs ?? 1_000)
    worker.on('message', (message: FromWorker) => this.#receive(message))
    worker.on('error', (error: Error) => this.#die(error))
    worker.on('exit', () => this.#die(new Error('the thread of the store has ended')))
  }

  get length(): number {
    const waiting = countOf(this.#waiting)
    return this.#underWay ? waiting + countOf(this.#underWay) : waiting
  }

  /** True while more is said than the disk can write. False when it writes nothing at all: waiting would not help. */
  get isBehind(): boolean {
    return this.trouble === undefined && this.length > this.#maxJobs / 2
  }

  /** Why nothing can be written, as far as the last attempt tells. */
  get trouble(): string | undefined {
    if (this.#isDead) return 'the store has stopped'
    return this.stuckMs > 0 ? this.#watchdog.describe() : this.#trouble.reason
  }

  /** See `Watchdog`. */
  get stuckMs(): number {
    return this.#watchdog.stuckMs
  }

  /** See `Watchdog`. */
  orStuck<T>(work: Promise<T>): Promise<T> {
    return this.#watchdog.orStuck(work)
  }

  get isDead(): boolean {
    return this.#isDead
  }

  /** Resolves with the reason if the thread ends unasked: nothing can be read or written then. */
  get died(): Promise<string> {
    return this.#death.promise
  }

  /** Never fails for the caller: beyond the bound the line is dropped, counted and logged. */
  remember(row: HistoryRow): void {
    this.#line(['remember', historyValues(row)], row.text.length)
  }

  /** Events give way to messages: they are dropped and counted as soon as the disk falls behind. */
  happened(row: HappenedRow): void {
    if (this.isBehind) this.#trouble.drop(this.length)
    else this.#line(['happened', row], row.places.length * PLACE_BYTES)
  }

  /** A channel's new name, in order among the lines: what was said before is filed under it too. Dropped as a line is. */
  rename(renaming: Renaming): void {
    this.#line(['rename', renaming], 0)
  }

  /** `size`: of its texts, without `body`, a part of `input` that is transferred, not copied, if it owns its whole buffer. */
  write<K extends keyof Writes>(
    op: K,
    input: Input<Writes, K>,
    size = 0,
    body?: Uint8Array,
  ): Promise<Output<Writes, K>> {
    const bytes = size + (body?.byteLength ?? 0) + OVERHEAD
    return this.#ask(this.#waiting.writes, { job: [op, input] as WriteJob, bytes, body }) as Promise<
      Output<Writes, K>
    >
  }

  read<K extends keyof Reads>(op: K, input: Input<Reads, K>): Promise<Output<Reads, K>> {
    return this.#ask(this.#waiting.reads, { job: [op, input] as ReadJob, bytes: OVERHEAD }) as Promise<
      Output<Reads, K>
    >
  }

  /** Schedules a batch for what will be asked by the end of this turn. */
  expect(): void {
    if (!this.#closing) this.#schedule()
  }

  close(): Promise<void> {
    if (this.#closing) return this.#closing.promise
    this.#closing = Promise.withResolvers()
    this.#pace.endRetry()
    if (this.#isDead) this.#closing.resolve()
    else this.#schedule()
    return this.#closing.promise
  }

  #line(job: WriteJob, size: number): void {
    // That it has stopped was said once, and is not for lack of room.
    if (this.#isDead) return
    if (this.#refusal()) return this.#trouble.drop(this.length)
    const bytes = size + OVERHEAD
    this.#waiting.lines.push({ job, bytes, order: this.#order++ })
    this.#bytes += bytes
    if (!this.#pace.isRetrying) this.#gather()
  }

  #ask<T>(list: Answered<T>[], asked: Omit<Waiting<T>, 'order'>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const refusal = this.#refusal() ?? this.#watchdog.failure
      if (refusal) {
        reject(refusal)
        return
      }
      list.push({ ...asked, order: this.#order++, resolve, reject })
      this.#bytes += asked.bytes
      this.#schedule()
    })
  }

  #refusal(): StoreFailure | undefined {
    if (this.#closing) return new StoreFailure('closed', 'the store is closed')
    if (this.#isDead) return new StoreFailure('closed', 'the store has stopped: see the log')
    if (this.length >= this.#maxJobs || this.#bytes >= MOST_BYTES)
      return new StoreFailure('busy', 'too many writes are waiting for the disk')
    return undefined
  }

  #gather(): void {
    if (this.#waiting.lines.length >= BATCH_LINES) this.#schedule()
    else this.#pace.gather()
  }

  #schedule(): void {
    if (!this.#underWay && !this.#isDead) this.#pace.soon()
  }

  #send(): void {
    if (this.#underWay || this.#isDead) return
    this.#pace.went()
    if (countOf(this.#waiting) === 0) {
      if (this.#closing) this.#worker.postMessage('close')
      return
    }
    const share = nextBatch(this.#waiting, this.#trouble.reason !== undefined)
    const lines = this.#waiting.lines.splice(0, share.lines)
    const writes = this.#waiting.writes.splice(0, share.writes)
    const reads = this.#waiting.reads.splice(0, share.reads)
    this.#underWay = { lines, writes, reads }
    this.#watchdog.begin()
    const batch: Batch = { lines: lines.map(jobOf), writes: writes.map(jobOf), reads: reads.map(jobOf) }
    this.#worker.postMessage(batch, writes.flatMap(handedOver))
  }

  #receive(message: FromWorker): void {
    if (message === 'closed') this.#closed()
    else this.#settle(message)
  }

  #settle(done: BatchDone): void {
    const batch = this.#underWay
    if (!batch) return
    this.#underWay = undefined
    this.#watchdog.end()
    const { lines, writes, reads } = batch
    const broken = [...done.lines.values(), ...done.writes].find(isOfDisk)
    if (broken) this.#fail(broken)
    else if (lines.length + writes.length > 0) this.#recover()

    const again = lines.filter((line, i) => !this.#isLineDone(line, done.lines.get(i)))
    this.#waiting.lines.unshift(...again)
    // Keeps the disk busy while callers are answered.
    if (!broken && this.#waiting.writes.length >= FEW_WRITES) this.#send()
    writes.forEach((job, i) => this.#answer(job, done.writes[i]))
    reads.forEach((job, i) => this.#answer(job, done.reads[i]))
    this.#tellOfUnread(done.reads)

    if (again.length > 0 && this.#closing) this.#giveUp()
    // Lines alone wait for the retry; a caller awaiting an answer is a reason to try now.
    const isAsked = this.#waiting.writes.length + this.#waiting.reads.length > 0
    if (this.#closing || isAsked) this.#schedule()
    else if (again.length === 0 && this.#waiting.lines.length > 0) this.#gather()
  }

  #isLineDone(line: Waiting<WriteJob>, failed: Failed | undefined): boolean {
    if (failed && isOfDisk(failed)) return false
    this.#bytes -= line.bytes
    if (failed) this.#log.error({ reason: failed.message }, 'a line could not be kept in the history')
    return true
  }

  #answer<T>(job: Answered<T>, result: Result | undefined): void {
    this.#bytes -= job.bytes
    if (result?.ok) job.resolve(result.value)
    else
      job.reject(new StoreFailure(result?.reason ?? 'broken', result?.message ?? 'the store gave no answer'))
  }

  /** Once, so that repeated reads do not fill the log. */
  #tellOfUnread(reads: readonly Result[]): void {
    const unread = reads.find(isOfDisk)
    if (unread?.reason === 'damaged') this.#onDamage(unread.message)
    if (this.#isUnreadTold || !unread) return
    this.#isUnreadTold = true
    this.#log.error({ reason: unread.message }, 'something in the database cannot be read')
  }

  /** What nobody has begun is not done later, when its caller has given up. Of what is under way, nobody knows. */
  #refuseWaiting(): void {
    const { failure } = this.#watchdog
    if (!failure) return
    const { writes, reads } = this.#waiting
    for (const job of [...writes.splice(0), ...reads.splice(0)]) {
      this.#bytes -= job.bytes
      job.reject(failure)
    }
    for (const job of this.#underWay?.reads ?? []) job.reject(failure)
  }

  #fail({ reason, message }: DiskFailed): void {
    if (reason === 'damaged') this.#onDamage(message)
    this.#trouble.begin(message, this.length)
    if (!this.#closing) this.#pace.retry()
  }

  #recover(): void {
    this.#pace.endRetry()
    this.#trouble.end()
  }

  #giveUp(): void {
    const lost = this.#waiting.lines.splice(0)
    for (const { bytes } of lost) this.#bytes -= bytes
    this.#log.error(
      { lost: lost.length, reason: this.#trouble.reason },
      'closing without the last lines of the history',
    )
  }

  #closed(): void {
    this.#isDead = true
    this.#watchdog.stop()
    this.#closing?.resolve()
  }

  #die(error: Error): void {
    if (this.#isDead) return
    this.#isDead = true
    this.#pace.endRetry()
    this.#watchdog.stop()
    const left = [this.#underWay, this.#waiting]
    const lost = this.#waiting.lines.length
    this.#underWay = undefined
    this.#waiting = { lines: [], writes: [], reads: [] }
    this.#log.error({ err: error, lost }, 'the store has stopped, and so does the server')
    const failure = new StoreFailure('closed', 'the store has stopped')
    for (const { writes, reads } of left.filter((jobs) => jobs !== undefined))
      for (const job of [...writes, ...reads]) job.reject(failure)
    this.#death.resolve(error.message)
    this.#closing?.resolve()
  }
}

interface Answered<T> extends Waiting<T> {
  resolve(value: unknown): void
  reject(failure: StoreFailure): void
}

interface Jobs {
  /** Nobody awaits chat lines: after a failure they stay queued, in order, and are tried again. */
  readonly lines: Waiting<WriteJob>[]
  readonly writes: Answered<WriteJob>[]
  readonly reads: Answered<ReadJob>[]
}

/** That may wait, with the same consequence as `maxJobs`. */
const MOST_BYTES = 64 * 1024 * 1024
/** Bytes that a job costs besides its text. */
const OVERHEAD = 500
/** What an event adds to that for each channel. */
const PLACE_BYTES = 100

function countOf({ lines, writes, reads }: Jobs): number {
  return lines.length + writes.length + reads.length
}

type DiskFailed = Failed & { readonly reason: Exclude<Failed['reason'], 'job'> }

/** Not the fault of this one job: the others would fail too. */
function isOfDisk(result: Result): result is DiskFailed {
  return !result.ok && result.reason !== 'job'
}

function jobOf<T>({ job }: Waiting<T>): T {
  return job
}

function handedOver<T>({ body }: Waiting<T>): readonly ArrayBuffer[] {
  return body?.buffer instanceof ArrayBuffer && body.byteLength === body.buffer.byteLength
    ? [body.buffer]
    : []
}
