// REDACT: taking a message back.
// https://ircv3.net/specs/extensions/message-redaction
import { CAP } from '../../irc/caps.ts'
import * as numerics from '../../irc/numerics.ts'
import { cutText } from '../../irc/split.ts'
import { type Command, happening } from '../command.ts'
import { mayNameMessagesOf, mayRedact, type PastMessage } from '../rules/redact.ts'
import { maskOf, mustGet, type State, type User, type UserKey } from '../state.ts'
import { conversationOf, findTarget, type Said, type Target, targetName } from './say.ts'

export type Redacted = {
  kind: 'redacted'
  /** Undefined: the server itself, for somebody who is not here. */
  by: UserKey | undefined
  to: Said['to']
  /** The msgid. */
  message: string
  reason: string | undefined
  /** History has forgotten it already. */
  isRecorded: boolean
}

/** What the chat asks of history. */
export interface Messages {
  /** One that was said and not taken back. */
  find(id: string): Promise<(PastMessage & { readonly conversation: string }) | undefined>
}

export const REDACT: Command = {
  name: 'REDACT',
  minParams: 2,
  when: 'registered',
  help: 'REDACT <target> <msgid> [:<reason>]: takes a message back',
  prepare({ chat, session, state, user }, { params: [name = '', id = ''] }) {
    if (!session.has(CAP['draft/message-redaction']) || targetOf(state, user, name) === undefined)
      return undefined
    return chat.world.messages.find(id)
  },
  run(turn, { params: [name = '', id = '', reason = ''] }, found) {
    const { chat, session, state, user, fail, reply, propose } = turn
    // "a client MUST negotiate the capability": whoever did not has no such command.
    if (!session.has(CAP['draft/message-redaction'])) return reply(numerics.ERR_UNKNOWNCOMMAND, 'REDACT')
    const target = targetOf(state, user, name)
    if (target === undefined)
      return fail('INVALID_TARGET', [name], 'You cannot take back messages from there')
    const to = 'user' in target ? { user: target.user.key } : { ...target, channel: target.channel.key }
    // Looked up before this turn by its id alone: it must be of this conversation. That its author may take it back comes after.
    const message = found as Awaited<ReturnType<Messages['find']>>
    if (message === undefined || message.conversation !== conversationOf(state, { from: user.key, to }))
      return fail('UNKNOWN_MSGID', [name, id], 'This message does not exist, or is too old')
    if (!mayRedact(user, message, 'channel' in target ? target.channel : undefined))
      return fail('REDACT_FORBIDDEN', [name, id], 'You may not take back this message')

    const text = reason === '' ? undefined : cutText(reason, chat.settings.limits.kickLength)
    propose({ kind: 'redacted', by: user.key, to, message: id, reason: text, isRecorded: false })
  },
}

/** Where this user may name messages: everywhere else there is nothing to be learned about them. */
function targetOf(state: State, user: User, name: string): Target | undefined {
  const target = findTarget(state, name)
  if (target === undefined || 'user' in target) return target
  return mayNameMessagesOf(target.channel, user) ? target : undefined
}

export const redacted = happening<Redacted>({
  apply() {
    // What was said is nobody's state; history forgets it by following the log.
  },
  announce(chat, event, _, entry) {
    const { to, message, reason } = event
    const by = event.by === undefined ? undefined : mustGet(chat.state.users, event.by)
    const params = [targetName(chat.state, event), message, ...(reason === undefined ? [] : [reason])]
    const line = chat.line({
      ...(by === undefined ? {} : { source: maskOf(by), isBot: by.modes.has('B') }),
      command: 'REDACT',
      params,
      at: entry.at,
      id: entry.id,
    })
    // "MUST not forward to target recipients that have not negotiated": they keep what they saw.
    const cap = CAP['draft/message-redaction']
    // Whoever asked for it sees that it was done, with and without echo-message.
    if (by !== undefined) chat.toUser(by, line, cap)
    const except = by === undefined ? { cap } : { cap, except: by }
    if ('user' in to) {
      const target = mustGet(chat.state.users, to.user)
      if (target !== by) chat.toUser(target, line, cap)
      return
    }
    const channel = mustGet(chat.state.channels, to.channel)
    if (to.rank === undefined) chat.toChannel(channel, line, except)
    else chat.toRank(channel, line, to.rank, except)
  },
})
