// What waits for the disk. One batch is under way; whatever comes meanwhile is the next one.
import type { Worker } from 'node:worker_threads'
import { StoreFailure } from './failure.ts'
import type {
  Batch,
  BatchDone,
  Failed,
  FromWorker,
  Input,
  Output,
  ReadJob,
  Reads,
  Renaming,
  Result,
  WriteJob,
  Writes,
} from './operations.ts'
import type { HappenedRow, HistoryRow, StoreLog } from './rows.ts'
import { Trouble } from './trouble.ts'
import { historyValues } from './values.ts'

export interface QueueOptions {
  readonly log: StoreLog
  readonly maxJobs?: number
  readonly maxBytes?: number
  readonly retryMs?: number
}

export class JobQueue {
  readonly #worker: Worker
  readonly #log: StoreLog
  readonly #maxJobs: number
  readonly #maxBytes: number
  readonly #retryMs: number

  // Chat lines have nobody to answer to: after a failure they wait here, in order, and are tried again.
  readonly #lines: Waiting<WriteJob>[] = []
  readonly #writes: Answered<WriteJob>[] = []
  readonly #reads: Answered<ReadJob>[] = []
  #bytes = 0
  #place = 0
  #underWay: UnderWay | undefined
  #scheduled = false
  #gathering: NodeJS.Timeout | undefined

  readonly #trouble: Trouble
  #retry: NodeJS.Timeout | undefined
  #closing: PromiseWithResolvers<void> | undefined
  #dead = false

  constructor(worker: Worker, options: QueueOptions) {
    this.#worker = worker
    this.#log = options.log
    this.#trouble = new Trouble(options.log)
    this.#maxJobs = options.maxJobs ?? 20_000
    this.#maxBytes = options.maxBytes ?? 64 * 1024 * 1024
    this.#retryMs = options.retryMs ?? 1_000
    worker.on('message', (message: FromWorker) => this.#receive(message))
    worker.on('error', (error) => this.#die(error))
    worker.on('exit', () => this.#die(new Error('the thread of the store has ended')))
  }

  get length(): number {
    const underWay = this.#underWay
    const waiting = this.#lines.length + this.#writes.length + this.#reads.length
    if (!underWay) return waiting
    return waiting + underWay.lines.length + underWay.writes.length + underWay.reads.length
  }

  /** True while more is said than the disk takes. When it takes nothing at all, waiting would not help. */
  get isBehind(): boolean {
    return this.#trouble.reason === undefined && !this.#dead && this.length > this.#maxJobs / 2
  }

  /** Never refused to the caller: beyond the bound the line is dropped, counted and logged. */
  remember(row: HistoryRow): void {
    this.#line(['remember', historyValues(row)], row.text.length)
  }

  /** What happened gives way to what is said: it is dropped, and counted, as soon as the disk falls behind. */
  happened(row: HappenedRow): void {
    if (this.isBehind) this.#trouble.drop(this.length)
    else this.#line(['happened', row], row.places.length * placeBytes)
  }

  /** A channel's new name, in its place among the lines: what was said before it is filed under it too. Dropped as a line is. */
  rename(renaming: Renaming): void {
    this.#line(['rename', renaming], 0)
  }

  #line(job: WriteJob, size: number): void {
    if (this.#refusal()) return this.#trouble.drop(this.length)
    const bytes = size + overhead
    this.#lines.push({ job, bytes, place: this.#place++ })
    this.#bytes += bytes
    if (this.#retry === undefined) this.#gather()
  }

  /** `body` is a part of `input` that is handed over, not copied, where it owns its buffer. */
  write<K extends keyof Writes>(
    op: K,
    input: Input<Writes, K>,
    size: number,
    body?: Uint8Array,
  ): Promise<Output<Writes, K>> {
    const bytes = size + overhead
    return this.#ask(this.#writes, { job: [op, input] as WriteJob, bytes, body }) as Promise<
      Output<Writes, K>
    >
  }

  read<K extends keyof Reads>(op: K, input: Input<Reads, K>): Promise<Output<Reads, K>> {
    return this.#ask(this.#reads, { job: [op, input] as ReadJob, bytes: overhead }) as Promise<
      Output<Reads, K>
    >
  }

  /** Something is asked at the end of this turn, and need not wait for the next. */
  expect(): void {
    if (!this.#closing) this.#schedule()
  }

  close(): Promise<void> {
    if (this.#closing) return this.#closing.promise
    this.#closing = Promise.withResolvers()
    clearTimeout(this.#retry)
    this.#retry = undefined
    if (this.#dead) this.#closing.resolve()
    else this.#schedule()
    return this.#closing.promise
  }

  #ask<T>(list: Answered<T>[], asked: Omit<Waiting<T>, 'place'>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const refusal = this.#refusal()
      if (refusal) {
        reject(refusal)
        return
      }
      list.push({ ...asked, place: this.#place++, resolve, reject })
      this.#bytes += asked.bytes
      this.#schedule()
    })
  }

  #refusal(): StoreFailure | undefined {
    if (this.#closing) return new StoreFailure('closed', 'the store is closed')
    if (this.#dead)
      return new StoreFailure('broken', 'the store has stopped: see the log, then start the server again')
    if (this.length >= this.#maxJobs || this.#bytes >= this.#maxBytes)
      return new StoreFailure('busy', 'too much waits for the disk')
    return undefined
  }

  // Nobody waits for lines: those of a moment share a commit, which costs as much as a hundred of them.
  #gather(): void {
    if (this.#lines.length >= batchLines) this.#schedule()
    else this.#gathering ??= setTimeout(() => this.#gathered(), gatherMs)
  }

  #gathered(): void {
    this.#gathering = undefined
    if (this.#retry === undefined) this.#schedule()
  }

  // After this turn of the event loop's reading, so that what arrived on many sockets at once shares a commit.
  #schedule(): void {
    if (this.#scheduled || this.#underWay || this.#dead) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      if (!this.#underWay && !this.#dead) this.#send()
    })
  }

  #send(): void {
    clearTimeout(this.#gathering)
    this.#gathering = undefined
    if (this.#lines.length + this.#writes.length + this.#reads.length === 0) {
      if (this.#closing) this.#worker.postMessage('close')
      return
    }
    // People saw those lines before they will see the deliveries, which are shown after their commit. But a channel's new name
    // waits for deliveries from before it: they are filed under the old one.
    const firstWrite = this.#writes[0]?.place ?? Infinity
    const isReady = ({ job, place }: Waiting<WriteJob>) => job[0] !== 'rename' || place < firstWrite
    const lines = takeUpTo(this.#lines, batchLines, batchBytes / 2, isReady)
    const share = Math.min(batchWrites, Math.max(fewWrites, Math.ceil(this.#writes.length / 2)))
    const writes = takeUpTo(this.#writes, share, batchBytes / 2)
    // A read sees what was queued before it; when the disk fails it does not wait for that.
    const left = Math.min(this.#lines[0]?.place ?? Infinity, this.#writes[0]?.place ?? Infinity)
    const ready = this.#reads.filter(({ place }) => place < left || this.#trouble.reason !== undefined)
    const reads = this.#reads.splice(0, Math.min(ready.length, readsPerBatch))
    this.#underWay = { lines, writes, reads }
    const batch: Batch = { lines: lines.map(jobOf), writes: writes.map(jobOf), reads: reads.map(jobOf) }
    this.#worker.postMessage(batch, writes.flatMap(handedOver))
  }

  #receive(message: FromWorker): void {
    if (message === 'closed') this.#closed()
    else if (typeof message === 'object' && 'writes' in message) this.#settle(message)
  }

  #settle(done: BatchDone): void {
    const batch = this.#underWay
    if (!batch) return
    this.#underWay = undefined
    const { lines, writes, reads } = batch
    const broken = [...done.lines.values(), ...done.writes].find(
      (result) => !result.ok && result.reason !== 'job',
    )
    if (broken && !broken.ok) this.#fail(broken.message)
    else if (lines.length + writes.length > 0) this.#recover()

    const again = lines.filter((line, i) => !this.#isLineDone(line, done.lines.get(i)))
    this.#lines.unshift(...again)
    // The disk goes on while those who waited are answered.
    if (!broken && this.#writes.length >= fewWrites) this.#send()
    writes.forEach((job, i) => this.#answer(job, done.writes[i]))
    reads.forEach((job, i) => this.#answer(job, done.reads[i]))

    if (again.length > 0 && this.#closing) this.#giveUp()
    // Lines alone wait for their time; somebody who wants an answer is a reason to try now.
    if (again.length === 0 || this.#closing || this.#writes.length + this.#reads.length > 0) this.#next()
  }

  #next(): void {
    if (this.#closing || this.#writes.length + this.#reads.length > 0) this.#schedule()
    else if (this.#lines.length > 0) this.#gather()
  }

  #isLineDone(line: Waiting<WriteJob>, failed: Failed | undefined): boolean {
    if (failed && failed.reason !== 'job') return false
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

  #fail(reason: string): void {
    this.#trouble.begin(reason, this.length)
    if (this.#closing) return
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      this.#schedule()
    }, this.#retryMs)
  }

  #recover(): void {
    clearTimeout(this.#retry)
    this.#retry = undefined
    this.#trouble.end()
  }

  #giveUp(): void {
    this.#log.error(
      { lost: this.#lines.length, reason: this.#trouble.reason },
      'closing without the last lines of the history',
    )
    this.#bytes -= this.#lines.splice(0).reduce((bytes, line) => bytes + line.bytes, 0)
  }

  #closed(): void {
    this.#dead = true
    this.#closing?.resolve()
  }

  #die(error: Error): void {
    if (this.#dead) return
    this.#dead = true
    clearTimeout(this.#retry)
    this.#log.error({ err: error, lost: this.#lines.length }, 'the store has stopped: start the server again')
    const failure = new StoreFailure('broken', 'the store has stopped')
    const { writes = [], reads = [] } = this.#underWay ?? {}
    for (const job of [...writes, ...reads, ...this.#writes.splice(0), ...this.#reads.splice(0)])
      job.reject(failure)
    this.#underWay = undefined
    this.#lines.length = 0
    this.#closing?.resolve()
  }
}

interface Waiting<T> {
  readonly job: T
  readonly bytes: number
  readonly body?: Uint8Array | undefined
  /** Counts everything that was queued. */
  readonly place: number
}

interface Answered<T> extends Waiting<T> {
  resolve(value: unknown): void
  reject(failure: StoreFailure): void
}

interface UnderWay {
  readonly lines: Waiting<WriteJob>[]
  readonly writes: Answered<WriteJob>[]
  readonly reads: Answered<ReadJob>[]
}

const batchLines = 2_000
const batchWrites = 512
/**
 * Of more than these half goes and half waits. Senders who are answered together come back together: were they all in one batch, the
 * disk would rest while this thread works for them, and this thread while the disk does.
 */
const fewWrites = 32
/** How long a line may wait for others; a crash takes it along. */
const gatherMs = 20
const batchBytes = 8 * 1024 * 1024
const readsPerBatch = 64
/** Bytes that a job costs beside its text. */
const overhead = 500
/** What an event adds to that for each channel. */
const placeBytes = 100

function jobOf<T>({ job }: Waiting<T>): T {
  return job
}

function handedOver<T>({ body }: Waiting<T>): readonly ArrayBuffer[] {
  return body?.buffer instanceof ArrayBuffer && body.byteLength === body.buffer.byteLength
    ? [body.buffer]
    : []
}

/** Takes from the front, up to what is not ready; else at least one, so that what is larger than a batch goes alone. */
function takeUpTo<W extends Waiting<unknown>>(
  list: W[],
  most: number,
  mostBytes: number,
  isReady: (one: W) => boolean = () => true,
): W[] {
  let bytes = 0
  let count = 0
  for (const one of list) {
    if (count === most || (count > 0 && bytes + one.bytes > mostBytes) || !isReady(one)) break
    bytes += one.bytes
    count++
  }
  return list.splice(0, count)
}
