// Deliveries, as the rooms above ask for them.
import type {
  Begun,
  Delivery,
  DeliveryRecord,
  Finished,
  ListQuery,
  NewDelivery,
  Outcome,
  PendingRow,
  Replies,
} from './deliveryrows.ts'
import { sizeOfKept } from './keptstore.ts'
import type { Retracted, Retraction } from './operations.ts'
import type { JobQueue } from './queue.ts'
import type { Recipients } from './recipients.ts'
import { deliveryValues, outcomeValues } from './values.ts'

/** Promises resolve after COMMIT, and reject with a `StoreFailure`. */
export interface DeliveryStore {
  /** Schedules a batch at the end of this turn of the event loop, for what tasks scheduled earlier will record in it. */
  expect(): void
  /** Records that it came. Unless it is `new`, the first one's row remains the record. */
  begin(delivery: NewDelivery): Promise<Begun>
  /** Outcomes, history, kept messages and threads in one transaction. */
  finish(finished: readonly Finished[]): Promise<Replies>
  /** Takes back everything a delivery said or has waiting for somebody, and notes that in its record, in one transaction. */
  retract(retraction: Retraction): Promise<Retracted>
  /** `begin` and `finish` in one transaction. On `duplicate` and `retry` the outcome is not written. */
  record(delivery: NewDelivery, outcome: Outcome): Promise<Begun>
  /** Makes a recorded delivery pending once more and counts the attempt, unless its body was pruned; undefined when there is none. */
  reopen(id: string): Promise<Delivery | undefined>
  get(id: string): Promise<Delivery | undefined>
  /** Newest last, without bodies; at most 1,000. */
  list(query: ListQuery): Promise<readonly DeliveryRecord[]>
  /** Every delivery that came and has no outcome, in the order they came. */
  pending(): Promise<readonly PendingRow[]>
}

export function deliveryStore(queue: JobQueue, recipients: Recipients): DeliveryStore {
  return {
    expect: () => queue.expect(),
    begin: (delivery) => queue.write('begin', deliveryValues(delivery), 0, delivery.body),
    finish: (finished) => {
      const size = finished.reduce((sum, { outcome }) => sum + sizeOfOutcome(outcome), 0)
      for (const { outcome } of finished) recipients.addAll(outcome.kept)
      const values = finished.map(({ id, outcome }) => [id, outcomeValues(outcome)] as const)
      return queue.write('finish', values, size)
    },
    retract: (retraction) => queue.write('retract', retraction),
    record: (delivery, outcome) => {
      recipients.addAll(outcome.kept)
      const values = [deliveryValues(delivery), outcomeValues(outcome)] as const
      return queue.write('record', values, sizeOfOutcome(outcome), delivery.body)
    },
    reopen: (id) => queue.write('reopen', id),
    get: (id) => queue.read('delivery', id),
    list: (query) => queue.read('list', query),
    pending: () => queue.read('pending', undefined),
  }
}

function sizeOfOutcome(outcome: Outcome): number {
  let size = (outcome.text?.length ?? 0) + (outcome.error?.length ?? 0) + sizeOfKept(outcome.kept)
  for (const row of outcome.history) size += row.text.length
  return size
}
