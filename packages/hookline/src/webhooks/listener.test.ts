// What senders are answered, status by status. What makes a valid HTTP request is in requests.test.ts.
import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { secretFor, type SenderName, senders, sign } from '../../test/sign.ts'
import { ask } from '../../test/post.ts'
import type { Composed } from '../message/composed.ts'
import { WebhookListener } from './listener.ts'
import { authOf, everything, head, payload, raw, Rig } from '../../test/rigs/webhooks.ts'

const bot = 'spark-ori-ghci'

test('200 posted: the message is posted and the answer says where', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  const answer = await rig.post(`/${bot}`, { say: 'build failed' })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers['content-type'], 'application/json')
  assert.equal(answer.headers['x-powered-by'], undefined)
  const told = { ok: true, id: 'd-0', status: 'posted', message: 'build failed', channels: ['#builds'] }
  assert.deepEqual(answer.json, told)
  assert.deepEqual(rig.chat.told, ['#builds <spark-ori-ghci> build failed'])
  assert.deepEqual(await rig.history(), ['build failed'])
})

test('200: the query is ignored, the name is percent-decoded once, the type of the content does not matter', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  assert.equal((await rig.post(`/${bot}?a=1&b=/x`, '{"say":"1"}')).status, 200)
  assert.equal(
    (await rig.post('/spark%2Dori-ghci', '{"say":"2"}', { 'Content-Type': 'text/plain' })).status,
    200,
  )
  assert.equal((await rig.post('/spark%252Dori-ghci', '{}')).status, 404)
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
  assert.equal((await rig.post(`/${bot}`, '{"say":"3"}', form)).status, 200)
  const encoded = `a=b&payload=${encodeURIComponent('{"say":"4 + 4"}')}`
  assert.equal(
    (
      await rig.post(`/${bot}`, encoded, {
        'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8',
      })
    ).status,
    200,
  )
  assert.deepEqual(await rig.history(), ['1', '2', '3', '4 + 4'])
  assert.equal(Buffer.from((await rig.store.deliveries.get('d-3'))?.body ?? []).toString(), '{"say":"4 + 4"}')
})

test('200 skipped: a handler that said nothing', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  rig.bots.composers.set(bot, () => ({
    kind: 'skip',
    composedBy: 'handler.py',
    reason: 'the handler returned nothing',
  }))
  const { status, json } = await rig.post(`/${bot}`, {})
  assert.equal(status, 200)
  assert.deepEqual(json, { ok: true, id: 'd-0', status: 'skipped', message: null, channels: [] })
  assert.deepEqual(rig.chat.told, [])
})

test('200 duplicate: the same delivery is posted once, whichever header names it', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  for (const name of ['X-GitHub-Delivery', 'Idempotency-Key', 'webhook-id']) {
    const first = await rig.post(`/${bot}`, { say: name }, { [name]: name })
    const second = await rig.post(`/${bot}`, { say: name }, { [name]: name })
    assert.equal(second.status, 200)
    assert.deepEqual(second.json, { ...first.json, status: 'duplicate' })
    const other = await rig.post(`/${bot}`, { say: `${name} again` }, { [name]: name })
    assert.equal(other.json['status'], 'posted')
  }
  assert.equal((await rig.post(`/${bot}`, { say: 'x' })).json['status'], 'posted')
  assert.equal((await rig.post(`/${bot}`, { say: 'x' })).json['status'], 'posted')
  assert.equal(rig.chat.told.length, 8)
  assert.equal((await rig.history()).length, 8)
})

test('202 queued: a handler that takes longer, posted when it is done', async () => {
  await using rig = await Rig.create({ answerWithinMs: 20 })
  rig.bots.add(bot, {}, { handler: 'handler.py' })
  const slow = rig.bots.hold(bot)
  const post = () => rig.post(`/${bot}`, { say: 'at last' }, { 'X-GitHub-Delivery': '1' })
  const { status, json } = await post()
  assert.equal(status, 202)
  assert.deepEqual(json, { ok: true, id: 'd-0', status: 'queued' })
  const again = await post()
  assert.deepEqual([again.status, again.json], [202, json])
  assert.equal((await rig.store.deliveries.get('d-0'))?.status, 'pending')
  slow.release()
  await rig.chat.toldAtLeast(1)
  assert.deepEqual(rig.chat.told, ['#builds <spark-ori-ghci> at last'])
  assert.equal((await rig.store.deliveries.get('d-0'))?.status, 'posted')
})

test('400: not JSON, or not an object, with where', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  for (const body of ['', '{', '{"a":1}}', 'null x', Buffer.from([0x7b, 0xff, 0x7d]), '['.repeat(500_000)]) {
    const { status, json } = await rig.post(`/${bot}`, body)
    assert.equal(status, 400)
    assert.equal(json['error'], 'invalid JSON')
    assert.equal(typeof json['detail'], 'string')
  }
  for (const body of ['[]', '1', '"x"', 'null']) {
    const { status, json } = await rig.post(`/${bot}`, body)
    assert.equal(status, 400)
    assert.equal(json['error'], 'payload must be a JSON object')
  }
  assert.deepEqual(await rig.store.deliveries.list({ limit: 9 }), [])
})

test('400: the answer says if the body is a form, but not for JSON that is only labelled as one', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  const form = 'application/x-www-form-urlencoded'
  const parts = '--b\r\nContent-Disposition: form-data; name="data"\r\n\r\n{}\r\n--b--\r\n'
  for (const [type, body, told] of [
    [form, 'text=hello&n=1', 'a form, and only a field payload'],
    [form, 'payload=hello', 'a form, and only a field payload'],
    ['multipart/form-data; boundary=b', parts, 'a multipart form'],
    [form, '{"a":1', undefined],
    ['text/plain', 'text=hello', undefined],
  ] as const) {
    const { status, json } = await rig.post(`/${bot}`, body, { 'Content-Type': type })
    assert.equal(status, 400)
    const detail = String(json['detail'])
    assert.match(detail, /at line 1, column \d/)
    if (told === undefined) assert.doesNotMatch(detail, /form/)
    else assert.ok(detail.includes(`: this is ${told}`), detail)
  }
})

test('401: a bot with a secret requires authentication of the exact bytes', async () => {
  await using rig = await Rig.create()
  const secret = 'correct horse'
  rig.bots.add(bot, {}, { auth: { type: 'github', secrets: ['old secret', secret] } })
  const body = '{ "say": "hello" }'
  const signature = (key: string) => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`
  for (const headers of [{}, { 'X-Hub-Signature-256': '' }, { 'X-Hub-Signature-256': signature('wrong') }]) {
    const { status, text } = await rig.post(`/${bot}`, body, headers)
    assert.equal(status, 401)
    assert.equal(text, '{"error":"unauthorized"}')
  }
  assert.equal(
    (await rig.post(`/${bot}`, '{"say":"hello"}', { 'X-Hub-Signature-256': signature(secret) })).status,
    401,
  )
  assert.equal((await rig.post(`/${bot}`, 'not JSON', {})).status, 401, 'authentication comes before JSON')
  assert.equal((await rig.post(`/${bot}`, body, { 'X-Hub-Signature-256': signature(secret) })).status, 200)
  assert.equal(
    (await rig.post(`/${bot}`, body, { 'X-Hub-Signature-256': signature('old secret') })).status,
    200,
  )
  rig.bots.add(bot, {}, { auth: { type: 'token', secrets: [secret] } })
  assert.equal((await rig.post(`/${bot}`, body, { Authorization: 'Bearer wrong' })).status, 401)
})

test('200: if the URL is the secret, nothing that reveals it is kept', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, {}, { auth: { type: 'url', secrets: ['made up secret'] } })
  const path = `/${bot}/made%20up%20secret`
  const headers = { 'X-Original-URL': path, Referer: `http://localhost${path}`, 'X-Event': 'push' }
  assert.equal((await rig.post(path, '{"say":"1"}', headers)).status, 200)
  const { headers: kept } = (await rig.store.deliveries.get('d-0')) ?? {}
  assert.match(JSON.stringify(kept), /push/)
  assert.doesNotMatch(JSON.stringify(kept), /made/)
})

test('200: each sender’s signature is accepted; sent again it is one delivery, if the sender gives it an id', async () => {
  await using rig = await Rig.create()
  const nameless = new Set<SenderName>(['grafana', 'token', 'basic'])
  // All others promise that no two of their events have one id: another body is another attempt.
  const notUnique = new Set<SenderName>([...nameless, 'gitlab', 'sentry', 'pagerduty'])
  for (const name of Object.keys(senders) as SenderName[]) {
    const secret = secretFor(name)
    rig.bots.add(`spark-${name}`, {}, { auth: authOf(name, secret) })
    const body = JSON.stringify({ say: 'signed', id: 'evt_1', event_id: 'Ev1', webhookTimestamp: rig.now })
    const { headers } = sign(name, { secret, body, at: rig.now })
    const statuses = [
      await rig.post(`/spark-${name}`, body, headers),
      await rig.post(`/spark-${name}`, body, headers),
    ]
    assert.deepEqual(
      statuses.map(({ json }) => json['status']),
      ['posted', nameless.has(name) ? 'posted' : 'duplicate'],
      name,
    )
    const other = body.replace('signed', 'Signed')
    assert.equal(
      (await rig.post(`/spark-${name}`, other, sign(name, { secret, body: other, at: rig.now }).headers))
        .json['status'],
      notUnique.has(name) ? 'posted' : 'duplicate',
      `${name}: the same id with another body`,
    )
  }
})

test('200: Slack’s challenge is answered once its signature is verified, and is not a delivery', async () => {
  await using rig = await Rig.create()
  const secret = secretFor('slack')
  rig.bots.add(bot, {}, { auth: { type: 'slack', secrets: [secret] } })
  const body = JSON.stringify({ type: 'url_verification', challenge: 'a made-up word', token: 'old' })
  const asked = await rig.post(`/${bot}`, body, sign('slack', { secret, body, at: rig.now }).headers)
  assert.deepEqual([asked.status, asked.json], [200, { challenge: 'a made-up word' }])
  assert.equal((await rig.post(`/${bot}`, body)).status, 401)
  assert.deepEqual(await rig.store.deliveries.list({ limit: 9 }), [])
  rig.bots.add(bot, {}, { auth: { type: 'none', secrets: [] } })
  assert.equal(
    (await rig.post(`/${bot}`, body)).json['status'],
    'posted',
    'to another bot it is a payload like any',
  )
})

test('403: a browser request from another site', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  const pages = [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ]
  for (const headers of pages) {
    const { status, json } = await rig.post(`/${bot}`, { say: 'x' }, headers)
    assert.equal(status, 403)
    assert.equal(typeof json['error'], 'string')
  }
  assert.equal(
    (
      await rig.post(
        `/${bot}`,
        { say: 'own' },
        { Origin: `http://localhost:${rig.port}`, Host: `localhost:${rig.port}` },
      )
    ).status,
    200,
  )
  assert.deepEqual(await rig.history(), ['own'])
})

test('404: no such bot', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  for (const path of [
    '/',
    '/nobody',
    `/${bot}/x`,
    `/%2e%2e%2f${bot}`,
    '/%',
    '/constructor',
    `/${'a'.repeat(65)}`,
    `/${bot.toUpperCase()}`,
  ]) {
    const { status, text } = await rig.post(path, {})
    assert.equal(status, 404, path)
    assert.equal(text, '{"error":"bot not found"}')
  }
  for (const path of ['/', '/healthz', '/api']) {
    const { status, text } = await rig.ask('GET', path)
    assert.equal(status, 404)
    assert.doesNotMatch(text, /bot not found/, 'who looks around asks for no bot')
  }
})

test('405: only POST', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    const { status, headers } = await rig.ask(method, `/${bot}`)
    assert.equal(status, 405, method)
    assert.equal(headers.allow, 'POST')
  }
})

test('401: a repeated authentication header is refused', async () => {
  await using rig = await Rig.create()
  const secret = secretFor('github')
  rig.bots.add(bot, {}, { auth: { type: 'github', secrets: [secret] } })
  const line = `X-Hub-Signature-256: ${sign('github', { secret, body: '{}' }).headers['x-hub-signature-256']}\r\n`
  const send = (lines: string) =>
    raw(rig.port, head(bot, `${lines}Connection: close\r\nContent-Length: 2`) + '{}')
  assert.equal((await send(line)).status, 200)
  assert.equal((await send(line + line)).status, 401)
})

test('429: too many deliveries wait for one bot, and others are not held up', async () => {
  await using rig = await Rig.create({ answerWithinMs: 1 })
  const slow = rig.bots.add('spark-slow', {}, { handler: 'handler.py' })
  const other = rig.bots.add('spark-other')
  const held = ['spark-slow', 'spark-another', 'spark-third'].map((name) => rig.bots.hold(name))
  const waiting = Array.from({ length: 1_000 }, () => rig.deliveries.accept(slow, ...payload('x')))
  const answer = await rig.post('/spark-slow', {})
  assert.equal(answer.status, 429)
  assert.equal(answer.headers['retry-after'], '5')
  assert.equal((await rig.deliveries.accept(other, ...payload('x'))).status, 200)
  const large = (): ReturnType<typeof payload> => {
    const [parsed, incoming] = payload('x')
    return [parsed, { ...incoming, body: Buffer.alloc(40 * 1024 * 1024) }]
  }
  const another = rig.bots.add('spark-another', {}, { handler: 'handler.py' })
  const third = rig.bots.add('spark-third', {}, { handler: 'handler.py' })
  waiting.push(...[another, third].map((each) => rig.deliveries.accept(each, ...large())))
  await waiting.at(-1)
  assert.equal((await rig.deliveries.accept(third, ...large())).status, 429)
  assert.equal((await rig.deliveries.accept(other, ...payload('x'))).status, 200)
  for (const { release } of held) release()
  assert.deepEqual(new Set((await Promise.all(waiting)).map(({ status }) => status)), new Set([202]))
})

test('500: a delivery that failed is recorded, and the owner is told how to run it again', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  rig.chat.enter('spark-ori')
  rig.bots.composers.set(bot, () => ({
    kind: 'failed',
    error: 'Traceback:\n  line 3\nKeyError: head_commit',
  }))
  const { status, json } = await rig.post(`/${bot}`, { a: 1 })
  assert.equal(status, 500)
  assert.deepEqual(json, { error: 'internal error', id: 'd-0' })
  assert.deepEqual(rig.chat.told, [
    'spark-ori <spark-ori-ghci> delivery d-0 failed: KeyError: head_commit. To run it again: hookline bot replay d-0',
  ])
  assert.match((await rig.store.deliveries.get('d-0'))?.error ?? '', /line 3/)
})

test('503: the bot exists but is not active', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, {}, { status: 'inactive' })
  const stopped = await rig.post(`/${bot}`, {})
  assert.equal(stopped.status, 503)
  assert.equal(stopped.text, '{"error":"bot not active"}')
  assert.ok(Number(stopped.headers['retry-after']) > 0)
  rig.bots.add(bot, {}, { status: 'invalid', settings: undefined })
  const broken = await rig.post(`/${bot}`, {})
  assert.equal(broken.status, 503)
  assert.equal(broken.json['error'], 'bot not active')
  assert.match(String(broken.json['detail']), /bot inspect/)
  rig.bots.add(bot, {}, { auth: { type: 'token', secrets: ['env:HOOKLINE_NO_SUCH_VARIABLE'] } })
  assert.equal((await rig.post(`/${bot}`, {}, { Authorization: 'Bearer x' })).status, 503)
  assert.match(JSON.stringify(rig.logged), /HOOKLINE_NO_SUCH_VARIABLE/)
})

test('503, 404, 401, 403: the bot changes while the body arrives, so that it takes it no more, and nothing is recorded', async () => {
  await using rig = await Rig.create()
  const { settings = assert.fail() } = rig.bots.add(bot)
  const event = { ...settings, trigger: { ...settings.trigger, type: 'event' as const } }
  const changes = [
    [503, () => rig.bots.add(bot, {}, { status: 'inactive' })],
    [404, () => rig.bots.remove(bot)],
    [401, () => rig.bots.add(bot, {}, { auth: { type: 'token', secrets: ['correct horse'] } })],
    [403, () => rig.bots.add(bot, {}, { allowFrom: ['192.0.2.0/24'] })],
    [404, () => rig.bots.add(bot, {}, { settings: event })],
  ] as const
  for (const [status, change] of changes) {
    rig.bots.add(bot)
    const socket = connect(rig.port, '127.0.0.1')
    socket.write(head(bot, 'Content-Length: 11\r\nExpect: 100-continue\r\nConnection: close'))
    await once(socket, 'data')
    change()
    socket.write('{"say":"x"}')
    assert.equal((await everything(socket)).slice(9, 12), String(status))
  }
  assert.deepEqual(await rig.store.deliveries.list({ limit: 9 }), [])
})

test('503: beyond loopback a bot without auth is not served, unless its type is none', async () => {
  await using rig = await Rig.create()
  const { bots, deliveries, metrics, refused, log } = rig
  const wide = new WebhookListener({
    bots,
    deliveries,
    metrics,
    refused,
    log,
    now: () => rig.now,
    bodyBytes: 1_000,
  })
  const { port } = await wide.listen({ host: '0.0.0.0', port: 0 })
  const ask = () => raw(port, head(bot, 'Content-Length: 2\r\nConnection: close') + '{}')
  bots.add(bot)
  const unserved = await ask()
  assert.equal(unserved.status, 503)
  assert.equal(
    unserved.body,
    '{"error":"bot not active","detail":"it has no trigger.auth, and this listener can be reached from other machines"}',
  )
  assert.equal((await rig.post(`/${bot}`, {})).status, 200, 'on loopback it is')
  bots.add(bot, {}, { auth: { type: 'none', secrets: [] } })
  assert.equal((await ask()).status, 200)
  bots.add(bot, {}, { auth: { type: 'token', secrets: ['a-made-up-token'] } })
  assert.equal((await ask()).status, 401)
  await wide.drain()
})

test('503: the disk is full, and nothing is shown', async () => {
  await using rig = await Rig.create({ maxPages: 100 })
  rig.bots.add(bot)
  const pad = (): string => randomBytes(15_000).toString('base64')
  let answer = await rig.post(`/${bot}`, { say: 'fits', pad: pad() })
  let shown = 0
  while (answer.status === 200 && shown < 50) {
    shown++
    answer = await rig.post(`/${bot}`, { say: 'fits', pad: pad() })
  }
  assert.equal(answer.status, 503)
  assert.equal(answer.text, '{"error":"storage is full"}')
  assert.ok(Number(answer.headers['retry-after']) > 0)
  assert.equal(rig.chat.told.length, shown)
  assert.equal((await rig.history()).length, shown)
})

test('503: shutting down, after what was accepted has been answered', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, {}, { handler: 'handler.py' })
  const held = rig.bots.hold(bot)
  const late = connect(rig.port, '127.0.0.1')
  late.write(`POST /${bot} HTTP/1.1\r\nHost: localhost\r\n`)
  await once(late, 'ready')
  const accepted = rig.post(`/${bot}`, { say: 'the last one' })
  await held.asked
  const drained = rig.listener.drain()
  late.write('Content-Length: 2\r\n\r\n{}')
  const refused = await everything(late)
  assert.match(refused, /^HTTP\/1.1 503/)
  assert.match(refused, /Retry-After: \d/)
  assert.ok(refused.endsWith('{"error":"shutting down"}'))
  held.release()
  const { status, json } = await accepted
  assert.deepEqual([status, json['message']], [200, 'the last one'])
  await drained
  await assert.rejects(rig.post(`/${bot}`, {}), /ECONNREFUSED/)
})

test('GET /health and GET /metrics', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  await rig.post(`/${bot}`, { say: 'x' })
  const health = await rig.ask('GET', '/health')
  assert.deepEqual([health.status, health.text], [200, '{"status":"ok"}'])
  rig.metrics.gauge('hookline_users', 'Users', () => 7)
  const proxies = [
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'Forwarded',
    'Via',
    'X-Real-IP',
    'X-Client-IP',
    'CF-Connecting-IP',
  ]
  for (const header of proxies) {
    const proxied = await ask(`http://127.0.0.1:${rig.port}/metrics`, { headers: { [header]: '192.0.2.7' } })
    assert.equal(proxied.status, 404, header)
  }
  const metrics = await rig.ask('GET', '/metrics')
  assert.equal(metrics.status, 200)
  assert.match(metrics.headers['content-type'] ?? '', /^text\/plain/)
  assert.ok(
    metrics.text.includes(`
hookline_deliveries_total{bot="${bot}",outcome="posted"} 1
`),
  )
  assert.match(metrics.text, /^hookline_webhook_request_seconds_count\{status="200"\} \d+$/m)
  assert.match(metrics.text, /^hookline_users 7$/m)
  assert.match(metrics.text, /^hookline_store_queue \d+$/m)
  assert.match(metrics.text, /^process_cpu_seconds_total/m)
  assert.doesNotMatch(metrics.text, /^nodejs_eventloop_lag_.* (NaN|Nan|9\d{9})/m)
})

test('metrics are made once for all who ask at the same time', async () => {
  await using rig = await Rig.create()
  let made = 0
  rig.metrics.gauge('hookline_users', 'Users', () => ++made)
  const all = await Promise.all(Array.from({ length: 20 }, () => rig.ask('GET', '/metrics')))
  assert.ok(all.every(({ status }) => status === 200))
  assert.ok(made < 5, `${made} times`)
})

test('deliveries count by bot and outcome: one that is queued and fails later, one refused', async () => {
  await using rig = await Rig.create({ answerWithinMs: 20 })
  rig.bots.add(bot, {}, { handler: 'handler.py', rate: { count: 1, everyMs: 60_000 } })
  const failed = Promise.withResolvers<Composed>()
  rig.bots.composers.set(bot, () => failed.promise)
  const post = (key: string) => rig.post(`/${bot}`, {}, { 'Idempotency-Key': key })
  assert.equal((await post('1')).status, 202)
  assert.equal((await post('2')).status, 429)
  failed.resolve({ kind: 'failed', error: 'too late' })
  await rig.deliveries.drain()
  const { text } = await rig.ask('GET', '/metrics')
  assert.deepEqual(text.match(/(?<=^hookline_deliveries_total).*/gm), [
    `{bot="${bot}",outcome="refused"} 1`,
    `{bot="${bot}",outcome="failed"} 1`,
  ])
})

test('an idle connection is kept for longer than a proxy keeps it', async () => {
  await using rig = await Rig.create()
  const { headers } = await fetch(`http://127.0.0.1:${rig.port}/health`)
  const [, seconds] = /^timeout=(\d+)$/.exec(headers.get('keep-alive') ?? '') ?? []
  assert.ok(Number(seconds) > 600, seconds)
})

test('an address that cannot be bound is named, with the reason', async () => {
  await using rig = await Rig.create()
  const { bots, deliveries, metrics, refused, log } = rig
  const second = new WebhookListener({
    bots,
    deliveries,
    metrics,
    refused,
    log,
    now: Date.now,
    bodyBytes: 1_000,
  })
  await assert.rejects(
    second.listen({ host: '127.0.0.1', port: rig.port }),
    new RegExp(
      `^StartFailure: webhooks cannot listen on 127.0.0.1:${rig.port}: another program is listening there$`,
    ),
  )
  await second.drain()
})
