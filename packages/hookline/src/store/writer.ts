// Starts the thread that owns the database.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { StoreFailure } from './failure.ts'
import type { Opened, StoreThread } from './operations.ts'

export interface WorkerData {
  readonly folder: string
  readonly maxPages: number | undefined
}

/** The thread, once it has opened the database. */
export interface Opening {
  readonly worker: StoreThread
  /** Whether the file was found sound before it was opened. */
  readonly isChecked: boolean
}

/** Resolves when the database is open; rejects with a `StoreFailure` when it cannot be. */
export async function startWorker(folder: string, maxPages: number | undefined): Promise<Opening> {
  const file = new URL('./worker.ts', import.meta.url)
  // Published, this file and its neighbour are .js.
  if (import.meta.url.endsWith('.js')) file.pathname = file.pathname.replace(/ts$/, 'js')
  const worker = new Worker(file, { workerData: { folder, maxPages } satisfies WorkerData, name: 'store' })
  const [message] = (await once(worker, 'message')) as [Opened]
  return await expectOpened(worker, message)
}

/** By its first message. */
export async function expectOpened(worker: StoreThread, message: Opened): Promise<Opening> {
  if ('isChecked' in message) return { worker, ...message }
  await worker.terminate()
  throw new StoreFailure(message.refused.reason, message.refused.message)
}
