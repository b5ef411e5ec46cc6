// `bot test`: what a bot would say to one payload or many, and whether it matches what is expected.
import type { Composed } from '../../bots/composer.ts'
import { placeOf } from '../../bots/destination.ts'
import type { Fixture } from '../../bots/fixtures.ts'
import { reasonIn } from '../../bots/handler/reason.ts'
import { done, wrong, wrongYet, type Answer } from '../../control/failure.ts'
import type { Outputs } from '../../control/outputs.ts'
import type { GoldenView, Tested } from '../../control/outputs/try.ts'
import { keptHeaders } from '../../webhooks/headers.ts'
import type { Context } from '../context.ts'
import type { Input } from '../oldlist.ts'
import { shellWord } from '../shellword.ts'
import { findFixtures } from './running/fixtures.ts'
import { GOLDEN_NAME, holdAgainst } from './running/golden.ts'
import { findTriable, sampleOf, startTrials, type Sample, type Triable } from './running/trial.ts'

/** Composes exactly as for a delivery. `payload` is the payload's text. */
export async function testBot(
  context: Context,
  input: Input<'bot test'>,
): Promise<Answer<Outputs['bot test']>> {
  const found = findTriable(context, input.name)
  if (!found.ok) return found
  const bot = found.output
  const samples = samplesFor(bot, input)
  if (!samples.ok) return samples

  const runs: Run[] = []
  for (const sample of samples.output) {
    // Each with an empty `bot.state`, so that results do not depend on each other.
    await using trials = startTrials(context, bot)
    const composed = await trials.compose(sample)
    const golden = isGolden(input)
      ? holdAgainst(bot.folder, sample.name, composed, input.update === true)
      : done(null)
    if (!golden.ok) return golden
    runs.push({ sample, composed, tested: testedOf(bot, sample, composed, golden.output) })
  }
  const [one] = runs
  const isOne = input.fixture === undefined || input.fixture.includes('/')
  return isOne && one ? verdictOnOne(bot, one) : verdictOnAll(bot, runs)
}

function isGolden({ golden, update }: Input<'bot test'>): boolean {
  return golden === true || update === true
}

interface Run {
  readonly sample: Sample
  readonly composed: Composed
  readonly tested: Tested
}

function samplesFor(bot: Triable, input: Input<'bot test'>): Answer<readonly Sample[]> {
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
function misuseOf(input: Input<'bot test'>) {
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

function testedOf(
  { settings }: Triable,
  { name, event }: Sample,
  composed: Composed,
  golden: GoldenView | null,
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

function verdictOnOne({ name, handler }: Triable, { composed, tested }: Run): Answer<Tested> {
  if (tested.golden?.status === 'different') {
    const what = `${name} does not say what ${tested.golden.file} expects`
    return wrongYet(tested, 'different', what, UPDATE_HINT)
  }
  if (composed.kind !== 'failed' || tested.golden) return done(tested)
  if (composed.unresolved) {
    const why = `the delivery would fail: ${composed.error}`
    return wrong(
      'refused',
      why,
      'output.fallback: error makes it fail; give the tokens a default, or change the fallback',
    )
  }
  const what = `${handler ?? name}: ${reasonIn(composed.error)}`
  return wrong('handler_failed', what, 'fix the handler', composed.error.trimEnd().split('\n'))
}

/** An expected failure does not count. */
function verdictOnAll({ name }: Triable, runs: readonly Run[]): Answer<readonly Tested[]> {
  const all = runs.map(({ tested }) => tested)
  const different = all.filter(({ golden }) => golden?.status === 'different').length
  if (different > 0) {
    const what = `${name} does not say what is expected for ${different} of ${all.length}`
    return wrongYet(all, 'different', what, UPDATE_HINT)
  }
  const failed = all.filter(({ kind, golden }) => kind === 'failed' && !golden)
  if (failed.length === 0) return done(all)
  const what = `${failed.length} of ${all.length} would fail`
  const fixture = shellWord(failed[0]?.fixture ?? '')
  return wrongYet(all, 'handler_failed', what, `see: hookline bot test ${name} --fixture ${fixture}`)
}

/** Not the command itself: its headers may be secret. */
const UPDATE_HINT = 'if the new text is right, run it again with --update'
