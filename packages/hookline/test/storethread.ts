// One thread for the databases of all servers of a process: to start one takes longer than most tests.
import { EventEmitter, once } from 'node:events'
import { MessageChannel, type MessagePort, type Transferable, Worker } from 'node:worker_threads'
import type { Opened, StoreThread, ToWorker } from '../src/store/operations.ts'
import { expectOpened, type Opening } from '../src/store/writer.ts'
import type { Order } from './storethread/thread.ts'

let thread: Worker | undefined

/** As `startWorker` does in a thread of its own. */
export async function openInThread(folder: string, maxPages?: number): Promise<Opening> {
  thread ??= begin()
  const { port1, port2 } = new MessageChannel()
  thread.postMessage({ data: { folder, maxPages }, port: port2 } satisfies Order, [port2])
  const [message] = (await once(port1, 'message')) as [Opened]
  return await expectOpened(threadOf(port1), message)
}

function begin(): Worker {
  const worker = new Worker(new URL('storethread/thread.ts', import.meta.url), { name: 'stores' })
  worker.unref()
  return worker
}

/** Ends, for its store, when its port is closed. */
function threadOf(port: MessagePort): StoreThread {
  const thread = Object.assign(new EventEmitter(), {
    postMessage: (message: ToWorker, handedOver: readonly Transferable[] = []) =>
      port.postMessage(message, handedOver),
    async terminate() {
      port.close()
      await once(port, 'close')
    },
  })
  port.on('message', (message) => thread.emit('message', message))
  port.on('close', () => thread.emit('exit'))
  return thread
}
