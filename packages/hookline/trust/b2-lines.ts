// B2: lines of all kinds through the parser of IRC. Everything that anybody sends passes it, before they have said who they are.
import { isDeepStrictEqual } from 'node:util'
import { format, type Message, parse } from '../src/irc/message.ts'
import { Chance } from '../test/fuzz/chance.ts'
import { figure } from './figure.ts'

const MOST_MS = 5

export default figure({
  id: 'B2',
  promise:
    'No line makes the parser throw or wait, and what it understood means the same when it is written again',
  goal: '0 throws, none over 5 ms, parse(format(m)) = m',
  small: { lines: 200_000 },
  whole: { lines: 2_000_000 },
  isTimed: true,
  measure({ lines }, { seed }) {
    const chance = new Chance(seed)
    let [thrown, slow, changed, understood] = [0, 0, 0, 0]
    let example = ''
    for (let index = 0; index < lines; index++) {
      const line = someLine(chance)
      try {
        const message = parseInTime(line)
        if (message === 'late') slow++
        else if (message !== undefined) {
          understood++
          // Known to nobody, and never said on: after a space, a command may begin with what begins tags or a source.
          if (/^[@:]/.test(message.command)) continue
          // No line that comes from a socket has these, and none with them may go to one.
          if (/[\r\n\0]/.test(line)) continue
          if (isDeepStrictEqual(parse(format(message)), message)) continue
          changed++
        } else continue
      } catch {
        thrown++
      }
      example ||= `, such as ${JSON.stringify(line)}`
    }
    return {
      figure: `${lines} lines, ${understood} of them messages: ${thrown} thrown, ${slow} slow, ${changed} changed${example}`,
      isSound: thrown + changed === 0,
      isMet: thrown + slow + changed === 0 && understood > lines / 4,
    }
  },
})

/** Late only if it is late again: the machine may have had something else to do. */
function parseInTime(line: string): Message | undefined | 'late' {
  for (let round = 0; ; round++) {
    const began = performance.now()
    const message = parse(line)
    if (performance.now() - began <= MOST_MS) return message
    if (round === 2) return 'late'
  }
}

/** By the grammar, and then often spoilt somewhere. */
function someLine(chance: Chance): string {
  let line = chance.isHit(40) ? `@${list(chance, tag, ';', 6)} ` : ''
  if (chance.isHit(50))
    line += `:${word(chance)}${chance.isHit(50) ? `!${word(chance)}@${word(chance)}` : ''} `
  line += word(chance)
  const params = list(chance, word, ' ', 16)
  if (params !== '') line += ` ${params}`
  if (chance.isHit(50)) line += ` :${list(chance, word, ' ', 20)}`
  for (let spoilt = chance.isHit(50) ? chance.below(4) : 0; spoilt > 0; spoilt--) {
    const at = chance.below(line.length + 1)
    line = line.slice(0, at) + (chance.isHit(70) ? chance.pick(MARKS) : '') + line.slice(at + chance.below(3))
  }
  return line
}

const MARKS = [
  ' ',
  ':',
  '@',
  ';',
  '=',
  '\\',
  '!',
  '+',
  '/',
  '\0',
  '\r',
  '\n',
  '\t',
  '\x01',
  '\ud800',
  '\u2028',
  '😀',
  '  ',
  '',
]

function list(chance: Chance, one: (chance: Chance) => string, between: string, most: number): string {
  return Array.from({ length: chance.below(most) }, () => one(chance)).join(between)
}

function tag(chance: Chance): string {
  const key = (chance.isHit(30) ? '+' : '') + (chance.isHit(30) ? `${word(chance)}/` : '') + word(chance)
  return chance.isHit(60) ? `${key}=${list(chance, (each) => each.pick(VALUES), '', 6)}` : key
}

const VALUES = ['\\:', '\\s', '\\\\', '\\r', '\\n', '\\x', '\\', 'a', 'é', '=', ',', '😀']

function word(chance: Chance): string {
  return chance.pick(WORDS)
}

const WORDS = [
  'PRIVMSG',
  'privmsg',
  '001',
  '#tea',
  'ann',
  'a',
  '',
  '*',
  'time',
  'msgid',
  'é',
  '日本',
  '#a,#b',
  '-',
  'constructor',
  '__proto__',
  'x'.repeat(200),
]
