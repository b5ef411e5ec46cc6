// What the preset tests require of every line, and how they show its invisible characters.
import assert from 'node:assert/strict'
import { Person } from './person.ts'
import { post } from './post.ts'
import type { Rig } from './rig.ts'

export interface Sent {
  readonly bot: string
  readonly payload: string | object
  readonly headers?: Readonly<Record<string, string>>
}

/** bot.yaml of `spark-ori-<preset>`, which speaks in #builds. A `filter` replaces the preset's. */
export function presetBot(preset: string, filter?: string): Record<string, string> {
  const name = `spark-ori-${preset}`
  return {
    [name]: [
      `bot: {name: ${name}, owner: spark-ori}`,
      ...(filter === undefined ? [] : [`trigger: {filter: ${filter}}`]),
      `output: {preset: ${preset}, channels: ["#builds"]}`,
      '',
    ].join('\n'),
  }
}

/** Somebody in #builds, who reads what the bots post there. */
export function reader(rig: Rig): Promise<Person> {
  return Person.join(rig.ircPort, 'ann', { channels: '#builds' })
}

/** Posts as a webhook and returns the lines read, as they came over the socket; each must be readable. */
export async function read(
  rig: Rig,
  person: Person,
  { bot, payload, headers = {} }: Sent,
): Promise<string[]> {
  const { status, json, text } = await post(`${rig.url}/${bot}`, payload, headers)
  assert.equal(status, 200, text)
  const told = await person.settle()
  if (json['status'] === 'skipped') return []
  for (const line of told) assert.ok(Buffer.byteLength(line) <= 510, line)
  const lines = told.map((line) => visible(line.replace(/^.*? PRIVMSG #builds :/, '')))
  for (const fault of faults(lines, String(json['message']))) assert.fail(`${fault}:\n${lines.join('\n')}`)
  return lines
}

/** What is wrong with lines for `message`. */
function faults(lines: readonly string[], message: string): string[] {
  const shown = lines.map(plain)
  const found = faultyLines
    .filter(([, pattern]) => shown.some((line) => pattern.test(line)))
    .map(([fault]) => fault)
  if (lines.length === 0 || lines.length > 5) found.push(`${lines.length} lines`)
  for (const [url] of message.matchAll(/https?:\/\/\S+/g))
    if (!shown.some((line) => line.includes(url))) found.push('a URL is cut')
  return found
}

/** Without the formatting marks. */
export function plain(line: string): string {
  return line.replaceAll(/⟦[^⟧]*⟧/g, '')
}

const faultyLines: readonly (readonly [string, RegExp])[] = [
  ['JSON', /\{"|\[\{|\[object/],
  ['a value that is not there', /\b(?:undefined|null|NaN)\b/],
  ['two spaces', / {2}/],
  ['an empty pair', /\(\s*\)|\[\s*\]|"\s*"|(?<!\S)'\s*'(?!\S)/],
  ['an address of an API', /https?:\/\/(?:api\.|[^\s]*\/(?:api\/v\d|rest\/api)\/)/],
  [
    'a verb without a person',
    / somebody none |^\[[^\]]*\] (?:opened|closed|merged|pushed|commented|created|deleted|none) (?!by\b)/,
  ],
  ['a loose end', / -$|[:,]$|^[-:,]| [:,](?: |$)|#(?!\S)/],
]

const colours = 'white black blue green red brown magenta orange yellow'.split(' ')
const codes: Readonly<Record<string, string>> = { '\x02': 'b', '\x0f': 'end', '\x11': 'mono', '\x1d': 'i' }

/** `⟦b⟧` and `⟦red⟧` for the codes of bold and colour; `⟦/⟧` ends a colour. */
export function visible(line: string): string {
  const [first = '', ...rest] = line.split('\x03')
  const coloured = rest.map((text) => {
    const [number] = /^\d\d/.exec(text) ?? []
    return number === undefined ? `⟦/⟧${text}` : `⟦${colours[Number(number)] ?? number}⟧${text.slice(2)}`
  })
  return Object.entries(codes).reduce(
    (shown, [code, name]) => shown.replaceAll(code, `⟦${name}⟧`),
    [first, ...coloured].join(''),
  )
}
