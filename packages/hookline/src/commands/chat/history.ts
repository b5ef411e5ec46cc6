// `history`: pages through what was said, and erases it.
import { between } from '../../chat/conversation.ts'
import { timeOfId } from '../../ids.ts'
import { fold, isValidChannelName, LONGEST_CHANNEL } from '../../irc/names.ts'
import { parseTime } from '../../irc/time.ts'
import type { HistoryRow } from '../../store/historyrows.ts'
import type { LiveContext, Running } from '../context.ts'
import { done, wrong, type Answer } from '../../control/failure.ts'
import { notAChannel } from '../input.ts'
import type { Input } from '../oldlist.ts'
import type { Outputs } from '../../control/outputs.ts'
import type { HistoryPage, PastView } from '../../control/outputs/chat.ts'
import { shellWord } from '../shellword.ts'
import { viewRedaction } from '../bot/work/view.ts'

/** Newest last. A channel without messages has an empty history. */
export async function history(
  { running }: LiveContext,
  { channel, limit, before, after }: Input<'history'>,
): Promise<Answer<Outputs['history']>> {
  if (!isValidChannelName(channel, LONGEST_CHANNEL)) return notAChannel(channel)
  if (before !== undefined && after !== undefined) {
    const hint = 'leave one of them out; --limit says how long the page is'
    return wrong('usage', 'a page is --before a message or --after it, not both', hint)
  }
  const flag = before === undefined ? 'after' : 'before'
  const place = before ?? after
  if (place === undefined) return done((await running.store.history(fold(channel), limit)).map(viewOfRow))
  const time = await timeAt(running, { channel, flag, place })
  return time.ok ? done(await pageBeside(running, { channel, limit, flag, place, time: time.output })) : time
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

/** Nobody is told: clients keep what they have seen. */
export async function eraseHistory(
  { running }: LiveContext,
  { channel, between: two, account, yes }: Input<'history erase'>,
): Promise<Answer<{ erased: number }>> {
  const isOne = [channel, two, account].filter((each) => each !== undefined).length === 1
  if (!isOne || (two !== undefined && two.length !== 2)) {
    const hint = `for example: hookline history erase '#lobby' --yes`
    return wrong(
      'usage',
      'name a channel, two people (--between ann,bob) or an account (--account ann)',
      hint,
    )
  }
  if (channel !== undefined && !isValidChannelName(channel, LONGEST_CHANNEL)) return notAChannel(channel)
  if (!yes) return wrong('refused', 'what is erased cannot be restored', 'confirm with --yes')
  const conversations = two === undefined ? [fold(channel ?? '')] : conversationsBetween(two)
  const erased = await running.store.erase({ conversations, account: account && fold(account) })
  return done({ erased })
}

/** Each is known by an account of that name, by a nick without an account, or by both. */
function conversationsBetween([one = '', other = '']: readonly string[]): string[] {
  const names = (name: string) => [fold(name), `@${fold(name)}`]
  return [...new Set(names(one).flatMap((each) => names(other).map((peer) => between(each, peer))))]
}

function viewOfRow(row: HistoryRow): PastView {
  const { id, time, target, from, text, delivery, command, isBot } = row
  return {
    id,
    time: new Date(time).toISOString(),
    channel: target,
    from,
    text,
    delivery,
    command: command === 'NOTICE' ? command : 'PRIVMSG',
    bot: isBot,
    redacted: viewRedaction(row),
  }
}
