// What the two sides of the store say to each other: each operation with its input and output.
import type { Transferable } from 'node:worker_threads'
import type { AccountChange, AccountRow, CertificateRow, FullAccount, TokenRow } from './accountrows.ts'
import type {
  Begun,
  Delivery,
  DeliveryRecord,
  KeptFor,
  ListQuery,
  PendingRow,
  Replies,
} from './deliveryrows.ts'
import type { Erased, Erasure } from './erase.ts'
import type { FailureFacts } from './failure.ts'
import type {
  HappenedRow,
  HeardQuery,
  HistoryRow,
  PageQuery,
  PastRow,
  Redaction,
  Renaming,
  SearchQuery,
  TargetRow,
  TargetsQuery,
} from './historyrows.ts'
import type { Mending } from './mend.ts'
import type { KeptRecord, RecordRow } from './records.ts'
import type { Removed } from './removed.ts'
import type { HistoryRetention, Retention } from './retentionlimits.ts'
import type { Latest, Passed } from './trustedclock.ts'
import type { DeliveryValues, HistoryValues, KeptValues, OutcomeValues } from './values.ts'

export interface Writes {
  remember: { in: HistoryValues; out: void }
  happened: { in: HappenedRow; out: void }
  begin: { in: DeliveryValues; out: Begun }
  /** By the id of the delivery. */
  finish: { in: readonly (readonly [id: string, outcome: OutcomeValues])[]; out: Replies }
  record: { in: readonly [DeliveryValues, OutcomeValues]; out: Begun }
  reopen: { in: string; out: Delivery | undefined }
  redact: { in: { readonly id: string; readonly redaction: Redaction }; out: void }
  retract: { in: Retraction; out: Retracted }
  rename: { in: Renaming; out: void }
  keep: { in: readonly KeptValues[]; out: void }
  'kept.done': {
    in: { readonly nick: string; readonly ids: readonly string[]; readonly told: number }
    out: void
  }
  /** All of them or none. */
  'records.save': { in: readonly KeptRecord[]; out: void }
  'account.create': { in: AccountRow; out: boolean }
  'account.change': { in: AccountChange; out: boolean }
  'account.drop': { in: string; out: boolean }
  'token.add': {
    /** One of that label that ended by then is replaced. */
    in: { readonly token: TokenRow & { readonly hash: string }; readonly endedBy: number }
    out: boolean
  }
  'token.remove': { in: Pick<TokenRow, 'account' | 'label'>; out: boolean }
  'token.used': { in: { readonly hash: string; readonly at: number }; out: void }
  'certificate.add': { in: CertificateRow; out: boolean }
  'certificate.remove': { in: Pick<CertificateRow, 'account' | 'fingerprint'>; out: boolean }
  /** `json` null removes. */
  'state.save': { in: { readonly bot: string; readonly json: string | null }; out: void }
  'bots.forget': { in: { readonly bots: readonly string[]; readonly at: number }; out: void }
  prune: {
    in: { readonly passed: Passed; readonly keep: Retention; readonly history: HistoryRetention }
    out: { readonly hasMore: boolean; readonly removed: Removed }
  }
  /** The number of messages and events. */
  mend: { in: Mending; out: number }
  /** One step. */
  erase: { in: Erasure; out: Erased }
  /** Indexes new messages; true when there are more. */
  index: { in: undefined; out: boolean }
}

export interface Retraction {
  readonly delivery: string
  readonly redaction: Redaction
  /** For the record of the delivery. */
  readonly note: string
}

/** What was retracted: the messages as they were said, and how many others nobody had heard yet. */
export interface Retracted {
  readonly said: readonly HistoryRow[]
  readonly unheard: number
}

export interface Reads {
  history: { in: HeardQuery; out: readonly HistoryRow[] }
  /** Undefined: an anchor is not an id of this server. */
  page: { in: PageQuery; out: readonly PastRow[] | undefined }
  search: { in: SearchQuery; out: readonly HistoryRow[] }
  targets: { in: TargetsQuery; out: readonly TargetRow[] }
  /** The newest times; null where there is none. */
  latest: { in: undefined; out: Latest }
  /** By msgid. */
  message: { in: string; out: HistoryRow | undefined }
  delivery: { in: string; out: Delivery | undefined }
  list: { in: ListQuery; out: readonly DeliveryRecord[] }
  pending: { in: undefined; out: readonly PendingRow[] }
  kept: { in: string; out: KeptFor }
  'kept.recipients': { in: undefined; out: readonly string[] }
  state: { in: string; out: string | undefined }
  accounts: { in: undefined; out: readonly AccountRow[] }
  account: { in: string; out: FullAccount | undefined }
  /** By the digest of the token. */
  token: { in: string; out: TokenRow | undefined }
  certificate: { in: string; out: CertificateRow | undefined }
  /** By kind. */
  records: { in: string; out: readonly RecordRow[] }
}

export type Input<T, K extends keyof T> = T[K] extends { in: infer I } ? I : never
export type Output<T, K extends keyof T> = T[K] extends { out: infer O } ? O : never
export type Table<T> = { readonly [P in keyof T]: (input: Input<T, P>) => Output<T, P> }
export type Job<T, K extends keyof T = keyof T> = { [P in K]: readonly [op: P, input: Input<T, P>] }[K]
export type WriteJob = Job<Writes>
export type ReadJob = Job<Reads>

/** One message each way. Lines and writes share a transaction; the reads come after it and see it. */
export interface Batch {
  /** Nobody awaits these. */
  readonly lines: readonly WriteJob[]
  readonly writes: readonly WriteJob[]
  readonly reads: readonly ReadJob[]
}

export interface BatchDone {
  /** Those that failed, by their place among the lines. */
  readonly lines: ReadonlyMap<number, Failed>
  readonly writes: readonly Result[]
  readonly reads: readonly Result[]
}

export type Result = { readonly ok: true; readonly value: unknown } | Failed
export type Failed = { readonly ok: false } & FailureFacts

export type ToWorker = Batch | 'close'
/** Its first message: the database is open, or cannot be. */
export type Opened = { readonly isChecked: boolean } | { readonly refused: FailureFacts }
export type FromWorker = BatchDone | 'closed'

/** What there is to do with the thread, which may have other work too. */
export interface StoreThread {
  on(event: 'message', listener: (message: FromWorker) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'exit', listener: () => void): unknown
  postMessage(message: ToWorker, handedOver?: readonly Transferable[]): void
  terminate(): Promise<unknown>
}
