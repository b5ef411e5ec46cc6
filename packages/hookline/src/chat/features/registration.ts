// USER, and the moment a connection becomes a user. PASS and NICK have files of their own.
// https://modern.ircdocs.horse/#connection-registration
import { asParam } from '../../irc/address.ts'
import { CHANMODES, LISTS, RANKS, SETTINGS, USER_MODES } from '../../irc/modes.ts'
import { fold, nickKey } from '../../irc/names.ts'
import * as numerics from '../../irc/numerics.ts'
import { cutText } from '../../irc/split.ts'
import type { Chat } from '../chat.ts'
import { type Command, effect, type Turn } from '../command.ts'
import type { UserRegistered } from '../events.ts'
import { userToJoin } from '../rules/attach.ts'
import { refusesNick } from '../rules/nick.ts'
import type { Session } from '../session.ts'
import type { ChatSettings } from '../settings.ts'
import { NO_ENTRIES, NO_MEMBERS } from '../emptycollections.ts'
import { enterAccount, findUser, mustGet, setUserModes, type User, type WritableUser } from '../state.ts'
import { updateAway } from './away.ts'
import { tellIsupport } from './isupport.ts'
import { tellLusers } from './lusers.ts'
import { introduceAccount } from './metadata/metadatachange.ts'
import { tellOwn } from './metadata/metadatasync.ts'
import { tellCame } from './monitor.ts'
import { tellMotd } from './motd.ts'
import { lacksPassword } from './pass.ts'
import { abandonSasl } from './sasl.ts'
import { turnAwayIfBanned } from './serverban.ts'

export const USER: Command = {
  name: 'USER',
  minParams: 4,
  when: 'unregistered',
  help: 'USER <username> 0 * :<real name>: introduces a new connection',
  run(turn, { params: [username = '', , , realname = ''] }) {
    const { chat, session, reply } = turn
    // What is left becomes part of a mask, so `!`, `@` and spaces cannot be in it, nor the comma between the masks of a 730; nor can a
    // parameter begin with `:`.
    const name = username
      .replace(/[^\x22-\x2b\x2d-\x3f\x41-\x7e]/g, '')
      .replace(/^:+/, '')
      .slice(0, chat.settings.limits.usernameLength)
    if (username === '' || realname === '') return reply(numerics.ERR_NEEDMOREPARAMS, 'USER')
    if (name === '') return reply(numerics.ERR_INVALIDUSERNAME)
    session.introduction.username = name
    session.introduction.realname = cutText(realname, chat.settings.limits.realnameLength)
    tryRegister(turn)
  },
}

/** Registers a connection once it has sent everything; refuses it if the password is wrong or the nick was taken meanwhile. */
export function tryRegister(turn: Turn): void {
  const { chat, session, reply } = turn
  const { nick, username, realname, account, isNegotiating } = session.introduction
  if (session.user !== undefined || nick === undefined || username === undefined || isNegotiating) return
  if (lacksPassword(chat, session)) {
    reply(numerics.ERR_PASSWDMISMATCH)
    return chat.close(session, 'Password incorrect')
  }
  if (turnAwayIfBanned(chat, session)) return
  const here = userToJoin(chat.settings, chat.state, account, findUser(chat.state, nick))
  const refusal = here === undefined ? refusesNick(chat, nick, undefined, account) : undefined
  if (refusal !== undefined) {
    session.introduction.nick = undefined
    return reply(refusal, nick)
  }
  abandonSasl(turn)
  if (account === null && chat.settings.accounts.isRequired) return requireAccount(chat, session)
  introduceAccount(turn)

  const { metadata: said } = session.introduction
  session.introduction.metadata = NO_ENTRIES
  if (here !== undefined)
    return turn.propose({ kind: 'session.attached', user: here.key, session: session.id })
  turn.propose({
    kind: 'user.registered',
    user: chat.newUserKey(),
    nick,
    username,
    ...hostsOf(session, chat.settings),
    realname,
    account,
    modes: chat.settings.userModes,
    isSecure: session.isSecure,
    ...(said.size === 0 ? {} : { metadata: Object.fromEntries(said) }),
    session: session.id,
  })
}

/** https://ircv3.net/specs/extensions/account-registration#responses */
export function requireAccount(chat: Chat, session: Session): void {
  const text = 'This server requires an account: log in with SASL'
  session.send(chat.line({ command: 'FAIL', params: ['*', 'ACCOUNT_REQUIRED', text] }))
  chat.close(session, text)
}

/** The host that others see: by account, if the server has it so and the account can be part of a host, else by address. */
function hostsOf(
  { host, introduction: { account } }: Session,
  { accountHosts }: ChatSettings,
): { host: string; addressHost?: string } {
  if (accountHosts === undefined || account === null || !/^[A-Za-z0-9-]{1,30}$/.test(account)) return { host }
  return { host: `${fold(account)}.${accountHosts}`, addressHost: host }
}

export const userRegistered = effect<UserRegistered>({
  apply(state, event, { at, id }) {
    const { user: key, nick, username, host, addressHost, realname, account, isSecure, session } = event
    const user: WritableUser = {
      key,
      nick,
      nickSince: id,
      username,
      host,
      addressHost,
      realname,
      isSecure,
      account: null,
      away: undefined,
      modes: NO_MEMBERS,
      oper: undefined,
      channels: NO_ENTRIES,
      invitations: NO_MEMBERS,
      metadata: event.metadata === undefined ? NO_ENTRIES : new Map(Object.entries(event.metadata)),
      signedOnAt: at,
      isVirtual: session === undefined && account === null,
      sessions: session === undefined ? [] : [session],
      goneAt: session === undefined && account !== null ? (event.goneAt ?? at) : undefined,
    }
    setUserModes(state, user, event.modes)
    enterAccount(state, user, account)
    state.users.set(key, user)
    state.nicks.set(nickKey(nick), user)
    state.mostUsers = Math.max(state.mostUsers, state.users.size)
  },
  announce(chat, event) {
    const user = mustGet(chat.state.users, event.user)
    const session = event.session === undefined ? undefined : chat.sessions.get(event.session)
    if (session !== undefined) {
      chat.enter(session, user)
      welcome(chat, session, user)
    }
    tellCame(chat, user)
    if (session?.away !== undefined) updateAway(chat, user)
    // Now it has the host that its account gives it.
    if (session !== undefined && user.addressHost !== undefined) turnAwayIfBanned(chat, session)
  },
})

export function welcome(chat: Chat, session: Session, user: User): void {
  const { name, network, version } = chat.settings
  chat.reply(session, numerics.RPL_WELCOME, `Welcome to the ${network} Network, ${user.nick}`)
  chat.reply(session, numerics.RPL_YOURHOST, `Your host is ${name}, running version hookline-${version}`)
  chat.reply(
    session,
    numerics.RPL_CREATED,
    `This server was created ${new Date(chat.startedAt).toISOString()}`,
  )
  chat.reply(session, numerics.RPL_MYINFO, name, `hookline-${version}`, ...ALL_MODES)
  tellIsupport(chat, session)
  tellLusers(chat, session)
  tellOwn(chat, session, user)
  tellMotd(chat, session)
  if (user.host !== asParam(session.address)) chat.reply(session, numerics.RPL_HOSTHIDDEN, user.host)
  if (user.modes.size > 0) {
    session.send(
      chat.line({ source: user.nick, command: 'MODE', params: [user.nick, `+${[...user.modes].join('')}`] }),
    )
  }
}

/** User modes, channel modes, and the channel modes with a parameter. */
const ALL_MODES: readonly string[] = [
  USER_MODES.join(''),
  [...CHANMODES.replaceAll(',', '').split(''), ...RANKS].toSorted().join(''),
  [...LISTS, 'k', ...SETTINGS, ...RANKS].toSorted().join(''),
]
