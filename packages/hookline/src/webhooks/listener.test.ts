import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { secretFor, senders, sign } from '../../test/sign.ts'
import type { SenderName } from '../../test/sign.ts'
import { WebhookListener } from './listener.ts'
import { everything, head, message, raw, Rig } from './rig.test.ts'

const bot = 'spark-ori-ghci'
const posted = (id: string, text: string) => ({
  ok: true,
  id,
  status: 'posted',
  message: text,
  channels: ['#builds'],
})

test('200 posted: the message is told and the answer says where', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  const answer = await rig.post(`/${bot}`, { say: 'build failed' })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers['content-type'], 'application/json')
  assert.equal(answer.headers['x-powered-by'], undefined)
  assert.deepEqual(answer.json, posted('d-0', 'build failed'))
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
    reason: 'the handler answered nothing',
  }))
  const { status, json } = await rig.post(`/${bot}`, {})
  assert.equal(status, 200)
  assert.deepEqual(json, { ok: true, id: 'd-0', status: 'skipped', message: null, channels: [] })
  assert.deepEqual(rig.chat.told, [])
})

test('200 duplicate: the same delivery is told once, whichever header names it', async () => {
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

test('202 queued: a handler that takes longer, told when it is done', async () => {
  await using rig = await Rig.create({ answerWithinMs: 20 })
  rig.bots.add(bot, {}, { handler: 'handler.py' })
  const slow = Promise.withResolvers<void>()
  rig.bots.composers.set(bot, async () => {
    await slow.promise
    return message('at last')
  })
  const { status, json } = await rig.post(`/${bot}`, {}, { 'X-GitHub-Delivery': '1' })
  assert.equal(status, 202)
  assert.deepEqual(json, { ok: true, id: 'd-0', status: 'queued' })
  const again = await rig.post(`/${bot}`, {}, { 'X-GitHub-Delivery': '1' })
  assert.deepEqual([again.status, again.json], [202, json])
  assert.equal((await rig.store.deliveries.get('d-0'))?.status, 'pending')
  slow.resolve()
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

test('400: of a form it is said that it is one, and not of JSON that a form is said to be', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  const form = 'application/x-www-form-urlencoded'
  const parts = '--b\r\nContent-Disposition: form-data; name="data"\r\n\r\n{}\r\n--b--\r\n'
  for (const [type, body, told] of [
    [form, 'text=hello&n=1', 'a form, of which only a field payload'],
    [form, 'payload=hello', 'a form, of which only a field payload'],
    ['multipart/form-data; boundary=b', parts, 'a form with parts'],
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

test('400: what is not HTTP', async () => {
  await using rig = await Rig.create()
  for (const text of [
    'NICK amy\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
  ]) {
    const { status, body } = await raw(rig.port, text)
    assert.equal(status, 400)
    assert.equal(body, '{"error":"malformed request"}')
  }
})

test('400: HTTP/1.1 names one host; HTTP/1.0 may name none', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  const ask = (version: string, hosts: string) =>
    raw(rig.port, `POST /${bot} HTTP/${version}\r\n${hosts}Connection: close\r\nContent-Length: 2\r\n\r\n{}`)
  for (const hosts of ['', 'Host: localhost\r\nhost: localhost\r\n']) {
    const { status, body } = await ask('1.1', hosts)
    assert.equal(status, 400)
    assert.deepEqual(JSON.parse(body), { error: 'malformed request', detail: 'send one Host header' })
  }
  assert.equal((await ask('1.0', '')).status, 200)
})

test('200: the absolute form, whose host is the one that counts', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  const ask = (target: string, host = 'localhost') =>
    raw(
      rig.port,
      `POST ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
    )
  assert.equal((await ask(`http://localhost:${rig.port}/${bot}?a=1`)).status, 200)
  assert.equal((await ask(`HTTPS://localhost/${bot}`, 'evil.example')).status, 200)
  assert.equal((await ask(`http://evil.example/${bot}`)).status, 421)
  assert.equal((await ask('http://localhost')).status, 404)
})

test('401: a bot with a secret wants proof, on the bytes as they came', async () => {
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

test('401: the reason is in the log, once a minute, and nowhere else', async () => {
  await using rig = await Rig.create()
  const secret = secretFor('slack')
  rig.bots.add(bot, {}, { auth: { type: 'slack', secrets: [secret] } })
  const old = sign('slack', { secret, body: '{}', at: rig.now - 301_000 })
  for (const more of [0, 59_000, 1_000]) {
    rig.now += more
    const answer = await rig.post(`/${bot}`, old.body, old.headers)
    assert.deepEqual([answer.status, answer.text], [401, '{"error":"unauthorized"}'])
  }
  assert.deepEqual(rig.logged, [
    { data: { bot }, text: `a webhook was refused: ${stale}` },
    { data: { bot, more: 1 }, text: `a webhook was refused: ${stale}` },
  ])
})

test('200: where the URL is the secret, nothing that tells it is kept', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, {}, { auth: { type: 'url', secrets: ['made up secret'] } })
  const path = `/${bot}/made%20up%20secret`
  const headers = { 'X-Original-URL': path, Referer: `http://localhost${path}`, 'X-Event': 'push' }
  assert.equal((await rig.post(path, '{"say":"1"}', headers)).status, 200)
  const { headers: kept } = (await rig.store.deliveries.get('d-0')) ?? {}
  assert.match(JSON.stringify(kept), /push/)
  assert.doesNotMatch(JSON.stringify(kept), /made/)
})

test('whatever a bot did not take is in the log, each reason once a minute', async () => {
  await using rig = await Rig.create()
  const auth = { type: 'token', secrets: [secretFor('token')] } as const
  rig.bots.add(bot, {}, { auth })
  const proof = { Authorization: `Bearer ${secretFor('token')}` }
  const refused = async (status: number, body: string, headers: object) => {
    for (let i = 0; i < 2; i++) assert.equal((await rig.post(`/${bot}`, body, { ...headers })).status, status)
  }
  await refused(401, '{}', {})
  await refused(401, '{}', { Authorization: 'Bearer wrong' })
  await refused(400, '[]', proof)
  await refused(400, '{', proof)
  await refused(415, '{}', { 'Content-Encoding': 'gzip' })
  await refused(421, '{}', { ...proof, Host: 'hooks.example' })
  await refused(403, '{}', { ...proof, Origin: 'https://evil.example' })
  for (let i = 0; i < 2; i++) assert.equal((await rig.ask('PUT', `/${bot}`)).status, 405)
  rig.bots.add(bot, {}, { auth, allowFrom: ['192.0.2.1'] })
  await refused(403, '{}', proof)
  rig.bots.add(bot, {}, { auth, rate: { count: 1, everyMs: 60_000 } })
  assert.equal((await rig.post(`/${bot}`, '{}', proof)).status, 200)
  await refused(429, '{}', proof)
  rig.bots.add(bot, {}, { auth, status: 'inactive' })
  await refused(503, '{}', proof)
  assert.deepEqual(
    rig.logged.map(({ text }) => text.replace('a webhook was refused: ', '')),
    [
      'it carries no proof of the kind that trigger.auth asks for',
      'its proof does not hold: another secret, or a body that was changed on the way',
      '400 payload must be a JSON object: line 1, column 1: this is an array',
      '400 invalid JSON: the end comes too early at line 1, column 2',
      '415 compressed bodies are not understood: send it without Content-Encoding',
      '421 unknown host: add it to webhooks.allowed_hosts in server.yaml, or use the address',
      '403 requests from a browser page are refused: send the webhook from a server',
      '405 use POST',
      '403 address not allowed: 127.0.0.1',
      '429 too many deliveries for this bot',
      '503 bot not active',
    ],
  )
})

const stale =
  'its proof holds, but its time is too far from ours: an old request sent again, or a wrong clock'

test('200: what each sender signs is believed; sent again it is one delivery, where the sender has a name for it', async () => {
  await using rig = await Rig.create()
  const nameless = new Set<SenderName>(['grafana', 'token', 'basic'])
  for (const name of Object.keys(senders) as SenderName[]) {
    const secret = secretFor(name)
    rig.bots.add(
      `spark-${name}`,
      {},
      { auth: { type: name === 'svix' ? 'standard' : name, secrets: [secret] } },
    )
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
      'posted',
      'the same id with another body',
    )
  }
})

test('200: Slack asks for a word, and hears it once its signature has held; it is no delivery', async () => {
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

test('403: what a browser sends on behalf of another site', async () => {
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
    `/${bot}/`,
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
  assert.equal((await rig.ask('GET', '/')).status, 404)
})

test('404: the names that no bot has are in the log, a few a minute however many there are', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  const logged = () => rig.logged.splice(0).map(({ text }) => text.replace('a webhook was refused: ', ''))
  const post = async (path: string) => assert.equal((await rig.post(path, {})).status, 404, path)
  const nobody = (name: string) => `404 bot not found: no bot is called "${name}"`

  for (const path of [
    '/spark-ori-cj/secret?token=x',
    '/spark-ori-cj',
    '//x',
    '/%0Aa%C3%A9',
    `/${'a'.repeat(9_000)}`,
  ])
    await post(path)
  assert.equal((await rig.ask('GET', '/favicon.ico')).status, 404)
  assert.deepEqual(logged(), [
    nobody('spark-ori-cj'),
    nobody(''),
    nobody('%0Aa%C3%A9'),
    nobody(`${'a'.repeat(64)}…`),
  ])
  for (let n = 0; n < 20; n++) await post(`/stranger-${n}`)
  assert.deepEqual(logged(), [nobody('stranger-0')])

  rig.now += 60_000
  await post('/spark-ori-cj')
  assert.deepEqual(logged(), ['20 more webhooks were refused: 404 bot not found', nobody('spark-ori-cj')])

  for (const path of [`/${bot}/`, `/${bot}/secret`]) await post(path)
  assert.deepEqual(logged(), [
    '404 bot not found: its URL goes on behind the name: only auth of type url has it so',
  ])
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

test('a clock that is put back hides no refusal for longer than a minute', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, {}, { status: 'inactive' })
  for (const now of [0, -3_600_000]) {
    rig.now += now
    for (const path of [`/${bot}`, '/nobody']) await rig.post(path, {})
  }
  assert.equal(rig.logged.length, 4)
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

test('408: a request that does not get to its end stores nothing', async () => {
  await using rig = await Rig.create({ requestMs: 100 })
  rig.bots.add(bot)
  const { status, body } = await raw(rig.port, head(bot, 'Content-Length: 20') + '{"say":')
  assert.equal(status, 408)
  assert.equal(body, '{"error":"request too slow"}')
  assert.deepEqual(await rig.store.deliveries.list({ limit: 9 }), [])
})

test('408: headers that do not get to their end', async () => {
  await using rig = await Rig.create({ requestMs: 100 })
  rig.bots.add(bot)
  const { status, body } = await raw(rig.port, `POST /${bot} HTTP/1.1\r\nHost: localhost\r\nX-Slow: `)
  assert.equal(status, 408)
  assert.equal(body, '{"error":"request too slow"}')
})

test('431: more than a hundred headers', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  const send = (count: number) => {
    const lines = Array.from({ length: count }, (_, n) => `X-${n}: 1\r\n`).join('')
    return raw(rig.port, head(bot, `${lines}Connection: close\r\nContent-Length: 2`) + '{}')
  }
  assert.equal((await send(97)).status, 200)
  assert.equal((await send(110)).status, 431)
})

test('401: a proof that comes twice is none', async () => {
  await using rig = await Rig.create()
  const secret = secretFor('github')
  rig.bots.add(bot, {}, { auth: { type: 'github', secrets: [secret] } })
  const line = `X-Hub-Signature-256: ${sign('github', { secret, body: '{}' }).headers['x-hub-signature-256']}\r\n`
  const send = (lines: string) =>
    raw(rig.port, head(bot, `${lines}Connection: close\r\nContent-Length: 2`) + '{}')
  assert.equal((await send(line)).status, 200)
  assert.equal((await send(line + line)).status, 401)
})

test('413: a body over the limit, whole, in chunks, or only announced', async () => {
  await using rig = await Rig.create({ bodyBytes: 100_000 })
  rig.bots.add(bot)
  const json = (length: number) => `{"say":"${'x'.repeat(length - 10)}"}`
  assert.equal((await rig.post(`/${bot}`, json(100_000))).status, 200)
  for (const headers of [{}, { 'Transfer-Encoding': 'chunked' }]) {
    for (const length of [100_001, 5_000_000]) {
      const { status, json: answer } = await rig.post(`/${bot}`, json(length), headers)
      assert.equal(status, 413)
      assert.deepEqual(answer, { error: 'body too large', detail: 'at most 100000 bytes' })
    }
  }
  assert.equal((await rig.store.deliveries.list({ limit: 9 })).length, 1)
  const expecting = await raw(rig.port, head(bot, 'Content-Length: 100001\r\nExpect: 100-continue'))
  assert.equal(expecting.status, 413, 'before anything of the body is asked for')
})

test('100-continue: a body that fits is asked for', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  const socket = connect(rig.port, '127.0.0.1')
  socket.write(head(bot, 'Content-Length: 11\r\nExpect: 100-continue\r\nConnection: close'))
  const [go] = (await once(socket, 'data')) as [Buffer]
  assert.equal(go.toString(), 'HTTP/1.1 100 Continue\r\n\r\n')
  socket.write('{"say":"x"}')
  assert.match(await everything(socket), /^HTTP\/1.1 200 OK/)
})

test('an expectation that nobody knows is ignored', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  const asked = head(bot, 'Content-Length: 2\r\nExpect: the-best\r\nConnection: close')
  assert.equal((await raw(rig.port, `${asked}{}`)).status, 200)
})

test('415: a compressed body', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  assert.equal((await rig.post(`/${bot}`, '{}', { 'Content-Encoding': 'gzip' })).status, 415)
  assert.equal((await rig.post(`/${bot}`, '{}', { 'Content-Encoding': 'identity' })).status, 200)
})

test('501: a body that was coded for the way in another form than chunks', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  const ask = (coding: string) =>
    raw(rig.port, head(bot, `${coding}\r\nConnection: close`) + 'b\r\n{"say":"x"}\r\n0\r\n\r\n')
  for (const coding of [
    'Transfer-Encoding: gzip, chunked',
    'Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked',
  ]) {
    const { status, body } = await ask(coding)
    assert.equal(status, 501)
    const detail = 'send it with Content-Length, or in chunks alone'
    assert.deepEqual(JSON.parse(body), { error: 'transfer coding not understood', detail })
  }
  // RFC 9110, 5.6.1.2: what is empty in a list does not count.
  for (const coding of ['Transfer-Encoding: Chunked', 'Transfer-Encoding: , chunked'])
    assert.equal((await ask(coding)).status, 200)
  assert.deepEqual(await rig.history(), ['x', 'x'])
})

test('421: on loopback, a Host that is not ours', async () => {
  await using rig = await Rig.create({ allowedHosts: ['hooks.example'] })
  rig.bots.add(bot)
  for (const Host of ['evil.example', 'evil.example:80', 'localhost.evil.example', 'x127.0.0.1']) {
    assert.equal((await rig.post(`/${bot}`, {}, { Host })).status, 421, Host)
  }
  for (const Host of [
    'localhost',
    'LOCALHOST:7680',
    '127.0.0.1:1',
    '[::1]:7680',
    '192.168.1.7',
    'hooks.example:443',
  ]) {
    assert.equal((await rig.post(`/${bot}`, {}, { Host })).status, 200, Host)
  }
})

test('429: too many wait for one bot, and others are not held up', async () => {
  await using rig = await Rig.create({ answerWithinMs: 1 })
  const slow = rig.bots.add('spark-slow', {}, { handler: 'handler.py' })
  const other = rig.bots.add('spark-other')
  const gate = Promise.withResolvers<void>()
  rig.bots.composers.set('spark-slow', async () => {
    await gate.promise
    return message('done')
  })
  const incoming = { key: null, event: null, headers: {}, body: Buffer.from('{}'), receivedAt: 1 }
  const payload = { text: '{}', value: {} }
  const waiting = Array.from({ length: 1_000 }, () => rig.deliveries.accept(slow, payload, incoming))
  const answer = await rig.post('/spark-slow', {})
  assert.equal(answer.status, 429)
  assert.equal(answer.headers['retry-after'], '5')
  assert.equal((await rig.deliveries.accept(other, payload, incoming)).status, 200)
  const large = () => ({ ...incoming, body: new Uint8Array(40 * 1024 * 1024) })
  const [another, third] = ['spark-another', 'spark-third'].map((name) => {
    rig.bots.composers.set(name, () => gate.promise.then(() => message('done')))
    return rig.bots.add(name, {}, { handler: 'handler.py' })
  })
  assert.ok(another && third)
  waiting.push(...[another, third].map((each) => rig.deliveries.accept(each, payload, large())))
  await waiting.at(-1)
  assert.equal((await rig.deliveries.accept(third, payload, large())).status, 429)
  assert.equal((await rig.deliveries.accept(other, payload, incoming)).status, 200)
  gate.resolve()
  assert.deepEqual(new Set((await Promise.all(waiting)).map(({ status }) => status)), new Set([202]))
})

test('431: headers over 16 KiB', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  const { status, body } = await raw(rig.port, head(bot, `X-Big: ${'x'.repeat(17 * 1024)}`))
  assert.equal(status, 431)
  assert.equal(body, '{"error":"headers too large"}')
})

test('500: a delivery that failed is recorded, and the owner is told how to run it again', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  rig.chat.present.add('spark-ori')
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
  rig.bots.add(bot, {}, { status: 'inactive', user: undefined })
  const stopped = await rig.post(`/${bot}`, {})
  assert.equal(stopped.status, 503)
  assert.equal(stopped.text, '{"error":"bot not active"}')
  assert.ok(Number(stopped.headers['retry-after']) > 0)
  rig.bots.add(bot, {}, { status: 'invalid', user: undefined, settings: undefined })
  const broken = await rig.post(`/${bot}`, {})
  assert.equal(broken.status, 503)
  assert.equal(broken.json['error'], 'bot not active')
  assert.match(String(broken.json['detail']), /bot inspect/)
  rig.bots.add(bot, {}, { auth: { type: 'token', secrets: ['env:HOOKLINE_NO_SUCH_VARIABLE'] } })
  assert.equal((await rig.post(`/${bot}`, {}, { Authorization: 'Bearer x' })).status, 503)
  assert.match(JSON.stringify(rig.logged), /HOOKLINE_NO_SUCH_VARIABLE/)
})

test('503: beyond loopback a bot without auth is not served, unless it says that it believes everybody', async () => {
  await using rig = await Rig.create()
  const { bots, deliveries, metrics, log } = rig
  const wide = new WebhookListener({ bots, deliveries, metrics, log, now: () => rig.now })
  const { port } = await wide.listen({ host: '0.0.0.0', port: 0 })
  const ask = () => raw(port, head(bot, 'Content-Length: 2\r\nConnection: close') + '{}')
  bots.add(bot)
  const refused = await ask()
  assert.equal(refused.status, 503)
  assert.equal(
    refused.body,
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
  rig.bots.add(bot)
  const gate = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  rig.bots.composers.set(bot, async () => {
    entered.resolve()
    await gate.promise
    return message('the last one')
  })
  const late = connect(rig.port, '127.0.0.1')
  late.write(`POST /${bot} HTTP/1.1\r\nHost: localhost\r\n`)
  await once(late, 'ready')
  const accepted = rig.post(`/${bot}`, {})
  await entered.promise
  const drained = rig.listener.drain()
  late.write('Content-Length: 2\r\n\r\n{}')
  const refused = await everything(late)
  assert.match(refused, /^HTTP\/1.1 503/)
  assert.match(refused, /Retry-After: \d/)
  assert.ok(refused.endsWith('{"error":"shutting down"}'))
  gate.resolve()
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
  const metrics = await rig.ask('GET', '/metrics')
  assert.equal(metrics.status, 200)
  assert.match(metrics.headers['content-type'] ?? '', /^text\/plain/)
  assert.match(metrics.text, /^hookline_deliveries_total\{outcome="posted"\} 1$/m)
  assert.match(metrics.text, /^hookline_webhook_request_seconds_count\{status="200"\} \d+$/m)
  assert.match(metrics.text, /^hookline_users 7$/m)
  assert.match(metrics.text, /^hookline_store_queue \d+$/m)
  assert.match(metrics.text, /^process_cpu_seconds_total/m)
})

test('an address that cannot be had is named, with the reason', async () => {
  await using rig = await Rig.create()
  const { bots, deliveries, metrics, log } = rig
  const second = new WebhookListener({ bots, deliveries, metrics, log, now: Date.now })
  await assert.rejects(
    second.listen({ host: '127.0.0.1', port: rig.port }),
    new RegExp(`^Error: webhooks cannot listen on 127.0.0.1:${rig.port}: another program listens there$`),
  )
  await second.drain()
})
