// Webhooks that a bot has refused: counted, listed and told, however many there are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secretFor } from '../../test/sign.ts'
import { Rig } from '../../test/rigs/webhooks.ts'

const bot = 'spark-ori-ghci'
const auth = { type: 'token', secrets: [secretFor('token')] } as const
const proof = { Authorization: `Bearer ${secretFor('token')}` }

test('each reason is counted in the metrics and listed, with how often and when; bodies are not kept', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, {}, { auth })
  const began = rig.now
  for (const wait of [0, 59_000, 59_000, 61_000]) {
    rig.now += wait
    await rig.post(`/${bot}`, { hush: 'a-made-up-body' })
  }
  await rig.post(`/${bot}`, '[]', proof)
  await rig.post(`/${bot}`, 'x'.repeat(1024 * 1024 + 1), proof)
  await rig.ask('GET', `/${bot}`)
  rig.bots.add(bot, {}, { auth, rate: { count: 1, everyMs: 60_000 } })
  for (const n of [1, 2]) await rig.post(`/${bot}`, { n }, proof)
  const rows = await rig.refused.of(bot)
  assert.deepEqual(
    rows.map(({ status, error, count }) => [status, error, count]),
    [
      [401, 'unauthorized missing', 3],
      [401, 'unauthorized missing', 1],
      [400, 'payload must be a JSON object', 1],
      [413, 'body too large', 1],
      [405, 'use POST', 1],
      [429, 'too many deliveries for this bot', 1],
    ],
  )
  assert.deepEqual([rows[0]?.since, rows[0]?.last], [began, began + 118_000])
  assert.doesNotMatch(JSON.stringify(rows), /made-up/)
  const { text } = await rig.ask('GET', '/metrics')
  assert.ok(text.includes(`hookline_webhooks_refused_total{bot="${bot}",reason="unauthorized_missing"} 4\n`))
  assert.ok(text.includes(`hookline_webhooks_refused_total{bot="${bot}",reason="body_too_large"} 1\n`))
  assert.ok(text.includes(`hookline_deliveries_total{bot="${bot}",outcome="refused"} 8\n`))
})

test('the owner is told of the first in ten minutes', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, {}, { auth })
  for (const wait of [0, 1, 599_000, 1_000]) {
    rig.now += wait
    await rig.post(`/${bot}`, {})
  }
  const text = `a webhook for ${bot} was refused: 401 unauthorized missing. To see why: hookline bot deliveries ${bot} --refused`
  assert.deepEqual(rig.ownersTold, [text, text])
})

test('the newest hundred are kept, across restarts, and none of a bot that was deleted', async () => {
  await using rig = await Rig.create()
  const note = (refused: typeof rig.refused, n: number) =>
    refused.note(bot, { status: 403, error: `reason ${n}`, detail: null }, rig.now)
  for (let n = 0; n < 150; n++) note(rig.refused, n)
  await rig.refused.flush()
  const next = rig.newRefused()
  // Before what is on disk was read.
  note(next, 150)
  const rows = await next.of(bot)
  assert.deepEqual([rows.length, rows[0]?.error, rows[99]?.error], [100, 'reason 51', 'reason 150'])
  await next.flush()
  next.forget(bot)
  await rig.store.botState.forget([bot], rig.now)
  assert.deepEqual(await next.of(bot), [])
  assert.deepEqual(await rig.newRefused().of(bot), [])
})

test('a disk that fails once loses nothing: what earlier runs refused is read later, and kept', async (t) => {
  await using rig = await Rig.create()
  const what = { status: 403, error: 'not allowed', detail: null }
  rig.refused.note(bot, what, rig.now)
  await rig.refused.flush()
  const next = rig.newRefused()
  const load = t.mock.method(rig.store.botState, 'load', () => Promise.reject(new Error('the disk fails')))
  next.note(bot, what, rig.now)
  await next.flush()
  await assert.rejects(next.of(bot), /the disk fails/)
  load.mock.restore()
  assert.equal((await next.of(bot)).length, 2)
})
