// Why a template is invalid or was stopped: the library's message, reworded.
import { nearest } from '../../text/nearest.ts'
import { messageOf } from '../../failure/thrown.ts'
import { showCodes } from './codes.ts'

/** What a template may name. */
export interface KnownNames {
  readonly filters: readonly string[]
  readonly tags: readonly string[]
}

/** `line 2, column 5 of the template: there is no filter upcas: did you mean upcase?` */
export function problemOf(error: unknown, known: KnownNames): string {
  const message = messageOf(error)
  const [, what = message, line, column] = /^(.*), line:(\d+), col:(\d+)$/s.exec(message) ?? []
  const where = line === undefined ? 'in the template' : `line ${line}, column ${column} of the template`
  return `${where}: ${reworded(showCodes(what).replaceAll(/\p{Cc}+/gu, ' '), known)}`
}

function reworded(what: string, { filters, tags }: KnownNames): string {
  const filter = /^undefined filter: (.*)$/s.exec(what)?.[1]
  if (filter !== undefined) return unknown('filter', filter, filters)
  if (what.startsWith('Maximum call stack size exceeded')) return 'is nested too deeply'
  const tag = /^tag "(.*)" not found$/s.exec(what)?.[1]
  return tag === undefined ? what : unknown('tag', tag, tags)
}

function unknown(kind: string, name: string, known: readonly string[]): string {
  const near = (Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : undefined) ?? nearest(name, known)
  return near === undefined
    ? `there is no ${kind} ${name}`
    : `there is no ${kind} ${name}: did you mean ${near}?`
}

/** What tokens, Jinja and others call it. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  count: 'size',
  elif: 'elsif',
  elseif: 'elsif',
  length: 'size',
  lower: 'downcase',
  set: 'assign',
  trim: 'strip',
  upper: 'upcase',
}
