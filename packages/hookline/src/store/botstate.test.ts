// What is left of a deleted bot: the records of its deliveries, and nothing else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WriteJob } from './operations.ts'
import { delivery, openMemory, outcome, row } from '../../test/rigs/store.ts'
import { deliveryValues, outcomeValues } from './values.ts'

const at = 1_000

test('everything stored for a bot is deleted with it, and nothing of others', () => {
  using store = openMemory()
  const names = ['a', 'a:schedule', 'a:expires', 'a-b', 'a-b:schedule', 'aa', 'A']
  for (const bot of names) store.write(['state.save', { bot, json: '{}' }])
  assert.deepEqual(
    ['m1', 'm2'].map((id) => store.write(say(id, 'a'))),
    [{}, { m2: 'm1' }],
  )
  store.write(say('m3', 'a-b'))
  store.write(['bots.forget', { bots: ['a'], at }])

  assert.deepEqual(
    names.filter((name) => store.read(['state', name]) !== undefined),
    ['a-b', 'a-b:schedule', 'aa', 'A'],
  )
  assert.deepEqual(store.write(say('m4', 'a')), {}, 'a thread begins anew')
  assert.deepEqual(store.write(say('m5', 'a-b')), { m5: 'm3' })
})

test('a delivery of a deleted bot is not a duplicate for a new bot of its name, and its record stays', () => {
  using store = openMemory()
  const begin = (id: string, receivedAt = at, key = 'k') =>
    store.write(['begin', deliveryValues(delivery({ id, key, receivedAt }))])
  begin('posted')
  begin('failed', at, 'other')
  for (const [id, status] of [
    ['posted', 'posted'],
    ['failed', 'failed'],
  ] as const)
    store.write(['finish', [[id, outcomeValues(outcome({ status }))]]])
  store.write(['bots.forget', { bots: ['a', 'never there'], at }])

  assert.deepEqual(begin('new', at + 1), { kind: 'new' })
  assert.deepEqual(begin('other new', at + 1, 'other'), { kind: 'new' })
  assert.equal((begin('repeat', at + 2) as { kind: string }).kind, 'duplicate')
  // Also with a clock that was set back.
  assert.deepEqual(begin('newer', at - 500, 'third'), { kind: 'new' })
  assert.equal((begin('repeat', at - 400, 'third') as { kind: string }).kind, 'duplicate')
  const list = store.read(['list', { bot: 'a', limit: 10 }]) as readonly { id: string; status: string }[]
  assert.deepEqual(
    list.map(({ id, status }) => `${id} ${status}`),
    ['posted posted', 'failed failed', 'new pending', 'other new pending', 'newer pending'],
  )
  // Once all rows are gone, SQLite numbers them from 1 again.
  store.db.exec('DELETE FROM deliveries')
  assert.deepEqual(begin('first', at + 3), { kind: 'new' })
  assert.equal((begin('repeat', at + 4) as { kind: string }).kind, 'duplicate')
})

test('what is noted of a deleted bot goes with the last of its deliveries', () => {
  using store = openMemory()
  const noted = () => store.read(['state', 'a:before']) !== undefined
  const keep = { finishedMs: 100, unhappyMs: 100, bodiesPerBot: 10, bodyBytes: 1_000_000 }
  store.write(['state.save', { bot: 'a:schedule', json: '{}' }])
  store.write(['record', [deliveryValues(delivery({ id: 'old', receivedAt: at })), outcomeValues(outcome())]])
  store.write(['bots.forget', { bots: ['a'], at }])
  store.write(['state.save', { bot: 'a', json: '{}' }])
  store.write(['begin', deliveryValues(delivery({ id: 'new', receivedAt: at + 90 }))])
  store.prune(at + 100, keep)
  assert.ok(noted())
  store.prune(at + 101, keep)
  assert.ok(!noted())
  assert.equal(store.read(['state', 'a']), '{}')
})

/** A message of that bot, in its only thread. */
function say(id: string, bot: string): WriteJob {
  const thread = { bot, key: '7', messages: [id] }
  return ['finish', [['none', outcomeValues(outcome({ history: [row({ id })], thread }))]]]
}
