import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { bodyBytes } from './bodybytes.ts'
import { Committer } from './committer.ts'
import type { Delivery } from './deliveryrows.ts'
import type { WriteJob } from './operations.ts'
import { packed } from './packing.ts'
import { delivery } from './samples.test.ts'
import { migrations } from './schema.ts'
import { deliveryValues } from './values.ts'

const day = 24 * 60 * 60 * 1_000

test('a burst is stored in one pack, in a tenth of the space, and each body comes back unchanged', () => {
  using db = database()
  const bodies = Array.from({ length: 32 }, (_, n) => Buffer.from(workflowRun(n)))
  commit(db, ...bodies.map((body, n) => begin(`d${n}`, body)))
  const [pack, ...others] = packsIn(db)
  assert.deepEqual(others, [])
  assert.ok(pack)
  assert.equal(pack.coding, 'br')
  const alone = bodies.reduce((sum, body) => sum + packed(body).bytes.byteLength, 0)
  assert.ok(pack.bytes < alone / 10, `${pack.bytes} bytes, and ${alone} one by one`)
  for (const [n, body] of bodies.entries()) assert.deepEqual(bodyOf(db, `d${n}`), body)
})

test('a pack is at most 1 MiB, except for a larger single body', () => {
  using db = database()
  const sizes = [400_000, 600_000, 100_000, 2_000_000, 1_000]
  const bodies = sizes.map((size) => randomBytes(size))
  commit(db, ...bodies.map((body, n) => begin(`d${n}`, body)))
  assert.deepEqual(
    packsIn(db).map(({ bytes }) => bytes),
    [1_000_000, 100_000, 2_000_000, 1_000],
  )
  for (const [n, body] of bodies.entries()) assert.deepEqual(bodyOf(db, `d${n}`), body)
})

test('a pack is deleted with its last delivery, and counted until then', () => {
  using db = database()
  const now = 100 * day
  const stays = (id: string, status: 'failed' | 'posted', age: number): WriteJob[] => [
    ['begin', deliveryValues(delivery({ id, receivedAt: now - age * day, body: randomBytes(1_000) }))],
    ['finish', [[id, [[status, now, null, null, '[]', null, null, null, null], [], [], undefined]]]],
  ]
  commit(db, ...stays('d1', 'posted', 8), ...stays('d2', 'failed', 8))
  commit(db, ...stays('d3', 'posted', 8))
  assert.equal(bodyBytes(db).total, 3_000)
  prune(db, now)
  assert.deepEqual(packsIn(db), [{ id: 1, coding: null, bytes: 2_000 }])
  assert.equal(bodyOf(db, 'd2')?.length, 1_000)
  assert.equal(bodyBytes(db).total, 2_000)
  prune(db, now + 30 * day)
  assert.deepEqual(packsIn(db), [])
  assert.equal(bodyBytes(db).total, 0)
})

test('a body is readable within its own transaction, and a failed one leaves no pack', () => {
  using db = database()
  const body = Buffer.from('{"a":1}')
  const [, again] = commit(db, begin('d1', body), ['reopen', 'd1'])
  assert.ok(again?.ok)
  assert.equal(Buffer.compare((again.value as Delivery).body ?? Buffer.alloc(0), body), 0)
  // First the whole batch is rolled back, then each job gets its own transaction.
  const results = commit(db, begin('d2', Buffer.from('{"b":2}')), begin('d1', body), begin('d3', body))
  assert.deepEqual(
    results.map(({ ok }) => ok),
    [true, false, true],
  )
  assert.deepEqual(
    ['d1', 'd2', 'd3'].map((id) => String(bodyOf(db, id))),
    ['{"a":1}', '{"b":2}', '{"a":1}'],
  )
  assert.deepEqual(
    packsIn(db).map(({ bytes }) => bytes),
    [7, 7, 7],
  )
})

test('a body that is removed in its own transaction leaves no pack', () => {
  using db = database()
  const now = 100 * day
  const ancient = (n: number) =>
    deliveryValues(delivery({ id: `d${n}`, receivedAt: 1, body: randomBytes(1_000) }))
  const history = { channelMessages: undefined, directMessages: undefined, days: undefined }
  const keep = { finishedMs: day, unhappyMs: day, bodiesPerBot: 10, bodyBytes: 1_000_000 }
  // Steps of several kinds take turns: one of these removes deliveries.
  for (let n = 0; n < 12; n++) commit(db, ['begin', ancient(n)], ['prune', { now, keep, history }])
  // The first only ends the round that those have begun.
  prune(db, now + 30 * day)
  prune(db, now + 30 * day)
  assert.deepEqual(packsIn(db), [])
  assert.equal(bodyBytes(db).total, 0)
})

function database(): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  for (const migration of migrations) db.exec(migration)
  return db
}

function commit(db: DatabaseSync, ...writes: WriteJob[]) {
  return committerOf(db).run({ lines: [], writes, reads: [] }).writes
}

function prune(db: DatabaseSync, now: number): void {
  const keep = { finishedMs: 7 * day, unhappyMs: 30 * day, bodiesPerBot: 10, bodyBytes: 1_000_000 }
  const history = { channelMessages: undefined, directMessages: undefined, days: undefined }
  const committer = committerOf(db)
  const step = () => committer.run({ lines: [], writes: [['prune', { now, keep, history }]], reads: [] })
  for (let more = true; more;) {
    const [result] = step().writes
    assert.ok(result?.ok)
    more = result.value === true
  }
}

function bodyOf(db: DatabaseSync, id: string): Buffer | undefined {
  const [result] = committerOf(db).run({ lines: [], writes: [], reads: [['delivery', id]] }).reads
  const body = result?.ok ? (result.value as Delivery | undefined)?.body : undefined
  return body ? Buffer.from(body) : undefined
}

const committers = new WeakMap<DatabaseSync, Committer>()

function committerOf(db: DatabaseSync): Committer {
  const committer = committers.get(db) ?? new Committer({ db, expectInPlace: () => {} })
  committers.set(db, committer)
  return committer
}

function begin(id: string, body: Uint8Array): WriteJob {
  return ['begin', deliveryValues(delivery({ id, body }))]
}

function packsIn(db: DatabaseSync) {
  const all = db.prepare('SELECT id, coding, length(bytes) AS bytes FROM delivery_packs ORDER BY id').all()
  return all.map(({ id, coding, bytes }) => ({ id: Number(id), coding, bytes: Number(bytes) }))
}

/** As services send it: with the same names and addresses each time. */
function workflowRun(run: number): string {
  const urls = [
    'forks',
    'keys',
    'teams',
    'hooks',
    'events',
    'branches',
    'tags',
    'blobs',
    'refs',
    'trees',
  ].map((part) => [`${part}_url`, `https://api.github.com/repos/acme/kettle/${part}{/${part}}`])
  const links = Object.fromEntries(urls) as Record<string, string>
  return JSON.stringify({ action: 'completed', workflow_run: { id: run, ...links }, repository: links })
}
