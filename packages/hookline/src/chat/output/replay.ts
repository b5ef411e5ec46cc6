// What is sent again: lines as they were, with the same time and the same msgid.
import { CAPS } from '../../irc/caps.ts'
import { nickKey } from '../../irc/names.ts'
import type { Chat } from '../chat.ts'
import { between, partyOf } from '../conversation.ts'
import type { Past, PastEvent, PastMessage } from '../past.ts'
import { linesOf } from '../saidlines.ts'
import type { Session } from '../session.ts'
import { maskOf, type User } from '../state.ts'
import { Line, RELAY_TAG, roomFor, type Telling } from './line.ts'
import { MessageTelling } from './multiline.ts'

/** For a batch, without what this session could not read. `user` is the reader. */
export function replay(chat: Chat, session: Session, user: User, rows: readonly Past[]): Telling[] {
  const tellings: Telling[] = []
  for (const row of rows) {
    if ('params' in row) tellings.push(replayedEvent(chat, row))
    else if (row.command !== 'TAGMSG' || session.has(CAPS['message-tags']))
      tellings.push(replayedMessage(chat, row, user))
  }
  return tellings
}

function replayedMessage(chat: Chat, row: PastMessage, user: User): Telling {
  const { command, time: at, id, account, isBot } = row
  const { source, target } = namesOf(row, user)
  const { [RELAY_TAG]: relayedBy, ...tags } = JSON.parse(row.tags) as Record<string, string>
  const delivery = row.delivery ?? undefined
  const facts = { at, id, account, isBot, delivery, relayedBy, clientTags: Object.entries(tags) }
  if (command === 'TAGMSG') return new Line({ source, command, params: [target], ...facts })
  const lines = linesOf(row.text, roomFor(source, command, target))
  const [first, ...rest] = lines
  if (rest.length === 0) return new Line({ source, command, params: [target, first?.text ?? ''], ...facts })
  return new MessageTelling(source, { command, target, lines, ...facts }, chat.newBatch())
}

/**
 * Nicks change, and a client knows its own messages by its own nick: what the reader said comes from its current nick, and what was
 * said to it is addressed to that.
 */
function namesOf(
  { conversation, target, mask, from, account }: PastMessage,
  user: User,
): { source: string; target: string } {
  if (target.includes('#')) return { source: mask, target }
  const isOwn = account === null ? nickKey(from) === nickKey(user.nick) : account === user.account
  if (!isOwn) return { source: mask, target: user.nick }
  const party = partyOf(user)
  return { source: maskOf(user), target: conversation === between(party, party) ? user.nick : target }
}

function replayedEvent(chat: Chat, row: PastEvent): Telling {
  const { command, target, params, time: at, id, account, isBot } = row
  const source = row.mask === '' ? chat.settings.name : row.mask
  const facts = { source, command, at, id, account, isBot }
  if (command === 'QUIT' || command === 'NICK') return new Line({ ...facts, params })
  if (command !== 'JOIN') return new Line({ ...facts, params: [target, ...params] })
  return new Line({ ...facts, params: [target], extendedParams: [target, ...params] })
}
