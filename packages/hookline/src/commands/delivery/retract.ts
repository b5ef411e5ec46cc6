// `hookline bot retract`: takes back a delivery's messages, first on disk, then in the chat.
import { cannot, done, wrong } from '../../control/failure.ts'
import { cutText } from '../../irc/split.ts'
import { StoreFailure } from '../../store/failure.ts'
import type { Retracted } from '../../store/operations.ts'
import { verb } from '../command.ts'
import type { Running } from '../context.ts'
import { counted } from '../counted.ts'
import { STORE_HINTS } from '../diskfailure.ts'
import { oneLine } from '../oneline.ts'
import { NEEDS_SERVER } from '../shared.ts'
import { inert, print, remark } from '../terminal.ts'
import { nothingCalled, trace } from './trace.ts'

export default verb({
  details: `Takes the id of a delivery, or of one of its messages. All its messages are retracted, in every channel and at the owner: clients that support
message redaction remove or mark them, others keep what they showed. The text leaves the history, and what waited for somebody who is away is
dropped. The record of the delivery stays, with its text and payload, marked as retracted; \`bot replay\` would post it again.
A notice that has already woken somebody cannot be retracted.`,
  arguments: [{ name: 'id', description: 'id of a delivery or of a message', required: true }],
  options: [
    { name: 'reason', type: 'text', value: 'TEXT', description: 'why; shown to everybody who is told' },
  ],
  changes: true,
  where: 'server',
  examples: [
    { run: 'hookline bot retract d-1m7z3k1qcne6jhqfh', shows: 'where it was retracted' },
    {
      run: `hookline bot retract d-1m7z3k1qcne6jhqfh --reason 'wrong channel'`,
      shows: 'the same, and everybody sees why',
    },
  ],
  exits: { 1: 'no such id, or none of its messages is in the chat', ...NEEDS_SERVER },
  output: {
    delivery: 'text',
    /** Those retracted. */
    messages: [{ id: 'text', target: 'text' }],
    /** Number of kept messages dropped before their recipient saw them. */
    unheard: 'number',
    reason: 'text or null',
  },

  async run({ running }, { id, reason: given = '' }) {
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
  },

  show({ delivery, messages, unheard }) {
    // A replayed delivery has several in one channel.
    const where = [...new Set(messages.map(({ target }) => inert(target)))].join(' ')
    print(`${delivery} retracted${where ? ` in ${where}` : ''}`)
    if (unheard > 0) remark(`dropped ${counted(unheard, 'undelivered message')}`)
  },
})

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
