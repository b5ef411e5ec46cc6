// `hookline bot delete`
import { done } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { NEEDS_ITS_TURN } from '../shared.ts'
import { print } from '../terminal.ts'
import { NAME, refused, UNKNOWN } from './bot.ts'

export default verb({
  details:
    'The bot quits, and its folder moves to `trash/` in the home folder, from where it can be moved back. Deliveries accepted but not yet posted fail, and its owner is told how many. What it remembered (handler state, duplicates, threads) is deleted; the records of its deliveries stay.',
  arguments: [NAME],
  options: [],
  changes: true,
  where: 'either',
  examples: [{ run: 'hookline bot delete spark-ori-ghci', shows: 'where its folder went' }],
  exits: { 1: UNKNOWN, ...NEEDS_ITS_TURN },
  output: { name: 'text', moved_to: 'text or null' },

  needs: async () => ({
    ...(await import('../../bots/trash.ts')),
    ...(await import('./running/alone.ts')),
    ...(await import('./running/view.ts')),
  }),

  run(context, { name }, __, { noBot, removeBot, viewBot, whileAlone }) {
    const { running, home } = context
    return whileAlone(context, () => {
      if (!viewBot(context, name)) return noBot(context, name)
      const removed = running ? running.bots.remove(name) : removeBot(home, name, Date.now())
      if (!removed.ok)
        return refused(`${name} was not deleted`, removed.reason, `see: hookline bot inspect ${name}`)
      return done({ name, moved_to: removed.trash ?? null })
    })
  },

  show: ({ name, moved_to: to }) =>
    print(`deleted ${name}; its folder ${to === null ? 'was already gone' : `is now ${to}`}`),
})
