// trigger.batch: an array in one request, of which each element is a delivery.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuse, Rig } from '../../test/rigs/webhooks.ts'

const bot = 'spark-ori-updown'

test('each element is a delivery, in order; the answer names all of them, and an object is a delivery as ever', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, {}, { batch: true })
  const { status, json } = await rig.post(`/${bot}`, '[{"say":"one","n":1.0},{"say":"two"},{"say":"three"}]')
  assert.equal(status, 200)
  assert.deepEqual(json, {
    ok: true,
    deliveries: ['d-0', 'd-1', 'd-2'].map((id) => ({ id, status: 'posted' })),
  })
  assert.deepEqual(
    rig.chat.told,
    ['one', 'two', 'three'].map((text) => `#builds <${bot}> ${text}`),
  )
  const { body } = (await rig.store.deliveries.get('d-0')) ?? {}
  assert.equal(Buffer.from(body ?? []).toString(), '{"say":"one","n":1.0}', 'digits as they came')
  assert.equal((await rig.post(`/${bot}`, { say: 'alone' })).json['status'], 'posted')
  assert.deepEqual((await rig.post(`/${bot}`, '[]')).json, { ok: true, deliveries: [] })
})

test('without it an array is refused, and so is a batch with anything but objects, or too many: nothing of it is accepted', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  assert.equal((await rig.post(`/${bot}`, '[{"say":"one"}]')).status, 400)
  rig.bots.add(bot, {}, { batch: true })
  const { status, json } = await rig.post(`/${bot}`, '[{"say":"one"},[2]]')
  assert.deepEqual([status, json['detail']], [400, 'element 2 of the array is an array'])
  const many = JSON.stringify(Array.from({ length: 1_001 }, () => ({})))
  assert.match(String((await rig.post(`/${bot}`, many)).json['detail']), /1001 elements: at most 1000/)
  assert.deepEqual(await rig.store.deliveries.list({ limit: 9 }), [])
})

test('a batch that is sent again says nothing twice, with and without an id', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, {}, { batch: true })
  const batch = '[{"say":"one"},{"say":"one"},{"specversion":"1.0","source":"/a","id":"7","say":"event"}]'
  const statuses = async (headers: Record<string, string> = {}) => {
    const { json } = await rig.post(`/${bot}`, batch, headers)
    return (json['deliveries'] as { status: string }[]).map(({ status }) => status)
  }
  assert.deepEqual(await statuses(), ['posted', 'posted', 'posted'])
  assert.deepEqual(await statuses(), ['duplicate', 'duplicate', 'duplicate'])
  assert.deepEqual(await statuses({ 'webhook-id': 'one' }), ['posted', 'posted', 'duplicate'])
  assert.deepEqual(await statuses({ 'webhook-id': 'one' }), ['duplicate', 'duplicate', 'duplicate'])
})

test('all are within the rate or none is; what the disk refuses is refused as a whole', async (t) => {
  await using rig = await Rig.create()
  rig.bots.add(bot, {}, { batch: true, rate: { count: 2, everyMs: 60_000 } })
  const batch = (...texts: string[]) => rig.post(`/${bot}`, JSON.stringify(texts.map((say) => ({ say }))))
  assert.equal((await batch('one', 'two')).status, 200)
  assert.equal((await batch('three', 'four')).status, 429)
  assert.equal(rig.chat.told.length, 2)
  rig.now += 60_000
  const record = t.mock.method(rig.store.deliveries, 'record', refuse)
  const refused = await batch('three', 'four')
  assert.deepEqual([refused.status, refused.json], [503, { error: 'storage is full' }])
  record.mock.restore()
  assert.equal((await batch('three', 'four')).status, 200)
  assert.equal(rig.chat.told.length, 4)
})
