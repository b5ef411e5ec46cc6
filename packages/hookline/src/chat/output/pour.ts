// A batch that may be long, sent in parts, as fast as it is read.
import type { Session } from '../session.ts'
import type { Chat } from '../spine.ts'
import { Batch } from './batch.ts'
import type { Telling } from './line.ts'

/** Share of the send queue that one part may take, and that may be unread when it is written. */
const SHARE = 1 / 4
/** 512, and the batch tag. */
const LINE_BYTES = 544
const PAUSE_MS = 50

/** Never fills the send queue. False, with nothing written, while another batch is in progress or too much is unread. */
export function pour(
  chat: Chat,
  session: Session,
  { type, params, lines }: { type: string; params: readonly string[]; lines: Iterable<Telling> },
): boolean {
  const share = chat.settings.limits.sendQueueBytes * SHARE
  const room = Math.floor(share / LINE_BYTES)
  if (session.isPouring || session.outbox.unread > share) return false
  const batch = { source: chat.settings.name, ref: chat.newBatch(), type, params }
  const rest = lines[Symbol.iterator]()
  const first = take(rest, room)
  session.send(new Batch({ ...batch, lines: first.lines, closes: first.isLast }))
  if (first.isLast) return true
  session.isPouring = true
  // The answer that it is part of does not end before it.
  const { response } = session
  response?.hold()
  const goOn = (): void => {
    if (session.isClosed) return
    if (session.outbox.unread <= share) {
      const { lines: next, isLast } = take(rest, room)
      const part = new Batch({ ...batch, lines: next, opens: false, closes: isLast })
      if (isLast) response?.release()
      if (response === undefined) session.send(part)
      else {
        response.add(part)
        session.outbox.push(response.write(chat.settings.name, session.caps))
      }
      if (isLast) return void (session.isPouring = false)
    }
    chat.world.later(PAUSE_MS, goOn)
  }
  chat.world.later(PAUSE_MS, goOn)
  return true
}

function take(rest: Iterator<Telling>, room: number): { lines: Telling[]; isLast: boolean } {
  const lines: Telling[] = []
  while (lines.length < room) {
    const next = rest.next()
    if (next.done === true) return { lines, isLast: true }
    lines.push(next.value)
  }
  return { lines, isLast: false }
}
