import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { bodyBytes } from './bodybytes.ts'
import type { Delivery } from './deliveryrows.ts'
import type { WriteJob } from './operations.ts'
import { packed } from './packing.ts'
import { delivery, KEEPS_ALL, openMemory, outcome, timeOf } from '../../test/rigs/store.ts'
import { deliveryValues, outcomeValues } from './values.ts'

const day = 24 * 60 * 60 * 1_000
const KEEP = { finishedMs: 7 * day, unhappyMs: 30 * day, bodiesPerBot: 10, bodyBytes: 1_000_000 }

test('a burst is stored in one pack, in a tenth of the space, and each body comes back unchanged', () => {
  using store = openMemory()
  const bodies = Array.from({ length: 32 }, (_, n) => Buffer.from(workflowRun(n)))
  store.commit(...bodies.map((body, n) => begin(`d${n}`, body)))
  const [pack, ...others] = packsIn(store.db)
  assert.deepEqual(others, [])
  assert.ok(pack)
  assert.equal(pack.coding, 'br')
  const alone = bodies.reduce((sum, body) => sum + packed(body).bytes.byteLength, 0)
  assert.ok(pack.bytes < alone / 10, `${pack.bytes} bytes, and ${alone} one by one`)
  for (const [n, body] of bodies.entries()) assert.deepEqual(bodyOf(store, `d${n}`), body)
})

test('a pack is at most 1 MiB, except for a larger single body', () => {
  using store = openMemory()
  const sizes = [400_000, 600_000, 100_000, 2_000_000, 1_000]
  const bodies = sizes.map((size) => randomBytes(size))
  store.commit(...bodies.map((body, n) => begin(`d${n}`, body)))
  assert.deepEqual(
    packsIn(store.db).map(({ bytes }) => bytes),
    [1_000_000, 100_000, 2_000_000, 1_000],
  )
  for (const [n, body] of bodies.entries()) assert.deepEqual(bodyOf(store, `d${n}`), body)
})

test('a pack is deleted with its last delivery, and counted until then', () => {
  using store = openMemory()
  const now = 100 * day
  const stays = (id: string, status: 'failed' | 'posted', age: number): WriteJob[] => [
    ['begin', deliveryValues(delivery({ id, receivedAt: now - age * day, body: randomBytes(1_000) }))],
    ['finish', [[id, [[status, now, null, null, '[]', null, null, null, null], [], [], undefined]]]],
  ]
  store.commit(...stays('d1', 'posted', 8), ...stays('d2', 'failed', 8))
  store.commit(...stays('d3', 'posted', 8))
  assert.equal(bodyBytes(store.db).total, 3_000)
  store.prune(now, KEEP)
  assert.deepEqual(packsIn(store.db), [{ id: 1, coding: null, bytes: 2_000 }])
  assert.equal(bodyOf(store, 'd2')?.length, 1_000)
  assert.equal(bodyBytes(store.db).total, 2_000)
  store.prune(now + 30 * day, KEEP)
  assert.deepEqual(packsIn(store.db), [])
  assert.equal(bodyBytes(store.db).total, 0)
})

test('a body is readable within its own transaction, and a failed one leaves no pack', () => {
  using store = openMemory()
  const body = Buffer.from('{"a":1}')
  const [, again] = store.commit(begin('d1', body), ['reopen', 'd1'])
  assert.ok(again?.ok)
  assert.equal(Buffer.compare((again.value as Delivery).body ?? Buffer.alloc(0), body), 0)
  // First the whole batch is rolled back, then each job gets its own transaction.
  const results = store.commit(begin('d2', Buffer.from('{"b":2}')), begin('d1', body), begin('d3', body))
  assert.deepEqual(
    results.map(({ ok }) => ok),
    [true, false, true],
  )
  assert.deepEqual(
    ['d1', 'd2', 'd3'].map((id) => String(bodyOf(store, id))),
    ['{"a":1}', '{"b":2}', '{"a":1}'],
  )
  assert.deepEqual(
    packsIn(store.db).map(({ bytes }) => bytes),
    [7, 7, 7],
  )
})

test('a body that is removed in its own transaction leaves no pack', () => {
  using store = openMemory()
  const now = 100 * day
  const [posted] = outcomeValues(outcome())
  const ancient = (n: number): WriteJob => {
    const values = deliveryValues(delivery({ id: `d${n}`, receivedAt: 1, body: randomBytes(1_000) }))
    return ['record', [values, [posted, [], [], undefined]]]
  }
  const keep = { finishedMs: day, unhappyMs: day, bodiesPerBot: 10, bodyBytes: 1_000_000 }
  // Steps of several kinds take turns: one of these removes deliveries.
  for (let n = 0; n < 12; n++)
    store.commit(ancient(n), ['prune', { passed: timeOf(now), keep, history: KEEPS_ALL }])
  // The first only ends the round that those have begun.
  store.prune(now + 30 * day, KEEP)
  store.prune(now + 30 * day, KEEP)
  assert.deepEqual(packsIn(store.db), [])
  assert.equal(bodyBytes(store.db).total, 0)
})

function bodyOf(store: ReturnType<typeof openMemory>, id: string): Buffer {
  return Buffer.from((store.read(['delivery', id]) as Delivery).body ?? [])
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
