// `hookline server backup`
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { cannot, done, wrong } from '../../control/failure.ts'
import { messageOf } from '../../failure/thrown.ts'
import { verb } from '../command.ts'
import { inert, print, remark } from '../terminal.ts'
import { BACKUP } from './views.ts'

export default verb({
  details: `A snapshot of the database, \`server.yaml\`, \`bots/\` and everything else in the home folder, in a tar file that only
you can read. The server keeps running: a separate process makes it. It includes everything acknowledged or seen in the chat before the call.
It appears whole or not at all, and never replaces another file.

Not included: the log, \`trash/\`, and what settings name outside the home folder: certificates, \`file:\` secrets, a \`--config\` file, the environment.
Secrets written in bot.yaml are. Without a running server it works on the files.`,
  arguments: [
    {
      name: 'file',
      description: 'the file to write; it must not exist',
      required: true,
      completes: 'files',
    },
  ],
  options: [],
  changes: false,
  where: 'either',
  examples: [
    {
      run: 'hookline server backup hookline-$(date +%F).tar',
      shows: "today's backup, while the server runs",
    },
  ],
  exits: {
    1: 'the file already exists, or a setting is wrong',
    2: 'it could not be written, or a restore was interrupted',
  },
  output: BACKUP,

  needs: async () => ({
    ...(await import('./backup/interruptedrestore.ts')),
    ...(await import('./backup/pack.ts')),
    ...(await import('./running/backup.ts')),
  }),

  /** From a running server, includes everything acknowledged or seen in the chat before the call. */
  async run(
    { home, running, known },
    { file },
    { signal },
    { expectWhole, hintFor, isThere, packBackup, thereAlready },
  ) {
    // The trailing slash makes this false for a file.
    if (!existsSync(`${dirname(file)}/`))
      return cannot(
        'setup',
        `no backup was made: there is no folder ${dirname(file)}`,
        'create it first, or name another file',
      )
    if (isThere(file)) return thereAlready(file)
    if (!existsSync(home.folder))
      return wrong(
        'not_found',
        `${home.folder} does not exist: there is nothing to back up`,
        'set HOOKLINE_HOME to the right folder',
      )
    if (known.problems)
      return wrong(
        'invalid',
        'no backup was made: the settings are invalid, so they do not say where the database is',
        'fix them, then run it again',
        known.problems,
      )
    const whole = expectWhole(home)
    if (!whole.ok) return whole
    try {
      // A read is answered after everything queued for the disk before it.
      if (running) await running.store.message('')
      const server = running?.name ?? known.serverName ?? null
      const { made_at, schema } = await packBackup(
        { home, dataDir: known.dataDir ?? null, server, file },
        signal,
      )
      return done({ file, made_at, schema, bytes: statSync(file).size })
    } catch (error) {
      // Somebody else created it meanwhile.
      if (isThere(file)) return thereAlready(file)
      return cannot('setup', `no backup was made: ${messageOf(error)}`, hintFor(error))
    }
  },

  show({ file, bytes, schema }) {
    print(`wrote ${inert(file)} (${size(bytes)})`)
    if (schema === null)
      remark('warning: the backup has no database, because there is none where the settings say')
  },
})

/** `12 KiB`, `1.4 GiB` */
function size(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1)
  const amount = bytes / 1024 ** power
  return `${amount < 10 && power > 0 ? amount.toFixed(1) : Math.round(amount)} ${units[power]}`
}
