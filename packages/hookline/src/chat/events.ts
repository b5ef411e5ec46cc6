// Everything that can happen in the chat. A feature's file says what each event does and how it is announced.
import type { Accepted } from './features/accept.ts'
import type { AccountChanged, AccountDropped, AccountMade, LoggedIn } from './features/account.ts'
import type { AwayChanged } from './features/away.ts'
import type { ClockMended } from './features/clockmended.ts'
import type { Invited, Uninvited } from './features/invite.ts'
import type {
  AccessChanged,
  ChannelRegistered,
  ChannelRestored,
  ChannelUnregistered,
} from './features/channelregistration.ts'
import type { ChannelJoined } from './features/join.ts'
import type { Kicked } from './features/kick.ts'
import type { ReadMarked } from './features/markread.ts'
import type { MetadataChanged } from './features/metadatachange.ts'
import type { ChannelModesChanged } from './features/mode.ts'
import type { NickChanged } from './features/nick.ts'
import type { OperMade } from './features/oper.ts'
import type { ChannelParted } from './features/part.ts'
import type { UserQuit } from './features/quit.ts'
import type { Redacted } from './features/redact.ts'
import type { UserRegistered } from './features/registration.ts'
import type { ChannelRenamed } from './features/rename.ts'
import type { Said } from './features/say.ts'
import type { ServerBanned, ServerUnbanned } from './features/serverban.ts'
import type { SessionAttached, SessionDetached } from './features/sessions.ts'
import type { RealnameChanged } from './features/setname.ts'
import type { TopicChanged } from './features/topic.ts'
import type { UserModesChanged } from './features/usermode.ts'
import type { Walloped } from './features/wallops.ts'
import type { SessionId } from './state.ts'

export type Event =
  | AccessChanged
  | AccountChanged
  | AccountDropped
  | AccountMade
  | Accepted
  | AwayChanged
  | ChannelJoined
  | ChannelModesChanged
  | ChannelParted
  | ChannelRegistered
  | ChannelRestored
  | ChannelUnregistered
  | ChannelRenamed
  | ClockMended
  | Invited
  | Uninvited
  | Kicked
  | LoggedIn
  | MetadataChanged
  | NickChanged
  | OperMade
  | ReadMarked
  | RealnameChanged
  | Redacted
  | Said
  | SessionAttached
  | SessionDetached
  | ServerBanned
  | ServerUnbanned
  | TopicChanged
  | UserModesChanged
  | UserQuit
  | UserRegistered
  | Walloped

/** The session that asked for it: the answer to a JOIN is made where the JOIN is announced. */
export interface Origin {
  readonly session: SessionId
}

/** An event in the log. `at` is in ms, `id` is what clients know as msgid. */
export interface Entry<E extends Event = Event> {
  readonly seq: number
  readonly at: number
  readonly id: string
  readonly origin: Origin | undefined
  readonly event: E
}
