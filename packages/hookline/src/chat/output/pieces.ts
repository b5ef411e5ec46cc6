// An answer too long for one turn of the event loop: the rest follows in later turns, as fast as it is read, and others are served in
// between. Each line reflects the state when it is written, so that nobody is listed who was reported gone.
import type { Chat } from '../chat.ts'
import type { Session } from '../session.ts'
import { Batch, type BatchFields } from './batch.ts'
import type { Telling } from './line.ts'
import type { Steps, Task } from './response.ts'

/** Steps per turn. A step is at most a line or a message, and takes 1 to 10 µs; a turn ends early if they are long. */
const STEPS_A_TURN = 100
/** How much of the send queue may be unread when the next piece is sent, and about how much a piece may have. */
const SHARE = 1 / 4
const PAUSE_MS = 50

/**
 * A short answer is sent at once, unless much is unread; of a long one only the beginning. No further command of the session runs
 * before the rest is sent.
 */
export function tellInPieces(chat: Chat, session: Session, steps: Steps): void {
  const { rest, response } = session
  if (rest === undefined && !hasMuchUnread(session) && go(session, steps)) return
  response?.hold()
  const task = { steps, response }
  if (rest !== undefined) return void rest.tasks.push(task)
  const tasks = [task]
  const told = tellRest(chat, session, tasks).catch((error: unknown) => {
    chat.world.report(error)
    chat.close(session, 'Internal error')
  })
  session.rest = { tasks, told }
}

async function tellRest(chat: Chat, session: Session, tasks: Task[]): Promise<void> {
  for (let task = tasks[0]; task !== undefined; task = tasks[0]) {
    await untilRead(chat, session)
    if (session.isClosed) return
    const { steps, response } = task
    session.response = response
    const isOver = go(session, steps)
    session.response = undefined
    if (isOver) {
      tasks.shift()
      response?.release()
    }
    if (response !== undefined) session.outbox.push(response.write(chat.settings.name, session.caps))
  }
  session.rest = undefined
}

/** True when it is finished. */
function go(session: Session, steps: Steps): boolean {
  for (let step = 0; step < STEPS_A_TURN; step++) {
    if (steps.next().done === true) return true
    if (hasMuchUnread(session)) return false
  }
  return false
}

/**
 * Asks the disk for what may be long, but not before most of what `session` was sent is read: of many answers asked for at once, one
 * is made at a time. Also undefined if the session closes meanwhile.
 */
export function askOnceRead<Found>(
  chat: Chat,
  session: Session,
  ask: () => Promise<Found> | undefined,
): Promise<Found | undefined> | undefined {
  if (!hasMuchUnread(session)) return ask()
  return untilRead(chat, session).then(() => (session.isClosed ? undefined : ask()))
}

/** Resolves after this turn's output is written. A session that reads too little for as long as a PING may go unanswered is closed. */
async function untilRead(chat: Chat, session: Session): Promise<void> {
  const { pingTimeoutMs } = chat.settings.limits
  const since = chat.world.elapsed()
  await new Promise<void>((resolve) => chat.world.soon(resolve))
  while (!session.isClosed && hasMuchUnread(session)) {
    if (chat.world.elapsed() - since > pingTimeoutMs) return chat.close(session, 'SendQ exceeded')
    await new Promise<void>((resolve) => chat.world.later(PAUSE_MS, resolve))
  }
}

/** True while `session` has read too little of what it was sent to be sent more that it did not ask for. */
export function hasMuchUnread({ outbox, response }: Session): boolean {
  return outbox.unread + (response?.size ?? 0) > outbox.limit * SHARE
}

type Fields = Pick<BatchFields, 'type' | 'params' | 'tag'>

/** A batch that is the whole answer: in one, so that a label stands on it, unless it is too long for that. */
export function tellBatch(chat: Chat, session: Session, batch: Fields & Pick<BatchFields, 'lines'>): void {
  const size = batch.lines.reduce((sum, line) => sum + line.form(session.caps).length, 0)
  if (size <= session.outbox.limit * SHARE) session.send(chat.batch(batch))
  else tellInPieces(chat, session, batchInSteps(chat, session, batch))
}

/** A batch as part of such an answer; `lines` may be empty. */
export function* batchInSteps(
  chat: Chat,
  session: Session,
  { lines, ...fields }: Fields & { lines: Iterable<Telling> },
): Generator {
  const batch = { source: chat.settings.name, ref: chat.newBatch(), ...fields }
  session.send(new Batch({ ...batch, lines: [], closes: false }))
  for (const line of lines) {
    session.send(new Batch({ ...batch, lines: [line], opens: false, closes: false }))
    yield
  }
  session.send(new Batch({ ...batch, lines: [], opens: false }))
}
