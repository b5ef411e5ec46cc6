// The deliveries table: what came, and what became of it.
import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { IS_OF_BEFORE } from './botstate.ts'
import type { BodyBytes } from './bodybytes.ts'
import { COLUMNS, read, recordOf, type StoredRecord } from './deliverylists.ts'
import type { Begun, Delivery } from './deliveryrows.ts'
import { type Coding, packed, unpacked } from './packing.ts'
import type { Packs, Slot } from './packs.ts'
import { statements } from './rows.ts'
import { DELIVERY, type DeliveryValues, STORY, type StoryValues } from './values.ts'

export interface DeliveriesTable {
  /**
   * Writes what is `new`, as pending unless its story is known already. Same bot, key and, if that is not enough, body as before: `retry` when that one
   * failed (it is pending from now on), else `duplicate`.
   */
  readonly add: (delivery: DeliveryValues, story?: StoryValues) => Begun
  readonly finish: (id: string, story: StoryValues) => void
  /** Records why nothing of it is left. */
  readonly explain: (id: string, reason: string) => void
  /** One whose body was pruned stays as it is. */
  readonly reopen: (id: string) => Delivery | undefined
  readonly get: (id: string) => Delivery | undefined
}

export function deliveriesTable(db: DatabaseSync, packs: Packs, size: BodyBytes): DeliveriesTable {
  const rowsOf = statements(db)
  // A clock that was set back meanwhile lets nothing end before it came.
  const insert = db.prepare(`
    INSERT INTO deliveries (id, bot, received_at, key, body_hash, event, headers, body, pack, pack_start, pack_bytes,
      status, finished_at, text, error, channels, composed_by, unresolved, reason, woken)
    VALUES (?, ?, ?3, ?, ?, ?, ?, x'', ?, ?, ?, ?, max(?, ?3), ?, ?, ?, ?, ?, ?, ?)`)
  const twin = rowsOf<StoredRecord>(
    `SELECT ${COLUMNS} FROM deliveries WHERE bot = ? AND key = ? AND body_hash = ?`,
  )
  // Two suffice: some senders have one key for everything they send.
  const sameKey = rowsOf<Namesake>(`
    SELECT ${COLUMNS}, body_hash AS bodyHash, body, body_coding AS coding FROM deliveries WHERE bot = ? AND key = ? LIMIT 2`)
  const update = db.prepare(`
    UPDATE deliveries SET status = ?, finished_at = max(?, received_at), text = ?, error = ?, channels = ?,
      composed_by = ?, unresolved = ?, reason = ?, woken = ? WHERE id = ?`)
  const reopen = db.prepare(`
    UPDATE deliveries SET status = 'pending', finished_at = NULL, attempts = attempts + 1
    WHERE id = ? AND body IS NOT NULL`)
  const disown = db.prepare(
    `UPDATE deliveries SET key = NULL, body_hash = NULL WHERE id = ? AND ${IS_OF_BEFORE}`,
  )
  const textBytes = rowsOf<{ bytes: number }>(
    'SELECT coalesce(octet_length(text), 0) AS bytes FROM deliveries WHERE id = ?',
  )
  const explain = db.prepare('UPDATE deliveries SET reason = ? WHERE id = ?')
  const one = rowsOf<StoredDelivery>(`
    SELECT ${COLUMNS}, headers, body, body_coding AS coding, pack, pack_start AS start, pack_bytes AS bytes
    FROM deliveries WHERE id = ?`)

  function get(id: string): Delivery | undefined {
    const row = one.get(id)
    if (!row) return undefined
    return { ...recordOf(row), headers: read(row.headers, {}), body: bodyOf(row) }
  }

  function bodyOf({ body, coding, pack, start, bytes }: StoredDelivery): Uint8Array | null {
    if (pack !== null) return packs.read({ pack, start, bytes })
    return body && unpacked({ bytes: body, coding })
  }

  /** What the same bot got before with that key, and with that body where the key is not enough. */
  function before(delivery: DeliveryValues, bodyHash: string | null): Begun | undefined {
    const bot = delivery[DELIVERY.bot]
    const key = delivery[DELIVERY.key]
    if (bodyHash === null) return undefined
    const namesakes = sameKey.all(bot, key)
    if (namesakes.length === 0) return undefined
    const row = delivery[DELIVERY.isKeyEnough]
      ? namesakes[0]
      : (twin.get(bot, key, bodyHash) ?? namesakes.find((each) => hasBody(each, delivery[DELIVERY.body])))
    // It came to a deleted bot of the same name, not to this one.
    if (!row || disown.run(row.id).changes > 0) return undefined
    if (row.status !== 'failed') return { kind: 'duplicate', row: recordOf(row) }
    reopen.run(row.id)
    return { kind: 'retry', id: row.id }
  }

  return {
    add: (delivery, story = PENDING) => {
      const bodyHash = hashOf(delivery)
      const known = before(delivery, bodyHash)
      if (known) return known
      const [id, bot, receivedAt, key, event, headers, , body] = delivery
      const { pack, start, bytes } = packs.add(body)
      insert.run(id, bot, receivedAt, key, bodyHash, event, headers, pack, start, bytes, ...story)
      size.add(0, bytesOfText(story))
      return { kind: 'new' }
    },
    finish: (id, story) => {
      const old = textBytes.get(id)
      if (old === undefined) return
      update.run(...story, id)
      size.add(0, bytesOfText(story) - old.bytes)
    },
    explain: (id, reason) => void explain.run(reason, id),
    reopen: (id) => {
      reopen.run(id)
      return get(id)
    },
    get,
  }
}

const PENDING: StoryValues = ['pending', null, null, null, '[]', null, null, null, null]

function bytesOfText(story: StoryValues): number {
  const text = story[STORY.text]
  return text === null ? 0 : Buffer.byteLength(text)
}

/** Recognises a repeated body. 144 bits, because the index holds one for each delivery. */
function hashOf(delivery: DeliveryValues): string | null {
  if (delivery[DELIVERY.key] === null) return null
  return hash('sha256', delivery[DELIVERY.body], 'base64url').slice(0, HASH_LENGTH)
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
