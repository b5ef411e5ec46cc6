// File systems that only the command sees, in a mount namespace of its own.
import { spawnSync } from 'node:child_process'
import { inShell } from './command.ts'

export const cannotMount =
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status !== 0 &&
  'no mount namespace here: needs root and unshare'

/** What runs the command there; `script` mounts, and ends with `exec "$@"`. */
export function mounting(script: string): readonly string[] {
  return ['unshare', '--mount', ...inShell(script)]
}
