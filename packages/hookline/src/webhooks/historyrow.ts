// Converts a draft into a history row.
import type { Draft } from '../chat/drafts.ts'
import type { HistoryRow } from '../store/historyrows.ts'

export function historyRow(draft: Draft): HistoryRow {
  const { id, at, command, conversation, target, nick, mask, account, isBot, text, delivery } = draft
  const { closed, clientTags = [] } = draft
  return {
    id,
    time: at,
    command,
    conversation,
    ...(closed === undefined ? {} : { closed }),
    target,
    from: nick,
    mask,
    account,
    isBot,
    text,
    tags: clientTags.length === 0 ? '{}' : JSON.stringify(Object.fromEntries(clientTags)),
    delivery,
  }
}
