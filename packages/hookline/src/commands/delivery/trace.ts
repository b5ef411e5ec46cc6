// From the id of a message or of a delivery to what is known of it.
import { done, wrong, type Answer } from '../../control/failure.ts'
import type { Delivery } from '../../store/deliveryrows.ts'
import type { HistoryRow } from '../../store/historyrows.ts'
import type { Running } from '../context.ts'

interface Traced {
  /** The message of that id; undefined if the id is that of the delivery. */
  readonly said: HistoryRow | undefined
  readonly delivery: string
  /** Undefined once it is pruned, and for an id of nothing. */
  readonly record: Delivery | undefined
}

/** The delivery of that id, or the one that a message of that id comes from. */
export async function trace({ store }: Running, id: string): Promise<Answer<Traced>> {
  const said = await store.message(id)
  if (said && said.delivery === null) return notOfABot(said)
  const delivery = said?.delivery ?? id
  return done({ said, delivery, record: await store.deliveries.get(delivery) })
}

export function nothingCalled(id: string) {
  const hint = 'the id of a message is its msgid tag; for ids see: hookline history CHANNEL --json'
  return wrong('not_found', `no message or delivery has the id ${JSON.stringify(id)}`, hint)
}

function notOfABot(said: HistoryRow) {
  return wrong('not_found', `${said.from} said that: no delivery caused it`, "give the id of a bot's message")
}
