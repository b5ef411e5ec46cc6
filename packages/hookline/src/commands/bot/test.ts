// `hookline bot test`
import type { Composed } from '../../message/composed.ts'
import { reasonIn } from '../../handlers/reason.ts'
import { done, wrong, wrongYet, type Answer } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { BOT_NAME } from '../shared.ts'
import { shellWord } from '../shellword.ts'
import type { Triable } from './running/trial.ts'
import { showAll, showOne, TESTED, type Tested } from './tested.ts'

export default verb({
  details: `Runs the filter and the template or the handler exactly as a delivery would, in a separate process: nothing is posted or recorded,
and \`bot.state\` starts empty and is discarded.

\`--fixture\` takes a sample payload of a preset (\`github/push\`; \`hookline preset show github\` lists them), with the header that names its event, or
a captured one (\`captured/…\`, see \`hookline explain bot capture\`). A preset's name alone means all of its fixtures, \`captured\` all captured payloads.

\`--golden\` compares the output with a file beside bot.yaml, \`golden/github/push.txt\`, and exits with 1 if it differs; if the file is missing, it is
written. In it, formatting is written as \`\\x02\` and the like, and lines that begin with \`#\` are not part of the message: a fallback, a token without a value, why nothing is said. Made for CI:
it needs no server and no secret. See \`hookline explain testing\`.`,
  arguments: [BOT_NAME],
  options: [
    {
      name: 'payload',
      type: 'text',
      value: 'FILE',
      completes: 'files',
      description: 'file with the JSON payload; - is standard input',
    },
    {
      name: 'fixture',
      type: 'text',
      value: 'NAME',
      description: 'sample payload: github/push, github for all, captured/…, captured for all',
    },
    {
      name: 'golden',
      type: 'flag',
      description: 'compare with the expected output in a file; write the file if it is missing',
    },
    { name: 'update', type: 'flag', description: 'overwrite that file with the current output' },
    {
      name: 'as',
      type: 'text',
      value: 'NAME',
      description: "with --payload: name of that file; default: the payload's name",
    },
    {
      name: 'event',
      type: 'text',
      value: 'NAME',
      description: 'event type, as its header would name it: push',
    },
    {
      name: 'header',
      type: 'texts',
      value: 'LINE',
      description: "header of the request, 'X-GitHub-Event: push'; may be repeated",
    },
  ],
  changes: true,
  where: 'files',
  examples: [
    { run: 'hookline bot test spark-ori-ghci --fixture github/push', shows: 'what it says for a push' },
    {
      run: 'hookline bot test spark-ori-ghci --fixture github --golden',
      shows: 'whether it says the same as before for every event',
    },
    { run: 'hookline bot test spark-ori-ghci --payload push.json', shows: 'the message' },
    {
      run: `echo '{"action":"opened"}' | hookline bot test spark-ori-ghci --payload -`,
      shows: 'the same from a pipe',
    },
    {
      run: 'hookline bot test spark-ori-ghci --payload push.json --event push',
      shows: 'what the template for push says',
    },
  ],
  exits: {
    1: 'no such bot or fixture, its file is wrong, not a JSON object, the handler failed, or the output is not as expected',
    2: 'a file cannot be read',
  },
  /** Several for all fixtures of a preset or all captured payloads. */
  output: { tested: [TESTED] },

  needs: async () => ({
    ...(await import('./running/golden.ts')),
    ...(await import('./running/trial.ts')),
    ...(await import('./running/tryout.ts')),
  }),

  /** Composes exactly as for a delivery. */
  async run(context, input, __, needed) {
    const { findTriable, holdAgainst, isGolden, samplesFor, startTrials, testedOf } = needed
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
      runs.push({ composed, tested: testedOf(bot, sample, composed, golden.output) })
    }
    const [one] = runs
    return isOne(input) && one ? verdictOnOne(bot, one) : verdictOnAll(bot, runs)
  },

  show({ tested }, input) {
    const [one] = tested
    if (isOne(input) && one) showOne(one)
    else showAll(tested)
  },
})

function isOne({ fixture }: { readonly fixture?: string }): boolean {
  return fixture === undefined || fixture.includes('/')
}

interface Results {
  readonly tested: readonly Tested[]
}

interface Run {
  readonly composed: Composed
  readonly tested: Tested
}

function verdictOnOne({ name, handler }: Triable, { composed, tested }: Run): Answer<Results> {
  if (tested.golden?.status === 'different') {
    const what = `${name} does not say what ${tested.golden.file} expects`
    return wrongYet({ tested: [tested] }, 'different', what, UPDATE_HINT)
  }
  if (composed.kind !== 'failed' || tested.golden) return done({ tested: [tested] })
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
function verdictOnAll({ name }: Triable, runs: readonly Run[]): Answer<Results> {
  const all = runs.map(({ tested }) => tested)
  const different = all.filter(({ golden }) => golden?.status === 'different').length
  if (different > 0) {
    const what = `${name} does not say what is expected for ${different} of ${all.length}`
    return wrongYet({ tested: all }, 'different', what, UPDATE_HINT)
  }
  const failed = all.filter(({ kind, golden }) => kind === 'failed' && !golden)
  if (failed.length === 0) return done({ tested: all })
  const what = `${failed.length} of ${all.length} would fail`
  const fixture = shellWord(failed[0]?.fixture ?? '')
  return wrongYet(
    { tested: all },
    'handler_failed',
    what,
    `see: hookline bot test ${name} --fixture ${fixture}`,
  )
}

/** Not the command itself: its headers may be secret. */
const UPDATE_HINT = 'if the new text is right, run it again with --update'
