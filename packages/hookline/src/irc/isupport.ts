// RPL_ISUPPORT: what this server offers, in tokens, a few to a line.
// https://modern.ircdocs.horse/#rplisupport-parameters
import { CHANMODES, MODES_PER_COMMAND, prefixesOf, RANKS } from './modes.ts'
import { currentCasemapping } from './names.ts'
import { byteLength, groupInLines } from './split.ts'

/** Limits that clients are told and held to. */
export interface Limits {
  readonly nickLength: number
  readonly channelLength: number
  readonly topicLength: number
  readonly kickLength: number
  readonly awayLength: number
  readonly realnameLength: number
  readonly usernameLength: number
  readonly channelListModes: number
  readonly channelsPerUser: number
  readonly monitorTargets: number
}

export interface Offer extends Limits {
  readonly network: string
  /** URL of a picture. */
  readonly icon: string | undefined
  /** Most messages per CHATHISTORY; undefined if no history is kept. */
  readonly historyLimit: number | undefined
  readonly isAccountRequired: boolean
}

/** Of one PRIVMSG, NOTICE or TAGMSG. */
export const TARGETS_PER_MESSAGE = 4

/** A line has at most 15 parameters, of which the nick and the text are two. */
const TOKENS = 13
/** What the longest server name, the longest nick and the text leave of 512 bytes. */
const LINE_BYTES = 340

/** Whether a picture's URL fits in a line of its own. */
export function isIcon(url: string): boolean {
  return byteLength(iconToken(url)) <= LINE_BYTES
}

/** The tokens, in lines that fit. */
export function isupportLines(offer: Offer): string[][] {
  return inLines(tokensOf(offer))
}

/** What changes from one offer to the other, in lines: tokens that are new or different, and `-TOKEN` for those withdrawn. */
export function isupportNews(before: Offer, after: Offer): string[][] {
  const was = tokensOf(before)
  const now = tokensOf(after)
  const names = new Set(now.map(nameOf))
  const gone = was.map(nameOf).filter((name) => !names.has(name))
  return inLines([...now.filter((token) => !was.includes(token)), ...gone.map((name) => `-${name}`)])
}

function nameOf(token: string): string {
  return token.split('=')[0] ?? ''
}

function tokensOf(offer: Offer): string[] {
  const prefixes = prefixesOf(RANKS)
  return [
    'ACCOUNTEXTBAN=a,account',
    `AWAYLEN=${offer.awayLength}`,
    'BOT=B',
    `CASEMAPPING=${currentCasemapping()}`,
    `CHANLIMIT=#:${offer.channelsPerUser}`,
    `CHANMODES=${CHANMODES}`,
    `CHANNELLEN=${offer.channelLength}`,
    'CHANTYPES=#',
    ...(offer.historyLimit === undefined ? [] : [`CHATHISTORY=${offer.historyLimit}`]),
    'ELIST=CMNTU',
    'EXCEPTS',
    'EXTBAN=,am',
    'INVEX',
    `KICKLEN=${offer.kickLength}`,
    `MAXLIST=beI:${offer.channelListModes}`,
    `MAXTARGETS=${TARGETS_PER_MESSAGE}`,
    `MODES=${MODES_PER_COMMAND}`,
    `MONITOR=${offer.monitorTargets}`,
    ...(offer.historyLimit === undefined ? [] : ['MSGREFTYPES=msgid,timestamp']),
    `NAMELEN=${offer.realnameLength}`,
    `NETWORK=${escaped(offer.network.replace(/[^\x20-\x7e]/g, '_'))}`,
    `NICKLEN=${offer.nickLength}`,
    `PREFIX=(${RANKS.join('')})${prefixes}`,
    `STATUSMSG=${prefixes}`,
    `TARGMAX=JOIN:,PART:,KICK:,NAMES:,PRIVMSG:${TARGETS_PER_MESSAGE},NOTICE:${TARGETS_PER_MESSAGE},TAGMSG:${TARGETS_PER_MESSAGE}`,
    `TOPICLEN=${offer.topicLength}`,
    `USERLEN=${offer.usernameLength}`,
    'UTF8ONLY',
    'WHOX',
    ...(offer.icon === undefined ? [] : [iconToken(offer.icon)]),
    ...(offer.isAccountRequired ? ['draft/ACCOUNTREQUIRED'] : []),
  ]
}

/** https://ircv3.net/specs/extensions/network-icon */
function iconToken(url: string): string {
  return `draft/ICON=${escaped(url)}`
}

function inLines(tokens: readonly string[]): string[][] {
  return groupInLines(tokens, (token) => byteLength(token) + 1, { bytes: LINE_BYTES, count: TOKENS })
}

/** A value may hold neither space nor `=` nor backslash. https://modern.ircdocs.horse/#rplisupport-005 */
function escaped(value: string): string {
  return value.replace(/[ =\\]/g, (char) => `\\x${char.charCodeAt(0).toString(16).toUpperCase()}`)
}
