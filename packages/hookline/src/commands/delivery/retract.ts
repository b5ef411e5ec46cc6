// `bot retract`: takes back a delivery's messages, first on disk, then in the chat.
import { cannot, done, wrong, type Answer } from '../../control/failure.ts'
import type { RetractedView } from './delivery.ts'
import { cutText } from '../../irc/split.ts'
import { StoreFailure } from '../../store/failure.ts'
import type { Retracted } from '../../store/operations.ts'
import type { LiveContext, Running } from '../context.ts'
import { STORE_HINTS } from '../diskfailure.ts'
import type { Input } from '../oldlist.ts'
import { oneLine } from '../oneline.ts'
import { nothingCalled, trace } from './why.ts'

export async function retract(
  { running }: LiveContext,
  { id, reason: given = '' }: Input<'bot retract'>,
): Promise<Answer<RetractedView>> {
  const traced = await trace(running, id)
  if (!traced.ok) return traced
  const { said: named, delivery, record } = traced.output
  // The record may have been pruned while its messages are still there.
  const bot = record?.bot ?? named?.from
  if (bot === undefined) return nothingCalled(id)
  if (record?.status === 'pending') {
    const hint = `wait until it has: hookline bot deliveries show ${delivery}`
    return wrong('refused', `${delivery} has no outcome yet`, hint)
  }

  const reason = given.trim() === '' ? null : cutText(oneLine(given), MOST_REASON_BYTES)
  try {
    const { said, unheard } = await takeBack(running, { delivery, bot, reason })
    if (said.length + unheard === 0) {
      const why = record?.reason ?? record?.status ?? 'it is gone'
      return wrong(
        'refused',
        `no message of ${delivery} is in the chat: ${why}`,
        `see: hookline bot deliveries show ${delivery}`,
      )
    }
    return done({ delivery, messages: said.map(({ id, target }) => ({ id, target })), unheard, reason })
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error
    return cannot('setup', `nothing was retracted: ${error.message}`, STORE_HINTS[error.reason])
  }
}

/** In the name of the bot if it is in the chat, else of the server. */
async function takeBack(
  { name, store, bots, chat }: Running,
  { delivery, bot, reason }: { delivery: string; bot: string; reason: string | null },
): Promise<Retracted> {
  const user = bots.get(bot)?.user
  const retracted = await store.deliveries.retract({
    delivery,
    redaction: { by: user === undefined ? name : bot, time: chat.now(), reason },
    note: reason === null ? 'retracted' : `retracted: ${reason}`,
  })
  for (const { id, target } of retracted.said) chat.redact(user, { id, target, reason: reason ?? undefined })
  return retracted
}

/** Fits after a long channel name. */
const MOST_REASON_BYTES = 300
