import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import fc from 'fast-check'
import { message, payload, refuse, Rig } from '../../test/rigs/webhooks.ts'

const bot = 'spark-ori-ghci'

test('nothing is posted before another connection can read its record', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, { channels: ['#a', '#b'] })
  using reader = new DatabaseSync(join(rig.folder.path, 'hookline.db'), { readOnly: true })
  const seen: unknown[] = []
  rig.chat.chat.observe(({ id, event }) => {
    if (event.kind !== 'said') return
    seen.push(
      reader.prepare('SELECT status FROM deliveries WHERE id = ?').get(event.delivery ?? '')?.['status'],
    )
    seen.push(reader.prepare('SELECT text FROM history WHERE id = ?').get(id)?.['text'])
  })
  await rig.post(`/${bot}`, { say: 'hello' })
  assert.deepEqual(seen, ['posted', 'hello', 'posted', 'hello'])
})

test('if one channel refuses, the others still get it; if all refuse, it failed; either way the owner is told why', async () => {
  await using rig = await Rig.create()
  const op = rig.chat.enter('op', '#a', '#b')
  rig.bots.add(bot, { channels: ['#a', '#b'] })
  op.type(`MODE #b +m-v ${bot}`)
  const moderated = '#b: Cannot send to channel (+m): it is moderated and you have no voice'
  const some = await rig.post(`/${bot}`, { say: 'hello' })
  assert.deepEqual([some.status, some.json['channels']], [200, ['#a']])
  assert.equal((await rig.store.deliveries.get('d-0'))?.error, moderated)
  const [kept, ...others] = (await rig.store.kept.of('spark-ori')).messages
  assert.deepEqual([kept?.text, others], [`delivery d-0 did not reach every channel: ${moderated}`, []])
  op.type(`MODE #a +b-v ${bot} ${bot}`)
  rig.chat.enter('spark-ori')
  const none = await rig.post(`/${bot}`, { say: 'hello' })
  assert.equal(none.status, 500)
  const record = await rig.store.deliveries.get(String(none.json['id']))
  const why = `#a: Cannot send to channel (+b): you are banned from it; ${moderated}`
  assert.deepEqual([record?.status, record?.error], ['failed', why])
  const told = `spark-ori <${bot}> delivery ${record?.id} failed: ${why}.`
  assert.equal(rig.chat.told.at(-1)?.slice(0, told.length), told)
})

test('a kicked bot comes back to speak', async () => {
  await using rig = await Rig.create()
  const op = rig.chat.enter('op', '#builds')
  rig.bots.add(bot)
  op.type(`KICK #builds ${bot}`)
  await rig.post(`/${bot}`, { say: 'hello' })
  assert.deepEqual(rig.chat.seen, ['op joins #builds', `${bot} joins #builds`, `${bot} joins #builds`])
  assert.deepEqual(rig.chat.told, [`#builds <${bot}> hello`])
})

test('a bot without channels and without dm_owner posts nowhere, and that is fine', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, { channels: [] })
  const { status, json } = await rig.post(`/${bot}`, { say: 'hello' })
  assert.equal(status, 200)
  assert.deepEqual(json, { ok: true, id: 'd-0', status: 'posted', message: 'hello', channels: [] })
})

test('a mention precedes the first line, and wakes the agent in every channel', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, { channels: ['#a', '#b'], mention: 'Spark-Claude' })
  rig.chat.enter('Spark-Claude')
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

test('a message of many lines is cut in the chat, and complete in the record', async () => {
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

test('a payload of 20 KB without a template shows at most ten lines', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  await rig.post(`/${bot}`, { pad: 'x '.repeat(10_000) })
  const lines = rig.chat.published[0]?.text.split('\n') ?? []
  assert.equal(lines.length, 10)
  const sent = lines.map((line) => `:${bot}!bot@spark PRIVMSG #builds :${line}\r\n`)
  assert.ok(sent.every((line) => Buffer.byteLength(line) <= 512))
})

for (const handler of [undefined, 'handler.py']) {
  const kind = handler ? 'handler' : 'template'
  test(`${kind}: a failed delivery is retried under its own id when the sender repeats it`, async () => {
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

test('replay runs the recorded delivery, under its own id, with the bot’s current settings', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  await rig.post(`/${bot}`, { say: 'hello' })
  rig.bots.composers.set(bot, ({ text }) => message(`again ${text}`))
  const { status, body } = await rig.deliveries.replay('d-0')
  assert.equal(status, 200)
  assert.equal('message' in body && body.message, 'again {"say":"hello"}')
  assert.deepEqual(await rig.history(), ['hello', 'again {"say":"hello"}'])
  assert.equal((await rig.deliveries.replay('d-404')).status, 404)
  rig.bots.add(bot, {}, { status: 'inactive' })
  assert.equal((await rig.deliveries.replay('d-0')).status, 503)
})

test('a bug of ours while composing fails the delivery, but does not lose it', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  rig.bots.composers.set(bot, () => {
    throw new Error('a bug')
  })
  assert.equal((await rig.post(`/${bot}`, {})).status, 500)
  assert.equal((await rig.store.deliveries.get('d-0'))?.status, 'failed')
})

test('missing template values are logged once a minute, with the number of further cases', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  rig.bots.composers.set(bot, () => ({ ...message('x'), unresolved: ['body.a'] }))
  for (let i = 0; i < 3; i++) await rig.post(`/${bot}`, {})
  rig.now += 60_000
  await rig.post(`/${bot}`, {})
  const told = (id: string, more: object) => ({
    data: { bot, id, ...more, unresolved: ['body.a'], composedBy: 'output.template' },
    text: 'the payload lacks values that the template uses',
  })
  assert.deepEqual(rig.logged, [told('d-0', {}), told('d-3', { more: 2 })])
})

test('an outcome that the disk refuses is written once there is room; the handler runs once', async (t) => {
  await using rig = await Rig.create({ answerWithinMs: 5, retryMs: 5 })
  const active = rig.bots.add(bot, {}, { handler: 'handler.py' })
  let calls = 0
  rig.bots.composers.set(bot, () => {
    calls++
    return message('done')
  })
  const finishing = t.mock.method(rig.store.deliveries, 'finish', refuse, { times: 5 })
  assert.equal((await rig.deliveries.accept(active, ...payload('x'))).status, 202)
  await rig.chat.toldAtLeast(1)
  assert.deepEqual([calls, finishing.mock.callCount()], [1, 5])
})

test('what was accepted just before a drain is shown when it ends, though no sender waits for it', async () => {
  await using rig = await Rig.create()
  const arrived = Promise.withResolvers<void>()
  const observer = { arrived: () => arrived.resolve(), settled: () => {} }
  const deliveries = rig.newDeliveries({ observer })
  const answer = deliveries.accept(rig.bots.add(bot), ...payload('last'))
  await arrived.promise
  await deliveries.drain()
  assert.deepEqual(rig.chat.told, [`#builds <${bot}> last`])
  assert.equal((await answer).status, 200)
})

test('once a drain has begun nothing is accepted, and nothing replayed', async () => {
  await using rig = await Rig.create()
  const active = rig.bots.add(bot)
  await rig.deliveries.accept(active, ...payload('before'))
  await rig.deliveries.drain()
  assert.equal((await rig.deliveries.accept(active, ...payload('after'))).status, 503)
  assert.equal((await rig.deliveries.replay('d-0')).status, 503)
  assert.deepEqual(await rig.history(), ['before'])
})

test('messages of a bot appear in the order of acceptance, whatever is slow', async () => {
  await using rig = await Rig.create()
  const names = ['spark-a', 'spark-b', 'spark-c']
  for (const name of names)
    rig.bots.add(name, { channels: [`#${name}`] }, { handler: name === 'spark-b' ? 'handler.py' : undefined })
  let round = 0
  const steps = fc.array(fc.record({ bot: fc.nat(2), turns: fc.nat(3) }), { minLength: 1, maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      round++
      const before = rig.chat.told.length
      rig.bots.composers.set('spark-b', async ({ value }) => {
        for (let turn = Number(value['turns']); turn > 0; turn--) await new Promise(setImmediate)
        return message(typeof value['say'] === 'string' ? value['say'] : '')
      })
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
