// How well a bot's templates fit real payloads: counts what each payload would give.
import type { Composed } from '../message/composed.ts'
import { isFallback } from '../message/fallback.ts'
import { reasonIn } from '../handlers/reason.ts'

/** One payload, and what the bot would say to it. */
export interface Trial {
  /** Of the payload: `captured/push-d-…`, or the id of a delivery. */
  readonly name: string
  readonly event: string | null
  readonly composed: Composed
  /** The bot or its preset has a template for this event, or there is a handler. */
  readonly hasTemplate: boolean
}

export interface Count {
  readonly payloads: number
  /** Said as intended; also where the handler or the template answered nothing. */
  readonly resolved: number
  /** Said by a Liquid template, with a gap where a value is missing. */
  readonly incomplete: number
  /** The filter leaves them out. */
  readonly filtered: number
  readonly fell_back: number
  readonly failed: number
}

export interface EventLint extends Count {
  readonly event: string | null
  readonly has_template: boolean
  /** Tokens without a value, and in how many payloads. */
  readonly missing: readonly { readonly token: string; readonly in: number }[]
  /** What went wrong, how often, and one payload in which it does. */
  readonly problems: readonly { readonly problem: string; readonly in: number; readonly example: string }[]
}

export interface Lint extends Count {
  /** The most frequent first. */
  readonly events: readonly EventLint[]
}

export function lintOf(trials: readonly Trial[]): Lint {
  const groups = Map.groupBy(trials, ({ event }) => event)
  return {
    ...countOf(trials),
    events: [...groups]
      .map(([event, some]) => lintOfEvent(event, some))
      .toSorted((one, other) => other.payloads - one.payloads),
  }
}

type Verdict = Exclude<keyof Count, 'payloads'>

function verdictOf(composed: Composed): Verdict {
  switch (composed.kind) {
    case 'message':
      if (isFallback(composed.composedBy)) return 'fell_back'
      return composed.unresolved.length > 0 ? 'incomplete' : 'resolved'
    case 'skip':
      if (composed.composedBy === null) return 'filtered'
      return isFallback(composed.composedBy) ? 'fell_back' : 'resolved'
    case 'failed':
      return 'failed'
  }
}

function countOf(trials: readonly Trial[]): Count {
  const count = { payloads: trials.length, resolved: 0, incomplete: 0, filtered: 0, fell_back: 0, failed: 0 }
  for (const { composed } of trials) count[verdictOf(composed)]++
  return count
}

function lintOfEvent(event: string | null, trials: readonly Trial[]): EventLint {
  const missing = new Map<string, number>()
  const problems = new Map<string, { in: number; example: string }>()
  for (const { name, composed } of trials) {
    for (const token of composed.unresolved ?? []) missing.set(token, (missing.get(token) ?? 0) + 1)
    const problem = problemOf(composed)
    if (problem === undefined) continue
    const known = problems.get(problem) ?? { in: 0, example: name }
    problems.set(problem, { ...known, in: known.in + 1 })
  }
  return {
    event,
    ...countOf(trials),
    has_template: trials.every(isServed),
    missing: [...missing]
      .map(([token, times]) => ({ token, in: times }))
      .toSorted((one, other) => other.in - one.in),
    problems: [...problems]
      .map(([problem, rest]) => ({ problem, ...rest }))
      .toSorted((one, other) => other.in - one.in)
      .slice(0, MOST_PROBLEMS),
  }
}

/** What the filter leaves out needs no template, and our own texts, such as `trigger.expect`, have none. */
function isServed({ hasTemplate, composed }: Trial): boolean {
  const verdict = verdictOf(composed)
  return hasTemplate || verdict === 'filtered' || verdict === 'resolved'
}

/** Per event; more lines would not help with a handler that fails in so many ways. */
const MOST_PROBLEMS = 20

/** What missing tokens do not explain: a handler that fails, a template that was stopped. */
function problemOf(composed: Composed): string | undefined {
  if ((composed.unresolved ?? []).length > 0) return undefined
  if (composed.kind === 'failed') return reasonIn(composed.error)
  return verdictOf(composed) === 'fell_back' ? composed.reason : undefined
}
