import assert from 'node:assert/strict'
import { test } from 'node:test'
import { delivery, newStores, outcome, row } from '../../test/rigs/store.ts'
import { logTo } from '../../test/log.ts'
import { DAY_MS } from './trustedclock.ts'

test('the log says how much was removed and why: once an hour at most, and the rest at the end', async () => {
  await using home = newStores()
  const lines: [object, string][] = []
  const log = logTo((data, text) => lines.push([data, text]))
  const store = await home.open({
    log,
    pruneEveryMs: 1,
    historyRetention: { channelMessages: 5, directMessages: 5, days: 30 },
  })
  const told = () => lines.filter(([, text]) => text === 'old records were removed').map(([data]) => data)
  const oldAt = Date.now() - 31 * DAY_MS
  const add = async (id: string, receivedAt: number) =>
    store.deliveries.record(delivery({ id, receivedAt }), outcome())
  for (let i = 0; i < 9; i++) store.remember(row({ id: `m${i}`, time: Date.now() + i }))
  for (let i = 0; i < 3; i++) store.remember(row({ id: `o${i}`, time: oldAt + i, conversation: '#old' }))
  await add('d1', oldAt)
  await add('d2', Date.now())
  while (told().length === 0) await store.deliveries.get('d1')
  await add('d3', oldAt)
  await add('d4', oldAt)
  while ((await store.deliveries.list({ limit: 9 })).length > 1);
  while ((await store.history('#tea', 9)).length > 5);
  await store.close()
  const sums: Record<string, number> = {}
  for (const each of told())
    for (const [why, many] of Object.entries(each)) sums[why] = (sums[why] ?? 0) + Number(many)
  assert.deepEqual(sums, { deliveriesTooOld: 3, messagesTooOld: 3, messagesBeyondNumber: 4 })
  assert.ok(told().length <= 2, 'not a line for each step')
})

test('while it is idle the trusted time is written once an hour, and it is there after a restart', async () => {
  await using home = newStores()
  let [now, elapsed] = [Date.now(), 0]
  const clocks = { machine: () => now, elapsed: () => elapsed }
  const saved = () =>
    JSON.parse(String(home.query("SELECT json FROM records WHERE kind = 'clock'")['json'] ?? '{}')) as {
      time?: number
    }
  const store = await home.open({ ...clocks, pruneEveryMs: 1 })
  const began = now
  while (saved().time === undefined) await store.latest()
  const pass = (ms: number) => {
    now += ms
    elapsed += ms
  }
  pass(3_599_000)
  for (let i = 0; i < 100; i++) await store.records.save([{ kind: 'x', key: 'y', json: String(i) }])
  assert.equal(saved().time, began)
  pass(2_000)
  while (saved().time === began) await store.latest()
  pass(60_000)
  await store.close()
  assert.equal(saved().time, now)
  // A machine without a battery: the clock is wrong, and time is as it was.
  now = 0
  const again = await home.open(clocks)
  assert.equal(again.clock.now(), began + 3_661_000)
})
