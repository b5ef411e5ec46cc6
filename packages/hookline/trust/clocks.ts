// A process whose clock is wrong.
import { globSync } from 'node:fs'

/** Of Debian's libfaketime, for programs with threads. The command `faketime` would stand between us and the server. */
const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')

/** Why the clock of a process cannot be set; false if it can. */
export const cannotTurnClocks = library === undefined && 'libfaketime is not installed'

/** What runs a command so many days from now. The monotonic clock stays as it is, as when a machine's clock is set. */
export function byClock(days: number): readonly string[] {
  if (days === 0 || library === undefined) return []
  const by = {
    LD_PRELOAD: library,
    FAKETIME: `${days > 0 ? '+' : ''}${days}d`,
    FAKETIME_DONT_FAKE_MONOTONIC: 1,
  }
  return ['env', ...Object.entries(by).map(([name, value]) => `${name}=${value}`)]
}
