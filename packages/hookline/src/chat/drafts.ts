// What users without a connection say: decided first, told once it is on disk. virtual.ts says what each function does.
import { channelKey, isChannelName } from '../irc/names.ts'
import { type Refusable, refuse } from '../failure/refusal.ts'
import type { Chat } from './chat.ts'
import { conversationOf } from './conversation.ts'
import type { Said } from './events.ts'
import { type Recipients, targetName } from './target.ts'
import { roomFor } from './output/line.ts'
import { linesOf } from './saidlines.ts'
import { channelOf } from './virtualmoves.ts'
import { closedSince } from './rules/history.ts'
import { heldBackTo, refusesSpeech } from './rules/speak.ts'
import { type Channel, findChannel, findUser, isBot, maskOf, type User, type UserKey } from './state.ts'

/** What is to be said. */
export interface Speech {
  readonly target: string
  readonly command: 'PRIVMSG' | 'NOTICE'
  /** Lines joined by LF. */
  readonly text: string
  /** The delivery that causes it. */
  readonly delivery?: string
}

/** A message that is decided and stamped but not yet sent. `id` is its msgid, `at` its time in ms. */
export interface Draft {
  readonly id: string
  readonly at: number
  readonly command: 'PRIVMSG' | 'NOTICE'
  readonly from: UserKey
  /** As shown: `#Builds`, `spark-claude`. */
  readonly target: string
  /** The conversation that history files it under. */
  readonly conversation: string
  /** For a channel that is not open to everybody: when it was created. */
  readonly closed?: number
  readonly nick: string
  readonly mask: string
  readonly account: string | null
  readonly isBot: boolean
  /** Lines joined by LF. */
  readonly text: string
  /** The delivery that caused it, if one did. */
  readonly delivery: string | null
  /** Client-only tags: what it answers. */
  readonly clientTags?: Said['clientTags']
  /** On disk before it is published. If false, history keeps it like a person's message. */
  readonly isRecorded: boolean
}

/** A redacted message that history has already removed. */
export interface Withdrawn {
  /** Its msgid. */
  readonly id: string
  /** As shown: where it was said. */
  readonly target: string
  readonly reason: string | undefined
}

type Target = { readonly channel: Channel } | { readonly user: User }

export function draft(
  chat: Chat,
  key: UserKey,
  { target, command, text, delivery }: Speech,
): Refusable<{ draft: Draft }> {
  const from = chat.state.users.get(key)
  if (from === undefined) return refuse('the sender is not connected')
  const to = targetOf(chat, target, from)
  if (to === undefined) return refuse(`${target}: no such nick or channel`)
  const lines = text.split('\n')
  const refusal = 'channel' in to ? refusalIn(to.channel, from, lines) : undefined
  if (refusal !== undefined) return refuse(`${target}: ${refusal}`)

  const address = addressOf(to)
  const conversation = conversationOf(chat.state, { from: key, to: address })
  const made: Draft = {
    id: chat.world.newId(),
    at: chat.clock.next(conversation),
    command,
    from: key,
    target: targetName(chat.state, address),
    conversation,
    ...('channel' in to ? closedSince(to.channel) : {}),
    nick: from.nick,
    mask: maskOf(from),
    account: from.account,
    isBot: isBot(from),
    text: lines.map(sendable).join('\n'),
    delivery: delivery ?? null,
    isRecorded: true,
  }
  return { ok: true, draft: made }
}

/**
 * Sends it to those who are there now, in lines that fit even if its channel has a longer name by now. False if who said
 * it, or where, has gone since: history has it all the same.
 */
export function publish(chat: Chat, made: Draft): boolean {
  const { id, at, command, from, target, text, delivery, clientTags = [], isRecorded } = made
  const { state } = chat
  const sender = state.users.get(from)
  const found = targetOf(chat, target, sender) ?? renamedFrom(chat, target)
  if (found === undefined || sender === undefined) return false
  const to = addressOf(found)
  const said: Said = {
    kind: 'said',
    command,
    from,
    to,
    lines: linesOf(text, roomFor(maskOf(sender), command, targetName(state, to))),
    clientTags,
    delivery: delivery ?? undefined,
    isRecorded,
  }
  chat.log.append(said, undefined, { id, at })
  return true
}

export function redact(chat: Chat, key: UserKey | undefined, { id, target, reason }: Withdrawn): void {
  const by = key !== undefined && chat.state.users.has(key) ? key : undefined
  const to = targetOf(chat, target) ?? renamedFrom(chat, target)
  if (to !== undefined) chat.propose({ kind: 'redacted', by, to: addressOf(to), message: id, reason })
}

function addressOf(to: Target): Recipients {
  return 'channel' in to ? { channel: to.channel.key, rank: undefined } : { user: to.user.key }
}

function targetOf(chat: Chat, target: string, from?: User): Target | undefined {
  if (isChannelName(target)) {
    const channel = from === undefined ? findChannel(chat.state, target) : channelOf(chat.state, from, target)
    return channel && { channel }
  }
  const user = findUser(chat.state, target)
  return user && { user }
}

/** A channel may be renamed while the disk is asked about what concerns it. */
function renamedFrom({ state }: Chat, target: string): { channel: Channel } | undefined {
  const channel = isChannelName(target) ? state.renamed.get(channelKey(target)) : undefined
  return channel && { channel }
}

/** Also refuses what only the channel's operators would hear (+U). */
function refusalIn(channel: Channel, from: User, lines: readonly string[]): string | undefined {
  const refusal = refusesSpeech(channel, from, lines)
  if (refusal !== undefined || heldBackTo(channel, from, undefined) === undefined) return refusal
  return 'without voice, only the channel operators would see it (+U)'
}

/** CR, LF and NUL become spaces: they would fail all that is sent with them, and stay in the history. */
export function sendable(line: string): string {
  return line.replaceAll(/[\r\n\0]+/g, ' ')
}
