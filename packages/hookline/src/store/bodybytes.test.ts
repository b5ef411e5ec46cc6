import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { bodyBytes } from './bodybytes.ts'
import { Committer } from './committer.ts'
import type { WriteJob } from './operations.ts'
import { delivery, migrated } from '../../test/rigs/store.ts'
import { migrations } from './schema.ts'
import { deliveryValues } from './values.ts'

const sum = 'SELECT sum(length(bytes)) AS bytes FROM delivery_packs'

test('the total size of bodies is updated with each batch, but not with a failed one', () => {
  using db = migrated()
  let isInPlace = true
  const expectInPlace = () => assert.ok(isInPlace)
  const committer = new Committer({ db, expectInPlace })
  const deliver = (...ids: string[]) => {
    const writes = ids.map((id): WriteJob => [
      'begin',
      deliveryValues(delivery({ id, body: randomBytes(3_000) })),
    ])
    return committer.run({ lines: [], writes, reads: [] }).writes.map(({ ok }) => ok)
  }
  assert.deepEqual(deliver('d1', 'd2'), [true, true])
  assert.deepEqual(deliver('d3', 'd1'), [true, false], 'the same id twice')
  isInPlace = false
  assert.deepEqual(deliver('d4'), [false])
  const bytes = db.prepare(sum).get()?.['bytes']
  assert.equal(bytes, 9_000)
  assert.equal(bodyBytes(db).total, bytes)
})

test('bodies from before the counter existed are counted once', () => {
  using db = migrated(5)
  const insert = db.prepare(
    "INSERT INTO deliveries (id, bot, received_at, status, body) VALUES (?, 'a', 1, 'posted', ?)",
  )
  for (const id of ['d1', 'd2']) insert.run(id, randomBytes(700))
  for (const migration of migrations.slice(5)) db.exec(migration)
  assert.equal(bodyBytes(db).total, 1_400)
})

test('so are texts', () => {
  using db = migrated(7)
  const insert = db.prepare(
    "INSERT INTO deliveries (id, bot, received_at, status, text) VALUES (?, 'a', 1, 'posted', ?)",
  )
  for (const [id, text] of Object.entries({ d1: 'é', d2: 'tea', d3: null })) insert.run(id, text)
  for (const migration of migrations.slice(7)) db.exec(migration)
  assert.equal(bodyBytes(db).total, 5)
})
