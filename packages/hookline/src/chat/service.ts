// A service: always present, and spoken to in words, as on other networks. It goes through the same rules and events as every
// command; it keeps nothing, and nothing said to it is history.
import { printable } from '../irc/message.ts'
import { fold } from '../irc/names.ts'
import { audit } from './audit.ts'
import type { UserTurn } from './command.ts'
import { mayUse, type Privilege } from './rules/oper.ts'

export interface ServiceTurn extends UserTurn {
  /** The account of whoever asks; empty for somebody without one, who gets no further where `needsAccount` is true. */
  readonly account: string
  /** One NOTICE from the service to whoever asked. */
  readonly tell: (text: string) => void
}

export interface Verb<Prepared = unknown> {
  /** In capitals. */
  readonly name: string
  /** `SET <setting> <value>` */
  readonly usage: string
  /** One line. */
  readonly help: string
  readonly minWords: number
  /** Beyond these it is not clear what is meant, such as a password of several words. Undefined: any number. */
  readonly maxWords?: number
  /** A server operator's privilege without which it is refused. */
  readonly privilege?: Privilege
  /** Only for those who are logged in, or for server operators with a privilege. */
  readonly needsAccount?: true | Privilege
  /** Whether it is refused to those logged in by a token: that can be revoked, and must not leave anything behind. */
  refusesTokens?(words: readonly string[]): boolean
  /** As for a command: slow work, while this connection waits. */
  prepare?(turn: ServiceTurn, words: readonly string[]): Promise<Prepared> | undefined
  run(turn: ServiceTurn, words: readonly string[], prepared: Prepared): void
}

/** Nobody else may have these nicks. */
export const SERVICE_NICKS = ['ChanServ', 'NickServ', '*playback'] as const

export interface Service {
  readonly nick: (typeof SERVICE_NICKS)[number]
  readonly about: string
  readonly verbs: ReadonlyMap<string, Verb>
}

export function isServiceNick(nick: string): boolean {
  return SERVICE_NICKS.some((each) => fold(each) === fold(nick))
}

/** The slow part of a request, if it has one and is allowed. */
export function prepareService(turn: UserTurn, service: Service, text: string): Promise<unknown> | undefined {
  const { verb, words } = parse(service, text)
  if (verb?.prepare === undefined || refusal(turn, service, verb, words) !== undefined) return undefined
  auditVerb(turn, service, verb, words)
  return verb.prepare(turnOf(turn, service), words)
}

export function askService(turn: UserTurn, service: Service, text: string, prepared: unknown): void {
  const { verb, words, name } = parse(service, text)
  const asking = turnOf(turn, service)
  if (name === 'HELP') return help(asking, service, words[0])
  if (verb === undefined) {
    return asking.tell(`Unknown command ${printable(name)}: /msg ${service.nick} HELP lists all commands`)
  }
  // What was prepared was allowed, and may have logged its user out since.
  const refused = prepared === undefined ? refusal(turn, service, verb, words) : undefined
  if (refused !== undefined) return asking.tell(refused)
  if (verb.prepare === undefined) auditVerb(turn, service, verb, words)
  verb.run(asking, words, prepared)
}

function auditVerb(
  turn: UserTurn,
  { nick }: Service,
  { name, privilege }: Verb,
  words: readonly string[],
): void {
  if (privilege !== undefined) audit(turn, { command: `${nick} ${name}`, about: words[0] })
}

/** To those who wrote to it among other targets, or in several lines. */
export function tellHowToAsk(turn: UserTurn, service: Service): void {
  turnOf(turn, service).tell(
    `Write to ${service.nick} alone and in one line, such as /msg ${service.nick} HELP`,
  )
}

function parse(service: Service, text: string): { verb: Verb | undefined; name: string; words: string[] } {
  const [first = '', ...words] = text.split(' ').filter((word) => word !== '')
  const name = first.toUpperCase()
  return { verb: service.verbs.get(name), name, words }
}

function refusal(
  { user, session }: UserTurn,
  { nick }: Service,
  verb: Verb,
  words: readonly string[],
): string | undefined {
  const { usage, minWords, maxWords = Infinity, privilege, needsAccount } = verb
  if (privilege !== undefined && !mayUse(user, privilege)) return 'Only server operators can do that'
  const isLoginNeeded = needsAccount === true || (needsAccount !== undefined && !mayUse(user, needsAccount))
  if (isLoginNeeded && user.account === null)
    return 'Log in first: /msg NickServ IDENTIFY <account> <password>'
  if (session.token !== undefined && verb.refusesTokens?.(words))
    return 'You cannot do that when logged in with a token: log in with your password or a certificate'
  const isUsable = words.length >= minWords && words.length <= maxWords
  return isUsable ? undefined : `Usage: /msg ${nick} ${usage}`
}

function help({ user, tell }: ServiceTurn, { nick, about, verbs }: Service, asked: string | undefined): void {
  const one = asked === undefined ? undefined : verbs.get(asked.toUpperCase())
  if (one !== undefined) return tell(`${one.usage}: ${one.help}`)
  tell(about)
  for (const { usage, help: line, privilege } of verbs.values()) {
    if (privilege === undefined || mayUse(user, privilege)) tell(`/msg ${nick} ${usage}: ${line}`)
  }
}

export function maskOfService({ nick }: Service, server: string): string {
  return `${nick}!${nick}@${server}`
}

function turnOf(turn: UserTurn, service: Service): ServiceTurn {
  return { ...turn, account: turn.user.account ?? '', tell: (text) => tellFrom(service, turn, text) }
}

/** A NOTICE from the service to one connection. */
export function tellFrom(
  service: Service,
  { chat, session, user }: Pick<UserTurn, 'chat' | 'session' | 'user'>,
  text: string,
): void {
  const { settings, world } = chat
  const source = maskOfService(service, settings.name)
  const params = [user.nick, text]
  session.send(chat.line({ source, command: 'NOTICE', params, at: world.now(), id: world.newId() }))
}

/** A code to repeat before something is gone for good: enough to prevent slips. */
export function confirmation(createdAt: number): string {
  return String(((createdAt >>> 0) % 9_000) + 1_000)
}
