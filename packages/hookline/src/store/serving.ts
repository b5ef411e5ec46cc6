// A database, opened and served in a thread: what the other one asks for is done, and answered, until it says `close`.
import type { MessagePort } from 'node:worker_threads'
import { Chores } from './chores.ts'
import { Committer } from './committer.ts'
import { openDatabase, type OpenDatabase } from './database.ts'
import { type FailureFacts, failureOf } from './failure.ts'
import type { FromWorker, Opened, ToWorker, WriteJob } from './operations.ts'
import { DELIVERY } from './values.ts'
import type { WorkerData } from './writer.ts'

/** The first message tells whether it could be opened. */
export function serveDatabase({ folder, maxPages }: WorkerData, port: MessagePort): void {
  const post = (message: Opened | FromWorker) => port.postMessage(message)
  let opened: OpenDatabase
  let committer: Committer
  try {
    opened = openDatabase(folder, maxPages)
    committer = new Committer(opened)
  } catch (error) {
    post({ refused: whyRefused(error) })
    return
  }
  const chores = new Chores(committer, opened)
  // A text that was redacted or erased stays in SQLite's WAL until that is truncated.
  let mustTruncate = false
  port.on('message', (message: ToWorker) => {
    if (message !== 'close') {
      const done = committer.run(message)
      mustTruncate ||= message.writes.some(([name]) => REMOVES_TEXT.has(name))
      if (mustTruncate) mustTruncate = !opened.truncateWal()
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
  post({ isChecked: opened.isChecked })
}

/** A failure of one item would be of none yet: a table is missing, or is that of another program. */
function whyRefused(error: unknown): FailureFacts {
  const { reason, message } = failureOf(error)
  return { reason: reason === 'job' ? 'damaged' : reason, message }
}

/** Frees a body at once: until a garbage collection, a thousand could pile up, each in newly allocated memory. */
function letGo([name, input]: WriteJob): void {
  if (name !== 'begin' && name !== 'record') return
  const [delivery] = name === 'begin' ? [input] : input
  const { buffer } = delivery[DELIVERY.body]
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0)
}

const REMOVES_TEXT: ReadonlySet<WriteJob[0]> = new Set(['redact', 'retract', 'erase'])
