// Conversations of which no message is left: they leave no name behind.
import type { DatabaseSync } from 'node:sqlite'
import { statements } from './rows.ts'
import type { SearchIndex } from './search.ts'

/** To be called with conversations that lost messages. */
export function emptied(
  db: DatabaseSync,
  index: Pick<SearchIndex, 'forgetPlace'>,
): (conversations: Iterable<string>) => void {
  const anyLeft = statements(db)<unknown>('SELECT 1 FROM history WHERE conversation = ? LIMIT 1')
  const part = db.prepare('DELETE FROM correspondents WHERE party = ? AND conversation = ?')
  return (conversations) => {
    for (const conversation of conversations) {
      if (anyLeft.get(conversation) !== undefined) continue
      for (const party of conversation.split(' ')) part.run(party, conversation)
      index.forgetPlace(conversation)
    }
  }
}
