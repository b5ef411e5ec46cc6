// What `bot test` is given, read; and what became of it, as it is printed.
import type { Composed } from '../../../message/composed.ts'
import { placeOf } from '../../../bots/destination.ts'
import type { Fixture } from '../../../senders/fixtures.ts'
import { reasonIn } from '../../../handlers/reason.ts'
import { done, wrong, type Answer } from '../../../control/failure.ts'
import { keptHeaders } from '../../../webhooks/headers.ts'
import type { Tested } from '../tested.ts'
import { findFixtures } from './fixtures.ts'
import { GOLDEN_NAME } from './golden.ts'
import { sampleOf, type Sample, type Triable } from './trial.ts'

interface Typed {
  /** The payload's text. */
  readonly payload?: string
  readonly fixture?: string
  readonly as?: string
  readonly event?: string
  readonly header?: readonly string[]
  readonly golden?: boolean
  readonly update?: boolean
}

export function samplesFor(bot: Triable, input: Typed): Answer<readonly Sample[]> {
  const { payload = '', fixture, as = '', event, header = [] } = input
  const misuse = misuseOf(input)
  if (misuse) return misuse
  const headers = headersOf(header)
  if (!headers.ok) return headers
  const found: Answer<readonly Fixture[]> =
    fixture === undefined ? done([{ name: as, payload, headers: {} }]) : findFixtures(bot, fixture)
  if (!found.ok) return found

  const samples: Sample[] = []
  for (const each of found.output) {
    const own = { ...each, headers: { ...each.headers, ...headers.output } }
    const sample = sampleOf(bot, own, event)
    if (!sample.ok) return sample
    samples.push(sample.output)
  }
  return done(samples)
}

/** Options that are missing, or do not go together. */
function misuseOf(input: Typed) {
  const { payload, fixture, as } = input
  const see = 'see: hookline bot test --help'
  if ((payload === undefined) === (fixture === undefined))
    return wrong('usage', 'bot test: give either --payload or --fixture', see)
  if (fixture !== undefined && as !== undefined)
    return wrong('usage', 'bot test: a fixture already has a name: use --as only with --payload', see)
  if (as !== undefined && !isGolden(input))
    return wrong('usage', 'bot test: --as names the expected file: use it only with --golden', see)
  if (payload !== undefined && isGolden(input) && !GOLDEN_NAME.test(as ?? '')) {
    const what =
      as === undefined ? 'standard input has no name' : `${JSON.stringify(as)} cannot be the name of a file`
    return wrong('usage', what, 'name the expected file: --as NAME, of letters, digits, . _ - and /')
  }
  return undefined
}

/** As a request would keep them: proofs are not for templates. */
function headersOf(lines: readonly string[]): Answer<Readonly<Record<string, string>>> {
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*(.*)$/.exec(line) ?? []
    if (name === '')
      return wrong('usage', `${JSON.stringify(line)} is not a header`, "write --header 'Name: value'")
    headers[name.toLowerCase()] = value
  }
  return done(keptHeaders(headers))
}

export function testedOf(
  { settings }: Triable,
  { name, event }: Sample,
  composed: Composed,
  golden: Tested['golden'],
): Tested {
  const destination = composed.kind === 'message' ? composed.destination : undefined
  return {
    composed_by: composed.kind === 'failed' ? null : composed.composedBy,
    reason: composed.kind === 'failed' ? reasonIn(composed.error) : (composed.reason ?? null),
    unresolved: composed.unresolved ?? [],
    kind: composed.kind,
    text: composed.kind === 'message' ? composed.text : null,
    event,
    thread: composed.kind === 'message' ? (composed.thread ?? null) : null,
    destination: destination ? placeOf(settings, destination) : null,
    fixture: name === '' ? null : name,
    golden,
  }
}

export function isGolden({ golden, update }: Typed): boolean {
  return golden === true || update === true
}
