// `hookline history`
import { type Answer, done, wrong } from '../../control/failure.ts'
import { timeOfId } from '../../store/ids.ts'
import { fold, isValidChannelName, LONGEST_CHANNEL } from '../../irc/names.ts'
import { parseTime } from '../../irc/time.ts'
import { verb } from '../command.ts'
import type { Running } from '../context.ts'
import { notAChannel } from '../input.ts'
import { as } from '../shape.ts'
import { NEEDS_SERVER } from '../shared.ts'
import { shellWord } from '../shellword.ts'
import { print, remark } from '../terminal.ts'
import { historyLines } from './lines.ts'
import { PAST, type PastView, viewOfRow } from './message.ts'

export default verb({
  details: `Times are in this machine's time zone; a date line precedes the first message of each day except today.

With \`--json\` an array of objects with id, time, from, text, delivery, and, if it was retracted, how: its text is then gone.

With \`--before\` or \`--after\` it shows one page: the messages adjacent to that one, without it. With \`--json\` the page is an object: \`messages\`, \`more\` (whether more follow that way), and
\`next\`, the option for the next page: \`{"before":"ID"}\` or \`{"after":"ID"}\`. To poll for new messages, pass each run the \`next.after\` of the previous one; it stays the same
while nothing is new.`,
  arguments: [{ name: 'channel', description: `a channel, as '#lobby'`, required: true }],
  options: [
    {
      name: 'limit',
      type: 'number',
      value: 'N',
      default: 50,
      range: [1, 1000],
      description: 'how many of the newest messages, or per page',
    },
    {
      name: 'before',
      type: 'text',
      value: 'ID|TIME',
      description: 'the page before this message or time, as --json prints both',
    },
    { name: 'after', type: 'text', value: 'ID|TIME', description: 'the page after it' },
  ],
  changes: false,
  where: 'server',
  examples: [
    { run: `hookline history '#lobby' --limit 10`, shows: 'the last ten lines of #lobby' },
    {
      run: `hookline history '#lobby' --after 2026-04-03T09:15:00.000Z`,
      shows: 'what was said from then on, and how to continue',
    },
  ],
  exits: { 1: 'not a channel name, or no such message in it', ...NEEDS_SERVER },
  /** With `--before` or `--after` a page, else a list. */
  output: as<readonly PastView[] | HistoryPage>()({
    messages: [PAST],
    more: 'true or false',
    next: 'object',
  }),

  /** Newest last. A channel without messages has an empty history. */
  async run({ running }, { channel, limit, before, after }) {
    if (!isValidChannelName(channel, LONGEST_CHANNEL)) return notAChannel(channel)
    if (before !== undefined && after !== undefined) {
      const hint = 'leave one of them out; --limit says how long the page is'
      return wrong('usage', 'a page is --before a message or --after it, not both', hint)
    }
    const flag = before === undefined ? 'after' : 'before'
    const place = before ?? after
    if (place === undefined) return done((await running.store.history(fold(channel), limit)).map(viewOfRow))
    const time = await timeAt(running, { channel, flag, place })
    return time.ok
      ? done(await pageBeside(running, { channel, limit, flag, place, time: time.output }))
      : time
  },

  show(past) {
    for (const line of historyLines('next' in past ? past.messages : past)) print(line)
    if ('next' in past) remark(beyond(past))
  },
})

/** Oldest first. */
interface HistoryPage {
  readonly messages: readonly PastView[]
  /** Whether there is more in that direction. */
  readonly more: boolean
  /**
   * What to ask for next in that direction: the id of the last message on this page, or if it is empty, the place asked
   * for.
   */
  readonly next: { readonly before: string } | { readonly after: string }
}

/** What lies beyond a page, and how to get there. */
function beyond({ more, next }: HistoryPage): string {
  if ('before' in next) return more ? `more: --before ${next.before}` : 'nothing earlier'
  return `${more ? 'more' : 'nothing later yet; continue with'}: --after ${next.after}`
}

interface PageEdge {
  readonly channel: string
  readonly flag: 'before' | 'after'
  /** A msgid or a time. */
  readonly place: string
}

/** The time of a message identifies it: no two in one channel share it. */
async function timeAt({ store }: Running, { channel, flag, place }: PageEdge): Promise<Answer<number>> {
  const time = parseTime(place)
  if (time !== undefined) return done(time)
  const shown = `hookline history ${shellWord(channel)} --json`
  const row = await store.message(place)
  if (row?.conversation === fold(channel)) return done(row.time)
  const made = timeOfId(place)
  if (made === undefined) {
    const hint = `for both see: ${shown}; write a time in UTC, as 2026-04-03T09:15:00.000Z`
    return wrong(
      'usage',
      `--${flag} takes the id or the time of a message, not ${JSON.stringify(place)}`,
      hint,
    )
  }
  const hint = `for ids see: ${shown}; for a message that is gone, use its time: --${flag} ${new Date(made).toISOString()}`
  return wrong('not_found', `no message in ${channel} has the id ${place}`, hint)
}

async function pageBeside(
  { store }: Running,
  { channel, limit, flag, place, time }: PageEdge & { readonly limit: number; readonly time: number },
): Promise<HistoryPage> {
  const isBefore = flag === 'before'
  const rows = await store.history(fold(channel), limit + 1, isBefore ? { before: time } : { after: time })
  const more = rows.length > limit
  const page = isBefore ? rows.slice(-limit) : rows.slice(0, limit)
  const last = page.at(isBefore ? 0 : -1)?.id ?? place
  return { messages: page.map(viewOfRow), more, next: isBefore ? { before: last } : { after: last } }
}
