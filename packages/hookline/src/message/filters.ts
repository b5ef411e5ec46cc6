// Filters of tokens: `{body.title|truncate:80}`. Only a handful, on purpose: for more there is `engine: liquid`.
import { nearest } from '../text/nearest.ts'
import { type Refusable, refuse } from '../failure/refusal.ts'
import { print } from './path.ts'
import { isArray, isObject, type JsonValue } from './payload.ts'

/** Undefined stands for what is missing; only `default` replaces it. */
export type Filter = (value: JsonValue | undefined) => JsonValue | undefined

/** Reads `truncate:80|upper`; the reason says what to write instead. */
export function readFilters(text: string): Refusable<{ filters: readonly Filter[] }> {
  const filters: Filter[] = []
  for (let at = 0; at <= text.length;) {
    STEP.lastIndex = at
    const [whole, name = '', quoted, bare] = STEP.exec(text) ?? []
    if (whole === undefined) return refuse(`${text.slice(at)} is not a filter: write |name or |name:argument`)
    const make = Object.hasOwn(makers, name) ? makers[name] : undefined
    if (!make) return refuse(unknown(name))
    const filter = make(quoted === undefined ? bare : unquoted(quoted))
    if (typeof filter === 'string') return refuse(filter)
    filters.push(filter)
    at += whole.length + 1
  }
  return { ok: true, filters }
}

type Maker = (argument: string | undefined) => Filter | string

const makers: Readonly<Record<string, Maker>> = {
  default: (text) => {
    if (text === undefined) return 'default takes a text, such as |default:"-"'
    return (value) => (value === undefined || value === null || value === '' ? text : value)
  },
  truncate: (count) => {
    const most = Number(count)
    if (!/^[1-9]\d{0,3}$/.test(count ?? ''))
      return 'truncate takes a number from 1 to 9999, such as |truncate:80'
    return ofText((text) => truncate(text, most))
  },
  short: plain('short', ofText(short)),
  upper: plain(
    'upper',
    ofText((text) => text.toUpperCase()),
  ),
  count: plain('count', (value) => {
    if (value === undefined) return undefined
    if (isArray(value)) return value.length
    return isObject(value) ? Object.keys(value).length : undefined
  }),
  join:
    (separator = ', ') =>
    (value) =>
      value !== undefined && isArray(value) ? value.map(print).join(separator) : value,
}

/** The text, or its beginning and an ellipsis: at most `most` characters as a person counts them. */
export function truncate(text: string, most: number): string {
  if (text.length <= most) return text
  // A character may have many code units, but a text with endless combining marks is cut all the same.
  const head = text.slice(0, most * MOST_UNITS)
  let end = 0
  let count = 0
  segmenter ??= new Intl.Segmenter()
  for (const { index, segment } of segmenter.segment(head)) {
    if (++count < most) end = index + segment.length
    if (count > most) return `${text.slice(0, end)}…`
  }
  return head.length === text.length ? text : `${text.slice(0, end)}…`
}

/** As git abbreviates a commit: the first characters, as a person counts them. */
export function short(text: string): string {
  if (/^[ -~]*$/.test(text.slice(0, SHORT + 1))) return text.slice(0, SHORT)
  segmenter ??= new Intl.Segmenter()
  const characters = Iterator.from(segmenter.segment(text.slice(0, SHORT * MOST_UNITS)))
  return characters.take(SHORT).reduce((whole, { segment }) => whole + segment, '')
}

const SHORT = 7

/** Made when the first text is cut. */
let segmenter: Intl.Segmenter | undefined
const MOST_UNITS = 16

// A name, and after a colon a text in quotes or a word.
const STEP =
  /([a-z_]+)(?::(?:("(?:[^"\\{}\n]|\\["\\])*"|'(?:[^'\\{}\n]|\\['\\])*')|([^\s{}"'`|]+)))?(?=\||$)/y

function unquoted(text: string): string {
  return text.slice(1, -1).replaceAll(/\\(.)/g, '$1')
}

function plain(name: string, filter: Filter): Maker {
  return (argument) => (argument === undefined ? filter : `${name} takes no argument: write |${name}`)
}

function ofText(change: (text: string) => string): Filter {
  return (value) => (value === undefined || value === null ? value : change(print(value)))
}

function unknown(name: string): string {
  const known = Object.keys(makers)
  const near = nearest(name, known)
  return near === undefined
    ? `there is no filter ${name}: use one of ${known.join(', ')}`
    : `there is no filter ${name}: did you mean ${near}?`
}
