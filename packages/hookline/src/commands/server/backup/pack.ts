// Makes a backup in a separate process, and cleans up after it.
import { type ChildProcess, execFile } from 'node:child_process'
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { StoreFailure } from '../../../store/failure.ts'
import { type Lock, takeLock } from '../../../store/lock.ts'
import type { Manifest } from './archive.ts'
import { isScratch, SCRATCH } from './contents.ts'
import type { Packed, PackOrder } from './packer.ts'

/** Rejects with a `StoreFailure`, and leaves nothing behind. On abort the process is killed at once. */
export async function packBackup(order: Omit<PackOrder, 'scratch'>, signal: AbortSignal): Promise<Manifest> {
  sweepScratch(dirname(order.file))
  const { scratch, lock } = makeScratch(order.file)
  // In the published package, this file and its neighbour are .js.
  const packer = fileURLToPath(import.meta.url.replace(/pack(?=\.[jt]s$)/, 'packer'))
  const args = [packer, JSON.stringify({ ...order, scratch } satisfies PackOrder)]
  try {
    const packing = promisify(execFile)(process.execPath, args, { signal, killSignal: 'SIGKILL' })
    giveWay(packing.child)
    const packed = JSON.parse((await packing).stdout) as Packed
    if ('failed' in packed) throw new StoreFailure(packed.failed.reason, packed.failed.message)
    return packed.manifest
  } finally {
    lock.release()
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** A new scratch folder, locked. Until it is, another backup may take it for one that was left, and remove it. */
function makeScratch(file: string, triesLeft = 3): { scratch: string; lock: Lock } {
  const scratch = mkdtempSync(file + SCRATCH)
  const path = join(scratch, LOCK)
  try {
    const lock = takeLock(path, 0)
    if (lock && existsSync(path)) return { scratch, lock }
    lock?.release()
  } catch (error) {
    rmSync(scratch, { recursive: true, force: true })
    if (triesLeft <= 0) throw error
  }
  return makeScratch(file, triesLeft - 1)
}

/** In a backup's scratch folder; held as long as the process that waits for the backup lives. */
const LOCK = 'lock'

/** Removes what backups to this folder have left that were killed, as far as this user may. */
function sweepScratch(folder: string): void {
  try {
    for (const name of readdirSync(folder)) if (isScratch(name)) sweep(join(folder, name))
  } catch {
    // It is no reason not to make another.
  }
}

function sweep(scratch: string): void {
  const file = join(scratch, LOCK)
  // In a shared folder such as /tmp, another user's may have a link for a lock.
  if (lstatSync(scratch).uid !== process.getuid?.() || !existsSync(file)) return
  const lock = takeLock(file, 0)
  if (!lock) return
  rmSync(scratch, { recursive: true, force: true })
  lock.release()
}

/** Lowers its priority: the server's answers come first. */
function giveWay({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, 10)
  } catch {
    // It has ended already, or the system does not permit it.
  }
}
