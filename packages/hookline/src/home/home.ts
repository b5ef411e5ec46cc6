// The per-user folder for everything persistent. Only `data_dir` and backups may be outside it.
import { chmodSync, lstatSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { makeFolder } from './folders.ts'

export interface Home {
  readonly folder: string
  readonly bots: string
  /** Held by whoever changes a bot. Not in `bots`, which is watched. */
  readonly botsLock: string
  /** Deleted bots, and what a restore has moved aside. Made when it is needed. */
  readonly trash: string
  /** server.yaml, read when no `--config` is given. */
  readonly config: string
  readonly socket: string
  readonly pidFile: string
  readonly logFile: string
  readonly data: string
}

/** `$HOOKLINE_HOME`, else `~/.hookline`. Paths only: nothing is created. */
export function findHome(env: Readonly<Record<string, string | undefined>> = process.env): Home {
  // systemd units, crontabs and containers have no shell to expand ~.
  const named = env['HOOKLINE_HOME']?.replace(/^~(?=\/|$)/, () => homedir())
  const folder = resolve(named || join(homedir(), '.hookline'))
  return {
    folder,
    bots: join(folder, 'bots'),
    botsLock: join(folder, 'bots.lock'),
    trash: join(folder, 'trash'),
    config: join(folder, 'server.yaml'),
    socket: join(folder, 'control.sock'),
    pidFile: join(folder, 'server.pid'),
    logFile: join(folder, 'server.log'),
    data: join(folder, 'data'),
  }
}

/** Creates the folders, readable by nobody else. From here on this process creates files as 0600. */
export function ensureHome(home: Home): void {
  process.umask(0o077)
  for (const folder of [home.folder, home.bots]) {
    makeFolder(folder)
    expectOwn(folder)
    if (!lstatSync(folder).isSymbolicLink()) chmodSync(folder, 0o700)
  }
}

/**
 * Throws if the folder, or a link in its place, belongs to somebody else: they could read what is written there, or, if
 * root writes it, no longer could.
 */
export function expectOwn(folder: string): void {
  const { uid } = lstatSync(folder)
  const we = process.getuid?.()
  if (we !== undefined && uid !== we) {
    throw new Error(
      `${folder} belongs to another user (uid ${uid}): run this as that user, or set HOOKLINE_HOME to a folder of your own`,
    )
  }
}
