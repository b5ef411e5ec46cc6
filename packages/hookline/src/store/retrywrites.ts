// Writes that are still wanted when the disk has room again.
import { setTimeout as pause } from 'node:timers/promises'
import { StoreFailure } from './failure.ts'

export interface Insisting {
  /** Once aborted, the next refusal is final. */
  readonly stopped: AbortSignal
  /** Delay before the next try. */
  readonly retryMs?: number | undefined
}

/** Repeats `write` until the disk takes it. Rejects at once where waiting does not help. */
export async function insist<T>(
  write: () => Promise<T>,
  { stopped, retryMs = 1_000 }: Insisting,
): Promise<T> {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof StoreFailure) || error.reason === 'job' || error.reason === 'closed') throw error
      if (stopped.aborted) throw error
      await pause(retryMs, undefined, { signal: stopped }).catch(() => {})
    }
  }
}
