// `hookline history`
import { type Answer, done, wrong } from '../../control/failure.ts'
import { timeOfId } from '../../store/ids.ts'
import { fold, isValidChannelName, LONGEST_CHANNEL } from '../../irc/names.ts'
import { parseTime } from '../../irc/time.ts'
import { verb } from '../command.ts'
import type { Running } from '../context.ts'
import { notAChannel } from '../input.ts'
import { as, type OutputOf } from '../shape.ts'
import { NEEDS_SERVER } from '../shared.ts'
import { shellWord } from '../shellword.ts'
import { print, remark } from '../terminal.ts'
import { historyLines } from './lines.ts'
import { PAST, viewOfRow } from './message.ts'

const PAGE = {
  messages: [PAST],
  /** Whether there is more in that direction. */
  more: 'true or false',
  /** What to ask for next in that direction: the id of the last message on this page, or if it is empty, the place asked for. */
  next: as<{ readonly before: string } | { readonly after: string }>()('object'),
} as const

type Page = OutputOf<typeof PAGE>

export default verb({
  details: `Times are in this machine's time zone; a date line precedes the first message of each day except today.

With \`--before\` or \`--after\` it shows one page: the messages adjacent to that one, without it.

With \`--json\` it is an object: \`messages\`, oldest first, each with id, time, from, text, delivery, and, if it was retracted, how: its text is then gone; \`more\` (whether more follow that way; without an
option, whether there are older ones); and \`next\`, the option for the next page: \`{"before":"ID"}\` or \`{"after":"ID"}\`. To poll for new messages, pass each run the \`next.after\` of the previous one; it stays the same
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
  output: PAGE,

  /** Newest last. A channel without messages has an empty history. */
  async run({ running }, { channel, limit, before, after }) {
    if (!isValidChannelName(channel, LONGEST_CHANNEL)) return notAChannel(channel)
    if (before !== undefined && after !== undefined) {
      const hint = 'leave one of them out; --limit says how long the page is'
      return wrong('usage', 'a page is --before a message or --after it, not both', hint)
    }
    const flag = after === undefined ? 'before' : 'after'
    const place = before ?? after
    const time = place === undefined ? done(undefined) : await timeAt(running, { channel, flag, place })
    if (!time.ok) return time
    return done(await pageBeside(running, { channel, limit, flag, place, time: time.output }))
  },

  show(page, { before, after }) {
    for (const line of historyLines(page.messages)) print(line)
    if (before !== undefined || after !== undefined) remark(beyond(page))
  },
})

/** What lies beyond a page, and how to get there. */
function beyond({ more, next }: Page): string {
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

/** Without a place, the newest. An empty page leads on from the place, or from now. */
async function pageBeside(
  { chat, store }: Running,
  { channel, limit, flag, place, time }: PageWanted,
): Promise<Page> {
  const isBefore = flag === 'before'
  // One more tells whether there is more.
  const rows = await store.history(fold(channel), limit + 1, time === undefined ? {} : { [flag]: time })
  const more = rows.length > limit
  const page = isBefore ? rows.slice(-limit) : rows.slice(0, limit)
  const last = page.at(isBefore ? 0 : -1)?.id ?? place ?? new Date(chat.now()).toISOString()
  return { messages: page.map(viewOfRow), more, next: isBefore ? { before: last } : { after: last } }
}

interface PageWanted {
  readonly channel: string
  readonly limit: number
  readonly flag: 'before' | 'after'
  readonly place: string | undefined
  readonly time: number | undefined
}
