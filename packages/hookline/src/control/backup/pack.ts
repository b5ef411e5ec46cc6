// Makes a backup in a separate process, and cleans up after it.
import { type ChildProcess, execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { StoreFailure } from '../../store/failure.ts'
import type { Manifest } from './archive.ts'
import { SCRATCH } from './contents.ts'
import type { Packed, PackOrder } from './packer.ts'

/** Rejects with a `StoreFailure`, and leaves nothing behind. On abort the process is killed at once. */
export async function packBackup(order: Omit<PackOrder, 'scratch'>, signal: AbortSignal): Promise<Manifest> {
  const scratch = mkdtempSync(order.file + SCRATCH)
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
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Lowers its priority: the server's answers come first. */
function giveWay({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, 10)
  } catch {
    // It has ended already, or the system does not permit it.
  }
}
