import assert from 'node:assert/strict'
import { test } from 'node:test'
import { delivery, openMemory, outcome, row } from '../../test/rigs/store.ts'
import type { HistoryRow } from './historyrows.ts'
import { deliveryValues, outcomeValues } from './values.ts'

const now = 1_000_000
const ahead = 1_000_000_000
const to = now - 1
const mend = ['mend', { since: now, after: now + 500_000 }] as const

test('what was said while the clock was ahead keeps its order and its distances, and what is said next comes after it', () => {
  using store = openMemory()
  say(store, { id: 'before', time: now - 90_000 })
  say(store, { id: 'ahead 1', time: ahead })
  happen(store, 'joined', ahead + 1_000)
  say(store, { id: 'ahead 2', time: ahead + 5_000 })
  say(store, { id: 'elsewhere', time: ahead + 6_000, conversation: '#milk' })
  // These were said already when it is mended.
  say(store, { id: 'after', time: now })
  say(store, { id: 'later', time: now + 7_000 })
  assert.equal(store.write(mend), 4)
  assert.deepEqual(pageOf(store, '#tea'), [
    ['before', now - 90_000],
    ['ahead 1', to - 6_000],
    ['joined', to - 5_000],
    ['ahead 2', to - 1_000],
    ['after', now],
    ['later', now + 7_000],
  ])
  assert.deepEqual(pageOf(store, '#milk'), [['elsewhere', to]])
  assert.equal(store.write(mend), 0, 'once is enough')
})

test('if the leap was long, or there were several, what was said meanwhile follows what was said before', () => {
  using store = openMemory()
  say(store, { id: 'before', time: now - 3_000 })
  for (const [i, time] of [ahead, ahead + 1, 5 * ahead].entries()) say(store, { id: `ahead ${i}`, time })
  store.write(mend)
  assert.deepEqual(pageOf(store, '#tea'), [
    ['before', now - 3_000],
    ['ahead 0', now - 2_999],
    ['ahead 1', now - 2_998],
    ['ahead 2', to],
  ])
})

test('deliveries, threads and credentials of the time ahead are pulled back, with their ends', () => {
  using store = openMemory()
  const said = outcome({
    finishedAt: ahead,
    history: [row({ id: 'm1', time: ahead })],
    thread: { bot: 'a', key: 'k', messages: ['m1'] },
  })
  store.write([
    'record',
    [deliveryValues(delivery({ id: 'd1', receivedAt: ahead, key: 'k' })), outcomeValues(said)],
  ])
  store.write(['bots.forget', { bots: ['b'], at: ahead }])
  const account = {
    key: 'ann',
    name: 'ann',
    createdAt: ahead,
    email: null,
    password: null,
    scram: null,
    settings: '{}',
  }
  const suspended = JSON.stringify({ by: 'root', at: ahead, reason: '', until: ahead + 9_000 })
  store.write(['account.create', { ...account, suspended }])
  const token = {
    hash: 'h',
    account: 'ann',
    label: 'laptop',
    createdAt: ahead,
    usedAt: ahead,
    expiresAt: ahead + 60_000,
  }
  store.write(['token.add', { token, endedBy: 0 }])
  const ban = { target: '192.0.2.1', at: ahead, until: ahead + 5_000 }
  const forever = { target: '192.0.2.2', at: ahead, until: null }
  store.write([
    'records.save',
    [ban, forever].map((each) => ({ kind: 'ban', key: each.target, json: JSON.stringify(each) })),
  ])
  store.write(mend)
  const { receivedAt, finishedAt } = store.read(['delivery', 'd1']) as {
    receivedAt: number
    finishedAt: number
  }
  assert.deepEqual([receivedAt, finishedAt], [to, to])
  assert.deepEqual(store.db.prepare('SELECT time FROM threads').get(), { __proto__: null, time: to })
  const {
    createdAt,
    suspended: still,
    tokens,
  } = store.read(['account', 'ann']) as {
    createdAt: number
    suspended: string
    tokens: readonly object[]
  }
  assert.equal(createdAt, to)
  assert.deepEqual(JSON.parse(still), { by: 'root', at: to, reason: '', until: to + 9_000 })
  assert.partialDeepStrictEqual(tokens, [{ createdAt: to, usedAt: to, expiresAt: to + 60_000 }])
  const bans = store.read(['records', 'ban']) as readonly { json: string }[]
  assert.deepEqual(
    bans.map(({ json }) => JSON.parse(json) as unknown),
    [
      { ...ban, at: to, until: to + 5_000 },
      { ...forever, at: to },
    ],
  )
})

function say(store: ReturnType<typeof openMemory>, facts: Partial<HistoryRow>): void {
  store.write(['finish', [['none', outcomeValues(outcome({ history: [row(facts)] }))]]])
}

function happen(store: ReturnType<typeof openMemory>, id: string, time: number): void {
  const facts = { command: 'JOIN', mask: 'amy!a@host', account: null, isBot: false, params: [] }
  store.write(['happened', { ...facts, id, time, places: [{ conversation: '#tea', target: '#tea' }] }])
}

function pageOf(
  store: ReturnType<typeof openMemory>,
  conversation: string,
): readonly (readonly [string, number])[] {
  const query = {
    sights: [{ conversation }],
    cut: { kind: 'newest' },
    limit: 99,
    isWithEvents: true,
  } as const
  const page = store.read(['page', query]) as readonly HistoryRow[]
  return page.map(({ id, time }) => [id, time])
}
