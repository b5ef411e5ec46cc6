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
    /** Connections logged in to one account may be one user, unless its owner says otherwise. */
    readonly multiclient: boolean
    /** Whether users stay when their last connection goes: as their owners choose, or whatever they choose. */
    readonly alwaysOn: 'disabled' | 'opt_in' | 'opt_out' | 'mandatory'
  }
  readonly registration: {
    /** Operators of a channel may register it; else only server operators may. */
    readonly isOpen: boolean
    readonly channelsPerAccount: number
  }
  /** Behind the account of whoever is logged in when it comes, in place of its host: `account.cloak`. */
  readonly accountHosts?: string | undefined
  /** Web gateways that say whom they speak for (WEBIRC). */
  readonly gateways?: readonly WebGateway[]
  /** Undefined: clients come as they like. */
  readonly sts?: StsPolicy | undefined
  /** RELAYMSG; undefined where it is off. */
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
  /** Without it nothing that is said is kept, and nobody is offered what would need it. */
  readonly isKept: boolean
  /** Messages of one CHATHISTORY, of one conversation in `*playback`, and unasked at JOIN for those who cannot ask. */
  readonly queryLimit: number
  readonly playbackLimit: number
  readonly autoreplayLines: number
  /** A TAGMSG is kept where it has one of these. */
  readonly keptTags: readonly string[]
  readonly mayBeRedacted: boolean
}

export interface WebGateway {
  readonly passwordHash: string
  /** Where it comes from. */
  readonly networks: readonly Bits[]
}

/** https://ircv3.net/specs/extensions/sts */
export interface StsPolicy {
  /** Where TLS is. */
  readonly port: number
  /** 0 takes back what was told before. */
  readonly durationSeconds: number
  readonly isPreloadable: boolean
  /** Names for which it is told, in lower case; none: for every name. */
  readonly hosts: readonly string[]
}

export interface OperBlock {
  readonly name: string
  readonly passwordHash: string
  readonly title: string
  readonly privileges: readonly Privilege[]
}

export interface AccountPolicy {
  /** None: nobody logs in by SASL. */
  readonly mechanisms: readonly Mechanism[]
  /** A nick that is the name of an account is for who is logged in to it. */
  readonly protectsNicks: boolean
  /** Nobody is let in without one. */
  readonly isRequired: boolean
  readonly registration: {
    readonly isEnabled: boolean
    readonly isBeforeConnect: boolean
    readonly needsEmail: boolean
    /** An account may be called otherwise than its maker's nick. */
    readonly allowsOtherNames: boolean
  }
}

export interface MetadataSettings {
  /** Clients may say of themselves and subscribe before they register. */
  readonly beforeConnect: boolean
  /** Of one user or channel. */
  readonly maxKeys: number
  /** Of one connection. */
  readonly maxSubs: number
  /** What fits in a line with the longest names. */
  readonly maxValueBytes: number
  /** By one connection: as many at once, then as many a minute. */
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

/** What ISUPPORT tells of them. */
export function offerOf({ network, icon, limits, history, accounts }: ChatSettings): Offer {
  return {
    network,
    icon,
    ...limits,
    historyLimit: history.isKept ? history.queryLimit : undefined,
    isAccountRequired: accounts.isRequired,
  }
}
