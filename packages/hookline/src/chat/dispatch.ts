// From a line to the command it names. What a command's requirements can decide is checked here.
import { CAPS } from '../irc/caps.ts'
import { echoed, type Incoming, type Message, parse, printable } from '../irc/message.ts'
import * as numerics from '../irc/numerics.ts'
import { NO_TAGS } from '../irc/tags.ts'
import { audit } from './audit.ts'
import type { Chat } from './chat.ts'
import type { Command, Turn, UserTurn } from './command.ts'
import type { Event } from './events.ts'
import { commands } from './features/index.ts'
import { collectLine, isCollecting, spoil } from './features/multiline.ts'
import { isMessageCommand } from './features/say.ts'
import { answering } from './output/answering.ts'
import { labelOf } from './output/response.ts'
import { mayUse } from './rules/oper.ts'
import type { Session } from './session.ts'

/** Handles one line. Returns a promise if the command waits for slow work; until then no other line of this session is handled. */
export function dispatch(chat: Chat, session: Session, incoming: Incoming): Promise<void> | undefined {
  countLine(session)
  if (typeof incoming !== 'string') return void refuseFault(chat, session, incoming)
  const message = parse(incoming)
  if (message === undefined) return undefined
  // A web page can make a browser post here; its first line gives it away before any other runs as a command.
  if (session.introduction.line === 1 && HTTP_VERBS.has(message.command))
    return void chat.close(session, NO_BROWSERS)

  // Lines of a multiline batch are its contents, answered when it closes.
  if (message.tags.has('batch') && mayBatch(session, message)) {
    const label = isCollecting(session) ? undefined : labelOf(session.caps, message.tags)
    return void answering(chat, session, label, () => collectLine(turnOf(chat, session, 'BATCH'), message))
  }
  const turn = turnOf(chat, session, message.command)

  const asked = labelOf(session.caps, message.tags)
  const command = commands.get(message.command.toUpperCase())
  if (command === undefined) return void answering(chat, session, asked, () => refuseUnknown(turn, message))
  const refusal = refusalOf(turn, command, message)
  if (refusal !== undefined) return void answering(chat, session, asked, () => turn.reply(...refusal))
  // The label of a BATCH that opens is kept for its close.
  const label = command.name === 'BATCH' && message.params[0]?.startsWith('+') ? undefined : asked
  return perform(turn, command, message, label)
}

/** Runs a command that is not refused, once what it prepares is ready. */
function perform(
  turn: Turn,
  command: Command,
  message: Message,
  label: string | undefined,
): Promise<void> | undefined {
  const { chat, session } = turn
  // `refusalOf` has checked that a command for users comes from one.
  const allowed = command as Extract<Command, { when: 'always' | 'unregistered' }>
  if (command.privilege !== undefined) {
    const about = message.params.slice(0, command.audited ?? 2).join(' ')
    audit(turn as UserTurn, { command: command.name, about })
  }
  const preparing = allowed.prepare?.(turn, message)
  if (preparing === undefined) {
    if (label === undefined) allowed.run(turn, message, undefined)
    else answering(chat, session, label, () => allowed.run(turn, message, undefined))
    return session.rest?.told
  }
  return preparing.then((prepared) => {
    if (!session.isClosed) answering(chat, session, label, () => allowed.run(turn, message, prepared))
    else if (command.when === 'registered') command.conclude?.(turn as UserTurn, message, prepared)
    return session.rest?.told
  })
}

/** What is said in a batch that was refused, for lack of the capability or else, is not said at all. */
function mayBatch(session: Session, { command }: Message): boolean {
  if (isCollecting(session) || session.has(CAPS['draft/multiline'])) return true
  return session.user !== undefined && isMessageCommand(command.toUpperCase())
}

function countLine({ introduction }: Session): void {
  if (introduction.line < 2) introduction.line = introduction.line === 0 ? 1 : 2
}

function refuseUnknown(turn: Turn, { command }: Message): void {
  if (turn.user === undefined) turn.reply(numerics.ERR_NOTREGISTERED)
  else turn.reply(numerics.ERR_UNKNOWNCOMMAND, printable(command))
}

/** The reply that refuses the command, by its requirements; undefined if it may run. */
function refusalOf(
  { user }: Turn,
  { when, minParams, privilege }: Command,
  { command: typed, params }: Message,
): readonly [numerics.Numeric, ...string[]] | undefined {
  if (when === 'registered' && user === undefined) return [numerics.ERR_NOTREGISTERED]
  if (when === 'unregistered' && user !== undefined) return [numerics.ERR_ALREADYREGISTERED]
  if (params.length < minParams) return [numerics.ERR_NEEDMOREPARAMS, printable(typed)]
  if (privilege === undefined || (user !== undefined && mayUse(user, privilege))) return undefined
  return user?.oper === undefined ? [numerics.ERR_NOPRIVILEGES] : [numerics.ERR_NOPRIVS, privilege]
}

const NOTHING_READ: Message = { tags: NO_TAGS, command: '*', params: [] }

function refuseFault(chat: Chat, session: Session, incoming: Exclude<Incoming, string>): void {
  if (incoming.fault === 'empty') return
  if (incoming.fault === 'endless') return chat.close(session, 'Line too long: it never ended')
  // A browser's may be that long, and no client's is.
  if (incoming.fault === 'overlong' && session.introduction.line === 1)
    return chat.close(session, NO_BROWSERS)
  const { tags, command } = parse(incoming.text) ?? NOTHING_READ
  const turn = turnOf(chat, session, printable(command))
  answering(chat, session, labelOf(session.caps, tags), () => {
    if (incoming.fault === 'overlong') turn.reply(numerics.ERR_INPUTTOOLONG)
    else turn.fail('INVALID_UTF8', [], 'Message rejected: it is not valid UTF-8')
  })
  // Of an overlong line the tags may be lost.
  if (incoming.fault === 'overlong' || tags.has('batch')) spoil(turnOf(chat, session, 'BATCH'))
}

function turnOf(chat: Chat, session: Session, command: string): Turn {
  return {
    chat,
    session,
    state: chat.state,
    user: session.user,
    reply(numeric, ...params) {
      session.send(chat.numeric(session, numeric, params))
    },
    fail(code, context, text) {
      const params = [command.toUpperCase(), code, ...context.map(echoed), text]
      session.send(chat.line({ command: 'FAIL', params, at: chat.world.now() }))
    },
    propose(event: Event) {
      chat.propose(event, { session: session.id })
    },
  }
}

const NO_BROWSERS = 'This is an IRC server'

const HTTP_VERBS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'CONNECT',
  'TRACE',
])
