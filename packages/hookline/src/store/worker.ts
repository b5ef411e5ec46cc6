// The thread that has the database. A disk that stalls stalls this thread, and chat goes on.
import { parentPort, workerData } from 'node:worker_threads'
import { Chores } from './chores.ts'
import { Committer } from './committer.ts'
import { openDatabase } from './database.ts'
import type { OpenDatabase } from './database.ts'
import type { FromWorker, ToWorker, WriteJob } from './operations.ts'
import type { WorkerData } from './writer.ts'

if (parentPort) start(workerData as WorkerData, (message) => parentPort?.postMessage(message))

function start({ folder, maxPages }: WorkerData, post: (message: FromWorker) => void): void {
  let opened: OpenDatabase
  try {
    opened = openDatabase(folder, maxPages)
  } catch (error) {
    post({ refused: error instanceof Error ? error.message : String(error) })
    return
  }
  const committer = new Committer(opened)
  const chores = new Chores(committer, opened)
  // What is taken out is in SQLite's log as it was, until that is written over.
  let mustEmpty = false
  parentPort?.on('message', (message: ToWorker) => {
    if (message !== 'close') {
      const done = committer.run(message)
      mustEmpty ||= message.writes.some(([name]) => TAKES_OUT.has(name))
      if (mustEmpty) mustEmpty = !opened.empty()
      post(done)
      chores.after(message.lines.length + message.writes.length)
      return
    }
    chores.stop()
    opened.close()
    post('closed')
    parentPort?.close()
  })
  post('ready')
}

const TAKES_OUT: ReadonlySet<WriteJob[0]> = new Set(['redact', 'retract', 'erase'])
