// Everything that must last: what was said, what was delivered, what waits for somebody. The only room with SQL.
import { type AccountStore, accountStore } from './accountstore.ts'
import type { Renaming, Retracted, Retraction } from './operations.ts'
import { JobQueue, type QueueOptions } from './queue.ts'
import type { Erased, Erasure } from './erase.ts'
import { Recipients } from './recipients.ts'
import type { KeptRecord } from './records.ts'
import type {
  Begun,
  Beside,
  Delivery,
  DeliveryRecord,
  Finished,
  HappenedRow,
  HistoryRetention,
  HistoryRow,
  KeptFor,
  KeptMessage,
  ListQuery,
  NewDelivery,
  Outcome,
  PageQuery,
  PastRow,
  PendingRow,
  Redaction,
  Replies,
  Retention,
  SearchQuery,
  StoreLog,
  TargetRow,
  TargetsQuery,
} from './rows.ts'
import { deliveryValues, keptValues, outcomeValues } from './values.ts'
import { startWorker } from './writer.ts'

export type { Retracted } from './operations.ts'
export type {
  Begun,
  Delivery,
  DeliveryRecord,
  Finished,
  HappenedRow,
  HistoryRow,
  KeptMessage,
  NewDelivery,
  Outcome,
  PendingRow,
  Redaction,
  Replies,
  TargetRow,
} from './rows.ts'

export interface StoreOptions extends QueueOptions {
  /** Largest size of the database in pages of 4 KiB; writes beyond it fail as on a full disk. */
  readonly maxPages?: number
  readonly retention?: Partial<Retention>
  readonly historyRetention?: HistoryRetention
}

export interface Store {
  /** Queued, in order; the same id twice is kept once. */
  remember(row: HistoryRow): void
  /** The same for what is no message. */
  happened(row: HappenedRow): void
  /** Takes it all out for good, in steps. How many messages there were. */
  erase(what: Omit<Erasure, 'from'>): Promise<number>
  /** Resolves when the text and the tags of that message are out of the history; it begins no thread any more. */
  redact(id: string, redaction: Redaction): Promise<void>
  /** Files what was said in a channel under its new name. Queued, in order. */
  rename(renaming: Renaming): void
  /** At most 5,000 rows, newest last: the newest there are, or those nearest to a time. Everything remembered before the call is among them. */
  history(conversation: string, limit: number, beside?: Beside): Promise<readonly HistoryRow[]>
  /** In the order of time. Undefined: an anchor is no id of ours. */
  page(query: PageQuery): Promise<readonly PastRow[] | undefined>
  /** In the order of time. */
  search(query: SearchQuery): Promise<readonly HistoryRow[]>
  /** In the order of time. */
  targets(query: TargetsQuery): Promise<readonly TargetRow[]>
  /** When the last that is kept was said; undefined where nothing is. */
  latest(): Promise<number | undefined>
  /** One message by its msgid. */
  message(id: string): Promise<HistoryRow | undefined>
  readonly accounts: AccountStore
  readonly botState: BotStates
  readonly records: Records
  readonly deliveries: DeliveryStore
  readonly kept: KeptStore
  /** Jobs waiting or being written. */
  readonly queued: number
  /** More is said than the disk takes: whoever may slow its source down should. */
  readonly isBehind: boolean
  /** Resolves when everything queued is on disk, or when the disk refused it once more. */
  close(): Promise<void>
}

/** Promises here resolve after COMMIT, and reject with a `StoreFailure`. */
interface DeliveryStore {
  /** Something is recorded at the end of this turn of the event loop, by what was scheduled before: it need not wait for the next. */
  expect(): void
  /** Records that it came. Anything but `new` leaves the row of the first one in charge. */
  begin(delivery: NewDelivery): Promise<Begun>
  /** Outcomes, history, kept messages and threads in one transaction. */
  finish(finished: readonly Finished[]): Promise<Replies>
  /** Takes back all that a delivery said or has waiting for somebody, and notes it in its record, in one transaction. */
  retract(retraction: Retraction): Promise<Retracted>
  /** `begin` and `finish` in one transaction. On `duplicate` and `retry` the outcome is not written. */
  record(delivery: NewDelivery, outcome: Outcome): Promise<Begun>
  /** Makes a recorded delivery pending once more and counts the attempt; undefined when there is none. */
  reopen(id: string): Promise<Delivery | undefined>
  get(id: string): Promise<Delivery | undefined>
  /** Newest last, without bodies; at most 1,000. */
  list(query: ListQuery): Promise<readonly DeliveryRecord[]>
  /** Every delivery that came and has no outcome, in the order they came. */
  pending(): Promise<readonly PendingRow[]>
}

interface KeptStore {
  add(messages: readonly KeptMessage[]): Promise<void>
  /** What waits for a nick (folded), oldest first. */
  of(nick: string): Promise<KeptFor>
  /** They were handed over; `told` is how many dropped ones the nick has heard of. */
  done(nick: string, ids: readonly string[], told?: number): Promise<void>
}

/** What the chat must find again when it starts: JSON by kind and key. */
interface Records {
  all(kind: string): Promise<readonly { readonly key: string; readonly json: string }[]>
  /** All of them or none; `json` null removes. */
  save(records: readonly KeptRecord[]): Promise<void>
}

interface BotStates {
  load(bot: string): Promise<string | undefined>
  save(bot: string, json: string): Promise<void>
}

/**
 * Opens or creates the database in `folder`. One server per folder: rejects, naming the other's pid, when it is taken;
 * also when the file is damaged or written by a newer version.
 */
export async function openStore(folder: string, options: StoreOptions): Promise<Store> {
  const worker = await startWorker(folder, options.maxPages)
  const queue = new JobQueue(worker, options)
  const recipients = new Recipients()
  const keepFor = (messages: readonly KeptMessage[]): void =>
    messages.forEach(({ nick }) => recipients.add(nick))
  const deliveries: DeliveryStore = {
    expect: () => queue.expect(),
    begin: (delivery) => queue.write('begin', deliveryValues(delivery), sizeOf(delivery), delivery.body),
    finish: (finished) => {
      const size = finished.reduce((sum, { outcome }) => sum + sizeOfOutcome(outcome), 0)
      for (const { outcome } of finished) keepFor(outcome.kept)
      const values = finished.map(({ id, outcome }) => [id, outcomeValues(outcome)] as const)
      return queue.write('finish', values, size)
    },
    record: (delivery, outcome) => {
      keepFor(outcome.kept)
      const values = [deliveryValues(delivery), outcomeValues(outcome)] as const
      return queue.write('record', values, sizeOf(delivery) + sizeOfOutcome(outcome), delivery.body)
    },
    retract: (retraction) => queue.write('retract', retraction, 0),
    reopen: (id) => queue.write('reopen', id, 0),
    get: (id) => queue.read('delivery', id),
    list: (query) => queue.read('list', query),
    pending: () => queue.read('pending', undefined),
  }
  const kept: KeptStore = {
    add: (messages) => {
      keepFor(messages)
      return queue.write('keep', messages.map(keptValues), sizeOfKept(messages))
    },
    of: (nick) => recipients.of(nick, (each) => queue.read('kept', each)),
    done: (nick, ids, told = 0) => queue.write('kept.done', { nick, ids, told }, 0),
  }
  const botState: BotStates = {
    load: (bot) => queue.read('state', bot),
    save: (bot, json) => queue.write('state.save', { bot, json }, json.length),
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
  try {
    for (const nick of await queue.read('kept.recipients', undefined)) recipients.add(nick)
  } catch (error) {
    await queue.close()
    throw error
  }
  const keep = { ...usual, ...options.retention }
  const asked = { keep, history: options.historyRetention ?? keepsAll }
  const prune = setInterval(() => pruneAll(queue, asked, options.log), pruneEveryMs)
  prune.unref()
  return {
    remember: (row) => queue.remember(row),
    happened: (row) => queue.happened(row),
    erase: (what) => eraseAll(queue, what),
    redact: (id, redaction) => queue.write('redact', { id, redaction }, 0),
    rename: (renaming) => queue.rename(renaming),
    history: (conversation, limit, beside) => queue.read('history', { conversation, limit, ...beside }),
    page: (query) => queue.read('page', query),
    search: (query) => queue.read('search', query),
    targets: (query) => queue.read('targets', query),
    latest: () => queue.read('latest', undefined),
    message: (id) => queue.read('message', id),
    accounts: accountStore(queue),
    botState,
    records,
    deliveries,
    kept,
    get queued() {
      return queue.length
    },
    get isBehind() {
      return queue.isBehind
    },
    close: () => {
      clearInterval(prune)
      return queue.close()
    },
  }
}

const day = 24 * 60 * 60 * 1_000
const usual: Retention = {
  finishedMs: 7 * day,
  unhappyMs: 30 * day,
  bodiesPerBot: 10_000,
  bodyBytes: 1024 ** 3,
}

/** What is old goes in steps of 200 rows, each in a batch with other work, so that nobody waits for it. */
const pruneEveryMs = 10_000

function pruneAll(
  queue: JobQueue,
  asked: { readonly keep: Retention; readonly history: HistoryRetention },
  log: StoreLog,
): void {
  queue.write('prune', { now: Date.now(), ...asked }, 0).then(
    (more) => {
      if (more) pruneAll(queue, asked, log)
    },
    (error: unknown) => log.debug({ err: error }, 'what is old could not be pruned, it is tried again'),
  )
}

async function eraseAll(queue: JobQueue, what: Omit<Erasure, 'from'>): Promise<number> {
  let erased = 0
  for (let from: number | undefined = 0; from !== undefined;) {
    const step: Erased = await queue.write('erase', { ...what, from }, 0)
    erased += step.messages
    from = step.next
  }
  return erased
}

const keepsAll: HistoryRetention = { channelMessages: undefined, directMessages: undefined, days: undefined }

function sizeOf(delivery: NewDelivery): number {
  return delivery.body.byteLength
}

function sizeOfOutcome(outcome: Outcome): number {
  let size = (outcome.text?.length ?? 0) + (outcome.error?.length ?? 0) + sizeOfKept(outcome.kept)
  for (const row of outcome.history) size += row.text.length
  return size
}

function sizeOfKept(messages: readonly KeptMessage[]): number {
  return messages.reduce((size, message) => size + message.text.length, 0)
}
