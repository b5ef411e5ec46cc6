import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewDelivery } from '../store/deliveryrows.ts'
import { message, payload, refuse, Rig } from '../../test/rigs/webhooks.ts'

const bot = 'spark-ori-ci'

test('beyond the burst messages are counted in one line: each is recorded, and none is posted twice', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, { burst: { count: 2, everyMs: 3_600_000 } })
  const answers = []
  for (let n = 1; n <= 6; n++) {
    answers.push(await rig.post(`/${bot}`, { say: `no ${n}` }, { 'X-GitHub-Event': n < 5 ? 'push' : '@amy' }))
  }
  assert.deepEqual(
    answers.map(({ status, json }) => `${status} ${String(json['status'])}`),
    ['200 posted', '200 posted', '202 queued', '202 queued', '202 queued', '202 queued'],
  )
  await rig.deliveries.drain()
  const line = `4 more messages in 1s: 2 push, 2 @\u200bamy (see: hookline bot deliveries ${bot})`
  assert.deepEqual(await rig.history(), ['no 1', 'no 2', line])

  const rows = await rig.store.deliveries.list({ limit: 10 })
  const [, , first, ...others] = rows
  assert.deepEqual([first?.status, first?.text, first?.reason], ['posted', line, 'represents 4 deliveries'])
  assert.deepEqual(
    others.map(({ status, text, channels, reason }) => [status, text, channels, reason]),
    ['no 4', 'no 5', 'no 6'].map((text) => ['skipped', text, [], `counted in the message of ${first?.id}`]),
  )
})

test('a single message beyond the burst is posted as it is', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, { burst: { count: 1, everyMs: 50 } })
  await rig.post(`/${bot}`, { say: 'one' })
  assert.equal((await rig.post(`/${bot}`, { say: 'two' })).status, 202)
  await rig.chat.toldAtLeast(2)
  assert.deepEqual(await rig.history(), ['one', 'two'])
})

test('beyond a burst of one a month, messages are counted too', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, { burst: { count: 1, everyMs: 30 * 86_400_000 } })
  for (const say of ['one', 'two', 'three']) await rig.post(`/${bot}`, { say })
  await rig.deliveries.drain()
  const line = `2 more messages in 1s (see: hookline bot deliveries ${bot})`
  assert.deepEqual(await rig.history(), ['one', line])
})

test('handler messages are gathered too', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, { coalesceMs: 600_000 }, { handler: 'handler.py' })
  // One after the other: of two connections, either may be read first.
  for (const say of ['a', 'b']) assert.equal((await rig.post(`/${bot}`, { say })).status, 202)
  await rig.deliveries.drain()
  assert.deepEqual(await rig.history(), ['a\nb'])
})

test('with coalesce, messages within the time are posted as one, in order, and at once when the server stops', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, { coalesceMs: 600_000, channels: ['#a', '#b'] })
  for (const say of ['one', 'two', 'three']) assert.equal((await rig.post(`/${bot}`, { say })).status, 202)
  await rig.deliveries.drain()
  const [first, ...others] = await rig.store.deliveries.list({ limit: 10 })
  assert.deepEqual(rig.chat.told, [`#a <${bot}> one\ntwo\nthree`, `#b <${bot}> one\ntwo\nthree`])
  assert.equal(rig.chat.published[0]?.delivery, first?.id)
  assert.deepEqual(
    others.map(({ status, text, channels, reason }) => [status, text, channels, reason]),
    ['two', 'three'].map((text) => ['posted', text, ['#a', '#b'], `posted together with ${first?.id}`]),
  )
})

test('a message limited to few lines stays so when coalesced: the ones after it are visible', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, { coalesceMs: 600_000 })
  rig.bots.composers.set(bot, ({ value: { say } }) => {
    const text = typeof say === 'string' ? say : ''
    return text.length > 100 ? { ...message(text), maxLines: 3 } : message(text)
  })
  const said = ['a'.repeat(2_000), 'two', 'b'.repeat(2_000), 'four']
  for (const say of said) assert.equal((await rig.post(`/${bot}`, { say })).status, 202)
  await rig.deliveries.drain()
  const cut = (letter: string, id: string) => [letter.repeat(600), `… (+5 lines, delivery ${id})`]
  assert.deepEqual(await rig.history(), [[...cut('a', 'd-0'), 'two', ...cut('b', 'd-2'), 'four'].join('\n')])
  const rows = await rig.store.deliveries.list({ limit: 10 })
  assert.deepEqual(
    rows.map(({ text }) => text),
    [said.join('\n'), ...said.slice(1)],
    'the records have all of it',
  )
})

test('a message that wakes nobody is not coalesced with one that does', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, { coalesceMs: 600_000, mention: 'amy' })
  rig.bots.composers.set(bot, ({ value: { quiet }, text }) => {
    const destination = { channels: ['#builds'], ...(quiet === true ? { mention: null } : {}) }
    return { ...message(text), destination }
  })
  for (const quiet of [true, false]) await rig.post(`/${bot}`, { quiet })
  await rig.deliveries.drain()
  assert.deepEqual(await rig.history(), ['{"quiet":true}', '@amy {"quiet":false}'])
})

test('a coalesced message is part of a thread only if all its parts are', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  await using rig = await Rig.create()
  rig.bots.add(bot, { coalesceMs: 500 })
  rig.bots.composers.set(bot, ({ value: { say } }) => {
    const text = typeof say === 'string' ? say : ''
    return { ...message(text), thread: text.slice(0, 1) }
  })
  const told = async (...prs: readonly string[]) => {
    const before = rig.chat.published.length
    await Promise.all(prs.map((pr, i) => rig.post(`/${bot}`, { say: `${pr}.${i}` })))
    t.mock.timers.tick(500)
    await rig.chat.toldAtLeast(before + 1)
    return rig.chat.published.at(-1)?.clientTags?.[0]?.[1]
  }
  assert.equal(await told('7', '7'), undefined)
  const first = rig.chat.published[0]?.id
  assert.equal(await told('7', '8'), undefined)
  assert.equal(await told('7', '7'), first)
  assert.equal(await told('8'), undefined)
})

test('a repeat does not count against the burst', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, { burst: { count: 2, everyMs: 600_000 } })
  const headers = { 'Idempotency-Key': 'k' }
  const statuses: unknown[] = []
  for (const [say, more] of [
    ['one', headers],
    ['one', headers],
    ['two', {}],
    ['three', {}],
  ] as const)
    statuses.push((await rig.post(`/${bot}`, { say }, more)).json['status'])
  assert.deepEqual(statuses, ['posted', 'duplicate', 'posted', 'queued'])
})

test('what the disk refuses does not count against the burst', async (t) => {
  await using rig = await Rig.create()
  rig.bots.add(bot, { burst: { count: 1, everyMs: 3_600_000 } })
  t.mock.method(rig.store.deliveries, 'record', refuse, { times: 1 })
  assert.equal((await rig.post(`/${bot}`, { say: 'one' })).status, 503)
  assert.equal((await rig.post(`/${bot}`, { say: 'one' })).status, 200)
})

test('a repeat of a waiting delivery is queued too, and posted once', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, { coalesceMs: 600_000 })
  const headers = { 'Idempotency-Key': 'k' }
  const one = await rig.post(`/${bot}`, { say: 'one' }, headers)
  const again = await rig.post(`/${bot}`, { say: 'one' }, headers)
  assert.deepEqual([again.status, again.json['id']], [202, one.json['id']])
  await rig.deliveries.drain()
  assert.deepEqual(await rig.history(), ['one'])
})

test('once an edit ends the gathering, waiting messages are posted at once, before new ones', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, { coalesceMs: 600_000 })
  for (const say of ['one', 'two']) await rig.post(`/${bot}`, { say })
  rig.bots.add(bot)
  await rig.post(`/${bot}`, { say: 'three' })
  await rig.chat.toldAtLeast(1)
  await rig.post(`/${bot}`, { say: 'four' })
  assert.deepEqual(await rig.history(), ['one\ntwo\nthree', 'four'])
})

test('a handler message during draining is posted without waiting', async () => {
  await using rig = await Rig.create({ answerWithinMs: 20 })
  rig.bots.add(bot, { coalesceMs: 600_000 }, { handler: 'handler.py' })
  const slow = rig.bots.hold(bot)
  assert.equal((await rig.post(`/${bot}`, { say: 'at last' })).status, 202)
  const drained = rig.deliveries.drain()
  slow.release()
  await drained
  assert.deepEqual(await rig.history(), ['at last'])
})

test('messages waiting when the server ended are posted after the next start', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, { coalesceMs: 600_000 })
  for (const say of ['one', 'two']) await rig.post(`/${bot}`, { say })
  // As a killed process leaves it: pending on disk, and known to nobody.
  rig.bots.add(bot, { coalesceMs: 20 })
  const next = rig.newDeliveries()
  await next.resumePending()
  await rig.chat.toldAtLeast(1)
  assert.deepEqual(await rig.history(), ['one\ntwo'])
  await next.drain()
})

test('messages waiting for a stopped bot stay pending, and a replay is posted at once', async () => {
  await using rig = await Rig.create()
  const settings = { coalesceMs: 600_000 }
  rig.bots.add(bot, settings)
  const { json } = await rig.post(`/${bot}`, { say: 'one' })
  const id = String(json['id'])
  rig.bots.add(bot, settings, { status: 'inactive' })
  await rig.deliveries.drain()
  assert.equal((await rig.store.deliveries.get(id))?.status, 'pending')

  rig.bots.add(bot, settings)
  const next = rig.newDeliveries()
  const answer = await next.replay(id)
  assert.equal('status' in answer.body && answer.body.status, 'posted')
  assert.deepEqual(await rig.history(), ['one'])
})

test('a thousand waiting messages are posted without further waiting', async () => {
  await using rig = await Rig.create()
  const added = rig.bots.add(bot, { coalesceMs: 600_000 })
  await Promise.all(Array.from({ length: 1_000 }, () => rig.deliveries.accept(added, ...payload('x'))))
  await rig.chat.toldAtLeast(1)
  assert.equal(
    (await rig.store.deliveries.list({ limit: 1_000 })).filter(({ status }) => status === 'posted').length,
    1_000,
  )
})

test('what a deleted bot held is not posted by a new bot of that name, even while its record is written', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  await using rig = await Rig.create()
  const added = rig.bots.add(bot, { coalesceMs: 500 })
  const { deliveries } = rig.store
  const begin = deliveries.begin.bind(deliveries)
  const entered = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  t.mock.method(deliveries, 'begin', async (delivery: NewDelivery) => {
    entered.resolve()
    await gate.promise
    return await begin(delivery)
  })
  const answer = rig.deliveries.accept(added, ...payload('of the first'))
  await entered.promise
  t.mock.timers.tick(500)
  rig.bots.remove(bot)
  const abandoned = rig.deliveries.abandon(bot, { owner: undefined, at: rig.now })
  rig.bots.add(bot)
  gate.resolve()
  await Promise.all([answer, abandoned])
  const [row] = await deliveries.list({ limit: 9 })
  assert.deepEqual([row?.status, row?.error], ['failed', 'the bot was deleted'])
  assert.deepEqual(rig.chat.told, [])
})
