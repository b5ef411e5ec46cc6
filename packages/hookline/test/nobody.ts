// Another user than the one who runs the tests: only root can become one.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const NOBODY = 65_534

/** Comes before a command. */
export const AS_NOBODY: readonly [string, ...string[]] = [
  'setpriv',
  `--reuid=${NOBODY}`,
  `--regid=${NOBODY}`,
  '--clear-groups',
]

/** Why nothing of this checkout can be run as that user; false if it can. */
export const cannotBeNobody = process.getuid?.() === 0 ? whyUnreadable() : 'only root can become another user'

function whyUnreadable(): string | false {
  const [command, ...args] = AS_NOBODY
  const { status, error } = spawnSync(command, [...args, 'test', '-r', fileURLToPath(import.meta.url)])
  if (error) return error.message
  return status !== 0 && 'this checkout is in a folder that other users cannot read'
}
