// `bot lint`: how well a bot's templates or handler fit the payloads that really come.
import { lintOf, type Trial } from '../../bots/lint.ts'
import { planOf } from '../../bots/plan.ts'
import { done, wrongYet, type Answer } from '../../control/failure.ts'
import type { Linted } from '../../control/outputs/try.ts'
import type { Context } from '../context.ts'
import type { Input } from '../oldlist.ts'
import { trafficOf } from './running/traffic.ts'
import { findTriable, startTrials } from './running/trial.ts'

export async function lintBot(context: Context, { name }: Input<'bot lint'>): Promise<Answer<Linted>> {
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
}
