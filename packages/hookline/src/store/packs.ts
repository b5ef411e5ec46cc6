// Bodies of deliveries on disk. Those of one transaction share a pack: bodies of a burst are alike and take a tenth of the space
// that they would take one by one, and Brotli is set up once for all of them.
import type { DatabaseSync } from 'node:sqlite'
import type { BodyBytes } from './bodybytes.ts'
import { packed, type Packed, unpacked } from './packing.ts'
import { statements } from './rows.ts'

/** Where a body is: in which pack, and where in the unpacked bytes. */
export interface Slot {
  readonly pack: number
  readonly start: number
  readonly bytes: number
}

export interface Packs {
  /** Where it will lie after `save`. */
  add(body: Uint8Array): Slot
  read(slot: Slot): Uint8Array
  /** To be called when a delivery has left it: removes the pack after its last delivery. */
  release(pack: number | null): void
  /** To be called before COMMIT. */
  save(): void
  /** To be called when that is rolled back. */
  forget(): void
}

/** `size` counts the bytes of all packs, and is to be saved after them. */
export function packsTable(db: DatabaseSync, size: BodyBytes): Packs {
  const rowsOf = statements(db)
  const insert = db.prepare('INSERT INTO delivery_packs (id, bytes, coding) VALUES (?, ?, ?)')
  const last = rowsOf<{ id: number | null }>('SELECT max(id) AS id FROM delivery_packs')
  const one = rowsOf<Packed>('SELECT bytes, coding FROM delivery_packs WHERE id = ?')
  const resident = rowsOf<unknown>('SELECT 1 FROM deliveries WHERE pack = ? LIMIT 1')
  const remove = rowsOf<{ bytes: number }>(
    'DELETE FROM delivery_packs WHERE id = ? RETURNING length(bytes) AS bytes',
  )

  let open: OpenPack | undefined
  /** Whoever reads a body usually reads its neighbours next. */
  let read: { readonly pack: number; readonly bytes: Uint8Array } | undefined

  function begin(): OpenPack {
    open = { id: (last.get()?.id ?? 0) + 1, bodies: [], bytes: 0 }
    return open
  }

  function save(): void {
    if (!open) return
    const { bytes, coding } = packed(joined(open))
    insert.run(open.id, bytes, coding)
    size.add(bytes.byteLength)
    open = undefined
  }

  function contents(pack: number): Uint8Array {
    if (open?.id === pack) return joined(open)
    if (read?.pack === pack) return read.bytes
    const found = one.get(pack)
    if (found === undefined) throw new Error(`no pack ${pack}`)
    const bytes = unpacked(found)
    if (bytes.byteLength <= MOST_BYTES) read = { pack, bytes }
    return bytes
  }

  return {
    add: (body) => {
      if (open && open.bytes + body.byteLength > MOST_BYTES) save()
      const pack = open ?? begin()
      const slot = { pack: pack.id, start: pack.bytes, bytes: body.byteLength }
      pack.bodies.push(body)
      pack.bytes += body.byteLength
      return slot
    },
    // A copy: a subarray sent to another thread would bring the whole pack.
    read: ({ pack, start, bytes }) => contents(pack).slice(start, start + bytes),
    release: (pack) => {
      if (pack === null || resident.get(pack)) return
      size.add(-(remove.get(pack)?.bytes ?? 0))
      if (open?.id === pack) open = undefined
      if (read?.pack === pack) read = undefined
    },
    save,
    forget: () => {
      open = undefined
      read = undefined
    },
  }
}

interface OpenPack {
  readonly id: number
  readonly bodies: Uint8Array[]
  bytes: number
}

/** Beyond this a new pack begins; a larger body has its own. Kept small, as reading a body means unpacking its whole pack. */
const MOST_BYTES = 1024 * 1024

/** Use the result before the next call: the buffer is shared, since allocating one costs more than filling it. */
function joined({ bodies: [first, ...others], bytes }: OpenPack): Uint8Array {
  if (!first || others.length === 0) return first ?? new Uint8Array()
  room ??= new Uint8Array(MOST_BYTES)
  let at = 0
  for (const body of [first, ...others]) {
    room.set(body, at)
    at += body.byteLength
  }
  return room.subarray(0, bytes)
}

let room: Uint8Array | undefined
