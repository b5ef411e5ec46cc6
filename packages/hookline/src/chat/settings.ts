// What the chat needs to know of the configuration. Replaced whole when the server reloads.
import type { Bits } from '../irc/address.ts'
import type { Limits, Offer } from '../irc/isupport.ts'
import type { ChannelFlag, UserMode } from '../irc/modes.ts'
import type { Mechanism } from './accounts.ts'
import type { Privilege } from './rules/oper.ts'

export interface ChatSettings {
  /** Source of what the server itself says, and the prefix of its bots' names. */
  readonly name: string
  readonly network: string
  /** URL of a picture of the network. */
  readonly icon: string | undefined
  readonly description: string
  readonly version: string
  readonly motd: readonly string[] | undefined
  readonly admin: { readonly location: string; readonly email: string }
  /** PHC string of the connection password. */
  readonly passwordHash: string | undefined
  readonly opers: readonly OperBlock[]
  /** Given to every new user, and to every new channel. */
  readonly userModes: readonly UserMode[]
  readonly channelFlags: readonly ChannelFlag[]
  readonly presence: {
    /** Connections logged in to one account may share one user, unless its owner chooses otherwise. */
    readonly multiclient: boolean
    /** Whether users stay when their last connection closes: as their owners choose, or regardless. */
    readonly alwaysOn: 'disabled' | 'opt_in' | 'opt_out' | 'mandatory'
  }
  readonly registration: {
    /** Channel operators may register their channel; else only server operators may. */
    readonly isOpen: boolean
    readonly channelsPerAccount: number
  }
  /** Follows the account in the host of those who log in before they register: `account.cloak`. */
  readonly accountHosts?: string | undefined
  /** Web gateways that say whom they speak for (WEBIRC). */
  readonly gateways?: readonly WebGateway[]
  /** Undefined: no STS policy is announced. */
  readonly sts?: StsPolicy | undefined
  /** RELAYMSG; undefined if it is off. */
  readonly relay: { readonly separators: string; readonly isForOperators: boolean } | undefined
  /** NPC, NPCA and SCENE. */
  readonly hasRoleplay: boolean
  readonly accounts: AccountPolicy
  readonly limits: ChatLimits
  readonly history: HistorySettings
  /** Undefined: there is no METADATA. */
  readonly metadata: MetadataSettings | undefined
}

export interface HistorySettings {
  /** If false, no message is kept, and nothing that needs history is offered. */
  readonly isKept: boolean
  /** Most messages of one CHATHISTORY, of one conversation in `*playback`, and sent at JOIN to those who cannot ask. */
  readonly queryLimit: number
  readonly playbackLimit: number
  readonly autoreplayLines: number
  /** A TAGMSG is kept if it has one of these. */
  readonly keptTags: readonly string[]
  readonly mayBeRedacted: boolean
}

export interface WebGateway {
  readonly passwordHash: string
  /** Where it connects from. */
  readonly networks: readonly Bits[]
}

/** https://ircv3.net/specs/extensions/sts */
export interface StsPolicy {
  /** The port with TLS. */
  readonly port: number
  /** 0 revokes what was announced before. */
  readonly durationSeconds: number
  readonly isPreloadable: boolean
  /** Names for which it is announced, in lower case; empty: every name. */
  readonly hosts: readonly string[]
}

export interface OperBlock {
  readonly name: string
  readonly passwordHash: string
  readonly title: string
  readonly privileges: readonly Privilege[]
}

export interface AccountPolicy {
  /** Empty: nobody logs in by SASL. */
  readonly mechanisms: readonly Mechanism[]
  /** A nick that is the name of an account is only for those logged in to it. */
  readonly protectsNicks: boolean
  /** Nobody may connect without one. */
  readonly isRequired: boolean
  readonly registration: {
    readonly isEnabled: boolean
    readonly isBeforeConnect: boolean
    readonly needsEmail: boolean
    /** An account's name may differ from its maker's nick. */
    readonly allowsOtherNames: boolean
  }
}

export interface MetadataSettings {
  /** Clients may set their own and subscribe before they register. */
  readonly beforeConnect: boolean
  /** Per user or channel. */
  readonly maxKeys: number
  /** Per connection. */
  readonly maxSubs: number
  /** What fits in a line with the longest names. */
  readonly maxValueBytes: number
  /** Per connection: this many at once, then this many a minute. */
  readonly changesPerMinute: number
}

/** Lengths in bytes, durations in ms. */
export interface ChatLimits extends Limits {
  readonly whowasEntries: number
  readonly multilineBytes: number
  readonly multilineLines: number
  /** A client may send this many lines at once, then this many a second; undefined lifts the limit. */
  readonly flood: { readonly burst: number; readonly perSecond: number } | undefined
  readonly registrationMs: number
  readonly pingAfterMs: number
  readonly pingTimeoutMs: number
  readonly sendQueueBytes: number
}

/** What ISUPPORT announces. */
export function offerOf({ network, icon, limits, history, accounts }: ChatSettings): Offer {
  return {
    network,
    icon,
    ...limits,
    historyLimit: history.isKept ? history.queryLimit : undefined,
    isAccountRequired: accounts.isRequired,
  }
}
