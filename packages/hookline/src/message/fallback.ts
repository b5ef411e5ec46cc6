// What is said when no template fits, or when one names something that is missing: `output.fallback`.
import { cutText } from '../irc/split.ts'
import { cleanPayloadText } from './clean.ts'
import type { Composed } from './composed.ts'
import { actionOf } from './event.ts'
import { truncate } from './filters.ts'
import { print } from './path.ts'
import { type Envelope, isArray, isObject, isScalar, type JsonValue, type Payload } from './payload.ts'
import { isReadable } from './readable.ts'
import { renderFallback } from './template.ts'

export const FALLBACKS = ['json', 'summary', 'skip', 'error'] as const
export type Fallback = (typeof FALLBACKS)[number]

/** Why no template made a message. */
export interface Lack {
  readonly unresolved: readonly string[]
  /** Why, in words; null when there is simply no template. */
  readonly reason: string | null
}

/** Nobody reads a payload to its end: further lines are only in the record. */
const JSON_LINES = 3

const BY_FALLBACK = 'fallback '

/** Whether `composedBy` names a fallback. */
export function isFallback(composedBy: string): boolean {
  return composedBy.startsWith(BY_FALLBACK)
}

export function fallBack(fallback: Fallback, payload: Payload, envelope: Envelope, lack: Lack): Composed {
  const { unresolved } = lack
  const reason = lack.reason ?? 'there is no template'
  // For a message, only what its unresolved tokens do not say already.
  const aside = lack.reason === null || unresolved.length > 0 ? {} : { reason }
  const composedBy = `${BY_FALLBACK}${fallback}`
  switch (fallback) {
    case 'json': {
      const text = renderFallback(payload)
      return { kind: 'message', text, unresolved, composedBy, maxLines: JSON_LINES, ...aside }
    }
    case 'summary': {
      const text = cleanPayloadText(summarize(payload, envelope, unresolved))
      return { kind: 'message', text, unresolved, composedBy, ...aside }
    }
    case 'skip':
      return { kind: 'skip', composedBy, unresolved, reason }
    case 'error':
      return { kind: 'failed', error: reason, unresolved }
  }
}

/** Two lines at most: what happened to what, then where to read on and which values were missing. */
function summarize(payload: Payload, { event }: Envelope, unresolved: readonly string[]): string {
  const { titles, url } = look(payload.value)
  const action = actionOf(payload)
  const what = [event, action].filter((word) => word !== null).join(' ')
  const first = `${what === '' ? 'webhook' : what}: ${titles.join(' · ') || truncate(payload.text, 200)}`
  const missing = unresolved.length === 0 ? '' : `(no value for ${unresolved.join(', ')})`
  const second = [url, missing].filter((part) => part !== '').join(' ')
  return [first, second]
    .filter((line) => line !== '')
    .map((line) => cutText(line.replaceAll(/\s+/g, ' '), LINE_BYTES))
    .join('\n')
}

/** Fits into a line after the longest name of a bot and of a channel. */
const LINE_BYTES = 300

// From the most to the least telling.
const TITLE_KEYS = [
  'title',
  'subject',
  'summary',
  'name',
  'full_name',
  'message',
  'text',
  'description',
  'status',
  'state',
  'conclusion',
  'severity',
  'level',
]
const URL_KEYS = ['html_url', 'web_url', 'permalink', 'url', 'link', 'href']
const MOST_TITLES = 4

function look(value: JsonValue): { titles: readonly string[]; url: string } {
  const found: { rank: number; text: string }[] = []
  let url = { rank: URL_KEYS.length + 1, text: '' }
  for (const [key, inner] of scalarsIn(value)) {
    if (typeof inner === 'string' && /^https?:\/\/\S{1,250}$/.test(inner)) {
      const rank = URL_KEYS.includes(key) ? URL_KEYS.indexOf(key) : URL_KEYS.length
      if (rank < url.rank && isReadable(key, inner)) url = { rank, text: inner }
    } else if (TITLE_KEYS.includes(key) && inner !== null) {
      const text = truncate(print(inner).trimStart().split('\n', 1)[0] ?? '', 80)
      if (text !== '' && !found.some((known) => known.text === text))
        found.push({ rank: TITLE_KEYS.indexOf(key), text })
    }
  }
  return {
    titles: found
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, MOST_TITLES)
      .map(({ text }) => text),
    url: url.text,
  }
}

/** With their keys, the outermost first. */
function* scalarsIn(value: JsonValue): Generator<[key: string, scalar: JsonValue]> {
  let level: readonly JsonValue[] = [value]
  let left = MOST_LOOKED
  for (let depth = 0; depth < MOST_DEPTH && level.length > 0; depth++) {
    const next: JsonValue[] = []
    for (const entry of level) {
      if (isArray(entry)) next.push(...entry.slice(0, 10))
      if (!isObject(entry)) continue
      for (const [key, inner] of Object.entries(entry)) {
        if (left-- <= 0) return
        if (isScalar(inner)) yield [key, inner]
        else next.push(inner)
      }
    }
    level = next
  }
}

/** Values of a payload that are looked at: what it is about comes first. */
const MOST_LOOKED = 500
const MOST_DEPTH = 4
