import assert from 'node:assert/strict'
import { test } from 'node:test'
import { message, payload, refuse, Rig } from '../../test/rigs/webhooks.ts'

const bot = 'spark-ori-ghci'

test('a mention while away is delivered once on return, with its time', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, { mention: 'Spark-Claude' })
  await rig.post(`/${bot}`, { say: 'one' })
  await rig.post(`/${bot}`, { say: 'two' })
  rig.chat.enter('SPARK-claude')
  await Promise.all([rig.deliveries.deliverKept('SPARK-claude'), rig.deliveries.deliverKept('SPARK-claude')])
  await rig.deliveries.deliverKept('SPARK-claude')
  assert.deepEqual(rig.chat.told.slice(2), [
    `notice SPARK-claude [2026-04-03 09:15 UTC] ${bot} mentioned you in #builds: @Spark-Claude one`,
    `notice SPARK-claude [2026-04-03 09:15 UTC] ${bot} mentioned you in #builds: @Spark-Claude two`,
  ])
})

test('a message handed over on a full disk is marked once there is room, and comes only once', async (t) => {
  await using rig = await Rig.create({ retryMs: 5 })
  const { kept } = rig.store
  const marking = t.mock.method(kept, 'done', refuse, { times: 5 })
  rig.chat.enter('amy')
  await rig.deliveries.accept(rig.bots.add(bot, { mention: 'amy' }), ...payload('one'))
  await rig.deliveries.deliverKept('amy')
  while ((await kept.of('amy')).messages.length > 0);
  await rig.deliveries.deliverKept('amy')
  assert.equal(marking.mock.callCount(), 5)
  assert.equal(rig.chat.told.filter((line) => line.startsWith('notice amy')).length, 1)
})

test('dm_owner: the message without the mention, now or when the owner returns; history has it once', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, { dmOwner: true, mention: 'amy' })
  await rig.post(`/${bot}`, { say: 'first\nmore' })
  rig.chat.enter('spark-ori')
  await rig.post(`/${bot}`, { say: 'second' })
  await rig.deliveries.deliverKept('spark-ori')
  const direct = rig.chat.told.filter((line) => line.startsWith('spark-ori'))
  assert.deepEqual(direct, [
    `spark-ori <${bot}> second`,
    `spark-ori <${bot}> [2026-04-03 09:15 UTC] first\nmore`,
  ])
  assert.deepEqual(await rig.history(`spark-ori ${bot}`), ['second', '[2026-04-03 09:15 UTC] first\nmore'])
  assert.deepEqual((await rig.store.kept.of('spark-ori')).messages, [])
})

test('after a crash between recording and sending, the direct message has the id that is in history', async () => {
  await using rig = await Rig.create()
  const active = rig.bots.add(bot, { channels: [], dmOwner: true })
  const owner = rig.chat.enter('spark-ori')
  // There for the draft and gone after the commit: the disk then holds what a crash leaves.
  rig.bots.composers.set(bot, () => {
    process.nextTick(() => owner.hangUp())
    return message('late')
  })
  await rig.deliveries.accept(active, ...payload('late'))
  assert.deepEqual(rig.chat.told, [])
  rig.chat.enter('spark-ori')
  await rig.deliveries.deliverKept('spark-ori')
  assert.deepEqual(rig.chat.told, [`spark-ori <${bot}> [2026-04-03 09:15 UTC] late`])
  const history = await rig.store.history(`spark-ori ${bot}`, 9)
  assert.deepEqual(
    history.map(({ id, text }) => [id, text]),
    [[rig.chat.published[0]?.id, 'late']],
  )
})

test('for a deleted bot the server delivers what was kept, and says how much was dropped', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, { channels: [], dmOwner: true })
  for (let i = 0; i < 102; i++)
    await rig.deliveries.accept(rig.bots.add(bot, { channels: [], dmOwner: true }), ...payload(`n${i}`))
  rig.bots.remove(bot)
  rig.chat.enter('spark-ori')
  // As when two of their connections come at once.
  await Promise.all([rig.deliveries.deliverKept('spark-ori'), rig.deliveries.deliverKept('spark-ori')])
  assert.equal(
    rig.chat.told[0],
    'notice spark-ori 2 older messages for you were dropped: at most 100 are kept',
  )
  assert.equal(rig.chat.told[1], `notice spark-ori [2026-04-03 09:15 UTC] <${bot}> n2`)
  assert.equal(rig.chat.told.length, 101)
  await rig.deliveries.deliverKept('spark-ori')
  assert.equal(rig.chat.told.length, 101)
})

test('a direct message whose bot leaves before it is on disk is delivered by the server', async () => {
  await using rig = await Rig.create()
  rig.chat.enter('spark-ori')
  const active = rig.bots.add(bot, { channels: [], dmOwner: true })
  rig.bots.composers.set(bot, () => {
    process.nextTick(() => rig.bots.remove(bot))
    return message('done')
  })
  await rig.deliveries.accept(active, ...payload('done'))
  assert.deepEqual(rig.chat.told, [`notice spark-ori [2026-04-03 09:15 UTC] <${bot}> done`])
})

test('an absent user gets as many lines as one who was there', async () => {
  await using rig = await Rig.create({ maxLines: 25 })
  rig.bots.add(bot, { dmOwner: true })
  const say = Array.from({ length: 25 }, (_, i) => `line ${i}`).join('\n')
  await rig.post(`/${bot}`, { say })
  rig.chat.enter('spark-ori')
  await rig.deliveries.deliverKept('spark-ori')
  assert.equal(rig.chat.published.at(-1)?.text, `[2026-04-03 09:15 UTC] ${say}`)
})
