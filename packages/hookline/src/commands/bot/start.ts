// `hookline bot start`
import { verb } from '../command.ts'
import { NEEDS_SERVER } from '../shared.ts'
import { inert, print } from '../terminal.ts'
import { A_BOT, NAME, refused, UNKNOWN } from './bot.ts'
import { warn } from './lines.ts'

export default verb({
  details:
    'Rereads bot.yaml; the bot joins its channels and its URL answers. Starting an active bot applies edits to its files.',
  arguments: [NAME],
  options: [],
  changes: true,
  where: 'server',
  examples: [{ run: 'hookline bot start spark-ori-ghci', shows: 'the bot joins its channels' }],
  exits: { 1: `${UNKNOWN}, or its file is wrong`, ...NEEDS_SERVER },
  output: { bot: A_BOT },

  needs: async () => ({
    ...(await import('./running/unowned.ts')),
    ...(await import('./running/view.ts')),
  }),

  async run(context, { name }, __, { noBot, shownBot, viewBot, warned }) {
    if (!viewBot(context, name)) return noBot(context, name)
    const started = await context.running.bots.start(name)
    if (!started.ok)
      return refused(`${name} does not start`, started.reason, `fix it, then: hookline bot start ${name}`)
    return await warned(
      context,
      shownBot(context, name, (bot) => ({ bot })),
    )
  },

  show({ bot }) {
    print(`${bot.name} is active${bot.channels.length ? ` in ${inert(bot.channels.join(' '))}` : ''}`)
    warn(bot.warnings)
  },
})
