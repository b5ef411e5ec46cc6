import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Bot } from '../bots/roster.ts'
import { message, payload, refuse, Rig } from '../../test/rigs/webhooks.ts'

const bot = 'spark-ori-ghci'

test('a bot stopped while its handler runs: the delivery fails, and can be replayed', async () => {
  await using rig = await Rig.create()
  start(rig)
  rig.bots.composers.set(bot, () => {
    stop(rig)
    return message('too late')
  })
  assert.equal((await rig.post(`/${bot}`, {})).status, 500)
  assert.match((await rig.store.deliveries.get('d-0'))?.error ?? '', /was stopped/)
  assert.deepEqual(rig.chat.told, [])
})

test('a stopped bot: queued deliveries wait on disk, and run when the bot is started, before anything new', async () => {
  await using rig = await Rig.create()
  start(rig)
  const held = rig.bots.hold(bot)
  const first = rig.post(`/${bot}`, { say: 'first' })
  await held.asked
  const second = rig.post(`/${bot}`, { say: 'second' })
  while ((await rig.store.deliveries.pending()).length < 2);
  stop(rig)
  held.release()
  assert.equal((await first).status, 500)
  assert.deepEqual([(await second).status, (await second).json['status']], [202, 'queued'])
  const started = start(rig)
  void rig.deliveries.resumePending(bot)
  await rig.deliveries.accept(started, ...payload('third'))
  assert.deepEqual(await rig.history(), ['second', 'third'])
})

test('what is posted more than five minutes after it came says when it came', async () => {
  await using rig = await Rig.create()
  await acceptAndStop(rig, 'first')
  rig.now += 5 * 60_000
  start(rig)
  await rig.deliveries.resumePending(bot)
  await rig.deliveries.drain()
  rig.now += 1
  await rig.newDeliveries().replay('d-0')
  assert.deepEqual(await rig.history(), ['first', '[2026-04-03 09:15 UTC] first'])
})

test('a bot stopped after it lost its handler: what still waits behind the handler is kept on disk too', async () => {
  await using rig = await Rig.create()
  start(rig)
  const held = rig.bots.hold(bot)
  const first = rig.post(`/${bot}`, { say: 'first' })
  await held.asked
  rig.bots.composers.delete(bot)
  const second = rig.deliveries.accept(rig.bots.add(bot), ...payload('second'))
  await new Promise(setImmediate)
  stop(rig)
  held.release()
  await first
  assert.deepEqual((await second).body, { ok: true, id: 'd-1', status: 'queued' })
  start(rig)
  await rig.deliveries.resumePending(bot)
  await rig.deliveries.drain()
  assert.deepEqual(await rig.history(), ['second'])
})

test('a bot stopped and started while queued deliveries run again: the rest keeps its order', async () => {
  await using rig = await Rig.create()
  for (const say of ['first', 'second', 'third']) await acceptAndStop(rig, say)
  start(rig)
  rig.bots.composers.set(bot, () => {
    rig.bots.composers.delete(bot)
    stop(rig)
    return message('too late')
  })
  void rig.deliveries.resumePending(bot)
  while ((await rig.store.deliveries.get('d-1'))?.attempts === 1);
  await new Promise(setImmediate)
  start(rig)
  void rig.deliveries.resumePending(bot)
  await rig.deliveries.drain()
  assert.deepEqual(await rig.history(), ['second', 'third'])
})

test('a repeat of a failed delivery is queued while the bot is started: it is posted once', async () => {
  await using rig = await Rig.create()
  start(rig)
  rig.bots.composers.set(bot, () => ({ kind: 'failed', error: 'it broke' }))
  const headers = { 'X-GitHub-Delivery': 'abc' }
  assert.equal((await rig.post(`/${bot}`, { say: 'again' }, headers)).status, 500)
  const held = rig.bots.hold(bot)
  const first = rig.post(`/${bot}`, { say: 'first' })
  while ((await rig.store.deliveries.pending()).length < 1);
  const repeat = rig.post(`/${bot}`, { say: 'again' }, headers)
  while ((await rig.store.deliveries.pending()).length < 2);
  await rig.deliveries.resumePending(bot)
  held.release()
  for (const { status } of await Promise.all([first, repeat])) assert.equal(status, 200)
  assert.equal((await rig.post(`/${bot}`, { say: 'last' })).status, 200)
  assert.deepEqual(await rig.history(), ['first', 'again', 'last'])
})

test('a delivery that fails as its bot starts and is repeated while it starts again: it is posted once', async () => {
  await using rig = await Rig.create()
  await acceptAndStop(rig, 'again', 'abc')
  await acceptAndStop(rig, 'slow')
  const gate = Promise.withResolvers<void>()
  const slow = Promise.withResolvers<void>()
  rig.bots.composers.set(bot, async ({ value }) => {
    if (value['say'] !== 'slow') return { kind: 'failed', error: 'it broke' }
    slow.resolve()
    await gate.promise
    return message('slow')
  })
  const active = start(rig)
  void rig.deliveries.resumePending(bot)
  await slow.promise
  rig.bots.composers.delete(bot)
  void rig.deliveries.resumePending(bot)
  const repeat = rig.deliveries.accept(active, ...payload('again', {}, 'abc'))
  while ((await rig.store.deliveries.pending()).length < 2);
  gate.resolve()
  assert.equal((await repeat).status, 200)
  assert.deepEqual(await rig.history(), ['slow', 'again'])
})

test('a repeat of a failed delivery whose bot is stopped before it is recorded: it runs when the bot is started', async () => {
  await using rig = await Rig.create()
  const active = start(rig)
  rig.bots.composers.set(bot, () => ({ kind: 'failed', error: 'it broke' }))
  const again = () => rig.deliveries.accept(active, ...payload('again', {}, 'abc'))
  assert.equal((await again()).status, 500)
  const repeat = again()
  while (rig.store.queued === 0) await new Promise(setImmediate)
  stop(rig)
  assert.equal((await repeat).status, 202)
  start(rig)
  rig.bots.composers.delete(bot)
  await rig.deliveries.resumePending(bot)
  await rig.deliveries.drain()
  assert.deepEqual(await rig.history(), ['again'])
})

for (const what of ['what is gathered', 'what is tried again'] as const) {
  test(`${what} is posted once, though the bot is started just as it is recorded`, async () => {
    await using rig = await Rig.create()
    rig.bots.add(bot)
    rig.bots.composers.set(bot, () => ({ kind: 'failed', error: 'it broke' }))
    const headers = { 'Idempotency-Key': 'abc' }
    if (what === 'what is tried again') await rig.post(`/${bot}`, { say: 'once' }, headers)
    else rig.bots.add(bot, { coalesceMs: 600_000 })
    rig.bots.composers.set(bot, () => {
      rig.bots.composers.delete(bot)
      // In the turn in which it is passed to the store.
      process.nextTick(() => void rig.deliveries.resumePending(bot))
      return message('once')
    })
    await rig.post(`/${bot}`, { say: 'once' }, headers)
    await rig.deliveries.drain()
    assert.deepEqual(await rig.history(), ['once'])
  })
}

test('a delivery that a drain did not wait for is queued: an ended worker is no failure', async () => {
  await using rig = await Rig.create({ answerWithinMs: 60_000 })
  const active = start(rig)
  const gate = Promise.withResolvers<void>()
  rig.bots.composers.set(bot, async () => {
    await gate.promise
    return { kind: 'failed', error: 'the server is shutting down' }
  })
  const answers = ['first', 'second'].map((say) => rig.deliveries.accept(active, ...payload(say)))
  while ((await rig.store.deliveries.pending()).length < 2);
  await rig.deliveries.drain(1)
  gate.resolve()
  for (const answer of answers) assert.equal((await answer).status, 202)
  rig.bots.composers.delete(bot)
  const next = rig.newDeliveries()
  await next.resumePending()
  await rig.chat.toldAtLeast(2)
  assert.deepEqual(await rig.history(), ['first', 'second'])
})

test('after a restart accepted deliveries run again, in order and before anything new; a crashing one only a few times', async () => {
  await using rig = await Rig.create()
  const active = rig.bots.add(bot)
  const begin = (id: string, name = bot) => {
    const body = Buffer.from(JSON.stringify({ say: id }))
    return rig.store.deliveries.begin({
      id,
      bot: name,
      receivedAt: rig.now,
      key: null,
      event: null,
      headers: {},
      body,
    })
  }
  for (const id of ['p1', 'poison', 'p2']) await begin(id)
  rig.bots.add('spark-absent', { channels: ['#absent'] }, { status: 'inactive' })
  await begin('for another', 'spark-absent')
  for (let i = 0; i < 100; i++) await rig.store.deliveries.reopen('poison')
  await rig.deliveries.resumePending()
  const answer = await rig.deliveries.accept(active, ...payload('new'))
  assert.equal(answer.status, 200)
  assert.deepEqual(await rig.history(), ['p1', 'p2', 'new'])
  assert.match((await rig.store.deliveries.get('poison'))?.error ?? '', /started 100 times/)
  assert.equal((await rig.store.deliveries.get('for another'))?.status, 'pending')
  assert.match(JSON.stringify(rig.logged), /hookline bot start spark-absent/)
  rig.bots.add('spark-absent', { channels: ['#absent'] })
  await rig.deliveries.resumePending('spark-absent')
  await rig.chat.toldAtLeast(4)
  assert.deepEqual(await rig.history('#absent'), ['for another'])
})

test('pending deliveries are read once for all bots started meanwhile', async (t) => {
  await using rig = await Rig.create()
  const reading = t.mock.method(rig.store.deliveries, 'pending')
  await Promise.all(Array.from({ length: 100 }, (_, i) => rig.deliveries.resumePending(`spark-${i}`)))
  await rig.deliveries.drain()
  assert.equal(reading.mock.callCount(), 1)
})

test('deliveries that a full disk does not let begin again are posted once there is room, in their order', async (t) => {
  await using rig = await Rig.create({ retryMs: 5 })
  for (const say of ['first', 'second']) await acceptAndStop(rig, say)
  const reopening = t.mock.method(rig.store.deliveries, 'reopen', refuse, { times: 5 })
  const active = start(rig)
  await rig.deliveries.resumePending(bot)
  await rig.deliveries.accept(active, ...payload('third'))
  await rig.deliveries.drain()
  assert.equal(reopening.mock.callCount(), 5)
  assert.deepEqual(await rig.history(), ['first', 'second', 'third'])
})

test('state saved by a handler while its bot is deleted is not left to a new bot of that name', async () => {
  await using rig = await Rig.create()
  const added = start(rig)
  const gate = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  rig.bots.composers.set(bot, async () => {
    entered.resolve()
    await gate.promise
    await rig.store.botState.save(bot, '{"late":true}')
    return message('late')
  })
  const answer = rig.deliveries.accept(added, ...payload('late'))
  await entered.promise
  rig.bots.remove(bot)
  const abandoned = rig.deliveries.abandon(bot, { owner: undefined, at: rig.now })
  gate.resolve()
  await Promise.all([answer, abandoned])
  assert.equal(await rig.store.botState.load(bot), undefined)
})

test('what a bot had accepted that was made and deleted before another of its name was given up is not run by a third', async () => {
  await using rig = await Rig.create()
  const held = rig.bots.hold(bot)
  const first = rig.deliveries.accept(start(rig), ...payload('of the first'))
  await held.asked
  const ends = [remove()]
  const second = rig.deliveries.accept(start(rig), ...payload('of the second'))
  while ((await rig.store.deliveries.pending()).length < 2);
  ends.push(remove())
  start(rig)
  held.release()
  await Promise.all([first, second, ...ends])
  const rows = await rig.store.deliveries.list({ limit: 9 })
  assert.deepEqual(
    rows.map(({ status, error }) => `${status}: ${error}`),
    Array<string>(2).fill('failed: the bot was deleted'),
  )
  assert.deepEqual(rig.chat.told, [])

  function remove(): Promise<void> {
    rig.bots.remove(bot)
    return rig.deliveries.abandon(bot, { owner: undefined, at: rig.now })
  }
})

test('what waits for its turn while its bot is deleted is not posted by a new bot of that name', async (t) => {
  await using rig = await Rig.create()
  const added = rig.bots.add(bot)
  const gate = Promise.withResolvers<void>()
  const pending = rig.store.deliveries.pending.bind(rig.store.deliveries)
  t.mock.method(rig.store.deliveries, 'pending', async () => {
    await gate.promise
    return await pending()
  })
  await rig.deliveries.resumePending(bot)
  const answer = rig.deliveries.accept(added, ...payload('of the first'))
  await new Promise(setImmediate)
  rig.bots.remove(bot)
  const abandoned = rig.deliveries.abandon(bot, { owner: undefined, at: rig.now })
  rig.bots.add(bot)
  gate.resolve()
  await abandoned
  assert.equal((await answer).status, 500)
  assert.equal((await rig.store.deliveries.get('d-0'))?.error, 'the bot was deleted')
  assert.deepEqual(rig.chat.told, [])
})

test('a bot deleted while the disk is full is forgotten once there is room', async (t) => {
  await using rig = await Rig.create({ retryMs: 5 })
  rig.bots.add(bot)
  const { botState } = rig.store
  await botState.save(bot, '{"n":1}')
  const refused = (['forget', 'save'] as const).map((name) =>
    t.mock.method(botState, name, refuse, { times: 2 }),
  )
  rig.bots.remove(bot)
  await rig.deliveries.abandon(bot, { owner: undefined, at: rig.now })
  assert.deepEqual(
    refused.map(({ mock }) => mock.callCount()),
    [2, 2],
  )
  assert.equal(await botState.forgotten(), rig.now)
  assert.equal(await botState.load(bot), undefined)
})

/** With a handler. */
function start(rig: Rig): Bot {
  return rig.bots.add(bot, {}, { handler: 'handler.py' })
}

function stop(rig: Rig): void {
  rig.bots.add(bot, {}, { handler: 'handler.py', status: 'inactive' })
}

/** Stops the bot while a delivery is being recorded, so that it waits on disk. */
async function acceptAndStop(rig: Rig, say: string, key: string | null = null): Promise<void> {
  const active = start(rig)
  const accepted = rig.deliveries.accept(active, ...payload(say, {}, key))
  while (rig.store.queued === 0) await new Promise(setImmediate)
  stop(rig)
  assert.equal((await accepted).status, 202)
}
