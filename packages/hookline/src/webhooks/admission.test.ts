import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePath } from './admission.ts'
import { Rig } from '../../test/rigs/webhooks.ts'

const bot = 'spark-ori-ci'

test('a path names a bot, and perhaps a secret; any other path names none', () => {
  assert.deepEqual(parsePath('/spark-ori-ci'), { bot, secret: undefined })
  assert.deepEqual(parsePath('/spark-ori-ci/'), { bot, secret: undefined })
  assert.deepEqual(parsePath('/spark%2Dori-ci/se%20cret'), { bot, secret: 'se cret' })
  assert.deepEqual(parsePath('/spark-ori-ci/se/cret'), { bot, secret: 'se/cret' })
  for (const path of ['/', '//x', '/a.b', '/%', '/..%2fx', '/a%00', 'x']) {
    assert.equal(parsePath(path).bot, undefined, path)
  }
})

test('403: only listed addresses may send, also through a trusted proxy', async () => {
  await using rig = await Rig.create({ trustedProxies: ['127.0.0.1'] })
  rig.bots.add(bot, {}, { allowFrom: ['192.0.2.0/24', '2001:db8::/32'] })
  const from = async (address: string) =>
    (await rig.post(`/${bot}`, { say: 'x' }, { 'X-Forwarded-For': address })).status
  assert.equal(await from('192.0.2.7'), 200)
  assert.equal(await from('2001:db8::7'), 200)
  assert.equal(await from('192.0.3.7'), 403)
  assert.equal(await from('192.0.2.7, 192.0.3.7'), 403)
  const { status, json } = await rig.post(`/${bot}`, { say: 'x' })
  assert.deepEqual([status, json], [403, { error: 'address not allowed', detail: '127.0.0.1' }])
  assert.deepEqual(await rig.history(), ['x', 'x'])
})

test('410: an expired bot accepts nothing more', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, {}, { expiresAt: rig.now + 1_000 })
  assert.equal((await rig.post(`/${bot}`, { say: 'x' })).status, 200)
  rig.now += 1_000
  const { status, json } = await rig.post(`/${bot}`, { say: 'x' })
  assert.deepEqual([status, json], [410, { error: 'bot expired' }])
})

test('a custom reply is sent, but only for an accepted delivery', async () => {
  await using rig = await Rig.create()
  const reply = { status: 201, type: 'text/xml', body: '<ok/>' }
  rig.bots.add(bot, {}, { reply })
  const done = await rig.post(`/${bot}`, { say: 'x' })
  assert.deepEqual([done.status, done.headers['content-type'], done.text], [201, 'text/xml', '<ok/>'])
  assert.equal((await rig.post(`/${bot}`, 'no JSON')).status, 400)
  for (const [status, length] of [
    [204, undefined],
    [205, '0'],
  ] as const) {
    rig.bots.add(bot, {}, { reply: { status, type: 'text/plain', body: 'nothing' } })
    const { headers, ...empty } = await rig.post(`/${bot}`, { say: `${status}` })
    assert.deepEqual(
      [empty.status, headers['content-type'], headers['content-length']],
      [status, undefined, length],
    )
    assert.equal(empty.text, '')
  }
  assert.deepEqual(await rig.history(), ['x', '204', '205'])
})

test('a secret in the URL: accepted with it, 401 without, and no other bot has such URLs', async () => {
  await using rig = await Rig.create()
  rig.bots.add(
    bot,
    {},
    { auth: { type: 'url', secrets: ['made-up-secret', 'the one before', 'ausgedachter Schlüssel'] } },
  )
  rig.bots.add('spark-ori-open')
  const status = async (path: string) => (await rig.post(path, { say: 'x' })).status
  assert.equal(await status(`/${bot}/made-up-secret`), 200)
  assert.equal(await status(`/${bot}/the%20one%20before`), 200)
  assert.equal(await status(`/${bot}/ausgedachter%20Schl%C3%BCssel`), 200)
  for (const path of [
    `/${bot}`,
    `/${bot}/`,
    `/${bot}/made-up-secre`,
    `/${bot}/made-up-secret%00`,
    `/${bot}/made-up-secret/`,
  ]) {
    assert.equal(await status(path), 401, path)
  }
  assert.equal(await status('/spark-ori-open/made-up-secret'), 404)
  // Its sender tries again; a 404 would tell it that the URL is wrong.
  rig.bots.add('spark-ori-broken', {}, { settings: undefined, status: 'invalid' })
  assert.equal(await status('/spark-ori-broken/made-up-secret'), 503)
  assert.doesNotMatch(JSON.stringify(rig.logged), /made-up/)
})
