// `hookline bot lint`
import type { Trial } from '../../bots/lint.ts'
import { done, wrongYet } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { as, type OutputOf } from '../shape.ts'
import { BOT_NAME } from '../shared.ts'
import { fields } from '../table.ts'
import { inert, print } from '../terminal.ts'
import { nameOf, sourceOf } from './lines.ts'
import { LEARNED } from './options.ts'
import type { TrafficSource } from './running/traffic.ts'

const COUNTS = {
  payloads: 'number',
  resolved: 'number',
  incomplete: 'number',
  fell_back: 'number',
  filtered: 'number',
  failed: 'number',
} as const

const LINTED = {
  bot: 'text',
  from: as<TrafficSource>()('text'),
  /** File name of the handler, which is used instead of templates. */
  handler: 'text or null',
  ...COUNTS,
  events: [
    {
      event: 'text or null',
      ...COUNTS,
      has_template: 'true or false',
      missing: [{ token: 'text', in: 'number' }],
      problems: [{ problem: 'text', in: 'number', example: 'text' }],
    },
  ],
  /** About the templates. */
  warnings: ['text'],
} as const

type Linted = OutputOf<typeof LINTED>

export default verb({
  details: `${LEARNED}

Composes a message for each as for a delivery, handlers included, and counts per event: complete, with a gap, filtered out, fallen back, failed; which
tokens had no value and how often; which events have no template. Exits with 1 if a payload would fall back or fail: give the token a default
(\`{body.action|default:"-"}\`), the event a template, or exclude the event with \`trigger.filter\`.`,
  arguments: [BOT_NAME],
  options: [],
  changes: false,
  where: 'files',
  examples: [
    { run: 'hookline bot lint spark-ori-ghci', shows: 'for how many payloads the template resolves' },
  ],
  exits: {
    1: 'no such bot, its file is wrong, no payloads, or some would fall back or fail',
    2: 'nothing is captured and no server runs',
  },
  output: LINTED,

  needs: async () => ({
    ...(await import('../../bots/lint.ts')),
    ...(await import('../../bots/plan.ts')),
    ...(await import('./running/traffic.ts')),
    ...(await import('./running/trial.ts')),
  }),

  async run(context, { name }, __, { findTriable, lintOf, planOf, startTrials, trafficOf }) {
    const found = findTriable(context, name)
    if (!found.ok) return found
    const bot = found.output
    const traffic = await trafficOf(context, bot)
    if (!traffic.ok) return traffic

    const { from, samples } = traffic.output
    const plan = planOf(bot.settings)
    const handler = bot.handler ?? null
    const trials: Trial[] = []
    // In order of arrival: a handler keeps state.
    await using desks = startTrials(context, bot)
    for (const sample of samples) {
      const composed = await desks.compose(sample)
      const hasTemplate = handler !== null || plan.choose(sample.payload, sample.event) !== undefined
      trials.push({ name: sample.name, event: sample.event, composed, hasTemplate })
    }
    const linted: Linted = { bot: name, from, handler, ...lintOf(trials), warnings: plan.warnings }
    const { fell_back: fellBack, failed, payloads } = linted
    if (fellBack + failed === 0) return done(linted)
    const what = `${fellBack + failed} of ${payloads} would fall back or fail`
    return wrongYet(linted, 'unresolved', what, 'what to do about it: hookline explain testing')
  },

  show: (linted) => print(lintLines(linted)),
})

/** `template resolves in 41 of 60; missing: body.action in 19 (push)`, then each event. */
function lintLines(linted: Linted): string {
  const { payloads, resolved, filtered, handler, events, from, warnings } = linted
  const missing = events.flatMap(({ event, missing: some }) =>
    some.map((one) => `${one.token} in ${one.in} (${nameOf(event)})`),
  )
  const head = `${handler ?? 'template'} resolves in ${resolved} of ${payloads - filtered}`
  const more = missing.length > MOST_MISSING ? `, … (+${missing.length - MOST_MISSING})` : ''
  const rest = missing.length > 0 ? `; missing: ${missing.slice(0, MOST_MISSING).join(', ')}${more}` : ''
  const pairs = events.map((each): [string, string] => [inert(nameOf(each.event)), inert(storyOf(each))])
  return [
    inert(head + rest),
    fields([['from', sourceOf(from)], ...pairs]),
    ...warnings.map((warning) => `warning: ${inert(warning)}`),
  ].join('\n')
}

/** In the first line; each is listed again under its event. */
const MOST_MISSING = 5

function storyOf(each: Linted['events'][number]): string {
  const { payloads, resolved, incomplete, filtered, fell_back: fellBack, failed, problems } = each
  const counts: readonly (readonly [number, string])[] = [
    [resolved, 'resolve'],
    [incomplete, 'have missing values'],
    [filtered, 'are filtered out'],
    [fellBack, 'fall back'],
    [failed, 'fail'],
  ]
  const story = counts.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : [])).join(', ')
  const lines = [
    ...(each.has_template ? [] : ['no template for it']),
    ...each.missing.map(({ token, in: times }) => `no value for {${token}} in ${times}`),
    ...problems.map(({ problem, in: times, example }) => `${problem} (${times}, as ${example})`),
  ]
  return [`${payloads}: ${story}`, ...lines].join('\n')
}
