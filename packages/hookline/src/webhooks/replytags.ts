// Which messages reply to others: known once the store has them on disk.
import type { Replies } from '../store/deliveryrows.ts'
import { replyTags } from '../store/threads.ts'
import type { Prepared } from './poster.ts'

/** Adds the reply tags that its messages have in the history. */
export function withReplyTags(prepared: Prepared, replies: Replies | undefined): Prepared {
  if (replies === undefined || prepared.outcome.thread === undefined) return prepared
  const drafts = prepared.drafts.map((draft) => {
    const first = replies[draft.id]
    return first === undefined ? draft : { ...draft, clientTags: replyTags(first) }
  })
  return { ...prepared, drafts }
}
