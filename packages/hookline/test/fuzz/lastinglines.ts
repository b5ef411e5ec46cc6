// Lines about what must outlive a restart, with a few about anything.
import type { Chance } from './chance.ts'
import { someLine } from './lines.ts'
import { HERE, ME, someWord } from './words.ts'

/** What is registered, logged in to, renamed, and looked at. */
export const PEOPLE = ['ann', 'bob', 'cy', 'dee', 'eve', 'Fay']
/** All that channels are called, besides HERE. */
export const PLACES = ['#a', '#b', '#1', '#tea:time', '#☕']
/** What they are renamed to, so that their old names are free. */
export const NEW_NAMES = ['#A', '#n1', '#n2', '#n3', '#n4', '#n5']
export const SECRETS = ['right', 'better', 'best']

/** What its client remembers: see Guest. */
export const CONFIRM = '{confirm}'
export const MESSAGE = '{message}'

const KEYS = ['url', 'status', '1', '__proto__', 'avatar']
const TEXTS = ['green', 'tea at five', '☕', '', 'a  b', ':)']
const NETWORKS = ['192.0.2.1', '192.0.2.0/24', '2001:db8::/32', 'evil*!*@*', '*!*@*.example']

const KINDS: readonly (readonly [weight: number, (chance: Chance) => string])[] = [
  [4, () => 'NS REGISTER right'],
  [6, (c) => `NS SET ALWAYS-ON ${c.pick(['ON', 'ON', 'OFF'])}`],
  [2, (c) => `NS SET MULTICLIENT ${c.pick(['ON', 'OFF'])}`],
  [1, (c) => `NS SET AUTOREPLAY-LINES ${c.below(30)}`],
  [2, (c) => `NS SET PASSWORD ${c.pick(SECRETS)}`],
  [1, (c) => `NS SET EMAIL ${c.pick(['ann@example.org', 'NONE'])}`],
  [2, (c) => `NS TOKEN ${c.pick(['ADD', 'ADD', 'DEL'])} ${c.pick(['one', 'two'])}`],
  [1, (c) => `NS CERT ${c.pick(['ADD', 'DEL'])} ${c.pick(['ab', 'cd']).repeat(32)}`],
  [3, (c) => `NS IDENTIFY ${c.pick(PEOPLE)} ${c.pick(SECRETS)}`],
  [1, () => 'NS LOGOUT'],
  [1, () => 'NS DROP'],
  [1, (c) => `NS ${c.pick(['SUSPEND', 'UNSUSPEND', 'UNSUSPEND', 'SADROP'])} ${c.pick(PEOPLE)}`],
  [1, (c) => `NS ${c.pick(['GHOST', 'RECOVER'])} ${c.pick(PEOPLE)}`],
  [5, () => CONFIRM],
  [7, () => `CS REGISTER ${HERE}`],
  [5, (c) => `CS ACCESS ${HERE} ADD ${c.pick(PEOPLE)} ${c.pick(['q', 'a', 'o', 'h', 'v'])}`],
  [2, (c) => `CS ACCESS ${HERE} DEL ${c.pick(PEOPLE)}`],
  [2, (c) => `CS TRANSFER ${HERE} ${c.pick(PEOPLE)}`],
  [2, () => `CS UNREGISTER ${HERE}`],
  [2, (c) => `CS ${c.pick(['OP', 'DEOP'])} ${HERE} ${c.pick([ME, ...PEOPLE])}`],
  [10, (c) => `JOIN ${c.pick(c.isHit(85) ? PLACES : NEW_NAMES)}`],
  [3, () => `PART ${HERE}`],
  [2, (c) => `KICK ${HERE} ${c.pick(PEOPLE)}`],
  [2, (c) => `INVITE ${c.pick(PEOPLE)} ${HERE}`],
  [5, (c) => `TOPIC ${HERE} :${c.pick(TEXTS)}`],
  [6, (c) => `MODE ${HERE} ${someWord(c, 'modes')}`],
  [3, (c) => `MODE ${HERE} ${c.pick(['+', '-'])}${c.pick(['b', 'e', 'I'])} ${someWord(c, 'mask')}`],
  [3, (c) => `MODE ${HERE} ${c.pick(['+', '-'])}${c.pick(['k key', 'l 9', 's', 'i', 'R', 'm', 'u'])}`],
  [2, (c) => `MODE ${HERE} +f ${c.pick(PLACES)}`],
  [3, (c) => `MODE ${HERE} ${c.pick(['+', '-'])}${c.pick(['q', 'a', 'o', 'h', 'v'])} ${c.pick(PEOPLE)}`],
  [2, (c) => `MODE ${ME} ${c.pick(['+', '-'])}${c.pick(['i', 'R', 'T', 'w', 'B'])}`],
  [7, (c) => `RENAME ${HERE} ${c.pick(c.isHit(70) ? NEW_NAMES : PLACES)}`],
  [2, (c) => `NICK ${c.pick(PEOPLE)}${c.pick(['', '', '_'])}`],
  [1, (c) => `SETNAME :${c.pick(['Somebody', '☕', 'a b'])}`],
  [4, (c) => `METADATA ${c.pick([HERE, '*'])} SET ${c.pick(KEYS)} :${c.pick(TEXTS)}`],
  [1, (c) => `METADATA ${c.pick([HERE, '*'])} ${c.pick(['CLEAR', `SET ${c.pick(KEYS)}`])}`],
  [
    4,
    (c) =>
      `MARKREAD ${c.pick([HERE, ...PLACES, ...PEOPLE])} timestamp=2026-01-0${1 + c.below(9)}T00:00:00.000Z`,
  ],
  [8, (c) => `${c.pick(['PRIVMSG', 'PRIVMSG', 'NOTICE'])} ${HERE} :${c.pick(TEXTS)} ${c.below(1_000)}`],
  [3, (c) => `PRIVMSG ${c.pick(PEOPLE)} :${c.pick(TEXTS)} ${c.below(1_000)}`],
  [2, (c) => `PRIVMSG @${HERE} :${c.pick(TEXTS)} ${c.below(1_000)}`],
  [2, () => `REDACT ${MESSAGE}`],
  [
    2,
    (c) => `UBAN ADD ${c.pick(['', 'DURATION 30d ', 'REQUIRE-SASL '])}${c.pick(NETWORKS)} :${c.pick(TEXTS)}`,
  ],
  [1, (c) => `UBAN DEL ${c.pick(NETWORKS)}`],
  [2, () => 'QUIT'],
  [5, harmless],
]
const ALL = KINDS.flatMap(([weight, make]) => Array.from({ length: weight }, () => make))

export function someLastingLine(chance: Chance): string {
  return chance.pick(ALL)(chance)
}

/** Any line of the table of commands, but for those that keep everybody out or change the settings. */
function harmless(chance: Chance): string {
  const line = someLine(chance, 'x').replace(/^(@\S+ )?(:\S+ )?/, '')
  return /^(UBAN|KILL|REHASH|QUIT|DIE|CAP|BATCH|WEBIRC|AUTHENTICATE|PASS)\b/i.test(line) ? 'PING x' : line
}
