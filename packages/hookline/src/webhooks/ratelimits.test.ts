import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuse, Rig } from '../../test/rigs/webhooks.ts'

const bot = 'spark-ori-ci'

test('429 beyond the rate of the bot, with the seconds until it accepts the next; other bots have their own rate', async () => {
  await using rig = await Rig.create({ rate: { count: 1, everyMs: 10_000 } })
  rig.bots.add(bot, {}, { rate: { count: 2, everyMs: 60_000 } })
  rig.bots.add('spark-ori-other')
  const post = async (name: string) => {
    const { status, headers, json } = await rig.post(`/${name}`, { say: 'x' })
    return [status, headers['retry-after'], json['error']]
  }
  assert.deepEqual(await post(bot), [200, undefined, undefined])
  assert.deepEqual(await post(bot), [200, undefined, undefined])
  assert.deepEqual(await post(bot), [429, '30', 'too many deliveries for this bot'])
  assert.deepEqual(await post('spark-ori-other'), [200, undefined, undefined])
  assert.deepEqual(await post('spark-ori-other'), [429, '10', 'too many deliveries for this bot'])
  rig.now += 30_000
  assert.deepEqual(await post(bot), [200, undefined, undefined])
  assert.equal((await rig.history()).length, 4, 'what was refused is not kept')
})

test('what the disk refuses does not count against the rate', async (t) => {
  await using rig = await Rig.create()
  rig.bots.add(bot, {}, { rate: { count: 1, everyMs: 60_000 } })
  t.mock.method(rig.store.deliveries, 'record', refuse, { times: 1 })
  const statuses = []
  for (let i = 0; i < 3; i++) statuses.push((await rig.post(`/${bot}`, { say: 'x' })).status)
  assert.deepEqual(statuses, [503, 200, 429])
})

test('a replay neither counts against the rate nor is refused by it', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, {}, { rate: { count: 2, everyMs: 60_000 } })
  const post = async () => (await rig.post(`/${bot}`, { say: 'x' })).status
  const replay = async () => (await rig.deliveries.replay('d-0')).status
  assert.deepEqual([await post(), await replay(), await post(), await post()], [200, 200, 200, 429])
  assert.equal(await replay(), 200)
})
