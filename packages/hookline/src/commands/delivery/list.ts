// `hookline bot deliveries`
import { done, wrong } from '../../control/failure.ts'
import { parseTime } from '../../irc/time.ts'
import { verb } from '../command.ts'
import type { Running } from '../context.ts'
import { NEEDS_SERVER } from '../shared.ts'
import { print } from '../terminal.ts'
import { DELIVERY, type DeliveryView, LIMIT, viewDelivery, viewRefused } from './delivery.ts'
import { deliveryTable } from './lines.ts'

export default verb({
  details: `One line each, newest last. The id is what \`bot replay\` takes. To page back, pass \`--before\` the first id shown, or a time such as
2026-04-03T09:15:00.000Z, as \`--json\` prints it; if nothing is older, nothing is shown.

Of what a bot refused, the newest 100 are kept, without payload and id; what comes again within a minute is counted as an attempt of the same.`,
  arguments: [{ name: 'name', description: 'full name of one bot', completes: 'bots' }],
  options: [
    { name: 'failed', type: 'flag', description: 'only those that failed' },
    { name: 'refused', type: 'flag', description: 'what was refused, and why, in place of them' },
    { name: 'before', type: 'text', value: 'ID|TIME', description: 'only those before it' },
    LIMIT,
  ],
  changes: false,
  where: 'server',
  examples: [{ run: 'hookline bot deliveries spark-ori-ghci --failed', shows: 'ids of what failed' }],
  exits: { 1: 'no such bot, or no such delivery', ...NEEDS_SERVER },
  output: [DELIVERY],

  needs: () => import('../bot/running/view.ts'),

  async run(context, { name, failed, refused, before, limit }, __, { noBot, viewBot }) {
    if (name !== undefined && !viewBot(context, name)) return noBot(context, name)
    if (failed && refused)
      return wrong(
        'usage',
        'give --failed or --refused, not both',
        'what was refused did not run, so it cannot fail',
      )
    const { deliveries } = context.running.store
    const time = before === undefined ? undefined : parseTime(before)
    if (before !== undefined && time === undefined && !(await deliveries.get(before))) {
      const hint = 'for ids see: hookline bot deliveries; write a time in UTC, as 2026-04-03T09:15:00.000Z'
      return wrong('not_found', `${JSON.stringify(before)} is neither a delivery nor a time`, hint)
    }
    if (refused) return done(await listRefused(context.running, { name, before: time, limit }))
    const ofBot = name === undefined ? {} : { bot: name }
    const rows = await deliveries.list({ ...ofBot, failed: failed === true, before: time ?? before, limit })
    return done(rows.map(viewDelivery))
  },

  show: (deliveries) => print(deliveryTable(deliveries)),
})

/** Oldest first. Of what was refused nothing has an id: only a time can be paged back to. */
async function listRefused(
  running: Running,
  { name, before = Infinity, limit }: { name: string | undefined; before: number | undefined; limit: number },
): Promise<readonly DeliveryView[]> {
  const names = name === undefined ? running.bots.list().map((bot) => bot.name) : [name]
  const all = names.map(async (bot) => (await running.refused.of(bot)).map((each) => ({ bot, ...each })))
  return (await Promise.all(all))
    .flat()
    .filter(({ last }) => last < before)
    .toSorted((a, b) => a.last - b.last)
    .slice(-limit)
    .map((each) => viewRefused(each.bot, each))
}
