// Reads many bot.yaml as a server does, and tells what came of it: node read.ts MUTATIONS SEED
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseBotFile } from '../../src/bots/file/botfile.ts'
import { fileWarnings } from '../../src/bots/warnings.ts'
import { Chance } from '../../test/fuzz/chance.ts'
import type { Told } from '../b7-yaml.ts'

const MOST_MS = 200
const BYTES = 60_000

const MARKS = [
  ' ',
  '  ',
  '\n',
  '\t',
  ':',
  ': ',
  '- ',
  '?',
  '[',
  ']',
  '{',
  '}',
  ',',
  '#',
  '&a ',
  '*a',
  '!',
  '!!str ',
  '|',
  '>',
  '"',
  "'",
  '%',
  '@',
  '`',
  '\\',
  '\0',
  '\r',
  '\u2028',
  '\ufeff',
  '---\n',
  '...\n',
  '<<: ',
  '__proto__: ',
  '😀',
  '0x1',
  '1e999',
  '~',
]

const [mutations = '0', seed = '0'] = process.argv.slice(2)
const examples = globSync('**/bot.yaml', { cwd: join(import.meta.dirname, '../../../../examples') }).map(
  (file) => readFileSync(join(import.meta.dirname, '../../../../examples', file), 'utf8'),
)
if (examples.length === 0) throw new Error('there are no examples')
const thrown: string[] = []
const slow: string[] = []
let mostMs = 0
let files = 0

// Everything that is loaded once has been loaded by then.
for (const text of examples) read(text)
globalThis.gc?.()
const before = process.resourceUsage().maxRSS
for (const [name, text] of bombs()) check(name, text)
const chance = new Chance(Number(seed))
for (let index = 0; index < Number(mutations); index++) {
  const text = damaged(chance, chance.pick(examples))
  check(JSON.stringify(text).slice(0, 300), text)
}
const grownMiB = (process.resourceUsage().maxRSS - before) / 1_024
console.log(JSON.stringify({ files, thrown, slow, mostMs, grownMiB } satisfies Told))

/** As it is read, and compiled if it may run. */
function read(text: string): void {
  const parsed = parseBotFile(text, 'bot.yaml', /name: (\S+?)[,}\s]/.exec(text)?.[1] ?? 'a-b')
  if (parsed.ok) fileWarnings(parsed.settings)
}

/** Of the processor, and the least of three: the machine may have something else to do. */
function check(name: string, text: string): void {
  files++
  let ms = Infinity
  try {
    for (let round = 0; round < 3 && ms > MOST_MS / 2; round++) {
      const began = process.threadCpuUsage()
      read(text)
      const { user, system } = process.threadCpuUsage(began)
      ms = Math.min(ms, (user + system) / 1_000)
    }
  } catch (error) {
    thrown.push(`${name}: ${String(error)}`)
    return
  }
  mostMs = Math.max(mostMs, ms)
  if (ms > MOST_MS) slow.push(`${name}: ${ms.toFixed(0)} ms`)
}

function* bombs(): Iterable<[name: string, text: string]> {
  const bot = 'bot: {name: a-b, owner: a}\n'
  const many = (text: string, before = 'a: ', after = ''): string =>
    before +
    text.repeat(BYTES / (text.length + after.length)) +
    after.repeat(BYTES / (text.length + after.length))
  yield ['lists in lists', many('[', 'a: ', ']')]
  yield ['lists left open', many('[')]
  yield ['maps in maps', many('{a: ', 'a: ', '}')]
  yield ['dashes', many('- ', '')]
  yield ['question marks', many('? ', '')]
  yield ['indentation', Array.from({ length: 340 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')]
  yield [
    'a billion laughs',
    `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'.replaceAll(/./g, (key, at: number) => `${key}: &${key} [${`*${'abcdefghi'[at]},`.repeat(9)}]\n`)}`,
  ]
  yield ['anchors', many('- &a x\n', '')]
  yield ['aliases', many('*a,', 'a: &a x\nb: [', '')]
  yield ['one key many times', many('a:\n', '')]
  yield ['many keys', Array.from({ length: 8_000 }, (_, index) => `k${index}:`).join('\n')]
  yield ['tags', many('!a ', '')]
  yield ['commas', many(',', 'a: [')]
  yield ['colons', many('a: ', '')]
  yield ['comments', many('#{\n', 'a:\n')]
  yield ['line breaks', many('\n', '')]
  yield ['documents', many('---\n', '')]
  yield ['escapes', many('\\\\', 'a: "')]
  yield [
    'rules in rules',
    `${bot}trigger: {filter: ${'{not: '.repeat(6_000)}{exists: body.a}${'}'.repeat(6_000)}}\n`,
  ]
  yield ['a template of line breaks', `${bot}output:\n  template: |\n    x\n${'\n'.repeat(BYTES)}    x\n`]
  yield ['a template of braces', `${bot}output: {template: "${'{a['.repeat(BYTES / 3)}"}\n`]
  yield [
    'a template of tags',
    `${bot}output:\n  engine: liquid\n  template: "${'{% if a %}'.repeat(BYTES / 10)}"\n`,
  ]
  yield [
    'a secret of padding',
    `${bot}trigger: {auth: {type: standard, secrets: ["whsec_${'='.repeat(BYTES)}a"]}}\n`,
  ]
  yield ['a rate of slashes', `${bot}trigger: {rate: "${'/'.repeat(BYTES)}\\n"}\n`]
}

function damaged(chance: Chance, text: string): string {
  let made = text
  for (let times = 1 + chance.below(6); times > 0; times--) {
    const [at, end] = [chance.below(made.length + 1), chance.below(made.length + 1)]
    const piece = made.slice(Math.min(at, end), Math.max(at, end))
    const kind = chance.below(5)
    if (kind === 0) made = made.slice(0, at) + chance.pick(MARKS) + made.slice(at)
    else if (kind === 1) made = made.slice(0, at) + made.slice(at + 1 + chance.below(8))
    else if (kind === 2)
      made = made.slice(0, at) + piece.slice(0, 2_000).repeat(1 + chance.below(4)) + made.slice(at)
    else if (kind === 3)
      made = made.slice(0, at) + chance.pick(MARKS).repeat(chance.below(3_000)) + made.slice(at)
    else made = made.slice(0, at)
  }
  return made.slice(0, 65_536)
}
