// Liquid's own filters for text, which print `[object Object]` for an object.
import type { Liquid } from 'liquidjs'
import { isArray, isObject } from '../payload.ts'
import type { JsonValue } from '../payload.ts'
import { textOf } from './filters.ts'

/** Makes them take an object as the text that an output shows for it. */
export function giveText(liquid: Liquid): void {
  for (const name of names) {
    const filter = liquid.filters[name]
    if (typeof filter !== 'function') throw new Error(`liquidjs has no filter ${name} any more`)
    liquid.registerFilter(name, function withText(value: unknown, ...given: unknown[]): unknown {
      return filter.call(this, asText(value), ...given.map(asText))
    })
  }
}

const names =
  `append prepend capitalize downcase upcase strip lstrip rstrip split join remove remove_first remove_last
  replace replace_first replace_last normalize_whitespace truncatewords number_of_words escape escape_once url_encode
  slugify date`.split(/\s+/)

function asText(value: unknown): unknown {
  const given = value as JsonValue
  if (isArray(given)) return given.map((item) => (isArray(item) ? textOf(item) : asText(item)))
  // Liquid's own values, such as `blank`, have a class.
  return isObject(given) && Object.getPrototypeOf(given) === Object.prototype ? textOf(given) : value
}
