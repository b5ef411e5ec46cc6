// Modes of channels and users, and how a MODE command's letters and parameters pair up.
// https://modern.ircdocs.horse/#channel-modes

/** Ranks of a member, highest first, with the prefix that shows each. PREFIX=(qaohv)~&@%+ */
export const RANKS = ['q', 'a', 'o', 'h', 'v'] as const
export type Rank = (typeof RANKS)[number]
export const PREFIX: Readonly<Record<Rank, string>> = { q: '~', a: '&', o: '@', h: '%', v: '+' }

/** Type A: lists of masks. */
export const LISTS = ['b', 'e', 'I'] as const
export type ListMode = (typeof LISTS)[number]

/** Type C: a parameter when set. */
export const SETTINGS = ['f', 'l'] as const

/** Type D: on or off. */
export const FLAGS = ['C', 'E', 'i', 'M', 'm', 'n', 'R', 's', 't', 'U', 'u'] as const
export type ChannelFlag = (typeof FLAGS)[number]

/** k is type B: always with a parameter. */
export type ChannelMode = Rank | ListMode | 'k' | (typeof SETTINGS)[number] | ChannelFlag

/** What each does, for HELP and docs/irc.md, in their order. */
export const CHANNEL_MODE_TEXTS: Readonly<Record<ChannelMode, string>> = {
  q: '~, the founder: grants and removes every rank',
  a: '&, protected: cannot be kicked by operators',
  o: '@, an operator: grants and removes o, h and v, renames the channel',
  h: '%, a half-operator: kicks, invites, sets modes and topic, grants v',
  v: '+, a voice: can speak in a moderated channel',
  b: 'mask of users who cannot join or speak',
  e: 'mask of users exempt from b',
  I: 'mask of users who can join without an invitation',
  k: 'key that JOIN must supply',
  f: 'channel that users who cannot join are forwarded to, unless they are banned; you must be an operator of both',
  l: 'maximum number of members',
  C: 'no CTCP except /me',
  E: 'roleplay: NPC, NPCA and SCENE',
  i: 'only invited users can join',
  M: 'only logged-in users, and members with a voice, can speak',
  m: 'moderated: only members with a voice can speak',
  n: 'no messages from outside the channel',
  R: 'only logged-in users can join',
  s: 'secret: hidden from users outside the channel',
  t: 'only half-operators and above can set the topic',
  U: 'only half-operators and above see messages from members without a voice',
  u: 'auditorium: members without a voice do not see each other; to both sides, losing a voice looks like leaving',
}

/** CHANMODES of ISUPPORT: types A, B, C, D. */
export const CHANMODES = `${LISTS.join('')},k,${SETTINGS.join('')},${FLAGS.join('')}`

/** Changes with a parameter allowed in one MODE command. */
export const MODES_PER_COMMAND = 20

export const USER_MODES = ['B', 'i', 'o', 'R', 's', 'T', 'w'] as const
export type UserMode = (typeof USER_MODES)[number]
/** Those that only server operators have. */
export const OPER_MODES: readonly UserMode[] = ['o', 's']

/** The same for those of users. */
export const USER_MODE_TEXTS: Readonly<Record<UserMode, string>> = {
  B: 'marks a bot',
  i: 'invisible to users who share no channel with you',
  o: 'a server operator; granted by OPER',
  R: 'only logged-in users can message you, besides those you wrote to and those you ACCEPT',
  s: 'hears what other server operators do, and who fails to become one; for server operators',
  T: 'no CTCP',
  w: 'receives WALLOPS',
}

/** One set for each combination, shared by all who have it. */
export function userModes(modes: Iterable<UserMode>): ReadonlySet<UserMode> {
  const wanted = new Set(modes)
  const key = USER_MODES.filter((mode) => wanted.has(mode)).join('')
  let shared = combinations.get(key)
  if (shared === undefined) {
    shared = new Set(USER_MODES.filter((mode) => wanted.has(mode)))
    combinations.set(key, shared)
  }
  return shared
}

const combinations = new Map<string, ReadonlySet<UserMode>>()

export interface ModeChange<Mode extends string = string> {
  readonly sign: '+' | '-'
  readonly mode: Mode
  readonly param?: string
}

export const isRank = isOneOf(RANKS)
export const isList = isOneOf(LISTS)
export const isSetting = isOneOf(SETTINGS)
export const isFlag = isOneOf(FLAGS)
export const isUserMode = isOneOf(USER_MODES)

function isOneOf<Mode extends string>(modes: readonly Mode[]) {
  return (letter: string): letter is Mode => (modes as readonly string[]).includes(letter)
}

/** Pairs each letter with its parameter, if it takes one: ranks and keys always, limit and forward when set, lists if one is left. */
export function parseChannelModes(letters: string, params: readonly string[]): ModeChange[] {
  let next = 0
  return parseModes(letters).map((change) => {
    const { sign, mode } = change
    const takes = isRank(mode) || isList(mode) || mode === 'k' || (isSetting(mode) && sign === '+')
    const param = takes ? params[next] : undefined
    if (param === undefined) return change
    next++
    return { sign, mode, param }
  })
}

/** Each letter with the sign before it. */
export function parseModes(letters: string): ModeChange[] {
  const changes: ModeChange[] = []
  let sign: ModeChange['sign'] = '+'
  for (const mode of letters) {
    if (mode === '+' || mode === '-') sign = mode
    else changes.push({ sign, mode })
  }
  return changes
}

/** `+o-l bob`: letters under as few signs as their order allows, then the parameters. */
export function formatModes(changes: readonly ModeChange[]): string[] {
  let letters = ''
  let sign = ''
  const params: string[] = []
  for (const change of changes) {
    if (change.sign !== sign) letters += change.sign
    sign = change.sign
    letters += change.mode
    if (change.param !== undefined) params.push(change.param)
  }
  return [letters, ...params]
}

/** Every rank's prefix, highest first: `@+`. */
export function prefixesOf(ranks: readonly Rank[]): string {
  return ranks.map((rank) => PREFIX[rank]).join('')
}

/** Splits `@%#tea`, meant for half-operators and above, into the lowest rank before the channel's name, and the name. */
export function splitStatus(target: string): { rank: Rank | undefined; name: string } {
  const prefixes = /^[~&@%+]+(?=#)/.exec(target)?.[0] ?? ''
  return {
    rank: RANKS.findLast((rank) => prefixes.includes(PREFIX[rank])),
    name: target.slice(prefixes.length),
  }
}

/** True when the best of `ranks` is at least `needed`. */
export function isAtLeast(ranks: readonly Rank[], needed: Rank): boolean {
  const best = ranks[0]
  return best !== undefined && RANKS.indexOf(best) <= RANKS.indexOf(needed)
}
