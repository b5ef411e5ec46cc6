// An in-memory history, as far as the chat knows one: messages, from the same records that the store gets.
import type { Chat } from '../../src/chat/chat.ts'
import type { Entry } from '../../src/chat/events.ts'
import type { History, PageQuery, Past, PastMessage, Sight } from '../../src/chat/past.ts'
import { eventRecord, messageRecord } from '../../src/chat/record.ts'

/** Beyond it nothing more is remembered. */
const REMEMBERED = 2_000

type Row = Past & { readonly conversation: string; readonly closed?: number | undefined }

/** `slowly` answers when the world lets it. */
export function memoryHistory(slowly: <T>(answer: () => T) => Promise<T>) {
  const rows: Row[] = []
  const history: History = {
    find: (id) => slowly(() => rows.find((row): row is Row & PastMessage => row.id === id && 'text' in row)),
    redact: (id) =>
      slowly(() => {
        const at = rows.findIndex((row) => row.id === id)
        if (at !== -1) rows.splice(at, 1)
        return true
      }),
    page: (query) => slowly(() => pageOf(rows, query)),
    targets: ({ channels, party, limit }) =>
      slowly(() => {
        const mine = (row: Row) =>
          channels.some(({ conversation }) => conversation === row.conversation) ||
          row.conversation.split(' ').includes(party)
        const latest = new Map(rows.filter(mine).map(({ conversation, time }) => [conversation, time]))
        return [...latest].map(([conversation, time]) => ({ conversation, time })).slice(0, limit)
      }),
    search: (query) => slowly(() => pageOf(rows, { ...query, isWithEvents: false, cut: { kind: 'newest' } })),
    timeOf: (id) => (/^id\d+$/.test(id) ? 0 : undefined),
  }
  return {
    history,
    keep({ state, settings }: Chat, entry: Entry, change: unknown): void {
      if (rows.length >= REMEMBERED) return
      const { event } = entry
      if (event.kind === 'said') {
        const message = messageRecord(state, entry, event, settings.history.keptTags)
        if (message !== undefined) rows.push(message)
        return
      }
      const record = eventRecord(state, entry, change)
      if (record === undefined) return
      const { places, ...facts } = record
      for (const place of places) rows.push({ ...facts, ...place })
    },
    forget: () => rows.splice(0),
  }
}

/** Whatever the cut, the newest: which rows they are is the store's to prove. */
function pageOf(rows: readonly Row[], { sights, limit, isWithEvents }: PageQuery): readonly Past[] {
  const isSeen = (row: Row) =>
    sights.some((sight) => isIn(row, sight)) && (isWithEvents || !('params' in row))
  return rows.filter(isSeen).slice(-limit)
}

function isIn(row: Row, { conversation, incarnation, since = '' }: Sight): boolean {
  const isOpen = row.closed === undefined || row.closed === incarnation
  return row.conversation === conversation && row.id > since && isOpen
}
