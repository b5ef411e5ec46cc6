// Filter rules: which deliveries a bot speaks of. Others are answered 200 `skipped`.
import { actionOf, eventKey } from '../event.ts'
import { lookUp, pathOf, print, rootsOf } from '../path.ts'
import { type Envelope, isArray, isRawNumber, isScalar, type JsonValue, type Payload } from '../payload.ts'
import { build } from './machine.ts'
import type { Rule, Wanted } from './schema.ts'

/** Undefined when the rule holds, else which part of it does not: `equals: body.ref is not refs/heads/main`. */
export type Judge = (payload: Payload, envelope: Envelope) => string | undefined

/** `rule` must have passed the schema. */
export function compileRule(rule: Rule): Judge {
  const judges = [
    ...(rule.events ? [eventIs(rule.events)] : []),
    ...[rule.exists ?? []].flat().map(exists),
    ...perPath(rule.equals, equals),
    ...perPath(rule.contains, contains),
    ...perPath(rule.matches, matches),
    ...(rule.all ?? []).map((inner, index) => inside(`all.${index}`, compileRule(inner))),
    ...(rule.any ? [any(rule.any)] : []),
    ...(rule.not ? [not(rule.not)] : []),
  ]
  return (payload, envelope) => {
    for (const judge of judges) {
      const why = judge(payload, envelope)
      if (why !== undefined) return why
    }
    return undefined
  }
}

function eventIs(globs: readonly string[]): Judge {
  const fits = globs.map(compileGlob)
  return (payload, { event }) => {
    if (event === null) return 'events: the delivery has no event'
    const names = [eventKey(event), eventKey(event, actionOf(payload))]
    return fits.some((fit) => names.some(fit)) ? undefined : `events: ${names[1]} is not among them`
  }
}

function exists(text: string): Judge {
  return onPath(text, (value) => (value ?? null) !== null, 'exists', 'is not there')
}

function equals(text: string, wanted: Wanted | readonly Wanted[]): Judge {
  const list = [wanted].flat()
  const isOne = list.length === 1
  const named = isOne ? `is not ${shown(list[0] ?? null)}` : 'is not in the list'
  return onPath(text, (value) => list.some((one) => isEqual(value, one)), 'equals', named)
}

/** Not as a number or a word of JSON, if it is a text that looks like one: `7` and `"7"` are not equal. */
function shown(wanted: Wanted): string {
  const looksOther = typeof wanted === 'string' && /^(?:-?[\d.]+|true|false|null)$/.test(wanted)
  return looksOther ? `the text ${JSON.stringify(wanted)}` : print(wanted)
}

function contains(text: string, part: string): Judge {
  const holds = (value: JsonValue | undefined): boolean => {
    if (typeof value === 'string') return value.includes(part)
    return (
      value !== undefined && isArray(value) && value.some((entry) => isScalar(entry) && print(entry) === part)
    )
  }
  return onPath(text, holds, 'contains', `does not contain ${part}`)
}

function matches(text: string, source: string): Judge {
  const built = build(source)
  if (!built.ok) throw new Error(`a pattern that was not checked: ${built.reason}`)
  const holds = (value: JsonValue | undefined): boolean =>
    value !== undefined && isScalar(value) && built.machine.matches(print(value))
  return onPath(text, holds, 'matches', `does not match ${source}`)
}

function any(rules: readonly Rule[]): Judge {
  const judges = rules.map(compileRule)
  return (payload, envelope) =>
    judges.some((judge) => judge(payload, envelope) === undefined) ? undefined : 'any: none of them holds'
}

function not(rule: Rule): Judge {
  const judge = compileRule(rule)
  const named = Object.keys(rule).join(', ')
  return (payload, envelope) => (judge(payload, envelope) === undefined ? `not: ${named} holds` : undefined)
}

/** The same judge; its answer names the place too. */
export function inside(where: string, judge: Judge): Judge {
  return (payload, envelope) => {
    const why = judge(payload, envelope)
    return why === undefined ? undefined : `${where}.${why}`
  }
}

function onPath(
  text: string,
  holds: (value: JsonValue | undefined) => boolean,
  rule: string,
  named: string,
): Judge {
  const path = pathOf(text)
  const why = `${rule}: ${text} ${named}`
  return (payload, envelope) => (holds(lookUp(path, payload, rootsOf(envelope))) ? undefined : why)
}

function perPath<T>(
  map: Readonly<Record<string, T>> | null | undefined,
  make: (path: string, value: T) => Judge,
) {
  return Object.entries(map ?? {}).map(([path, value]) => make(path, value))
}

/** A number is compared as a number, however it was written. */
function isEqual(value: JsonValue | undefined, wanted: Wanted): boolean {
  if (value === undefined || !isScalar(value)) return false
  if (typeof wanted === 'number') return isNumber(value) && Number(print(value)) === wanted
  return value === wanted
}

function isNumber(value: JsonValue): boolean {
  return typeof value === 'number' || isRawNumber(value)
}

/** `*` matches any characters. Linear: after a star, the first place where the next piece fits is as good as any. */
function compileGlob(glob: string): (name: string) => boolean {
  const [head = '', ...pieces] = glob.toLowerCase().split('*')
  const tail = pieces.pop()
  if (tail === undefined) return (name) => name === head
  return (name) => {
    if (!name.startsWith(head)) return false
    let at = head.length
    for (const piece of pieces) {
      const found = name.indexOf(piece, at)
      if (found === -1) return false
      at = found + piece.length
    }
    return name.length - tail.length >= at && name.endsWith(tail)
  }
}
