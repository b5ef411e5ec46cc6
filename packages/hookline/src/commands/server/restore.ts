// `hookline server restore`
import { existsSync } from 'node:fs'
import { connectControl } from '../../control/client.ts'
import { cannot } from '../../control/failure.ts'
import { ensureHome } from '../../home/home.ts'
import { verb } from '../command.ts'
import { unusable } from '../diskfailure.ts'
import { shellWord } from '../shellword.ts'
import { inert, print, remark } from '../terminal.ts'
import { RESTORED } from './views.ts'

export default verb({
  details: `Restores into a home folder without data, or with \`--force\` into one that has some, which is moved to \`trash/\` first. The server must not be running.
The backup is unpacked and checked before anything changes: its checksums, its database, whether this version can read it. A database of an older version is
converted when the server starts. After an interrupted restore, no server starts and no backup is made until it is run again.`,
  arguments: [{ name: 'file', description: 'a file from server backup', required: true, completes: 'files' }],
  options: [
    { name: 'force', type: 'flag', description: 'move what is in the home folder into its trash/ first' },
  ],
  changes: true,
  where: 'files',
  examples: [
    {
      run: 'HOOKLINE_HOME=~/restored hookline server restore hookline-2026-11-21.tar',
      shows: 'the backup in a new home',
    },
  ],
  exits: {
    1: 'the home folder has data, and --force was not given',
    2: 'the file is no complete backup, a server is running, or somebody else is changing the bots',
  },
  output: RESTORED,

  needs: async () => ({
    ...(await import('../bot/running/alone.ts')),
    ...(await import('./running/backup.ts')),
  }),

  /** Into an empty home; with `--force` its contents are moved aside. */
  async run(context, { file, force = false }, ___, { restoreInto, whileAlone }) {
    const { home } = context
    const server = await connectControl(home)
    if (server.ok) {
      server.client.close()
      return cannot('setup', `a server is running in ${home.folder}`, 'stop it first: hookline server stop')
    }
    if (!existsSync(file))
      return cannot(
        'setup',
        `there is no file ${file}`,
        'name a file that hookline server backup has written',
      )
    try {
      ensureHome(home)
    } catch (error) {
      return unusable(home.folder, error)
    }
    // Another restore would take the folder of this one for what an interrupted one has left.
    return whileAlone(context, () => restoreInto(home, file, force))
  },

  show({ file, made_at: at, server, moved_to: aside }) {
    print(`restored ${inert(file)}, made ${inert(at)}${server === null ? '' : ` by ${inert(server)}`}`)
    if (aside !== null) print(`moved the previous files to ${inert(aside)}`)
    remark(`Start it: hookline server start${server === null ? '' : ` --name ${shellWord(server)}`}`)
  },
})
