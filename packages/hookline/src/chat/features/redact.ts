// REDACT: taking a message back. It is removed from history before anybody is told, so that no crash brings it back.
// https://ircv3.net/specs/extensions/message-redaction
import { CAPS } from '../../irc/caps.ts'
import { PREFIX, RANKS, splitStatus } from '../../irc/modes.ts'
import { isChannelName } from '../../irc/names.ts'
import * as numerics from '../../irc/numerics.ts'
import { cutText } from '../../irc/split.ts'
import type { Chat } from '../chat.ts'
import { type Command, effect, type UserTurn } from '../command.ts'
import { nameOf, otherParty, partyOf } from '../conversation.ts'
import type { Redacted } from '../events.ts'
import type { PastMessage } from '../past.ts'
import { directSights } from '../rules/history.ts'
import { mayNameMessagesOf, mayRedact, offersRedaction } from '../rules/redact.ts'
import { maskOf, mustGet, type State, type User } from '../state.ts'
import { findTarget, leastOf, type Target, targetName } from '../target.ts'

/** `target` is what the name meant, whatever it is called by now: undefined for a user who is not here. */
interface Removed {
  readonly message: PastMessage
  readonly target: Target | undefined
}

export type Outcome = Removed | 'unknown' | 'forbidden' | 'failed'

export const REDACT: Command<Outcome | undefined> = {
  name: 'REDACT',
  minParams: 2,
  when: 'registered',
  help: 'REDACT <target> <msgid> [:<reason>]: deletes a message',
  prepare(turn, { params: [name = '', id = '', reason = ''] }) {
    const { session, state, user } = turn
    if (!session.has(CAPS['draft/message-redaction']) || !mayName(state, user, name)) return undefined
    return takeBack(turn, name, { id, reason: reasonOf(turn.chat, reason) })
  },
  run(turn, { params: [name = '', id = '', reason = ''] }, outcome) {
    const { chat, session, state, user, fail, reply, propose } = turn
    // "a client MUST negotiate the capability": whoever did not has no such command.
    if (!session.has(CAPS['draft/message-redaction']))
      return reply(offersRedaction(chat.settings) ? NOT_REQUESTED : numerics.ERR_UNKNOWNCOMMAND, 'REDACT')
    const isNobody = findTarget(state, name) === undefined && outcome === 'unknown'
    if (outcome === undefined || isNobody)
      return fail('INVALID_TARGET', [name], 'You cannot delete messages there')
    if (outcome === 'unknown')
      return fail('UNKNOWN_MSGID', [name, id], 'This message does not exist, or is too old')
    if (outcome === 'forbidden')
      return fail('REDACT_FORBIDDEN', [name, id], 'You are not allowed to delete this message')
    if (outcome === 'failed')
      return fail('REDACT_FORBIDDEN', [name, id], 'The history cannot be changed right now: try again later')

    const to = heardBy(state, name, outcome)
    if (to === undefined) return
    propose({ kind: 'redacted', by: user.key, to, message: id, reason: reasonOf(chat, reason) })
  },
  conclude({ chat, state, user, propose }, { params: [name = '', id = '', reason = ''] }, outcome) {
    const to = outcome && announcementOf(state, name, outcome)
    const by = state.users.has(user.key) ? user.key : undefined
    if (to !== undefined) propose({ kind: 'redacted', by, to, message: id, reason: reasonOf(chat, reason) })
  },
}

const NOT_REQUESTED = {
  ...numerics.ERR_UNKNOWNCOMMAND,
  text: 'Your client has not requested draft/message-redaction; operators of a channel can also use /msg ChanServ REDACT',
}

/** For other targets nothing about messages is revealed. */
function mayName(state: State, user: User, name: string): boolean {
  const target = findTarget(state, name)
  if (target !== undefined && 'channel' in target) return mayNameMessagesOf(target.channel, user)
  return target !== undefined || !isChannelName(splitStatus(name).name)
}

export async function takeBack(
  { chat, state, user }: UserTurn,
  name: string,
  { id, reason }: { id: string; reason: string | undefined },
): Promise<Outcome> {
  const message = await chat.world.history.find(id)
  // The user may have left the channel meanwhile.
  if (message === undefined || !isOf(state, user, name, message)) return 'unknown'
  const target = findTarget(state, name) ?? recipientOf(state, user, message)
  const channel = target !== undefined && 'channel' in target ? target.channel : undefined
  if (!mayRedact(state, user, message, channel)) return 'forbidden'

  const redaction = { by: maskOf(user), time: chat.world.now(), reason: reason ?? null }
  if (!(await chat.world.history.redact(id, redaction))) return 'failed'
  return { message, target }
}

/** Named by an account whose user has another nick by now. */
function recipientOf(state: State, user: User, { conversation }: PastMessage): Target | undefined {
  return findTarget(state, nameOf(state, otherParty(conversation, partyOf(user))))
}

/** A message can be redacted only where it was said. */
function isOf(
  state: State,
  user: User,
  name: string,
  { conversation, target, id, time }: PastMessage,
): boolean {
  const found = findTarget(state, name)
  if (found !== undefined && 'channel' in found) {
    const { channel, rank } = found
    const isThere = conversation === channel.key && splitStatus(target).rank === rank
    return isThere && mayNameMessagesOf(channel, user)
  }
  return directSights(state, user, name).some(
    ({ conversation: own, since = '', notBefore = 0 }) =>
      own === conversation && id > since && time >= notBefore,
  )
}

/** Whom to tell of it; undefined if nothing was removed, or nobody is left. */
export function announcementOf(state: State, name: string, outcome: Outcome): Redacted['to'] | undefined {
  return typeof outcome === 'object' ? heardBy(state, name, outcome) : undefined
}

/** Those who heard the message, which may have other names since. Undefined: the channel is gone. */
function heardBy(state: State, name: string, { message, target }: Removed): Redacted['to'] | undefined {
  if (target === undefined) return { nick: name }
  if ('user' in target) {
    const { key, nick } = target.user
    return state.users.has(key) ? { user: key } : { nick }
  }
  const { channel, rank } = target
  if (state.channels.get(channel.key) !== channel) return undefined
  const heardFrom = RANKS.find((each) => PREFIX[each] === message.rank)
  const to = { channel: channel.key, rank }
  return heardFrom === undefined ? to : { ...to, heardFrom }
}

function reasonOf(chat: Chat, reason: string): string | undefined {
  return reason === '' ? undefined : cutText(reason, chat.settings.limits.kickLength)
}

export const redacted = effect<Redacted>({
  apply() {
    // Messages are not in the state, and history has already removed it.
  },
  announce(chat, { by: key, to, message, reason }, _, entry) {
    const by = key === undefined ? undefined : mustGet(chat.state.users, key)
    const shown = 'nick' in to ? to.nick : targetName(chat.state, to)
    const params = [shown, message, ...(reason === undefined ? [] : [reason])]
    const line = chat.lineBy(by, entry, 'REDACT', params)
    // "MUST not forward to target recipients that have not negotiated": those keep what they saw.
    const cap = CAPS['draft/message-redaction']
    // Whoever asked for it sees that it was done, with or without echo-message.
    if (by !== undefined) chat.toUser(by, line, cap)
    if ('nick' in to) return
    if ('user' in to) {
      const target = mustGet(chat.state.users, to.user)
      if (target !== by) chat.toUser(target, line, cap)
      return
    }
    const except = by === undefined ? { cap } : { cap, except: by }
    const channel = mustGet(chat.state.channels, to.channel)
    const least = leastOf(to)
    if (least === undefined) chat.toChannel(channel, line, except)
    else chat.toRank(channel, line, least, except)
  },
})
