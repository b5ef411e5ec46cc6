// `hookline server check`
import { existsSync } from 'node:fs'
import { done, wrongYet } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { print } from '../terminal.ts'
import { warnOf } from './exposurelines.ts'
import { SETTINGS } from './settings.ts'
import { CHECKED } from './views.ts'

export default verb({
  details: `Reads \`server.yaml\` and looks at everything that it names: certificates and keys, whether they belong together and are valid;
addresses, whether they are free, or the running server's own; the message of the day; the folders, their owner and the room on their disk; the
database; the bots with their handlers and the interpreter. Each problem is printed at its line, with what mends it. Nothing changes, and a
server may run meanwhile. Give it the options that \`server start\` is given. The environment is that of the shell: secrets that only the
server's has are not missed.`,
  arguments: [],
  options: SETTINGS,
  changes: false,
  where: 'files',
  examples: [
    {
      run: 'hookline server check',
      shows: 'what would keep the server from starting, before it is stopped',
    },
    {
      run: 'hookline server check --config new.yaml --json',
      shows: 'the same of another file, as one JSON object',
    },
  ],
  exits: { 1: 'there is a problem', 2: 'the home folder cannot be used' },
  output: CHECKED,

  needs: async () => ({
    ...(await import('../../bots/disk.ts')),
    ...(await import('../../config/config.ts')),
    ...(await import('../../config/exposure.ts')),
    ...(await import('./nextstart.ts')),
    ...(await import('./running/check.ts')),
  }),

  /** Looks at everything that the next start needs, whether or not a server runs. */
  async run(context, { config: file, ...flags }, __, needed) {
    const {
      brokenBots,
      exposuresOf,
      listensOn,
      loadConfig,
      lookAhead,
      readBots,
      takesWebhooksFromAway,
      unservedSnag,
    } = needed
    const { home } = context
    const read = loadConfig({ home, file, flags, env: process.env })
    const bots = existsSync(home.bots) ? readBots(home) : []
    const isExposed = read.ok && takesWebhooksFromAway(read.config)
    const snags = [
      ...(await lookAhead(read, { home, ours: await listensOn(context) })),
      ...(await brokenBots(context)),
      ...(isExposed ? bots.flatMap(unservedSnag) : []),
    ]
    const checked = { problems: snags, warnings: read.ok ? exposuresOf(read.config, bots) : [] }
    if (snags.length === 0) return done(checked)
    const count = `${snags.length} ${snags.length === 1 ? 'problem' : 'problems'}`
    const outcome = snags.some(({ stops }) => stops)
      ? 'the server would not start'
      : 'the server would start, but not everything would work'
    const details = snags.map(({ what, mend }) => `${what} (${mend})`)
    return wrongYet(checked, 'invalid', `${count}: ${outcome}`, 'mend them, then run this again', details)
  },

  show({ problems, warnings }) {
    // The error that follows has them all.
    if (problems.length === 0) print('the server would start, and everything would work')
    warnOf(warnings)
  },
})
