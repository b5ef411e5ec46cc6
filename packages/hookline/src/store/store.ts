// Everything that must last: what was said, what was delivered, what waits for somebody. The only room with SQL.
import { type AccountStore, accountStore } from './accountstore.ts'
import { type DeliveryStore, deliveryStore } from './deliverystore.ts'
import type { Erased, Erasure } from './erase.ts'
import type {
  Beside,
  HappenedRow,
  HistoryRow,
  PageQuery,
  PastRow,
  Redaction,
  Renaming,
  SearchQuery,
  TargetRow,
  TargetsQuery,
} from './historyrows.ts'
import { type KeptStore, keptStore } from './keptstore.ts'
import type { Mending } from './mend.ts'
import { JobQueue, type QueueOptions } from './queue.ts'
import { Recipients } from './recipients.ts'
import { join } from 'node:path'
import { BOTS, type KeptRecord, type RecordRow } from './records.ts'
import { keepPruned, type RetentionOptions } from './retention.ts'
import { Integrity } from './integrity.ts'
import { type ClockOptions, openClock, type StoreClock } from './storeclock.ts'
import { type Opening, startWorker } from './writer.ts'

export interface StoreOptions extends Omit<QueueOptions, 'onDamage'>, RetentionOptions, ClockOptions {
  /** Largest size of the database in pages of 4 KiB; writes beyond it fail as on a full disk. */
  readonly maxPages?: number | undefined
  /** What was begun before, so that the rest of the server loads meanwhile. */
  readonly opening?: Promise<Opening> | undefined
}

export interface Store {
  /** Queued, in order; the same id twice is stored once. */
  remember(row: HistoryRow): void
  /** The same for events. */
  happened(row: HappenedRow): void
  /** Deletes all of it for good, in steps. Resolves to the number of messages. */
  erase(what: Omit<Erasure, 'from'>): Promise<number>
  /** Resolves when the text and the tags of that message are out of the history; it no longer begins a thread. */
  redact(id: string, redaction: Redaction): Promise<void>
  /** Files what was said in a channel under its new name. Queued, in order. */
  rename(renaming: Renaming): void
  /** At most 5,000 rows, newest last: the newest, or those nearest to a time, including everything remembered before the call. */
  history(conversation: string, limit: number, beside?: Beside): Promise<readonly HistoryRow[]>
  /** In order of time. Undefined: an anchor is not an id of this server. */
  page(query: PageQuery): Promise<readonly PastRow[] | undefined>
  /** In the order of time. */
  search(query: SearchQuery): Promise<readonly HistoryRow[]>
  /** In the order of time. */
  targets(query: TargetsQuery): Promise<readonly TargetRow[]>
  /** Time of the newest message; undefined when there is none. */
  latest(): Promise<number | undefined>
  /** The time that the server has seen pass. */
  readonly clock: StoreClock
  /** Pulls back what was stamped by a clock that was ahead. Resolves to the number of messages and events. */
  mend(mending: Mending): Promise<number>
  /** One message by its msgid. */
  message(id: string): Promise<HistoryRow | undefined>
  readonly accounts: AccountStore
  readonly botState: BotStates
  readonly records: Records
  readonly deliveries: DeliveryStore
  readonly kept: KeptStore
  /** Jobs waiting or being written. */
  readonly queued: number
  /** More is said than the disk can write: whoever can slow its source down should. */
  readonly isBehind: boolean
  /** Why nothing can be written, as far as the last attempt tells. */
  readonly trouble: string | undefined
  /** Resolves with the reason if the store ends unasked: nothing can be read or written then. */
  readonly died: Promise<string>
  /** Whether it has. */
  readonly isDead: boolean
  /** For how long the disk has not answered, in ms, once that is too long; 0 while it does. */
  readonly stuckMs: number
  /** Settles as `work` does, but rejects as soon as the disk hangs: the work goes on, and may yet succeed. */
  orStuck<T>(work: Promise<T>): Promise<T>
  /** Whether the file holds together, as far as it was checked. */
  readonly integrity: Pick<Integrity, 'checkedAt' | 'damage'>
  /** Resolves when everything queued is on disk, or when the disk refused it once more. */
  close(): Promise<void>
}

/** What the chat must find again when it starts: JSON by kind and key. */
interface Records {
  all(kind: string): Promise<readonly RecordRow[]>
  /** All of them or none; `json` null removes. */
  save(records: readonly KeptRecord[]): Promise<void>
}

interface BotStates {
  load(bot: string): Promise<string | undefined>
  /** `json` null removes. */
  save(bot: string, json: string | null): Promise<void>
  /** Deletes what is remembered of deleted bots, except the records of their deliveries. `at`: when the last was deleted, in ms. */
  forget(bots: readonly string[], at: number): Promise<void>
  /** The latest `at` so far; undefined before the first. */
  forgotten(): Promise<number | undefined>
}

/**
 * Opens or creates the database in `folder`. One server per folder. Rejects with a `StoreFailure`: when another server has it,
 * whose pid it names, or when the file is damaged or written by a newer version.
 */
export async function openStore(folder: string, options: StoreOptions): Promise<Store> {
  const { worker, isChecked } = await (options.opening ?? startWorker(folder, options.maxPages))
  const integrity = new Integrity(join(folder, 'hookline.db'), options.log)
  const queue = new JobQueue(worker, { ...options, onDamage: (damage) => integrity.met(damage) })
  const recipients = new Recipients()
  const botState: BotStates = {
    load: (bot) => queue.read('state', bot),
    save: (bot, json) => queue.write('state.save', { bot, json }, json?.length ?? 0),
    forget: (bots, at) => queue.write('bots.forget', { bots, at }),
    forgotten: async () => {
      const [last] = await queue.read('records', BOTS)
      return last && Number(last.json)
    },
  }
  const records: Records = {
    all: (kind) => queue.read('records', kind),
    save: (saved) =>
      queue.write(
        'records.save',
        saved,
        saved.reduce((size, { json }) => size + (json?.length ?? 0), 0),
      ),
  }
  let clock: StoreClock
  try {
    clock = await openClock(queue, options)
    for (const nick of await queue.read('kept.recipients', undefined)) recipients.add(nick)
  } catch (error) {
    await queue.close()
    throw error
  }
  if (isChecked) integrity.found()
  else void integrity.check()
  const endPruning = keepPruned(queue, clock, options)
  return {
    clock,
    remember: (row) => queue.remember(row),
    happened: (row) => queue.happened(row),
    erase: (what) => eraseAll(queue, what),
    redact: (id, redaction) => queue.write('redact', { id, redaction }),
    rename: (renaming) => queue.rename(renaming),
    history: (conversation, limit, beside) => queue.read('history', { conversation, limit, ...beside }),
    page: (query) => queue.read('page', query),
    search: (query) => queue.read('search', query),
    targets: (query) => queue.read('targets', query),
    latest: async () => (await queue.read('latest', undefined)).message ?? undefined,
    mend: (mending) => queue.write('mend', mending),
    message: (id) => queue.read('message', id),
    accounts: accountStore(queue, () => clock.trusted),
    botState,
    records,
    deliveries: deliveryStore(queue, recipients),
    kept: keptStore(queue, recipients),
    get queued() {
      return queue.length
    },
    get trouble() {
      return queue.trouble
    },
    get isBehind() {
      return queue.isBehind
    },
    died: queue.died,
    get isDead() {
      return queue.isDead
    },
    get stuckMs() {
      return queue.stuckMs
    },
    orStuck: (work) => queue.orStuck(work),
    integrity,
    close: () => {
      endPruning()
      integrity.stop()
      clock.saveAtEnd()
      return queue.close()
    },
  }
}

async function eraseAll(queue: JobQueue, what: Omit<Erasure, 'from'>): Promise<number> {
  let erased = 0
  for (let from: number | undefined = 0; from !== undefined;) {
    const step: Erased = await queue.write('erase', { ...what, from })
    erased += step.messages
    from = step.next
  }
  return erased
}
