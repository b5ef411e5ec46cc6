// `hookline bot list`
import { done } from '../../control/failure.ts'
import { fold } from '../../irc/names.ts'
import { verb } from '../command.ts'
import { table } from '../table.ts'
import { inert, print } from '../terminal.ts'
import { BOT, type BotView } from './bot.ts'
import { namedWarnings, statusOf, warn } from './lines.ts'

export default verb({
  details: 'STATUS is `active`, `inactive` or `invalid`, or `not running` without a server.',
  arguments: [{ name: 'owner', description: 'only bots of this owner' }],
  options: [],
  changes: false,
  where: 'either',
  examples: [{ run: 'hookline bot list spark-ori', shows: 'the bots of spark-ori' }],
  exits: { 2: 'the server cannot be reached' },
  output: [BOT],

  needs: () => import('./running/view.ts'),

  /** Every bot, or those of one owner, by name. If a bot's file is invalid, its name tells the owner. */
  run(context, { owner }, __, { viewBots }) {
    if (owner === undefined) return done(viewBots(context))
    const wanted = fold(owner)
    const belongs = (bot: BotView): boolean =>
      bot.owner === null ? fold(bot.name).startsWith(`${wanted}-`) : fold(bot.owner) === wanted
    return done(viewBots(context).filter(belongs))
  },

  show(bots) {
    print(botTable(bots))
    for (const bot of bots) {
      warn(namedWarnings(bot))
      // For others, the STATUS column says it.
      if (bot.status === 'active') warn(bot.problems.map((problem) => `${bot.name}: ${problem}`))
    }
  },
})

function botTable(bots: readonly BotView[]): string {
  const rows = bots.map((bot) => [
    inert(bot.name),
    bot.trigger,
    inert(bot.channels.join(',')) || '-',
    bot.owner ?? '-',
    statusOf(bot),
  ])
  return table(['NAME', 'TRIGGER', 'CHANNELS', 'OWNER', 'STATUS'], rows)
}
