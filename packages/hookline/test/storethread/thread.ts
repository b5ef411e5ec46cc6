// The thread: a database for each order.
import { type MessagePort, parentPort } from 'node:worker_threads'
import { serveDatabase } from '../../src/store/serving.ts'
import type { WorkerData } from '../../src/store/writer.ts'

export interface Order {
  readonly data: WorkerData
  readonly port: MessagePort
}

parentPort?.on('message', ({ data, port }: Order) => serveDatabase(data, port))
