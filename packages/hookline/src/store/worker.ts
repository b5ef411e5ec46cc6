// The thread that has the database. A disk that stalls stalls this thread, and chat goes on.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { tidyAtRest } from '../rest.ts'
import { Chores } from './chores.ts'
import { Committer } from './committer.ts'
import { openDatabase, type OpenDatabase, opening } from './database.ts'
import type { FromWorker, ToWorker, WriteJob } from './operations.ts'
import type { WorkerData } from './writer.ts'
import { messageOf } from '../thrown.ts'

/** To collect its garbage takes 20 ms. What a start leaves behind is worth that too. */
const WORTH_BYTES = 4 * 1024 * 1024

if (parentPort) start(workerData as WorkerData, parentPort)

function start({ folder, maxPages }: WorkerData, port: MessagePort): void {
  const post = (message: FromWorker) => port.postMessage(message)
  let opened: OpenDatabase
  let committer: Committer
  try {
    opened = openDatabase(folder, maxPages)
    committer = opening(folder, () => new Committer(opened))
  } catch (error) {
    post({ refused: messageOf(error) })
    return
  }
  const chores = new Chores(committer, opened)
  // What is taken out is in SQLite's log as it was, until that is written over.
  let mustEmpty = false
  port.on('message', (message: ToWorker) => {
    if (message !== 'close') {
      const done = committer.run(message)
      mustEmpty ||= message.writes.some(([name]) => TAKES_OUT.has(name))
      if (mustEmpty) mustEmpty = !opened.empty()
      post(done)
      message.writes.forEach(letGo)
      chores.after(message.lines.length + message.writes.length)
      return
    }
    chores.stop()
    opened.close()
    post('closed')
    port.close()
  })
  tidyAtRest(WORTH_BYTES, 0)
  post('ready')
}

/** Of a body at once: until the garbage is collected a thousand would lie here, each in memory that is new. */
function letGo([name, input]: WriteJob): void {
  if (name !== 'begin' && name !== 'record') return
  const [, , , , , , { buffer }] = name === 'begin' ? input : input[0]
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0)
}

const TAKES_OUT: ReadonlySet<WriteJob[0]> = new Set(['redact', 'retract', 'erase'])
