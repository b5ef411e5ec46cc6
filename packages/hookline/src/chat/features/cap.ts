// CAP: which extensions client and server have in common.
// https://ircv3.net/specs/extensions/capability-negotiation
import { CAPS, type CapName, capNames, isCap } from '../../irc/caps.ts'
import { KEY_BYTES } from '../../irc/metadata.ts'
import * as numerics from '../../irc/numerics.ts'
import { joinInLines } from '../../irc/split.ts'
import type { Chat } from '../chat.ts'
import type { Command, Turn } from '../command.ts'
import { roomFor } from '../output/line.ts'
import { readsMetadata } from '../rules/metadata.ts'
import { offersRedaction } from '../rules/redact.ts'
import type { Session } from '../session.ts'
import type { ChatSettings, MetadataSettings } from '../settings.ts'
import { NO_MEMBERS } from '../emptycollections.ts'
import { tellIsupportNews } from './isupport.ts'
import { tryRegister } from './registration.ts'
import { mechanismsFor } from './sasl.ts'
import { stsOffer } from './sts.ts'

export const CAP: Command = {
  name: 'CAP',
  minParams: 1,
  when: 'always',
  help: [
    'CAP LS 302: lists the available capabilities; before registration, the server then waits for CAP END',
    'CAP LIST: lists the capabilities you have enabled',
    'CAP REQ :<name>{ <name>}: enables capabilities, or disables -<name>; all of them or none',
    'CAP END: completes registration',
  ],
  run(turn, { params: [subcommand = '', argument = ''] }) {
    const { session } = turn
    switch (subcommand.toUpperCase()) {
      case 'LS': {
        // "reply consistent with the request's version"; unsolicited lines go by the highest.
        const version = Number(argument) || 0
        if (version > session.capVersion) session.capVersion = version
        if (session.capVersion >= 302) session.caps |= CAPS['cap-notify']
        hold(turn)
        return answer(turn, 'LS', { names: shown(turn, version), version })
      }
      case 'LIST':
        return answer(turn, 'LIST', { names: capNames(session.caps), version: session.capVersion })
      case 'REQ':
        hold(turn)
        return request(turn, argument)
      case 'END':
        if (session.user === undefined) {
          session.introduction.isNegotiating = false
          tryRegister(turn)
        }
        return
      default:
        turn.reply(numerics.ERR_INVALIDCAPCMD, subcommand)
    }
  },
}

/** Negotiation before registration holds registration back until END. */
function hold({ session }: Turn): void {
  if (session.user === undefined) session.introduction.isNegotiating = true
}

/** All or nothing: a request changes all the capabilities that it names, or none. */
function request(turn: Turn, argument: string): void {
  const { session } = turn
  let caps = session.caps
  for (const word of argument.split(' ').filter((part) => part !== '')) {
    const isOff = word.startsWith('-')
    const name = isOff ? word.slice(1) : word
    // 302 implies cap-notify, which then cannot be given back.
    const isFixed = isOff && name === 'cap-notify' && session.capVersion >= 302
    if (!isCap(name) || !(isOff || isOffered(turn, name)) || isFixed) return decide(turn, 'NAK', argument)
    caps = isOff ? caps & ~CAPS[name] : caps | CAPS[name]
  }
  // "Clients MUST NOT request more than one … Servers MUST NOT accept these requests either."
  if ((caps & CAPS['draft/metadata-2']) !== 0 && (caps & CAPS['draft/metadata-3']) !== 0)
    return decide(turn, 'NAK', argument)
  decide(turn, 'ACK', argument)
  changeCaps(session, caps)
}

function changeCaps(session: Session, caps: number): void {
  session.adopt(caps)
  if (!readsMetadata(session)) session.subscriptions = NO_MEMBERS
}

/**
 * Applies new settings; those with cap-notify are told which capabilities came with them and which are gone, and everybody what
 * changed in 005.
 * https://ircv3.net/specs/extensions/capability-negotiation#cap-notify
 */
export function changeSettings(chat: Chat, settings: ChatSettings): void {
  const sessions = [...chat.sessions.values()]
  const before = sessions.map((session) => offers({ chat, session }))
  const { settings: old } = chat
  chat.settings = settings
  for (const [i, session] of sessions.entries()) tellNews({ chat, session }, before[i] ?? [])
  tellIsupportNews(chat, old)
}

function tellNews(to: Client, before: readonly string[]): void {
  const { session } = to
  const after = offers(to)
  const there = new Set(after.map(nameOf))
  // sts is in no set of capabilities, and is never withdrawn.
  const gone = before
    .map(nameOf)
    .filter(isCap)
    .filter((name) => !there.has(name))
  let { caps } = session
  for (const name of gone) caps &= ~CAPS[name]
  changeCaps(session, caps)
  if (!session.has(CAPS['cap-notify'])) return
  const come = after.filter((offer) => !before.includes(offer))
  for (const line of inLines(to, gone)) tell(to, 'DEL', line)
  for (const line of inLines(to, come)) tell(to, 'NEW', line)
}

function nameOf(offer: string): string {
  return offer.split('=')[0] ?? ''
}

type Client = Pick<Turn, 'chat' | 'session'>

/** All must fit in one line for a client from before 302, which knows no drafts either. */
function shown(turn: Turn, version: number): string[] {
  return offers(turn, version).filter((offer) => version >= 302 || !offer.startsWith('draft/'))
}

/** What is offered, with values for those who understand them. */
function offers(turn: Client, version = turn.session.capVersion): string[] {
  const names = (Object.keys(CAPS) as CapName[])
    .filter((name) => isOffered(turn, name))
    .map((name) => {
      const value = version >= 302 ? (VALUES[name]?.(turn) ?? '') : ''
      return value === '' ? name : `${name}=${value}`
    })
  const sts = stsOffer(turn.session, turn.chat.settings.sts)
  return sts === undefined ? names : [...names, sts]
}

/** The value after a capability's name; empty for none. */
const VALUES: { readonly [Name in CapName]?: (to: Client) => string } = {
  'draft/account-registration': ({ chat }) => {
    const { isBeforeConnect, needsEmail, allowsOtherNames } = chat.settings.accounts.registration
    const keys = [
      isBeforeConnect && 'before-connect',
      needsEmail && 'email-required',
      allowsOtherNames && 'custom-account-name',
    ]
    return keys.filter((key) => key !== false).join(',')
  },
  'draft/metadata-2': ({ chat }) => metadataValue(chat.settings.metadata),
  'draft/metadata-3': ({ chat }) => metadataValue(chat.settings.metadata),
  'draft/multiline': ({ chat }) => {
    const { multilineBytes, multilineLines } = chat.settings.limits
    return `max-bytes=${multilineBytes},max-lines=${multilineLines}`
  },
  'draft/relaymsg': ({ chat }) => chat.settings.relay?.separators ?? '',
  sasl: (turn) => mechanismsFor(turn).join(','),
}

const CONDITIONS: { readonly [Name in CapName]?: (to: Client) => boolean } = {
  'draft/account-registration': ({ chat }) => chat.settings.accounts.registration.isEnabled,
  'draft/chathistory': keepsHistory,
  'draft/event-playback': keepsHistory,
  'draft/message-redaction': ({ chat }) => offersRedaction(chat.settings),
  'draft/metadata-2': ({ chat }) => chat.settings.metadata !== undefined,
  'draft/metadata-3': ({ chat }) => chat.settings.metadata !== undefined,
  'draft/relaymsg': ({ chat }) => chat.settings.relay !== undefined,
  sasl: (turn) => mechanismsFor(turn).length > 0,
  'soju.im/search': keepsHistory,
  'znc.in/playback': keepsHistory,
}

function keepsHistory({ chat }: Client): boolean {
  return chat.settings.history.isKept
}

/** A capability that the settings turn off is treated as unknown. */
function isOffered(turn: Client, name: CapName): boolean {
  return CONDITIONS[name]?.(turn) ?? true
}

function metadataValue(metadata: MetadataSettings | undefined): string {
  if (metadata === undefined) return ''
  const { beforeConnect, maxKeys, maxSubs, maxValueBytes } = metadata
  const limits = `max-subs=${maxSubs},max-keys=${maxKeys},max-key-bytes=${KEY_BYTES},max-value-bytes=${maxValueBytes}`
  return beforeConnect ? `before-connect,${limits}` : limits
}

const LONGEST_LIST = 400

/** Shorter if the names of the server and of the client are long. */
function inLines(to: Client, words: readonly string[], longest = LONGEST_LIST): string[] {
  const room = roomFor(to.chat.settings.name, 'CAP', `${to.session.nick} LIST *`)
  return joinInLines(words, ' ', Math.min(room, longest))
}

/** In several lines if necessary, all but the last marked with `*`. Before 302 it is one line, with as many names as fit. */
function answer(
  turn: Turn,
  subcommand: 'LS' | 'LIST',
  { names, version }: { names: readonly string[]; version: number },
): void {
  const lines = version >= 302 ? inLines(turn, names) : inLines(turn, names, Infinity).slice(0, 1)
  const last = lines.pop() ?? ''
  for (const line of lines) tell(turn, subcommand, '*', line)
  tell(turn, subcommand, last)
}

/** "a server MUST NOT change the capabilities of the client until the last ACK of the set has been sent" */
function decide(turn: Turn, verdict: 'ACK' | 'NAK', argument: string): void {
  for (const line of inLines(turn, argument.split(' '))) tell(turn, verdict, line)
}

function tell(to: Client, ...params: string[]): void {
  to.session.send(to.chat.line({ command: 'CAP', params: [to.session.nick, ...params] }))
}
