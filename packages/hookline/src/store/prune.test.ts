import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { bodyBytes } from './bodybytes.ts'
import { deliveriesTable } from './deliveries.ts'
import { deliveryLists } from './deliverylists.ts'
import type { Outcome } from './deliveryrows.ts'
import { packsTable } from './packs.ts'
import { pruner } from './prune.ts'
import { delivery, migrated, outcome, timeOf } from '../../test/rigs/store.ts'
import { deliveryValues, outcomeValues } from './values.ts'

const day = 24 * 60 * 60 * 1_000
const now = 100 * day
const posted = outcome({ finishedAt: now, text: 'said' })

test('deliveries are pruned by age and number, failed ones later, pending ones never, and keys are kept for a week', () => {
  using tables = openTables()
  const { packs, table, step } = tables
  const add = (
    id: string,
    status: 'posted' | 'failed' | 'pending',
    age: number,
    key: string | null = null,
    bot = 'a',
  ) => {
    const headers = { 'user-agent': 'kettle' }
    table.add(deliveryValues(delivery({ id, bot, receivedAt: now - age * day, key, headers })))
    packs.save()
    if (status === 'pending') return
    table.finish(id, storyOf({ ...posted, status }))
  }
  add('posted 8 days ago', 'posted', 8)
  add('posted 8 days ago, with a key', 'posted', 8, 'k1')
  add('failed 8 days ago', 'failed', 8)
  add('pending 29 days ago', 'pending', 29)
  add('failed 31 days ago', 'failed', 31)
  add('pending 31 days ago', 'pending', 31)
  for (let i = 0; i < 500; i++) add(`b${i}`, 'posted', 1, i % 2 ? `k${i}` : null, 'b')
  add('failed in b', 'failed', 1, null, 'b')

  const keep = { finishedMs: 7 * day, unhappyMs: 30 * day, bodiesPerBot: 10, bodyBytes: 1_000_000 }
  let steps = 0
  while (step({ passed: timeOf(now), keep })) steps++
  assert.ok(steps > 0, 'in steps of 200')

  const ids = (bot: string) => table.list({ bot, limit: 1000 }).map(({ id }) => id)
  assert.deepEqual(ids('a'), ['failed 8 days ago', 'pending 29 days ago', 'pending 31 days ago'])
  const whole = ids('b').filter((id) => table.get(id)?.body)
  assert.deepEqual(whole, [...Array.from({ length: 10 }, (_, i) => `b${490 + i}`), 'failed in b'])
  assert.deepEqual(
    ids('b').filter((id) => !table.get(id)?.body).length,
    245,
    'those with a key stay, without body, text and headers',
  )
  assert.equal(table.get('b1')?.text, null)
  assert.deepEqual(table.get('b1')?.headers, {})
  const again = delivery({ id: 'x', bot: 'b', receivedAt: now, key: 'k1' })
  assert.equal(table.add(deliveryValues(again)).kind, 'duplicate')
  while (step({ passed: timeOf(now + 6.5 * day), keep }));
  assert.deepEqual(ids('b'), ['failed in b'])
})

test('if everything is kept longer than failed deliveries, those are kept as long', () => {
  using tables = openTables()
  const { packs, table, step } = tables
  for (const [id, age, status] of [
    ['posted 91 days ago', 91, 'posted'],
    ['posted 40 days ago', 40, 'posted'],
    ['failed 40 days ago', 40, 'failed'],
  ] as const) {
    table.add(deliveryValues(delivery({ id, receivedAt: now - age * day, key: id })))
    packs.save()
    table.finish(id, storyOf({ ...posted, status }))
  }
  while (
    step({
      passed: timeOf(now),
      keep: { finishedMs: 90 * day, unhappyMs: 30 * day, bodiesPerBot: 9, bodyBytes: 1_000 },
    })
  );
  assert.deepEqual(
    table.list({ limit: 9 }).map(({ id }) => id),
    ['posted 40 days ago', 'failed 40 days ago'],
  )
})

test('the oldest bodies are removed while the total is too large; failed and pending deliveries stay whole', () => {
  using tables = openTables()
  const { packs, table, step } = tables
  const add = (id: string, outcome: typeof posted | undefined, key: string | null = null) => {
    // Nothing makes them smaller.
    const body = randomBytes(1_000)
    const bot = id.endsWith('3') || id.endsWith('8') ? 'b' : 'a'
    table.add(deliveryValues(delivery({ id, bot, receivedAt: now, body, key })))
    packs.save()
    if (outcome) table.finish(id, storyOf(outcome))
  }
  add('pending', undefined)
  add('failed', { ...posted, status: 'failed' })
  for (let i = 0; i < 10; i++) add(`p${i}`, posted, i % 2 ? `k${i}` : null)
  const keep = { finishedMs: day, unhappyMs: day, bodiesPerBot: 100, bodyBytes: 5_500 }
  while (step({ passed: timeOf(now), keep }));
  const kept = table.list({ limit: 100 }).map(({ id }) => (table.get(id)?.body ? id : `${id} stripped`))
  assert.deepEqual(kept, ['pending', 'failed', 'p1 stripped', 'p3 stripped', 'p5 stripped', 'p7', 'p8', 'p9'])
  // As when a replay has to wait for its turn: without its body nothing could end it again.
  const states = ['p5', 'p7'].map((id) => table.reopen(id)).map((again) => [again?.status, again?.attempts])
  assert.deepEqual(states, [
    ['posted', 1],
    ['pending', 2],
  ])
})

test('texts take room too: a payload that is said as it is counts with its body', () => {
  using tables = openTables()
  const { packs, size, table, step } = tables
  const add = (id: string, outcome: typeof posted) => {
    table.add(deliveryValues(delivery({ id, receivedAt: now })), storyOf(outcome))
    packs.save()
  }
  const long = { ...posted, text: 'é'.repeat(500) }
  for (let i = 0; i < 10; i++) add(`p${i}`, long)
  assert.equal(size.total, 10 * (1_000 + 2))
  table.finish('p9', storyOf({ ...posted, text: 'replayed' }))
  assert.equal(size.total, 10 * 2 + 9 * 1_000 + 8)
  table.finish('p9', storyOf(long))
  table.finish('never came', storyOf(long))
  const keep = { finishedMs: day, unhappyMs: day, bodiesPerBot: 100, bodyBytes: 5_500 }
  while (step({ passed: timeOf(now), keep }));
  const kept = table.list({ limit: 100 }).map(({ id }) => id)
  assert.deepEqual(kept, ['p5', 'p6', 'p7', 'p8', 'p9'])
  assert.equal(size.total, 5 * (1_000 + 2))
  while (step({ passed: timeOf(now + 2 * day), keep }));
  assert.equal(size.total, 0)
})

test('what a failed commit brings back is removed by a later one', () => {
  using tables = openTables()
  const { db, packs, size, table, step } = tables
  table.add(deliveryValues(delivery({ receivedAt: now - 8 * day })), storyOf(posted))
  packs.save()
  const keep = { finishedMs: 7 * day, unhappyMs: 30 * day, bodiesPerBot: 9, bodyBytes: 1_000 }
  for (let failed = 0; failed < 4; failed++) {
    db.exec('BEGIN')
    step({ passed: timeOf(now), keep })
    db.exec('ROLLBACK')
    packs.forget()
    size.forget()
  }
  while (step({ passed: timeOf(now), keep }));
  assert.deepEqual(table.list({ limit: 9 }), [])
})

function openTables() {
  const db = migrated()
  const size = bodyBytes(db)
  const packs = packsTable(db, size)
  return {
    db,
    packs,
    size,
    table: { ...deliveriesTable(db, packs, size), ...deliveryLists(db) },
    step: pruner(db, { size, packs }),
    [Symbol.dispose]: () => db.close(),
  }
}

function storyOf(outcome: Outcome) {
  return outcomeValues(outcome)[0]
}
