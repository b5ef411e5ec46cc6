// The unit for systemd that comes with Hookline, and what runs a server under its settings where systemd does not run.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cannotMount } from './mounts.ts'
import type { Home } from '../src/home/home.ts'

export const UNIT = fileURLToPath(new URL('../systemd/hookline.service', import.meta.url))
const CONFINE = fileURLToPath(new URL('confine.py', import.meta.url))

/** What systemd-analyze makes of it, from 0 to 10; or why it could not be asked. */
export function exposure(unit = UNIT): number | string {
  const ran = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', unit], {
    encoding: 'utf8',
  })
  const told = /exposure level for \S+: ([\d.]+)/.exec(ran.stdout)?.[1]
  return told === undefined ? (ran.error?.message ?? ran.stderr.trim()) : Number(told)
}

/** Comes before a server's command, which has to be started by root; the home belongs to `uid`. */
export function confining({ folder }: Pick<Home, 'folder'>, uid: number, unit = UNIT): readonly string[] {
  return ['unshare', '--mount', '/usr/bin/python3', CONFINE, unit, String(uid), folder]
}

/** Settings that `confining` could not apply, a line each. */
export function notApplied({ folder }: Pick<Home, 'folder'>): readonly string[] {
  return readFileSync(join(folder, 'not-applied'), 'utf8').split('\n').filter(Boolean)
}

/** Of PrivateTmp and ProtectHome. */
const HIDDEN = /^\/(?:tmp|var\/tmp|home|root|run\/user)\//

/** Why no server can run under the unit's settings here; false if one can. */
export const cannotConfine =
  cannotMount || (HIDDEN.test(import.meta.dirname) && 'the unit hides the folder that this checkout is in')
