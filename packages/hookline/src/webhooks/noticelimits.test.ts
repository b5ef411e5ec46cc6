import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Rig } from '../../test/rigs/webhooks.ts'

const bot = 'spark-ori-ghci'

test('the owner is told of a failure at once, then of their number once a minute', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  rig.chat.enter('spark-ori')
  rig.bots.composers.set(bot, () => ({ kind: 'failed', error: 'it broke.' }))
  const seeMore = `failed (see: hookline bot deliveries ${bot} --failed)`
  for (let i = 0; i < 4; i++) await rig.post(`/${bot}`, {})
  assert.equal(rig.chat.told.length, 1)
  rig.now += 60_000
  await rig.chat.toldAtLeast(2)
  assert.equal(rig.chat.told[1], `spark-ori <${bot}> 3 more deliveries ${seeMore}`)
  assert.deepEqual(
    await rig.history(`spark-ori ${bot}`),
    rig.chat.published.map(({ text }) => text),
  )

  await rig.post(`/${bot}`, {})
  assert.equal(rig.chat.told.length, 2, 'not yet: one a minute')
  rig.now += 60_000
  await rig.chat.toldAtLeast(3)
  assert.equal(rig.chat.told[2], `spark-ori <${bot}> 1 more delivery ${seeMore}`)
  rig.now += 120_000
  await rig.post(`/${bot}`, {})
  assert.match(rig.chat.told[3] ?? '', /failed: it broke\. To run it again: hookline bot replay d-\d+$/)
})

test('the owner is told of a repeat that failed again, but not of posted ones', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  rig.chat.enter('spark-ori')
  const again = (key: string) => rig.post(`/${bot}`, {}, { 'Idempotency-Key': key })
  await again('posted')
  rig.bots.composers.set(bot, () => ({ kind: 'failed', error: 'it broke' }))
  await again('broken')
  assert.match(rig.chat.told[1] ?? '', /delivery d-1 failed: it broke/)
  rig.now += 60_000
  await again('posted')
  await again('broken')
  assert.match(rig.chat.told[2] ?? '', /delivery d-1 failed: it broke/)
  await again('posted')
  rig.now += 60_000
  await again('broken')
  assert.match(rig.chat.told[3] ?? '', /delivery d-1 failed: it broke/)
  assert.equal(rig.chat.told.length, 4)
})

test('the owner is told at once, then once a minute, of messages some channel refused; repeats do not count', async () => {
  await using rig = await Rig.create()
  const op = rig.chat.enter('op', '#b')
  rig.bots.add(bot, { channels: ['#a', '#b'] })
  op.type(`MODE #b +m-v ${bot}`)
  rig.chat.enter('spark-ori')
  for (const key of ['1', '2', '2', '3']) await rig.post(`/${bot}`, {}, { 'Idempotency-Key': key })
  const heard = () => rig.chat.told.filter((line) => line.startsWith('spark-ori '))
  const refusal = '#b: Cannot send to channel (+m): it is moderated and you have no voice'
  const first = `spark-ori <${bot}> delivery d-0 did not reach every channel: ${refusal}`
  assert.deepEqual(heard(), [first])
  rig.now += 60_000
  await rig.chat.toldAtLeast(5)
  const more = `2 more deliveries did not reach every channel (see: hookline bot deliveries ${bot})`
  assert.deepEqual(heard(), [first, `spark-ori <${bot}> ${more}`])
})

test('unreported failures are reported when the server stops, and kept for an absent owner', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  rig.bots.composers.set(bot, () => ({ kind: 'failed', error: 'it broke' }))
  for (let i = 0; i < 3; i++) await rig.post(`/${bot}`, {})
  rig.bots.remove(bot)
  await rig.deliveries.drain()
  const { messages } = await rig.store.kept.of('spark-ori')
  assert.match(messages[0]?.text ?? '', /^delivery d-\d+ failed: it broke/)
  assert.deepEqual(
    messages.slice(1).map(({ source, text }) => `${source}: ${text}`),
    [`${bot}: 2 more deliveries failed (see: hookline bot deliveries --failed)`],
    'the command knows no deleted bot',
  )
  rig.now += 60_000
  assert.equal((await rig.store.kept.of('spark-ori')).messages.length, 2)
})

test('of messages that fail as one, the owner hears how many there were', async () => {
  await using rig = await Rig.create()
  const op = rig.chat.enter('op', '#builds')
  rig.bots.add(bot, { coalesceMs: 600_000 })
  op.type(`MODE #builds +m-v ${bot}`)
  rig.chat.enter('spark-ori')
  for (let i = 0; i < 3; i++) await rig.post(`/${bot}`, {})
  await rig.deliveries.drain()
  assert.match(rig.chat.told[0] ?? '', /delivery d-0 failed: #builds: Cannot send/)
  const more = `2 more deliveries failed (see: hookline bot deliveries ${bot} --failed)`
  assert.deepEqual(rig.chat.told.slice(1), [`spark-ori <${bot}> ${more}`])
})
