// All commands, and what each event does. A new feature adds its lines here.
import type { Command, Effect } from '../command.ts'
import type { Entry, Event } from '../events.ts'
import type { WritableState } from '../state.ts'
import { ACCEPT, userAccepted } from './accept.ts'
import { accountChanged, accountDropped, accountMade, loggedIn } from './account.ts'
import { AWAY, awayChanged } from './away.ts'
import { CAP } from './cap.ts'
import {
  accessChanged,
  channelRegistered,
  channelRestored,
  channelUnregistered,
} from './chanserv/channelregistration.ts'
import { CHATHISTORY } from './history/chathistory.ts'
import { clockMended } from './clockmended.ts'
import { HELP, HELPOP } from './help.ts'
import { ADMIN, INFO, LINKS, STATS, TIME, VERSION } from './info.ts'
import { INVITE, invited, UNINVITE, uninvited } from './invite.ts'
import { ISUPPORT } from './isupport.ts'
import { channelJoined, JOIN } from './join.ts'
import { KICK, kicked } from './kick.ts'
import { KILL } from './kill.ts'
import { LIST } from './list.ts'
import { LUSERS } from './lusers.ts'
import { MARKREAD, readMarked } from './history/markread.ts'
import { METADATA } from './metadata/metadata.ts'
import { metadataChanged } from './metadata/metadatachange.ts'
import { channelModesChanged, MODE } from './mode/mode.ts'
import { MONITOR } from './monitor.ts'
import { MOTD } from './motd.ts'
import { BATCH } from './multiline.ts'
import { NAMES } from './names.ts'
import { NICK, nickChanged } from './nick.ts'
import { OPER, operMade } from './oper.ts'
import { SAJOIN, SAMODE, SANICK } from './override.ts'
import { channelParted, PART } from './part.ts'
import { PASS } from './pass.ts'
import { PING, PONG } from './ping.ts'
import { QUIT, userQuit } from './quit.ts'
import { REDACT, redacted } from './redact.ts'
import { REGISTER, VERIFY } from './register.ts'
import { USER, userRegistered } from './registration.ts'
import { REHASH } from './rehash.ts'
import { RELAYMSG } from './relaymsg.ts'
import { channelRenamed, RENAME } from './rename.ts'
import { NPC, NPCA, SCENE } from './roleplay.ts'
import { AUTHENTICATE } from './sasl.ts'
import { NOTICE, PRIVMSG, said, TAGMSG } from './say.ts'
import { SEARCH } from './history/search.ts'
import { serverBanned, serverUnbanned } from './serverban.ts'
import { CS, LONG_FORMS, NS, ZNC } from './services.ts'
import { sessionAttached, sessionDetached } from './sessions.ts'
import { realnameChanged, SETNAME } from './setname.ts'
import { TOPIC, topicChanged } from './topic.ts'
import { UBAN } from './uban.ts'
import { ISON, USERHOST } from './userhost.ts'
import { userModesChanged } from './mode/usermode.ts'
import { walloped, WALLOPS } from './wallops.ts'
import { WEBIRC } from './webirc.ts'
import { WHO } from './who.ts'
import { WHOIS, WHOWAS } from './whois.ts'

// oxfmt-ignore
const all = [
  ...LONG_FORMS,
  ACCEPT, ADMIN, AUTHENTICATE, AWAY, BATCH, CAP, CHATHISTORY, CS, HELP, HELPOP, INFO, INVITE, ISON, ISUPPORT, JOIN, KICK, KILL, LINKS, LIST, LUSERS,
  MARKREAD, METADATA, MODE, MONITOR, MOTD, NAMES, NICK, NOTICE, NPC, NPCA, NS, OPER, PART, PASS, PING, PONG, PRIVMSG, QUIT, REDACT, REGISTER, REHASH,
  RELAYMSG, RENAME, SAJOIN, SAMODE, SANICK, SCENE, SEARCH, SETNAME, STATS, TAGMSG, TIME, TOPIC, UBAN, UNINVITE, USER, USERHOST, VERIFY, VERSION, WALLOPS, WEBIRC, WHO, WHOIS,
  WHOWAS, ZNC,
]

/** By name, in capitals. A map, so that no name reaches anything inherited. */
export const commands: ReadonlyMap<string, Command> = new Map(all.map((command) => [command.name, command]))

export const effects = {
  'account.changed': accountChanged,
  'account.dropped': accountDropped,
  'account.made': accountMade,
  'away.changed': awayChanged,
  'channel.access': accessChanged,
  'channel.invited': invited,
  'channel.uninvited': uninvited,
  'channel.joined': channelJoined,
  'channel.kicked': kicked,
  'channel.modes': channelModesChanged,
  'channel.parted': channelParted,
  'channel.registered': channelRegistered,
  'channel.restored': channelRestored,
  'channel.unregistered': channelUnregistered,
  'channel.renamed': channelRenamed,
  'clock.mended': clockMended,
  'metadata.changed': metadataChanged,
  'nick.changed': nickChanged,
  'oper.made': operMade,
  'read.marked': readMarked,
  'realname.changed': realnameChanged,
  redacted,
  said,
  'session.attached': sessionAttached,
  'session.detached': sessionDetached,
  'server.banned': serverBanned,
  'server.unbanned': serverUnbanned,
  'topic.changed': topicChanged,
  'user.account': loggedIn,
  'user.accepted': userAccepted,
  'user.modes': userModesChanged,
  'user.quit': userQuit,
  'user.registered': userRegistered,
  walloped,
} satisfies { readonly [K in Event['kind']]: Effect<Extract<Event, { kind: K }>> }

export function effectOf({ kind }: Event): Effect<Event> {
  return effects[kind]
}

/** The only writer: the same entries in the same order always give the same state. */
export function apply(state: WritableState, entry: Entry): unknown {
  return effectOf(entry.event).apply(state, entry.event, entry)
}

type ChangeOf<E extends Event> = ReturnType<(typeof effects)[E['kind']]['apply']>

/** `change`, which `apply` returned for that event, by its type. */
export function changeOf<E extends Event>(_: E, change: unknown): ChangeOf<E> {
  return change as ChangeOf<E>
}
