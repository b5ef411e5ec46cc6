// What a Liquid template sees of a delivery.
import { actionOf } from '../event.ts'
import { type Envelope, isArray, isRawNumber, type JsonValue, type Payload } from '../payload.ts'
import { withoutStandIns } from './codes.ts'

/** `body`, `headers`, and `event` and `action` where there are any; they win over keys of the payload. */
export function scopeOf(payload: Payload, body: object, { event, headers }: Envelope): object {
  const action = actionOf(payload)
  // Without a prototype: Liquid looks keys up with `in`.
  const roots: Record<string, unknown> = { __proto__: null, body, headers: plain(headers) }
  if (event !== null) roots['event'] = withoutStandIns(event)
  if (action !== null) roots['action'] = withoutStandIns(action)
  return roots
}

/**
 * The same value with numbers that can be calculated with, and without characters that stand for formatting. Digits beyond
 * JavaScript's numbers stay text, and an object can be compared even if it has a key `toString`. Returns the value itself when there
 * is nothing to change, as is usual.
 */
export function plain(value: JsonValue): JsonValue {
  if (typeof value === 'string') return withoutStandIns(value)
  if (typeof value !== 'object' || value === null) return value
  if (isRawNumber(value)) return ofDigits(value.rawJSON)
  if (isArray(value)) {
    const items = value.map(plain)
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const entries = Object.entries(value)
  const changed = entries.map(([key, inner]): [string, JsonValue] => [withoutStandIns(key), plain(inner)])
  const isSame = changed.every(
    ([key, inner], index) => key === entries[index]?.[0] && inner === entries[index][1],
  )
  const isComparable = !Object.hasOwn(value, 'toString')
  if (isSame && isComparable) return value
  const copy = Object.fromEntries(changed)
  return isComparable
    ? copy
    : Object.defineProperty(copy, Symbol.toPrimitive, { value: () => '[object Object]' })
}

function ofDigits(digits: string): number | string {
  const number = Number(digits)
  const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))
  return isExact ? number : digits
}
