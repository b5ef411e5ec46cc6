import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import fc from 'fast-check'
import { StoreFailure } from '../store/failure.ts'
import { message, payload, Rig } from './rig.test.ts'

const bot = 'spark-ori-ghci'

test('nothing is told before another connection can read its record', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, { channels: ['#a', '#b'] })
  using reader = new DatabaseSync(join(rig.folder, 'hookline.db'), { readOnly: true })
  const seen: unknown[] = []
  const publish = rig.chat.publish.bind(rig.chat)
  rig.chat.publish = (draft) => {
    seen.push(
      reader.prepare('SELECT status FROM deliveries WHERE id = ?').get(draft.delivery ?? '')?.['status'],
    )
    seen.push(reader.prepare('SELECT text FROM history WHERE id = ?').get(draft.id)?.['text'])
    publish(draft)
  }
  await rig.post(`/${bot}`, { say: 'hello' })
  assert.deepEqual(seen, ['posted', 'hello', 'posted', 'hello'])
})

test('where a channel refuses the others still hear it; where all refuse it failed, and the owner hears why', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, { channels: ['#a', '#b'] })
  rig.chat.refusals.set('#b', 'moderated')
  const some = await rig.post(`/${bot}`, { say: 'hello' })
  assert.deepEqual([some.status, some.json['channels']], [200, ['#a']])
  assert.equal((await rig.store.deliveries.get('d-0'))?.error, '#b: moderated')
  rig.chat.refusals.set('#a', 'banned')
  rig.chat.present.add('spark-ori')
  const none = await rig.post(`/${bot}`, { say: 'hello' })
  assert.equal(none.status, 500)
  const record = await rig.store.deliveries.get(String(none.json['id']))
  assert.deepEqual([record?.status, record?.error], ['failed', '#a: banned; #b: moderated'])
  assert.match(
    rig.chat.told.at(-1) ?? '',
    /^spark-ori <spark-ori-ghci> delivery d-\d+ failed: #a: banned; #b: moderated/,
  )
  assert.deepEqual(rig.chat.moves, [`${bot} #a,#b`, `${bot} #a,#b`], 'a kicked bot comes back')
})

test('a bot without channels and without dm_owner posts nowhere, and that is fine', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, { channels: [] })
  const { status, json } = await rig.post(`/${bot}`, { say: 'hello' })
  assert.equal(status, 200)
  assert.deepEqual(json, { ok: true, id: 'd-0', status: 'posted', message: 'hello', channels: [] })
})

test('a mention stands before the first line, and wakes the agent in every channel', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, { channels: ['#a', '#b'], mention: 'Spark-Claude' })
  rig.chat.present.add('Spark-Claude')
  const { json } = await rig.post(`/${bot}`, { say: 'it broke\nbadly' })
  assert.equal(json['message'], '@Spark-Claude it broke\nbadly')
  assert.deepEqual(rig.chat.told, [
    `#a <${bot}> @Spark-Claude it broke\nbadly`,
    `#b <${bot}> @Spark-Claude it broke\nbadly`,
    `notice Spark-Claude ${bot} mentioned you in #a: @Spark-Claude it broke badly`,
    `notice Spark-Claude ${bot} mentioned you in #b: @Spark-Claude it broke badly`,
  ])
  assert.deepEqual((await rig.store.kept.of('spark-claude')).messages, [])
})

test('whoever was mentioned while away hears it when they come, with when it was, once', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, { mention: 'Spark-Claude' })
  await rig.post(`/${bot}`, { say: 'one' })
  await rig.post(`/${bot}`, { say: 'two' })
  rig.chat.present.add('SPARK-claude')
  await Promise.all([rig.deliveries.deliverKept('SPARK-claude'), rig.deliveries.deliverKept('SPARK-claude')])
  await rig.deliveries.deliverKept('SPARK-claude')
  assert.deepEqual(rig.chat.told.slice(2), [
    `notice SPARK-claude [2026-04-03 09:15 UTC] ${bot} mentioned you in #builds: @Spark-Claude one`,
    `notice SPARK-claude [2026-04-03 09:15 UTC] ${bot} mentioned you in #builds: @Spark-Claude two`,
  ])
})

test('dm_owner: the message without the mention, now or when the owner comes; history has it once', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, { dmOwner: true, mention: 'amy' })
  await rig.post(`/${bot}`, { say: 'first\nmore' })
  rig.chat.present.add('spark-ori')
  await rig.post(`/${bot}`, { say: 'second' })
  await rig.deliveries.deliverKept('spark-ori')
  const direct = rig.chat.told.filter((line) => line.startsWith('spark-ori'))
  assert.deepEqual(direct, [
    `spark-ori <${bot}> second`,
    `spark-ori <${bot}> [2026-04-03 09:15 UTC] first\nmore`,
  ])
  assert.deepEqual(await rig.history('spark-ori'), ['second', '[2026-04-03 09:15 UTC] first\nmore'])
  assert.deepEqual((await rig.store.kept.of('spark-ori')).messages, [])
})

test('after a crash between record and telling, the direct message comes with the id that history has', async () => {
  await using rig = await Rig.create()
  const active = rig.bots.add(bot, { channels: [], dmOwner: true })
  rig.chat.present.add('spark-ori')
  // There for the draft and gone after the commit: what is on disk then is what a crash leaves.
  const isPresent = rig.chat.isPresent.bind(rig.chat)
  let asked = 0
  rig.chat.isPresent = () => asked++ === 0
  await rig.deliveries.accept(active, ...payload('late'))
  rig.chat.isPresent = isPresent
  await rig.deliveries.deliverKept('spark-ori')
  assert.deepEqual(rig.chat.told, [`spark-ori <${bot}> [2026-04-03 09:15 UTC] late`])
  assert.equal(rig.chat.published[0]?.id, 'm0')
  assert.deepEqual(await rig.history('spark-ori'), ['late'])
})

test('of a bot that is gone the server says what was kept, and how much was dropped', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, { channels: [], dmOwner: true })
  for (let i = 0; i < 102; i++)
    await rig.deliveries.accept(rig.bots.add(bot, { channels: [], dmOwner: true }), ...payload(`n${i}`))
  rig.bots.all.clear()
  rig.chat.present.add('spark-ori')
  await rig.deliveries.deliverKept('spark-ori')
  assert.equal(
    rig.chat.told[0],
    'notice spark-ori 2 older messages for you were dropped: at most 100 are kept',
  )
  assert.equal(rig.chat.told[1], `notice spark-ori [2026-04-03 09:15 UTC] <${bot}> n2`)
  assert.equal(rig.chat.told.length, 101)
  await rig.deliveries.deliverKept('spark-ori')
  assert.equal(rig.chat.told.length, 101)
})

test('a message of many lines is cut where it is said, and whole in the record', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, { dmOwner: true })
  const say = Array.from({ length: 30 }, (_, i) => `line ${i}`).join('\n')
  const { json } = await rig.post(`/${bot}`, { say })
  const said = rig.chat.published[0]?.text.split('\n') ?? []
  assert.equal(said.length, 10)
  assert.equal(said.at(-1), '… (+21 lines, delivery d-0)')
  assert.equal(json['message'], said.join('\n'))
  assert.equal((await rig.store.deliveries.get('d-0'))?.text, say)
})

test('who was away hears as many lines as who was there', async () => {
  await using rig = await Rig.create({ maxLines: 25 })
  rig.bots.add(bot, { dmOwner: true })
  const say = Array.from({ length: 25 }, (_, i) => `line ${i}`).join('\n')
  await rig.post(`/${bot}`, { say })
  rig.chat.present.add('spark-ori')
  await rig.deliveries.deliverKept('spark-ori')
  assert.equal(rig.chat.published.at(-1)?.text, `[2026-04-03 09:15 UTC] ${say}`)
})

test('a payload of 20 KB without a template shows ten lines at most', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  await rig.post(`/${bot}`, { pad: 'x '.repeat(10_000) })
  const lines = rig.chat.published[0]?.text.split('\n') ?? []
  assert.equal(lines.length, 10)
  assert.ok(lines.every((line) => Buffer.byteLength(line) <= 400))
})

test('the owner hears of a failure at once, then once a minute how many there were', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  rig.chat.present.add('spark-ori')
  rig.bots.composers.set(bot, () => ({ kind: 'failed', error: 'it broke.' }))
  const seeMore = `failed (see: hookline bot deliveries ${bot} --failed)`
  for (let i = 0; i < 4; i++) await rig.post(`/${bot}`, {})
  assert.equal(rig.chat.told.length, 1)
  rig.now += 60_000
  await rig.chat.toldAtLeast(2)
  assert.equal(rig.chat.told[1], `spark-ori <${bot}> 3 more deliveries ${seeMore}`)
  assert.deepEqual(
    await rig.history('spark-ori'),
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

test('the owner hears of a repeat that failed again, and of none of what was posted', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  rig.chat.present.add('spark-ori')
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

test('failures that the owner has not heard of are told when the server stops, and kept for an owner who is away', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  rig.bots.composers.set(bot, () => ({ kind: 'failed', error: 'it broke' }))
  for (let i = 0; i < 3; i++) await rig.post(`/${bot}`, {})
  rig.bots.all.clear()
  await rig.deliveries.drain()
  const { messages } = await rig.store.kept.of('spark-ori')
  assert.match(messages[0]?.text ?? '', /^delivery d-\d+ failed: it broke/)
  assert.deepEqual(
    messages.slice(1).map(({ source, text }) => `${source}: ${text}`),
    [`${bot}: 2 more deliveries failed (see: hookline bot deliveries ${bot} --failed)`],
  )
  rig.now += 60_000
  assert.equal((await rig.store.kept.of('spark-ori')).messages.length, 2)
})

for (const handler of [undefined, 'handler.py']) {
  const kind = handler ? 'handler' : 'template'
  test(`${kind}: what failed is tried again under its own id when the sender repeats it`, async () => {
    await using rig = await Rig.create()
    rig.bots.add(bot, {}, { handler })
    rig.bots.composers.set(bot, () => ({ kind: 'failed', error: 'it broke' }))
    const headers = { 'X-GitHub-Delivery': 'abc', 'X-GitHub-Event': 'push' }
    const first = await rig.post(`/${bot}`, { a: 1 }, headers)
    assert.deepEqual([first.status, first.json['id']], [500, 'd-0'])
    rig.bots.composers.set(bot, (_, id) => message(`now as ${id}`))
    const second = await rig.post(`/${bot}`, { a: 1 }, headers)
    assert.deepEqual(
      [second.status, second.json['status'], second.json['message']],
      [200, 'posted', 'now as d-0'],
    )
    const third = await rig.post(`/${bot}`, { a: 1 }, headers)
    assert.deepEqual(
      [third.status, third.json['status'], third.json['message']],
      [200, 'duplicate', 'now as d-0'],
    )
    assert.deepEqual(await rig.history(), ['now as d-0'])
    const [record, ...others] = await rig.store.deliveries.list({ limit: 9 })
    assert.equal(others.length, 0)
    assert.deepEqual([record?.status, record?.attempts, record?.event], ['posted', 2, 'push'])
  })
}

test('replay runs what is recorded, under its own id, with the bot as it is now', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  await rig.post(`/${bot}`, { say: 'hello' })
  rig.bots.composers.set(bot, ({ text }) => message(`again ${text}`))
  const { status, body } = await rig.deliveries.replay('d-0')
  assert.equal(status, 200)
  assert.equal('message' in body && body.message, 'again {"say":"hello"}')
  assert.deepEqual(await rig.history(), ['hello', 'again {"say":"hello"}'])
  for (let i = 0; i < 120; i++) assert.equal((await rig.deliveries.replay('d-0')).status, 200, `replay ${i}`)
  assert.equal((await rig.deliveries.replay('d-404')).status, 404)
  rig.bots.add(bot, {}, { status: 'inactive', user: undefined })
  assert.equal((await rig.deliveries.replay('d-0')).status, 503)
})

test('a fault of ours while composing is a failed delivery, not a lost one', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  rig.bots.composers.set(bot, () => {
    throw new Error('a bug')
  })
  assert.equal((await rig.post(`/${bot}`, {})).status, 500)
  assert.equal((await rig.store.deliveries.get('d-0'))?.status, 'failed')
})

test('that payloads lack what a template names is in the log once a minute, with how many more did', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  rig.bots.composers.set(bot, () => ({ ...message('x'), unresolved: ['body.a'] }))
  for (let i = 0; i < 3; i++) await rig.post(`/${bot}`, {})
  rig.now += 60_000
  await rig.post(`/${bot}`, {})
  const told = (id: string, more: object) => ({
    data: { bot, id, ...more, unresolved: ['body.a'], composedBy: 'output.template' },
    text: 'the payload lacks what the template names',
  })
  assert.deepEqual(rig.logged, [told('d-0', {}), told('d-3', { more: 2 })])
})

test('a bot that is stopped while its handler works: failed, and it can be replayed', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, {}, { handler: 'handler.py' })
  rig.bots.composers.set(bot, () => {
    rig.bots.add(bot, {}, { handler: 'handler.py', status: 'inactive', user: undefined })
    return message('too late')
  })
  assert.equal((await rig.post(`/${bot}`, {})).status, 500)
  assert.match((await rig.store.deliveries.get('d-0'))?.error ?? '', /was stopped/)
  assert.deepEqual(rig.chat.told, [])
})

test('a bot that is stopped: what waited its turn waits on disk, and runs when the bot is started, before anything new', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, {}, { handler: 'handler.py' })
  const gate = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  rig.bots.composers.set(bot, async ({ value }) => {
    entered.resolve()
    await gate.promise
    return message(JSON.stringify(value['say']))
  })
  const first = rig.post(`/${bot}`, { say: 'first' })
  await entered.promise
  const second = rig.post(`/${bot}`, { say: 'second' })
  while ((await rig.store.deliveries.pending()).length < 2);
  rig.bots.add(bot, {}, { handler: 'handler.py', status: 'inactive', user: undefined })
  gate.resolve()
  assert.equal((await first).status, 500)
  assert.deepEqual([(await second).status, (await second).json['status']], [202, 'queued'])
  const started = rig.bots.add(bot, {}, { handler: 'handler.py' })
  void rig.deliveries.resumePending(bot)
  await rig.deliveries.accept(started, ...payload('third'))
  assert.deepEqual(await rig.history(), ['"second"', '"third"'])
})

test('a bot that is stopped and started while what waited runs again: the rest keeps its order', async () => {
  await using rig = await Rig.create()
  const handler = 'handler.py'
  const stop = () => rig.bots.add(bot, {}, { handler, status: 'inactive', user: undefined })
  const active = rig.bots.add(bot, {}, { handler })
  stop()
  for (const say of ['first', 'second', 'third']) await rig.deliveries.accept(active, ...payload(say))
  rig.bots.add(bot, {}, { handler })
  rig.bots.composers.set(bot, () => {
    rig.bots.composers.delete(bot)
    stop()
    return message('too late')
  })
  void rig.deliveries.resumePending(bot)
  while ((await rig.store.deliveries.get('d-1'))?.attempts === 1);
  await new Promise(setImmediate)
  rig.bots.add(bot, {}, { handler })
  void rig.deliveries.resumePending(bot)
  await rig.deliveries.drain()
  assert.deepEqual(await rig.history(), ['second', 'third'])
})

test('a repeat of what failed waits its turn, the bot is started meanwhile: it is told once', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, {}, { handler: 'handler.py' })
  rig.bots.composers.set(bot, () => ({ kind: 'failed', error: 'it broke' }))
  const headers = { 'X-GitHub-Delivery': 'abc' }
  assert.equal((await rig.post(`/${bot}`, { say: 'again' }, headers)).status, 500)
  const gate = Promise.withResolvers<void>()
  rig.bots.composers.set(bot, async ({ value }) => {
    await gate.promise
    return message(JSON.stringify(value['say']))
  })
  const first = rig.post(`/${bot}`, { say: 'first' })
  while ((await rig.store.deliveries.pending()).length < 1);
  const repeat = rig.post(`/${bot}`, { say: 'again' }, headers)
  while ((await rig.store.deliveries.pending()).length < 2);
  await rig.deliveries.resumePending(bot)
  gate.resolve()
  for (const { status } of await Promise.all([first, repeat])) assert.equal(status, 200)
  assert.equal((await rig.post(`/${bot}`, { say: 'last' })).status, 200)
  assert.deepEqual(await rig.history(), ['"first"', '"again"', '"last"'])
})

test('what fails as its bot is started and comes once more, the bot is started again meanwhile: it is told once', async () => {
  await using rig = await Rig.create()
  const handler = 'handler.py'
  const stopped = rig.bots.add(bot, {}, { handler, status: 'inactive', user: undefined })
  await rig.deliveries.accept(stopped, ...payload('again', {}, 'abc'))
  await rig.deliveries.accept(stopped, ...payload('slow'))
  const gate = Promise.withResolvers<void>()
  const slow = Promise.withResolvers<void>()
  rig.bots.composers.set(bot, async ({ value }) => {
    if (value['say'] !== 'slow') return { kind: 'failed', error: 'it broke' }
    slow.resolve()
    await gate.promise
    return message('slow')
  })
  const active = rig.bots.add(bot, {}, { handler })
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

test('a repeat of what failed, the bot is stopped before it is recorded: it runs when the bot is started', async () => {
  await using rig = await Rig.create()
  const active = rig.bots.add(bot, {}, { handler: 'handler.py' })
  rig.bots.composers.set(bot, () => ({ kind: 'failed', error: 'it broke' }))
  const again = () => rig.deliveries.accept(active, ...payload('again', {}, 'abc'))
  assert.equal((await again()).status, 500)
  const repeat = again()
  while (rig.store.queued === 0) await new Promise(setImmediate)
  rig.bots.add(bot, {}, { handler: 'handler.py', status: 'inactive', user: undefined })
  assert.equal((await repeat).status, 202)
  rig.bots.add(bot, {}, { handler: 'handler.py' })
  rig.bots.composers.delete(bot)
  await rig.deliveries.resumePending(bot)
  await rig.deliveries.drain()
  assert.deepEqual(await rig.history(), ['again'])
})

for (const what of ['what is gathered', 'what is tried again'] as const) {
  test(`${what} is told once, though the bot is started just as it is recorded`, async () => {
    await using rig = await Rig.create()
    rig.bots.add(bot)
    rig.bots.composers.set(bot, () => ({ kind: 'failed', error: 'it broke' }))
    const headers = { 'Idempotency-Key': 'abc' }
    if (what === 'what is tried again') await rig.post(`/${bot}`, { say: 'once' }, headers)
    else rig.bots.add(bot, { coalesceMs: 600_000 })
    rig.bots.composers.set(bot, () => {
      rig.bots.composers.delete(bot)
      // In the turn in which it is handed to the store.
      process.nextTick(() => void rig.deliveries.resumePending(bot))
      return message('once')
    })
    await rig.post(`/${bot}`, { say: 'once' }, headers)
    await rig.deliveries.drain()
    assert.deepEqual(await rig.history(), ['once'])
  })
}

test('what a drain did not wait for stays pending: an ended worker is no failure', async () => {
  await using rig = await Rig.create({ answerWithinMs: 1 })
  const active = rig.bots.add(bot, {}, { handler: 'handler.py' })
  const gate = Promise.withResolvers<void>()
  rig.bots.composers.set(bot, async () => {
    await gate.promise
    return { kind: 'failed', error: 'the server is shutting down' }
  })
  for (const say of ['first', 'second']) {
    assert.equal((await rig.deliveries.accept(active, ...payload(say))).status, 202)
  }
  await rig.deliveries.drain(1)
  gate.resolve()
  rig.bots.composers.delete(bot)
  const next = rig.newDeliveries()
  await next.resumePending()
  await rig.chat.toldAtLeast(2)
  assert.deepEqual(await rig.history(), ['first', 'second'])
})

test('after a restart what was accepted runs again, in order and before anything new; a poisonous one only so often', async () => {
  await using rig = await Rig.create()
  const active = rig.bots.add(bot)
  const begin = (id: string, name = bot) => {
    const body = Buffer.from(JSON.stringify({ say: id }))
    return rig.store.deliveries.begin({
      id,
      bot: name,
      receivedAt: 1,
      key: null,
      event: null,
      headers: {},
      body,
    })
  }
  for (const id of ['p1', 'poison', 'p2']) await begin(id)
  rig.bots.add('spark-absent', { channels: ['#absent'] }, { status: 'inactive', user: undefined })
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

test('what waits is read once for all bots that are started meanwhile', async () => {
  await using rig = await Rig.create()
  const real = rig.store.deliveries
  let readings = 0
  rig.store = {
    ...rig.store,
    deliveries: {
      ...real,
      pending: async () => {
        readings++
        return await real.pending()
      },
    },
  }
  const deliveries = rig.newDeliveries()
  await Promise.all(Array.from({ length: 100 }, (_, i) => deliveries.resumePending(`spark-${i}`)))
  await deliveries.drain()
  assert.equal(readings, 1)
})

test('an outcome that the disk refuses is written when there is room again; the handler runs once', async () => {
  await using rig = await Rig.create({ answerWithinMs: 5, retryMs: 5 })
  rig.bots.add(bot, {}, { handler: 'handler.py' })
  let calls = 0
  rig.bots.composers.set(bot, () => {
    calls++
    return message('done')
  })
  const real = rig.store.deliveries
  let refusals = 0
  rig.store = {
    ...rig.store,
    deliveries: {
      ...real,
      finish: async (finished) => {
        if (refusals++ < 5) throw new StoreFailure('full', 'database or disk is full')
        return await real.finish(finished)
      },
    },
  }
  const deliveries = rig.newDeliveries({ answerWithinMs: 5, retryMs: 5 })
  const answer = await deliveries.accept(rig.bots.add(bot, {}, { handler: 'handler.py' }), ...payload('x'))
  assert.equal(answer.status, 202)
  await rig.chat.toldAtLeast(1)
  assert.deepEqual([calls, refusals], [1, 6])
  await deliveries.drain()
})

test('whatever is slow, messages of a bot appear in the order in which they were accepted', async () => {
  await using rig = await Rig.create()
  const names = ['spark-a', 'spark-b', 'spark-c']
  for (const [i, name] of names.entries())
    rig.bots.add(name, { channels: [`#${name}`] }, { handler: i === 1 ? 'handler.py' : undefined })
  let round = 0
  const steps = fc.array(fc.record({ bot: fc.nat(2), turns: fc.nat(3) }), { minLength: 1, maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      round++
      const before = rig.chat.told.length
      for (const name of names) {
        rig.bots.composers.set(name, async ({ value }) => {
          for (let turn = Number(value['turns']); turn > 0; turn--) await new Promise(setImmediate)
          return message(typeof value['say'] === 'string' ? value['say'] : '')
        })
      }
      const expected = new Map<string, string[]>(names.map((name) => [name, []]))
      const answers = plan.map(({ bot: nth, turns }, i) => {
        const name = names[nth] ?? ''
        const say = `${round}.${i}`
        expected.get(name)?.push(`#${name} <${name}> ${say}`)
        const active = rig.bots.get(name)
        assert.ok(active)
        return rig.deliveries.accept(active, ...payload(say, { turns }))
      })
      for (const { status } of await Promise.all(answers)) assert.equal(status, 200)
      const told = rig.chat.told.slice(before)
      for (const name of names) {
        assert.deepEqual(
          told.filter((line) => line.startsWith(`#${name} `)),
          expected.get(name),
        )
      }
    }),
    { numRuns: 40 },
  )
})
