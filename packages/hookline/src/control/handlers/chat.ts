// `send`, `watch` and `history`: the chat, from a terminal.
import { userInfo } from 'node:os'
import { between } from '../../chat/conversation.ts'
import { timeOfId } from '../../ids.ts'
import { fold, isChannelName, isValidChannelName } from '../../irc/names.ts'
import { splitText } from '../../irc/split.ts'
import { parseTime } from '../../irc/time.ts'
import type { HistoryRow } from '../../store/store.ts'
import type { Call, Desk, Running, Spoken } from '../desk.ts'
import { done, notRunning, wrong, type Answer } from '../failure.ts'
import { CHANNEL_BYTES, notAChannel } from '../input.ts'
import type { Input } from '../operations.ts'
import type { HistoryPage, Outputs, PastView, Sent, SpokenView } from '../outputs.ts'
import { viewRedaction } from './view.ts'

/** A message from a terminal is no longer than this many lines; the rest is refused, not cut. */
const SEND_LINES = 50
/** Where a target leaves hardly any room, it will be refused; until then a line must hold some character. */
const SHORTEST_LINE = 4

/** Appears, speaks, leaves. What is said is kept as what people say, or not. */
export function send({ running, home }: Desk, { target, text, as }: Input<'send'>): Answer<Sent> {
  if (!running) return notRunning(home.folder)
  const nick = as ?? `${running.name}-${loginName()}`
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line !== '')
  if (lines.length === 0)
    return wrong('usage', 'there is nothing to say', `for example: hookline send '${target}' hello`)
  if (isChannelName(target) && !isValidChannelName(target, CHANNEL_BYTES)) return notAChannel(target)
  if (running.chat.isPresent(nick)) {
    return wrong(
      'refused',
      `${nick} is in use by somebody who is connected`,
      'choose another nick: --as NICK',
    )
  }
  const guest = running.chat.appear({
    nick,
    username: 'terminal',
    realname: nick,
    channels: [],
    isBot: false,
  })
  if (!guest.ok)
    return wrong('refused', `cannot speak as ${nick}: ${guest.reason}`, 'choose another nick: --as NICK')
  try {
    const room = Math.max(SHORTEST_LINE, running.chat.room(guest.user, target))
    const fitting = lines.flatMap((line) => splitText(line, room))
    if (fitting.length > SEND_LINES) {
      return wrong('refused', `${fitting.length} lines are too many at once`, `send at most ${SEND_LINES}`)
    }
    const said = { target, command: 'PRIVMSG', lines: fitting } as const
    let drafted = running.chat.draft(guest.user, said)
    if (!drafted.ok && isChannelName(target)) {
      // Most channels hear only who is in them (+n), and one that nobody is in does not exist yet.
      running.chat.moveTo(guest.user, [target])
      drafted = running.chat.draft(guest.user, said)
    }
    if (!drafted.ok) {
      const hint = isChannelName(target)
        ? 'its modes refuse it, or its name is longer than limits.channel_length in server.yaml allows'
        : `a channel begins with #, in quotes: '#${target}'; a person has to be connected`
      return wrong('refused', drafted.reason, hint)
    }
    running.chat.publish({ ...drafted.draft, isRecorded: false })
    const { id, at, target: shown, text: spoken } = drafted.draft
    return done({ id, time: new Date(at).toISOString(), target: shown, from: nick, text: spoken })
  } finally {
    running.chat.leave(guest.user, 'spoke from a terminal')
  }
}

/** Gives a `SpokenView` for each message until the caller goes. */
export async function watch(
  { running, home }: Desk,
  { channel }: Input<'watch'>,
  { emit, signal }: Call,
): Promise<Answer<{ stopped: true }>> {
  if (!running) return notRunning(home.folder)
  if (channel !== undefined && !isValidChannelName(channel, CHANNEL_BYTES)) return notAChannel(channel)
  await untilAborted(signal, () => running.watch(channel, (spoken) => emit(viewOfSpoken(spoken))))
  return done({ stopped: true })
}

/** Newest last. A channel that nobody ever spoke in has an empty history. */
export async function history(
  { running, home }: Desk,
  { channel, limit, before, after }: Input<'history'>,
): Promise<Answer<Outputs['history']>> {
  if (!running) return notRunning(home.folder)
  if (!isValidChannelName(channel, CHANNEL_BYTES)) return notAChannel(channel)
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

interface Place {
  readonly channel: string
  readonly flag: 'before' | 'after'
  /** A msgid, or a time. */
  readonly place: string
}

/** Within one channel no two messages have the same time. */
async function timeAt({ store }: Running, { channel, flag, place }: Place): Promise<Answer<number>> {
  const time = parseTime(place)
  if (time !== undefined) return done(time)
  const shown = `hookline history '${channel}' --json`
  const row = await store.message(place)
  if (row?.conversation === fold(channel)) return done(row.time)
  const made = timeOfId(place)
  if (made === undefined) {
    const hint = `both stand in: ${shown}; a time is UTC, as 2026-04-03T09:15:00.000Z`
    return wrong(
      'usage',
      `--${flag} takes the id or the time of a message, not ${JSON.stringify(place)}`,
      hint,
    )
  }
  const hint = `ids stand in: ${shown}; for a message that is gone its time: --${flag} ${new Date(made).toISOString()}`
  return wrong('not_found', `no message of ${channel} has the id ${place}`, hint)
}

async function pageBeside(
  { store }: Running,
  { channel, limit, flag, place, time }: Place & { readonly limit: number; readonly time: number },
): Promise<HistoryPage> {
  const isBefore = flag === 'before'
  const rows = await store.history(fold(channel), limit + 1, isBefore ? { before: time } : { after: time })
  const more = rows.length > limit
  const page = isBefore ? rows.slice(-limit) : rows.slice(0, limit)
  const last = page.at(isBefore ? 0 : -1)?.id ?? place
  return { messages: page.map(viewOfRow), more, next: isBefore ? { before: last } : { after: last } }
}

/** Nobody is told: whoever saw it has seen it. */
export async function eraseHistory(
  { running, home }: Desk,
  { channel, between: two, account, yes }: Input<'history erase'>,
): Promise<Answer<{ erased: number }>> {
  if (!running) return notRunning(home.folder)
  const isOne = [channel, two, account].filter((each) => each !== undefined).length === 1
  if (!isOne || (two !== undefined && two.length !== 2)) {
    const hint = `for example: hookline history erase '#lobby' --yes`
    return wrong(
      'usage',
      'name a channel, two people (--between ann,bob) or an account (--account ann)',
      hint,
    )
  }
  if (channel !== undefined && !isValidChannelName(channel, CHANNEL_BYTES)) return notAChannel(channel)
  if (!yes) return wrong('refused', 'what is erased cannot be had back', 'say that it is meant so: --yes')
  const conversations = two === undefined ? [fold(channel ?? '')] : conversationsBetween(two)
  const erased = await running.store.erase({ conversations, account: account && fold(account) })
  return done({ erased })
}

/** Each is known by an account of that name, by a nick without one, or by both. */
function conversationsBetween([one = '', other = '']: readonly string[]): string[] {
  const names = (name: string) => [fold(name), `@${fold(name)}`]
  return [...new Set(names(one).flatMap((each) => names(other).map((peer) => between(each, peer))))]
}

function viewOfSpoken(spoken: Spoken): SpokenView {
  const { id, time, channel, from, text, delivery, command, isBot } = spoken
  return { id, time: new Date(time).toISOString(), channel, from, text, delivery, command, bot: isBot }
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

/** The login name, with what a nick cannot hold taken out. */
function loginName(): string {
  return userInfo().username.replaceAll(/[^A-Za-z0-9_-]+/g, '') || 'user'
}

function untilAborted(signal: AbortSignal, begin: () => ReturnType<Running['watch']>): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const stop = begin()
    signal.addEventListener('abort', () => {
      stop()
      resolve()
    })
  })
}
