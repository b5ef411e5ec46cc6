// Which tokens a template could have, learned from payloads that came.
import { cleanPayloadText } from '../message/clean.ts'
import { truncate } from '../message/filters.ts'
import { print } from '../message/path.ts'
import {
  isArray,
  isObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
  type Payload,
} from '../message/payload.ts'

export interface Suggestion {
  /** Ready to paste: `{body.repository.full_name}`. */
  readonly token: string
  /** How many of the payloads have it. */
  readonly in: number
  /** `text`, `number`, `boolean`, `null`, `list`, `object`: what it is in them, the most frequent first. */
  readonly types: readonly string[]
  /** The fewest and the most entries, where it is a list. */
  readonly lengths: readonly [number, number] | null
  /** One value, cleaned and short; empty for lists and objects. */
  readonly sample: string
}

export interface Suggestions {
  readonly paths: readonly Suggestion[]
  /** Paths beyond the bounds. */
  readonly more: number
  /** Keys that no token can name: with spaces, quotes, braces, a `[` or a `|`. */
  readonly unwritable: number
}

/** Paths that are in at least `atLeast` of the payloads, the shallow ones first. Only the first entry of a list is looked at. */
export function suggest(payloads: readonly Payload[], atLeast: number): Suggestions {
  const found = new Map<string, Tally>()
  const unwritable = new Set<string>()
  for (const payload of payloads) look(payload.value, found, unwritable)
  const common = [...found]
    .filter(([, { count, isHolder }]) => count >= atLeast && !isHolder)
    .toSorted(([, one], [, other]) => one.depth - other.depth)
  return {
    paths: common.slice(0, MOST_PATHS).map(([path, tally]) => suggestionOf(path, tally)),
    more: Math.max(0, common.length - MOST_PATHS),
    unwritable: unwritable.size,
  }
}

interface Tally {
  count: number
  readonly depth: number
  /** In every payload an object with something in it: its inner paths say more. */
  isHolder: boolean
  readonly types: Map<string, number>
  lengths: [number, number] | null
  sample: string
}

/** Per payload, nothing deeper and no more values are looked at. */
const MOST_DEPTH = 8
const MOST_LOOKED = 5_000
/** Of one event; the rest is counted. */
const MOST_PATHS = 300
const MOST_SAMPLE = 48

type Entry = readonly [path: string, value: JsonValue]

function look(body: JsonObject, found: Map<string, Tally>, unwritable: Set<string>): void {
  const seen = new Set<string>()
  let level: readonly Entry[] = inside('body', body, unwritable)
  let left = MOST_LOOKED
  for (let depth = 1; depth <= MOST_DEPTH && level.length > 0; depth++) {
    const next: Entry[] = []
    for (const [path, value] of level) {
      if (left-- <= 0) return
      // A key with dots in it may read as the path to another: the first one that was met counts.
      if (seen.has(path)) continue
      seen.add(path)
      count(found, path, value, depth)
      next.push(...inside(path, value, unwritable))
    }
    level = next
  }
}

function inside(path: string, value: JsonValue, unwritable: Set<string>): Entry[] {
  if (isArray(value)) return value[0] === undefined ? [] : [[`${path}.0`, value[0]]]
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]): Entry[] => {
    const whole = `${path}.${key}`
    if (WRITABLE.test(key) && whole.length <= MOST_LONG) return [[whole, inner]]
    if (unwritable.size < MOST_LOOKED) unwritable.add(whole)
    return []
  })
}

// What a token of at most 1,000 characters may contain; a `|` would begin a filter, and a `[` is taken for an index.
const WRITABLE = /^[^\s{}["'`|\p{Cc}]+$/u
const MOST_LONG = 1_000

function count(found: Map<string, Tally>, path: string, value: JsonValue, depth: number): void {
  const known = found.get(path)
  const tally = known ?? { count: 0, depth, isHolder: true, types: new Map(), lengths: null, sample: '' }
  if (!known) found.set(path, tally)
  const type = typeOf(value)
  tally.count++
  tally.types.set(type, (tally.types.get(type) ?? 0) + 1)
  if (!isObject(value) || Object.keys(value).length === 0) tally.isHolder = false
  if (isArray(value)) {
    const [fewest, most] = tally.lengths ?? [value.length, value.length]
    tally.lengths = [Math.min(fewest, value.length), Math.max(most, value.length)]
  }
  if (tally.sample === '' && type !== 'list' && type !== 'object') tally.sample = sampleOf(value)
}

function suggestionOf(path: string, { count: times, types, lengths, sample }: Tally): Suggestion {
  const kinds = [...types].toSorted((one, other) => other[1] - one[1]).map(([type]) => type)
  return { token: `{${path}}`, in: times, types: kinds, lengths, sample }
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (isArray(value)) return 'list'
  if (isRawNumber(value)) return 'number'
  if (isObject(value)) return 'object'
  return typeof value === 'string' ? 'text' : typeof value
}

function sampleOf(value: JsonValue): string {
  const text = print(value).slice(0, 1_000).toWellFormed()
  return truncate(cleanPayloadText(text).replaceAll(/\s+/g, ' ').trim(), MOST_SAMPLE)
}
