// `hookline bot stop`
import { verb } from '../command.ts'
import { NEEDS_SERVER } from '../shared.ts'
import { print } from '../terminal.ts'
import { A_BOT, NAME, UNKNOWN } from './bot.ts'

export default verb({
  details:
    'The bot quits, visibly in its channels; its URL answers 503 until it is started. It is active again after the next server start.',
  arguments: [NAME],
  options: [],
  changes: true,
  where: 'server',
  examples: [{ run: 'hookline bot stop spark-ori-ghci', shows: 'the bot leaves its channels' }],
  exits: { 1: UNKNOWN, ...NEEDS_SERVER },
  output: { bot: A_BOT },

  needs: () => import('./running/view.ts'),

  async run(context, { name }, __, { noBot, shownBot, viewBot }) {
    if (!viewBot(context, name)) return noBot(context, name)
    // Refused only for a folder that was made by hand and never started, which counts as stopped.
    await context.running.bots.stop(name)
    return shownBot(context, name, (bot) => ({ bot }))
  },

  show: ({ bot }) => print(`${bot.name} has stopped`),
})
