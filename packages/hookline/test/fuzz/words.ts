// Words for lines: plausible ones by their purpose, and hostile ones for everywhere.
import { commands } from '../../src/chat/features/index.ts'
import { CAPS } from '../../src/irc/caps.ts'
import { LISTS, RANKS, USER_MODES } from '../../src/irc/modes.ts'
import type { Chance } from './chance.ts'

const SETTINGS = ['always-on', 'multiclient', 'password', 'email', 'nope']
const ADDRESSES = ['192.0.2.1', '192.0.2.2/32', '192.0.2.0/24', '::1', '203.0.113.9', 'bob!*@*', '300.1']
/** Few enough that people meet, and some that a server considers equal. */
export const NICKS = [
  'ann',
  'Ann',
  'bob',
  'cy',
  'dee',
  'eve',
  'fay',
  'gil',
  'hal',
  'ida',
  'jo',
  'kit',
  'lou',
  '[x]',
  'Q'.repeat(32),
  'spark-bot',
  'spark',
  'NickServ',
]
/** The nick of whoever types it, and a channel that they are in, as an operator if they are one anywhere. */
export const ME = '{me}'
export const HERE = '{here}'
export const CHANNELS = [
  ...Array(8).fill('#a'),
  '#A',
  '#A',
  '#b',
  '#b',
  '#tea:time',
  '#☕',
  `#${'l'.repeat(63)}`,
] as string[]
export const TEXTS = [
  'hello',
  'two words',
  ':colon first',
  '☕ and 👨‍👩‍👧‍👦',
  '\x01VERSION\x01',
  '\x01ACTION waves\x01',
  'x'.repeat(480),
  'é'.repeat(230),
  '',
  ' ',
  'a  b ',
]
const KEYS = ['key', 'status', '__proto__', 'a,b', 'k:', '*', 'right', 'wrong', 'x'.repeat(70)]
const NUMBERS = ['0', '1', '2', '-1', '50', '999999999', '1e3', '0x10', 'NaN', '1700000000']
export const REFS = ['r1', 'r2', 'R1', 'no ref', 'x'.repeat(65)]
const MASKS = [
  '*!*@*',
  'ann',
  'b*',
  '*!*@127.0.0.1',
  '192.0.2.1',
  '192.0.2.5',
  'm:eve',
  'm:*!*@*',
  'a:ann',
  'm:account:*',
  '*@*.example',
  `${'*a'.repeat(60)}`,
  '?',
  '!',
  '@',
]
const HOSTILE = [
  '*',
  ',',
  ',,#a,,',
  '@#a',
  '+#b',
  '~@#a',
  '#',
  '',
  '-',
  '+',
  '$all',
  '__proto__',
  'constructor',
  '😀',
  'AAAA',
  '+',
  'timestamp=2023-11-14T22:13:20.000Z',
  'timestamp=*',
  'msgid=',
  'y'.repeat(300),
  '☕'.repeat(120),
  '\x02\x03\x1f',
]
const LETTERS = [...RANKS, ...LISTS, ...USER_MODES, ...'klCimnstuUfMREz+-+-'.split('')]
export const COMMAND_NAMES = [...commands.keys()]
export const CAP_NAMES = Object.keys(CAPS)

/** What the help calls a thing says which words may stand there. */
export function someWord(chance: Chance, meaning: string): string {
  const mark = chance.isHit(6) ? chance.pick(['@', '+', '%', '~']) : ''
  const somewhere = (): string => (chance.isHit(50) ? HERE : chance.pick(CHANNELS))
  const somebody = (): string => (chance.isHit(20) ? ME : chance.pick(NICKS))
  if (/channel\|\*/.test(meaning)) return chance.pick(['*', '*', somewhere(), somebody()])
  if (/target|channel\|nick/.test(meaning)) return chance.isHit(70) ? mark + somewhere() : somebody()
  if (/elsewhere/.test(meaning)) return `${chance.pick(NICKS)}/elsewhere`
  if (/channel|new name/.test(meaning)) return mark + somewhere()
  if (/nick|account|user/.test(meaning)) return somebody()
  if (/mask/.test(meaning)) return chance.pick(MASKS)
  if (/modes/.test(meaning)) return someModes(chance)
  if (/parameters/.test(meaning)) return `${anyWord(chance)} ${anyWord(chance)} ${anyWord(chance)}`
  if (/msgid/.test(meaning)) return `id${chance.below(2_000)}`
  if (/password/.test(meaning) && chance.isHit(70)) return 'right'
  if (/key|password/.test(meaning)) return chance.pick(KEYS)
  if (/^\w(\|\w)+$/.test(meaning)) return chance.pick(meaning.split('|'))
  if (/setting/.test(meaning)) return chance.pick(SETTINGS)
  if (/value/.test(meaning)) return chance.pick(['on', 'off', 'default', '5', '-1'])
  if (/address|network/.test(meaning)) return chance.pick(ADDRESSES)
  if (/text|reason|message|name$/.test(meaning)) return chance.pick(TEXTS)
  if (/ref/.test(meaning)) return chance.pick(REFS)
  if (/names/.test(meaning)) return someCaps(chance)
  if (/command/.test(meaning)) return chance.pick(COMMAND_NAMES)
  if (/count|limit|number|time|min/.test(meaning)) return chance.pick(NUMBERS)
  return anyWord(chance)
}

export function anyWord(chance: Chance): string {
  const pool = chance.pick([NICKS, CHANNELS, CHANNELS, MASKS, KEYS, NUMBERS, REFS, TEXTS, HOSTILE, HOSTILE])
  if (chance.isHit(6)) return someModes(chance)
  if (chance.isHit(4)) return someCaps(chance)
  if (chance.isHit(5)) return `${chance.pick(pool)},${anyWord(chance)}`
  return chance.pick(pool)
}

function someModes(chance: Chance): string {
  // Many of one kind at once, up to the bound of its list; or ranks for those who are there.
  const many = 1 + chance.below(8)
  if (chance.isHit(12))
    return [
      '+',
      chance.pick(LISTS).repeat(many),
      ...Array.from({ length: many }, () => ` m${chance.below(99)}`),
    ].join('')
  if (chance.isHit(30)) {
    const changes = Array.from({ length: many }, () => chance.pick(['+', '-', '']) + chance.pick(RANKS))
    return [changes.join(''), ...changes.map(() => chance.pick(NICKS))].join(' ')
  }
  let letters = chance.pick(['+', '-', ''])
  for (let left = 1 + chance.below(6); left > 0; left--) letters += chance.pick(LETTERS)
  if (chance.isHit(3)) letters = letters.repeat(20)
  const params = Array.from({ length: chance.below(4) }, () =>
    chance.pick([NICKS, MASKS, NUMBERS, KEYS].map((pool) => chance.pick(pool))),
  )
  return [letters, ...params].join(' ')
}

function someCaps(chance: Chance): string {
  const words = Array.from({ length: 1 + chance.below(chance.isHit(3) ? 60 : 3) }, () => {
    const sign = chance.isHit(35) ? '-' : ''
    return sign + (chance.isHit(97) ? chance.pick(CAP_NAMES) : 'no-such-cap')
  })
  return words.join(' ')
}
