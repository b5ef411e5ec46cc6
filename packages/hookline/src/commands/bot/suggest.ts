// `bot suggest`: the tokens that a template could use, by event.
import { eventKey } from '../../bots/event.ts'
import { suggest } from '../../bots/suggest.ts'
import { done, wrong, type Answer } from '../../control/failure.ts'
import type { Suggested } from '../../control/outputs/try.ts'
import type { Context } from '../context.ts'
import type { Input } from '../oldlist.ts'
import { trafficOf } from './running/traffic.ts'
import { findTriable } from './running/trial.ts'

export async function suggestTokens(
  context: Context,
  { name, event, some }: Input<'bot suggest'>,
): Promise<Answer<Suggested>> {
  const bot = findTriable(context, name)
  if (!bot.ok) return bot
  const traffic = await trafficOf(context, bot.output)
  if (!traffic.ok) return traffic

  const { from, samples } = traffic.output
  const groups = [...Map.groupBy(samples, (sample) => sample.event)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  )
  const wanted = groups.filter(
    ([known]) => event === undefined || (known !== null && eventKey(known) === eventKey(event)),
  )
  if (wanted.length === 0) {
    const known = groups.flatMap(([each]) => each ?? []).join(', ')
    return wrong(
      'not_found',
      `no payload of ${name} has the event ${JSON.stringify(event)}`,
      known === '' ? 'none of its payloads has an event: leave out --event' : `it has payloads of: ${known}`,
    )
  }
  const events = wanted.map(([known, group]) => {
    const least = some === true ? Math.floor(group.length / 2) + 1 : group.length
    const payloads = group.map(({ payload }) => payload)
    return { event: known, payloads: group.length, ...suggest(payloads, least) }
  })
  return done({ bot: name, from, events })
}
