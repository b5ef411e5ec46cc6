// The thread that owns the database. A stalled disk stalls this thread, and chat goes on.
import { parentPort, workerData } from 'node:worker_threads'
import { collectWhenIdle } from '../process/idlegarbage.ts'
import { serveDatabase } from './serving.ts'
import type { WorkerData } from './writer.ts'

/** Garbage worth the 20 ms that collecting it takes. What startup leaves behind is, too. */
const WORTH_BYTES = 4 * 1024 * 1024

if (parentPort) {
  serveDatabase(workerData as WorkerData, parentPort)
  collectWhenIdle(WORTH_BYTES, 0)
}
