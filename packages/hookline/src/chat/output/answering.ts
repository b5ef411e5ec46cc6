// Commands that are labelled, while they run.
import type { Chat } from '../chat.ts'
import type { Session } from '../session.ts'
import { mayBeLabelled, Response } from './response.ts'

/** Runs `run`; if the command was labelled, what this session is sent meanwhile is collected into one answer. */
export function answering(chat: Chat, session: Session, label: string | undefined, run: () => void): void {
  // A label kept for the end of a batch: the client may have given up the capability since.
  if (label === undefined || !mayBeLabelled(session.caps)) return run()
  const response = new Response(label, chat.newBatch())
  // The response of the BATCH that ends a labelled one, if it has a label too.
  const outer = session.response
  session.response = response
  try {
    run()
  } finally {
    if (session.response === response) {
      session.response = outer
      session.outbox.push(response.write(chat.settings.name, session.caps))
    }
  }
}
