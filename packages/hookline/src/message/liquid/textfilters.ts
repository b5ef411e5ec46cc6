// Liquid's own filters for text, which print `[object Object]` for an object.
import type { Liquid } from 'liquidjs'
import { isArray, isObject, type JsonValue } from '../payload.ts'
import { textOf } from './filters.ts'

/** Makes them take an object as the text that an output shows for it. */
export function giveText(liquid: Liquid): void {
  for (const name of names)
    changeGiven(liquid, name, (value, ...given) => [asText(value), ...given.map(asText)])
}

type Given = [value: unknown, ...given: unknown[]]

/** From now on Liquid's own filter is given what `change` makes of its input and arguments. */
export function changeGiven(liquid: Liquid, name: string, change: (...given: Given) => Given): void {
  const filter = liquid.filters[name]
  if (typeof filter !== 'function') throw new Error(`liquidjs has no filter ${name} any more`)
  liquid.registerFilter(name, function changed(...given: Given): unknown {
    return filter.apply(this, change(...given))
  })
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
