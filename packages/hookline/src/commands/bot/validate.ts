// `hookline bot validate`: checks the files without running a bot.
import { existsSync } from 'node:fs'
import { done, wrong, wrongYet } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { print } from '../terminal.ts'
import { BOT_ON_DISK } from './bot.ts'
import { namedWarnings, warn } from './lines.ts'

export default verb({
  details:
    'Without a name, checks every bot. Problems are given with file, line and column. With `--json` every bot has its own on stdout.',
  arguments: [{ name: 'name', description: 'full name of one bot', completes: 'bots' }],
  options: [],
  changes: false,
  where: 'files',
  examples: [{ run: 'hookline bot validate', shows: 'what is wrong, as file:line:column' }],
  exits: { 1: 'a file is wrong, or no such bot', 2: 'the home folder cannot be used' },
  output: { bots: [BOT_ON_DISK] },

  needs: async () => ({
    ...(await import('./running/checkbots.ts')),
    ...(await import('./running/view.ts')),
  }),

  /** One bot or all, with their problems; fails if there are any. */
  async run(context, { name }, __, { checkBots, noBot, viewBot, viewBots }) {
    const one = name === undefined ? undefined : viewBot(context, name)
    if (name !== undefined && !one) return noBot(context, name)
    // With a wrong HOOKLINE_HOME, as in CI, no problem would be found either.
    if (!existsSync(context.home.bots))
      return wrong(
        'not_found',
        `there is no folder ${context.home.bots}`,
        'set HOOKLINE_HOME, or create a bot first',
      )
    const bots = await checkBots(context, one ? [one] : viewBots(context))
    const problems = bots.flatMap((bot) => bot.problems)
    if (problems.length === 0) return done({ bots })
    const broken = bots.filter((bot) => bot.problems.length > 0).length
    const count = `${broken} of ${bots.length} ${bots.length === 1 ? 'bot is' : 'bots are'} invalid`
    return wrongYet({ bots }, 'invalid', count, 'fix the files, then run this again', problems)
  },

  show({ bots }) {
    // The error that follows has them all.
    if (bots.some(({ problems }) => problems.length > 0)) return
    for (const bot of bots) warn(namedWarnings(bot))
    print(bots.length === 1 ? `${bots[0]?.name} is valid` : `${bots.length} bots are valid`)
  },
})
