// Full-text search in history. Messages are indexed some time after they were said, when the disk is idle; those not indexed yet
// are scanned.
import type { DatabaseSync } from 'node:sqlite'
import { stripControls } from '../text/controlchars.ts'
import { COLUMNS, rowOf, type StoredRow } from './historycolumns.ts'
import type { HistoryRow, SearchQuery } from './historyrows.ts'
import { earliest, heardSql, ranked, visible } from './pages.ts'
import { statements } from './rows.ts'

export interface SearchIndex {
  /** Indexes at most 100 messages, and says whether there are more. */
  readonly grow: () => boolean
  /** Removes this message from the index. */
  readonly forget: (row: Indexed) => void
  /** The same for deleted rows: new messages may reuse the last `seq` numbers. */
  readonly forgetGone: (rows: readonly Indexed[]) => void
  /** For a conversation without messages: its name goes too. */
  readonly forgetPlace: (conversation: string) => void
  readonly rename: (from: string, to: string) => void
  /** The newest that match, in order of time. */
  readonly search: (query: SearchQuery) => readonly HistoryRow[]
}

/** What the index needs of a message, to add or to remove it. */
export const INDEXED_COLUMNS = 'seq, command, conversation, nick AS "from", text, redacted'

export type Indexed = Pick<HistoryRow, 'command' | 'conversation' | 'from' | 'text'> & {
  readonly seq: number
  /** A redacted message is no longer in the index; removing it again would damage other entries. */
  readonly redacted?: unknown
}

export function searchIndex(db: DatabaseSync): SearchIndex {
  const rowsOf = statements(db)
  const mark = rowsOf<{ seq: number }>('SELECT seq FROM history_indexed')
  const move = db.prepare('UPDATE history_indexed SET seq = ?')
  const moveBack = db.prepare(`
    UPDATE history_indexed SET seq = (SELECT coalesce(max(seq), 0) FROM history)
    WHERE seq > (SELECT coalesce(max(seq), 0) FROM history)`)
  const fresh = rowsOf<Indexed>(`
    SELECT ${INDEXED_COLUMNS} FROM history WHERE seq > ? ORDER BY seq LIMIT ${STEP_ROWS}`)
  const insert = db.prepare('INSERT INTO history_words (rowid, place, who, words) VALUES (?, ?, ?, ?)')
  // A table without content must be told what it loses. https://www.sqlite.org/fts5.html#the_delete_command
  const remove = db.prepare(`
    INSERT INTO history_words (history_words, rowid, place, who, words) VALUES ('delete', ?, ?, ?, ?)`)
  const placesOf = rowsOf<{ id: number }>('SELECT id FROM history_places WHERE conversation = ? ORDER BY id')
  const newPlace = db.prepare('INSERT INTO history_places (conversation) VALUES (?)')
  const movePlace = db.prepare('UPDATE history_places SET conversation = ? WHERE conversation = ?')
  const removePlace = db.prepare('DELETE FROM history_places WHERE conversation = ?')
  const isAt = rowsOf<unknown>(
    'SELECT 1 FROM history_words WHERE history_words MATCH ? AND rowid = CAST(? AS INTEGER)',
  )
  const indexedTime = rowsOf<{ time: number }>(
    'SELECT time FROM history WHERE seq <= ? ORDER BY seq DESC LIMIT 1',
  )
  const inIndex = rowsOf<StoredRow>(SEARCH_SQL)
  const rangeOf = rowsOf<{ first: number | null; last: number | null; has_newer: number }>(`
    SELECT
      (SELECT min(seq) FROM (
        SELECT seq FROM history WHERE conversation = :conversation AND time > :after ORDER BY time LIMIT ${NEARBY})) AS first,
      (SELECT max(seq) FROM (
        SELECT seq FROM history WHERE conversation = :conversation AND time < :before ORDER BY time DESC LIMIT ${NEARBY})) AS last,
      EXISTS (SELECT 1 FROM history WHERE conversation = :conversation AND time >= :before) AS has_newer`)
  const inTail = rowsOf<StoredRow>(`
    SELECT ${COLUMNS} FROM history
    WHERE conversation = :conversation AND time > :after AND time < :before AND seq > :mark
      AND ${heardSql(':')} AND command <> 'TAGMSG'
    ORDER BY time DESC LIMIT ${MOST_UNINDEXED}`)

  const indexed = () => mark.get()?.seq ?? 0

  function tokensOf({ from }: Indexed, place: number | bigint, text: string): [string, string, string] {
    return [`p${String(place)}`, whoToken(from), text]
  }

  /** An earlier version indexed formatting, too, such as `04failed`: what is removed must be what was put in. */
  function textIndexed({ seq, text }: Indexed): string {
    const plain = stripControls(text)
    if (plain === text) return plain
    const words = new Set(wordsOf(plain))
    const odd = wordsOf(text).find((word) => !words.has(word))
    return odd !== undefined && isAt.get(`words : "${odd}"`, seq) !== undefined ? text : plain
  }

  function placeOf(conversation: string): number | bigint {
    return placesOf.get(conversation)?.id ?? newPlace.run(conversation).lastInsertRowid
  }

  /** Where it was indexed: a renamed channel brings its place to a name that may have one already. */
  function indexedAt({ conversation, seq }: Indexed): number | undefined {
    const [first, ...others] = placesOf.all(conversation)
    const other = others.find(({ id }) => isAt.get(`place : p${id}`, seq) !== undefined)
    return (other ?? first)?.id
  }

  /** The range of `seq` for that time, as rows are nearly in order of time: else a common word would be looked up in all of history. */
  function seqsBetween(conversation: string, after: number, before: number): { first: number; last: number } {
    const range = rangeOf.get({
      conversation,
      after: after - OUT_OF_ORDER_MS,
      before: before + OUT_OF_ORDER_MS,
    })
    // If the clock was ahead once, the newest by time are not the last by `seq`.
    const last = range?.has_newer ? (range.last ?? 0) : Number.MAX_SAFE_INTEGER
    return { first: range?.first ?? Number.MAX_SAFE_INTEGER, last }
  }

  function forget(row: Indexed): void {
    if (row.redacted || row.command === 'TAGMSG' || row.seq > indexed()) return
    const place = indexedAt(row)
    if (place !== undefined) remove.run(row.seq, ...tokensOf(row, place, textIndexed(row)))
  }

  function search(query: SearchQuery): HistoryRow[] {
    const { sights, from, before, limit } = query
    const words = needed(query.words)
    const lastIndexed = indexed()
    const tailAfter = (indexedTime.get(lastIndexed)?.time ?? 0) - OUT_OF_ORDER_MS
    const found: HistoryRow[] = []
    for (const sight of sights) {
      const after = Math.max(query.after, earliest(sight))
      const facts = { ...visible(sight), ...ranked(sight), after, before }
      const tail = inTail.all({ ...facts, after: Math.max(after, tailAfter), mark: lastIndexed })
      for (const row of tail) if (matches(row, { words, from })) found.push(rowOf(row))
      const places = placesOf.all(sight.conversation).map(({ id }) => `p${id}`)
      if (places.length === 0) continue
      const match = matchOf(places, { words, from })
      const range = seqsBetween(sight.conversation, after, before)
      for (const row of inIndex.all({ ...facts, ...range, words: match, limit })) found.push(rowOf(row))
    }
    return found.toSorted((one, other) => one.time - other.time).slice(-limit)
  }

  return {
    grow: () => {
      const rows = fresh.all(indexed())
      for (const row of rows)
        if (!row.redacted && row.command !== 'TAGMSG')
          insert.run(row.seq, ...tokensOf(row, placeOf(row.conversation), stripControls(row.text)))
      const last = rows.at(-1)
      if (last !== undefined) move.run(last.seq)
      return rows.length === STEP_ROWS
    },
    forget,
    forgetGone: (rows) => {
      rows.forEach(forget)
      if (rows.length > 0) moveBack.run()
    },
    forgetPlace: (conversation) => void removePlace.run(conversation),
    rename: (from, to) => void movePlace.run(to, from),
    search,
  }
}

/**
 * CROSS: the index first. SQLite would otherwise query it for each message of the conversation, which took ten seconds for 20,000.
 * INTEGER: FTS5 ignores a bound that is a floating-point number, as JavaScript's numbers are bound.
 */
export const SEARCH_SQL = `
  SELECT ${COLUMNS} FROM history_words CROSS JOIN history ON history.seq = history_words.rowid
  WHERE history_words MATCH :words AND history_words.rowid BETWEEN CAST(:first AS INTEGER) AND CAST(:last AS INTEGER)
    AND conversation = :conversation AND time > :after AND time < :before
    AND ${heardSql(':')} AND command <> 'TAGMSG'
  ORDER BY history_words.rowid DESC LIMIT :limit`

const STEP_ROWS = 100
/** Messages newer than the index that are scanned; others are found once they are indexed. */
const MOST_UNINDEXED = 20_000
/** A webhook's message is written a little after its own time. */
const OUT_OF_ORDER_MS = 60_000
/** How many messages are looked at on each edge of a time range, to find the lowest or highest `seq`. */
const NEARBY = 100

/**
 * Splits text as FTS5 does: runs of letters and digits, in which only Latin letters lose their diacritics.
 * https://www.sqlite.org/fts5.html#unicode61_tokenizer
 */
export function wordsOf(text: string): string[] {
  return (
    text
      .replaceAll(/[\u00c0-\u024f\u1e00-\u1eff]/g, (latin) => latin.normalize('NFD'))
      .replaceAll(DIACRITICS, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{Co}]+/gu) ?? []
  )
}

/** Those that FTS5 passes over within a word. Every other mark ends it. */
const DIACRITICS = /[\u0300-\u0304\u0306-\u030c\u030f\u0311\u031b\u0323-\u0328\u032d\u032e\u0330\u0331]/g

function whoToken(nick: string): string {
  return `n${Buffer.from(nick.normalize('NFC').toLowerCase()).toString('hex')}`
}

type Wanted = Pick<SearchQuery, 'words' | 'from'>

/** Every word must be there, or one that begins with it; for that, one or two letters are too few. */
function matchOf(places: readonly string[], { words, from }: Wanted): string {
  const parts = [`place : (${places.join(' OR ')})`]
  if (from !== undefined) parts.push(`who : ${whoToken(from)}`)
  for (const word of words) parts.push(`words : "${word}"${isBeginning(word) ? ' *' : ''}`)
  return parts.join(' AND ')
}

/** Without duplicates and without prefixes of other words, which match anyway: each word costs another lookup. */
export function needed(words: readonly string[]): string[] {
  const all = [...new Set(words)]
  return all.filter(
    (word) => !isBeginning(word) || !all.some((each) => each !== word && each.startsWith(word)),
  )
}

function isBeginning(word: string): boolean {
  return word.length > 2
}

function matches(row: Pick<StoredRow, 'from' | 'text'>, { words, from }: Wanted): boolean {
  if (from !== undefined && whoToken(row.from) !== whoToken(from)) return false
  const said = wordsOf(stripControls(row.text))
  return words.every((word) =>
    said.some((each) => (isBeginning(word) ? each.startsWith(word) : each === word)),
  )
}
