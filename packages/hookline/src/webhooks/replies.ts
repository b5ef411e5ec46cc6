// What the store knows once it is on disk: which messages answer others.
import type { Replies } from '../store/store.ts'
import { replyTags } from '../store/threads.ts'
import type { Prepared } from './poster.ts'

/** The same, with the tags that its messages have in the history. */
export function answering(prepared: Prepared, replies: Replies | undefined): Prepared {
  if (replies === undefined || prepared.outcome.thread === undefined) return prepared
  const drafts = prepared.drafts.map((draft) => {
    const first = replies[draft.id]
    return first === undefined ? draft : { ...draft, clientTags: replyTags(first) }
  })
  return { ...prepared, drafts }
}
