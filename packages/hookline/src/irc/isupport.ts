// RPL_ISUPPORT: what this server offers, in tokens, a few to a line.
// https://modern.ircdocs.horse/#rplisupport-parameters
import { CHANMODES, MODES_PER_COMMAND, PREFIX, RANKS } from './modes.ts'

/** What clients are told of, and what we then hold them to. */
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
}

/** Tokens in lines of at most 13, since a line has 15 parameters and a nick and a text are two. */
export function isupportLines(offer: Offer): string[][] {
  const prefixes = RANKS.map((rank) => PREFIX[rank]).join('')
  const tokens = [
    'ACCOUNTEXTBAN=a,account',
    `AWAYLEN=${offer.awayLength}`,
    'BOT=B',
    'CASEMAPPING=ascii',
    `CHANLIMIT=#:${offer.channelsPerUser}`,
    `CHANMODES=${CHANMODES}`,
    `CHANNELLEN=${offer.channelLength}`,
    'CHANTYPES=#',
    'ELIST=CMNTU',
    'EXCEPTS',
    'EXTBAN=,am',
    'INVEX',
    `KICKLEN=${offer.kickLength}`,
    `MAXLIST=beI:${offer.channelListModes}`,
    'MAXTARGETS=4',
    `MODES=${MODES_PER_COMMAND}`,
    `MONITOR=${offer.monitorTargets}`,
    `NAMELEN=${offer.realnameLength}`,
    `NETWORK=${offer.network.replace(/[^\x21-\x3c\x3e-\x7e]/g, '_')}`,
    `NICKLEN=${offer.nickLength}`,
    `PREFIX=(${RANKS.join('')})${prefixes}`,
    `STATUSMSG=${prefixes}`,
    'TARGMAX=JOIN:,PART:,KICK:,NAMES:,PRIVMSG:4,NOTICE:4,TAGMSG:4',
    `TOPICLEN=${offer.topicLength}`,
    `USERLEN=${offer.usernameLength}`,
    'UTF8ONLY',
    'WHOX',
  ]
  const lines: string[][] = []
  for (let at = 0; at < tokens.length; at += 13) lines.push(tokens.slice(at, at + 13))
  return lines
}
