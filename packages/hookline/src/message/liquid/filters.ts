// Filters that Liquid templates have besides Liquid's own: small, and without side effects.
import { short, truncate } from '../filters.ts'
import { print } from '../path.ts'
import { type JsonValue, parsePayload } from '../payload.ts'
import { between, CODE, coloured } from './codes.ts'
import { fromMarkdown, fromSlack } from './markup.ts'
import { plain } from './scope.ts'
import { showState } from './states.ts'

type LiquidFilter = (value: unknown, ...given: unknown[]) => unknown

export const liquidFilters: Readonly<Record<string, LiquidFilter>> = {
  bold: ofText((text) => between(CODE.bold, text, CODE.bold)),
  italic: ofText((text) => between(CODE.italic, text, CODE.italic)),
  mono: ofText((text) => between(CODE.mono, text, CODE.mono)),
  colour: ofText((text, name) => coloured(text, textOf(name)) ?? text),
  short: ofText(short),
  // `{{ commit.message | first_line: 80 }}`; an object or a list has no lines.
  first_line: (value, most) => (typeof value === 'object' && value !== null ? '' : firstLine(value, most)),
  // What somebody wrote, to be quoted in a line: `{{ comment.body | excerpt: 160 }}`.
  excerpt: (value, most) => (typeof value === 'object' && value !== null ? '' : excerpt(value, most)),
  // A status, in bold and coloured by its meaning: `{{ conclusion | state }}`.
  state: ofText(showState),
  // The end of a line: ` - ` and the address. Nothing if there is none, which does not count as missing.
  link: (value) => (typeof value === 'string' && /^https?:\/\/[^\s/]\S*$/.test(value) ? ` - ${value}` : ''),
  branch: ofText((text) => text.replace(/^refs\/(?:heads|tags)\//, '')),
  truncate: ofText((text, most) => truncate(text, lengthOf(most))),
  // Seconds: `2h 5m`, the two largest units.
  duration: ofNumber(duration),
  mrkdwn: ofText(fromSlack),
  markdown: ofText(fromMarkdown),
  // An object that a service sends as a text; what is none has no value.
  parse_json: (value) => (typeof value === 'string' ? parsed(value) : value),
  // Minor units, as payment services send them: `{{ 1234 | money: "eur" }}` is `12.34 EUR`.
  money: ofNumber((minor, currency) => money(minor, textOf(currency))),
}

/** Any value as a message shows it. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number' && !Number.isFinite(value)) return ''
  // Anything but a text comes from the payload, or from a filter that made a number or a list of it.
  return print(value as JsonValue) ?? ''
}

/** A missing value stays missing, so that it is reported. */
function ofText(change: (text: string, ...given: unknown[]) => string): LiquidFilter {
  return (value, ...given) =>
    value === undefined || value === null ? value : change(textOf(value), ...given)
}

/** What is no number stays as it is. */
function ofNumber(change: (number: number, ...given: unknown[]) => string): LiquidFilter {
  return (value, ...given) => {
    const number = Number(textOf(value).trim() || Number.NaN)
    return Number.isFinite(number) ? change(number, ...given) : value
  }
}

/** The title of a text that may be long: its first line that is not blank, with each gap as one space. */
const firstLine = ofText((text, most) => {
  const line = oneLine(seen(text).split(/[\r\n]/, 1)[0] ?? '')
  return most === undefined ? line : truncate(line, lengthOf(most))
})

/** The first line of somebody's own words, before which other people's may be quoted; `…` says that there are more lines. */
const excerpt = ofText((text, most) => {
  const lines = seen(text)
    .split(/[\r\n]+/)
    .map(oneLine)
    .filter((line) => line !== '')
  const own = Math.max(
    0,
    lines.findIndex((line) => !line.startsWith('>')),
  )
  const line = (lines[own] ?? '').replace(/^(?:>\s*)+(?=\S)/, '')
  const isWhole = own >= lines.length - 1
  return truncate(isWhole ? line : `${line} …`, lengthOf(most))
})

/** Readers of Markdown do not see comments: templates for comments begin with them, and the marks of other bots. */
function seen(text: string): string {
  return text.replace(/^(?:\s*<!--.*?-->)+/s, '').trimStart() || text.trimStart()
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim()
}

function parsed(text: string): JsonValue | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  const read = parsePayload(Buffer.from(text))
  return read.ok ? plain(read.payload.value) : undefined
}

/** A number of characters, as a template gives it. */
function lengthOf(most: unknown): number {
  return Math.max(1, Math.min(Number(most) || 50, 9_999))
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const

function duration(seconds: number): string {
  let left = Math.round(Math.abs(seconds))
  const parts: string[] = []
  for (const [unit, size] of UNITS) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) parts.push(`${count}${unit}`)
  }
  const text = parts.slice(0, 2).join(' ') || '0s'
  return seconds < 0 ? `-${text}` : text
}

function money(minor: number, currency: string): string {
  const code = currency.toUpperCase()
  const digits = digitsOf(code)
  return `${(minor / 10 ** digits).toFixed(digits)} ${code}`.trim()
}

// docs.stripe.com/currencies: most are sent with two digits, even where they are no longer written (HUF, ISK, UGX). Intl only
// knows how many are written.
function digitsOf(code: string): number {
  if (withoutDigits.has(code)) return 0
  return withThree.has(code) ? 3 : 2
}

const withoutDigits: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
)
const withThree: ReadonlySet<string> = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '))
