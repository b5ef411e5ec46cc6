// The deliveries table: what came, and what became of it.
import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { IS_OF_BEFORE } from './botstate.ts'
import type { Begun, Delivery, DeliveryRecord, ListQuery, PendingRow } from './deliveryrows.ts'
import { type Coding, packed, unpacked } from './packing.ts'
import type { Packs, Slot } from './packs.ts'
import type { DeliveryValues, StoryValues } from './values.ts'

export interface DeliveriesTable {
  /** Same bot, key and body as before: `retry` when that one failed (it is pending from now on), else `duplicate`. */
  readonly begin: (delivery: DeliveryValues) => Begun
  /** The same, and writes what is `new` with its outcome, in one insert. */
  readonly record: (delivery: DeliveryValues, story: StoryValues) => Begun
  readonly finish: (id: string, story: StoryValues) => void
  /** Records why nothing of it is left. */
  readonly explain: (id: string, reason: string) => void
  readonly reopen: (id: string) => Delivery | undefined
  readonly get: (id: string) => Delivery | undefined
  readonly list: (query: ListQuery) => readonly DeliveryRecord[]
  readonly pending: () => readonly PendingRow[]
}

export function deliveriesTable(db: DatabaseSync, packs: Packs): DeliveriesTable {
  const insert = db.prepare(`
    INSERT INTO deliveries (id, bot, received_at, key, body_hash, event, headers, body, pack, pack_start, pack_bytes, status)
    VALUES (?, ?, ?, ?, ?, ?, ?, x'', ?, ?, ?, 'pending')`)
  const insertWhole = db.prepare(`
    INSERT INTO deliveries (id, bot, received_at, key, body_hash, event, headers, body, pack, pack_start, pack_bytes,
      status, finished_at, text, error, channels, composed_by, unresolved, reason, woken)
    VALUES (?, ?, ?, ?, ?, ?, ?, x'', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const twin = db.prepare(`SELECT ${COLUMNS} FROM deliveries WHERE bot = ? AND key = ? AND body_hash = ?`)
  // Two suffice: some senders have one key for everything they send.
  const sameKey = db.prepare(`
    SELECT ${COLUMNS}, body_hash AS bodyHash, body, body_coding AS coding FROM deliveries WHERE bot = ? AND key = ? LIMIT 2`)
  const update = db.prepare(`
    UPDATE deliveries SET status = ?, finished_at = ?, text = ?, error = ?, channels = ?,
      composed_by = ?, unresolved = ?, reason = ?, woken = ? WHERE id = ?`)
  const reopen = db.prepare(`
    UPDATE deliveries SET status = 'pending', finished_at = NULL, attempts = attempts + 1 WHERE id = ?`)
  const disown = db.prepare(
    `UPDATE deliveries SET key = NULL, body_hash = NULL WHERE id = ? AND ${IS_OF_BEFORE}`,
  )
  const explain = db.prepare('UPDATE deliveries SET reason = ? WHERE id = ?')
  const one = db.prepare(`
    SELECT ${COLUMNS}, headers, body, body_coding AS coding, pack, pack_start AS start, pack_bytes AS bytes
    FROM deliveries WHERE id = ?`)
  const last = db.prepare(`SELECT ${COLUMNS} FROM deliveries WHERE seq < ? ORDER BY seq DESC LIMIT ?`)
  const lastOf = db.prepare(
    `SELECT ${COLUMNS} FROM deliveries WHERE bot = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
  )
  const failed = db.prepare(`
    SELECT ${COLUMNS} FROM deliveries WHERE status = 'failed' AND ${UNHAPPY} AND seq < ? ORDER BY seq DESC LIMIT ?`)
  const failedOf = db.prepare(`
    SELECT ${COLUMNS} FROM deliveries WHERE status = 'failed' AND ${UNHAPPY} AND bot = ? AND seq < ? ORDER BY seq DESC LIMIT ?`)
  const place = db.prepare('SELECT seq FROM deliveries WHERE id = ?')
  const placeAt = db.prepare(`
    SELECT seq FROM deliveries WHERE received_at >= ? ORDER BY received_at, seq LIMIT 1`)
  const unfinished = db.prepare(`
    SELECT id, bot, received_at AS receivedAt FROM deliveries WHERE status = 'pending' AND ${UNHAPPY} ORDER BY seq`)

  function get(id: string): Delivery | undefined {
    const row = one.get(id) as StoredDelivery | undefined
    if (!row) return undefined
    return { ...recordOf(row), headers: read(row.headers, {}), body: bodyOf(row) }
  }

  function bodyOf({ body, coding, pack, start, bytes }: StoredDelivery): Uint8Array | null {
    if (pack !== null) return packs.read({ pack, start, bytes })
    return body && unpacked({ bytes: body, coding })
  }

  /** What the same bot got before with that key and body. */
  function before([, bot, , key, , , body]: DeliveryValues, bodyHash: string | null): Begun | undefined {
    if (key === null || bodyHash === null) return undefined
    const namesakes = sameKey.all(bot, key) as unknown as Namesake[]
    if (namesakes.length === 0) return undefined
    const row =
      (twin.get(bot, key, bodyHash) as StoredRecord | undefined) ??
      namesakes.find((each) => hasBody(each, body))
    // It came to a deleted bot of the same name, not to this one.
    if (!row || disown.run(row.id).changes > 0) return undefined
    if (row.status !== 'failed') return { kind: 'duplicate', row: recordOf(row) }
    reopen.run(row.id)
    return { kind: 'retry', id: row.id }
  }

  function factsOf(
    [id, bot, receivedAt, key, event, headers, body]: DeliveryValues,
    bodyHash: string | null,
  ) {
    const { pack, start, bytes } = packs.add(body)
    return [id, bot, receivedAt, key, bodyHash, event, headers, pack, start, bytes] as const
  }

  return {
    begin: (delivery) => {
      const bodyHash = hashOf(delivery)
      const known = before(delivery, bodyHash)
      if (known) return known
      insert.run(...factsOf(delivery, bodyHash))
      return { kind: 'new' }
    },
    record: (delivery, story) => {
      const bodyHash = hashOf(delivery)
      const known = before(delivery, bodyHash)
      if (known) return known
      insertWhole.run(...factsOf(delivery, bodyHash), ...story)
      return { kind: 'new' }
    },
    finish: (id, story) => void update.run(...story, id),
    explain: (id, reason) => void explain.run(reason, id),
    reopen: (id) => {
      reopen.run(id)
      return get(id)
    },
    get,
    list: ({ bot, failed: onlyFailed = false, before: end, limit }) => {
      const most = Math.max(0, Math.min(Math.trunc(limit), 1_000))
      const all = onlyFailed ? failed : last
      const ofBot = onlyFailed ? failedOf : lastOf
      const first =
        typeof end === 'string' ? place.get(end) : end === undefined ? undefined : placeAt.get(end)
      const below = Number(first?.['seq'] ?? Number.MAX_SAFE_INTEGER)
      const rows = bot === undefined ? all.all(below, most) : ofBot.all(bot, below, most)
      return (rows as unknown as StoredRecord[]).reverse().map(recordOf)
    },
    pending: () => unfinished.all() as unknown as PendingRow[],
  }
}

/** Recognises a repeated body. 144 bits, because the index holds one for each delivery. */
function hashOf([, , , key, , , body]: DeliveryValues): string | null {
  return key === null ? null : hash('sha256', body, 'base64url').slice(0, HASH_LENGTH)
}

const HASH_LENGTH = 24

/** For rows of older versions, which hashed the body as it came, or as compressed, where another Node may give other bytes. */
function hasBody({ bodyHash, body: bytes, coding }: Namesake, body: Uint8Array): boolean {
  if (bodyHash?.length === HASH_LENGTH) return false
  if (bytes) return Buffer.compare(unpacked({ bytes, coding }), body) === 0
  return (
    bodyHash === hash('sha256', body, 'hex') ||
    bodyHash === hash('sha256', packed(body).bytes, 'base64url').slice(0, 22)
  )
}

/** The condition of the index `deliveries_unhappy`, word for word: SQLite uses a partial index only for a query that implies it. */
const UNHAPPY = "status IN ('pending', 'failed')"

const COLUMNS = `
  id, bot, received_at AS receivedAt, finished_at AS finishedAt, status, event, channels, text, error, attempts,
  composed_by AS composedBy, unresolved, reason, woken`

// STRICT tables enforce the types of their columns, so the casts above are safe.
interface StoredRecord extends Omit<DeliveryRecord, 'channels' | 'unresolved' | 'woken'> {
  readonly channels: string
  readonly unresolved: string | null
  readonly woken: string | null
}
interface Namesake extends StoredRecord {
  readonly bodyHash: string | null
  readonly body: Uint8Array | null
  readonly coding: Coding | null
}
type StoredDelivery = StoredRecord & {
  readonly headers: string | null
  readonly body: Uint8Array | null
  readonly coding: Coding | null
} & (Slot | { readonly [Part in keyof Slot]: null })

// Node's rows have no prototype; callers get plain objects.
function recordOf(row: StoredRecord): DeliveryRecord {
  const { id, bot, receivedAt, finishedAt, status, event, text, error, attempts, composedBy, reason } = row
  return {
    id,
    bot,
    receivedAt,
    finishedAt,
    status,
    event,
    channels: read(row.channels, []),
    text,
    error,
    attempts,
    composedBy,
    unresolved: read(row.unresolved, []),
    reason,
    woken: read(row.woken, []),
  }
}

function read<T>(json: string | null, none: T): T {
  return json === null ? none : (JSON.parse(json) as T)
}
