// What a sender is answered and when, each test named by the status, from the real server over a real socket. docs/deliveries.md has them all.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { loadConfig } from '../src/config/config.ts'
import { startServer } from '../src/server/server.ts'
import { call, outputOf } from './control.ts'
import { Person } from './person.ts'
import { ask, post } from './post.ts'
import { type Rig, startRig, temporaryHome, UNLIMITED } from './rig.ts'

const bot = 'spark-ori-ghci'
const saysText = `bot: {name: ${bot}, owner: spark-ori}
output: {channels: ["#builds"], template: "{body.text}"}
`
const patient = 'answer_within_ms: 60000'

/** Waits for `go`, and then says its text. */
const waits = `import asyncio, os
async def handle(payload, bot):
    while not os.path.exists("go"):
        await asyncio.sleep(0.02)
    return payload["text"]
`
/** Fails until it is `mended`, and then does the same. */
const mendable = waits.replace(
  '    while',
  `    if not os.path.exists("mended"):
        raise ValueError("broken")
    while`,
)

test('200 posted', async () => {
  await using rig = await startRig({ bots: { [bot]: saysText } })
  using ann = await inBuilds(rig)
  const { status, headers, json } = await post(`${rig.url}/${bot}`, { text: 'build failed' })
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'application/json')
  const { id, ...rest } = json
  assert.match(String(id), /^d-[0-9a-z]{17}$/)
  assert.deepEqual(rest, { ok: true, status: 'posted', message: 'build failed', channels: ['#builds'] })
  assert.deepEqual(await ann.settle(), [`:${bot}!bot@spark PRIVMSG #builds :build failed`])
})

test('200 skipped: the handler says none', async () => {
  const handler = 'async def handle(payload, bot):\n    return None\n'
  await using rig = await startRig({ bots: { [bot]: saysText, [`${bot}/handler.py`]: handler } })
  using ann = await inBuilds(rig)
  const { status, json } = await post(`${rig.url}/${bot}`, { text: 'build failed' })
  const { id, ...rest } = json
  assert.deepEqual(
    [status, typeof id, rest],
    [200, 'string', { ok: true, status: 'skipped', message: null, channels: [] }],
  )
  assert.deepEqual(await ann.settle(), [])
})

test('200 duplicate: the same key with the same body is posted once', async () => {
  await using rig = await startRig({ bots: { [bot]: saysText } })
  using ann = await inBuilds(rig)
  for (const header of ['X-GitHub-Delivery', 'Idempotency-Key', 'webhook-id']) {
    const send = (body: string) => post(`${rig.url}/${bot}`, { text: body }, { [header]: header })
    const first = await send('one')
    const again = await send('one')
    assert.deepEqual([again.status, again.json], [200, { ...first.json, status: 'duplicate' }])
    assert.equal((await send('two')).json['status'], 'posted', 'another body is another delivery')
    assert.equal((await ann.settle()).length, 2)
  }
})

test('202 queued: a handler that needs longer than 5 s, posted when it is done', async () => {
  await using rig = await startRig({
    config: UNLIMITED,
    bots: { [bot]: saysText, [`${bot}/handler.py`]: waits },
  })
  using ann = await inBuilds(rig)
  const { status, json } = await post(`${rig.url}/${bot}`, { text: 'at last' })
  assert.deepEqual([status, json], [202, { ok: true, id: json['id'], status: 'queued' }])
  const record = await rig.server.store.deliveries.get(String(json['id']))
  assert.equal(record?.status, 'pending', 'on disk before it is answered')
  touch(rig, 'go')
  await ann.until(/PRIVMSG #builds :at last$/)
})

test('400 invalid JSON, with where', async () => {
  await using rig = await startRig({ bots: { [bot]: saysText } })
  for (const [body, where] of [
    ['', /line 1, column 1/],
    ['{"text": "x",}', /line 1, column 14/],
    ['{\n  "text" "x"}', /line 2, column 10/],
    ['{"text":"x"} trailing', /line 1, column 14/],
    [Buffer.from([0x7b, 0xff, 0x7d]), /byte 1/],
  ] as const) {
    const { status, json } = await post(`${rig.url}/${bot}`, body)
    assert.deepEqual([status, json['error']], [400, 'invalid JSON'])
    assert.match(String(json['detail']), where)
  }
  assert.deepEqual(rig.spoken, [])
})

test('400 payload must be a JSON object', async () => {
  await using rig = await startRig({ bots: { [bot]: saysText } })
  for (const body of ['[{"text":"x"}]', '"text"', '1', 'null', 'true']) {
    const { status, json } = await post(`${rig.url}/${bot}`, body)
    assert.deepEqual([status, json['error']], [400, 'payload must be a JSON object'])
    assert.match(String(json['detail']), /line 1, column 1/)
  }
})

// https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries#testing-the-webhook-payload-validation
test('401 unauthorized: a wrong signature; GitHub’s published example is accepted', async () => {
  const secret = "It's a Secret to Everybody"
  const hidden = `${saysText}trigger: {auth: {type: github, secrets: ["${secret}"]}}\n`
  await using rig = await startRig({ bots: { [bot]: hidden } })
  const published = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
  for (const headers of [{}, { 'X-Hub-Signature-256': published.replace('7', '8') }]) {
    const { status, text: answer } = await post(`${rig.url}/${bot}`, 'Hello, World!', headers)
    assert.deepEqual(
      [status, answer],
      [401, '{"error":"unauthorized"}'],
      'before anything of the body is read',
    )
  }
  const proven = await post(`${rig.url}/${bot}`, 'Hello, World!', { 'X-Hub-Signature-256': published })
  assert.deepEqual([proven.status, proven.json['error']], [400, 'invalid JSON'])
  const body = '{"text":"signed"}'
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  assert.equal((await post(`${rig.url}/${bot}`, body, { 'X-Hub-Signature-256': signature })).status, 200)
})

test('401 unauthorized: a token', async () => {
  const hidden = `${saysText}trigger: {auth: {type: token, secrets: ["env:HOOKLINE_TEST_TOKEN"]}}\n`
  process.env['HOOKLINE_TEST_TOKEN'] = 'correct horse'
  await using rig = await startRig({ bots: { [bot]: hidden } })
  delete process.env['HOOKLINE_TEST_TOKEN']
  const send = (headers: Record<string, string>) => post(`${rig.url}/${bot}`, { text: 'x' }, headers)
  assert.equal(
    (await send({ 'X-Hookline-Token': 'correct horse' })).status,
    503,
    'no secret can be read any more',
  )
  process.env['HOOKLINE_TEST_TOKEN'] = 'correct horse'
  assert.equal((await send({ 'X-Hookline-Token': 'wrong horse' })).status, 401)
  assert.equal((await send({ 'X-Hookline-Token': 'correct horse' })).status, 200)
  delete process.env['HOOKLINE_TEST_TOKEN']
})

test('404 bot not found', async () => {
  await using rig = await startRig({ bots: { [bot]: saysText } })
  for (const path of ['', 'nobody', bot.toUpperCase(), `${bot}/x`, '..%2f..%2fetc', '__proto__', '%']) {
    const { status, text: answer } = await post(`${rig.url}/${path}`, { text: 'x' })
    assert.deepEqual([status, answer], [404, '{"error":"bot not found"}'], path)
  }
})

test('405 wrong method, with Allow', async () => {
  await using rig = await startRig({ bots: { [bot]: saysText } })
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
    const { status, headers, json } = await ask(`${rig.url}/${bot}`, { method })
    assert.deepEqual([status, headers.allow, json['error']], [405, 'POST', 'use POST'], method)
  }
})

test('413 body over the limit', async () => {
  const config = `${UNLIMITED}webhooks: {${patient}, max_body_bytes: 2000}\n`
  await using rig = await startRig({ config, bots: { [bot]: saysText } })
  const sized = (bytes: number) => `{"text":"${'x'.repeat(bytes - 11)}"}`
  assert.equal((await post(`${rig.url}/${bot}`, sized(2000))).status, 200)
  for (const headers of [{ 'Content-Length': 2001 }, { 'Transfer-Encoding': 'chunked' }]) {
    const { status, json } = await ask(`${rig.url}/${bot}`, { method: 'POST', headers, body: sized(2001) })
    assert.deepEqual([status, json], [413, { error: 'body too large', detail: 'at most 2000 bytes' }])
  }
})

test('429 a thousand deliveries wait for one bot: Retry-After, and others go on', async (t) => {
  const other = 'spark-ori-other'
  const files = { [bot]: saysText, [`${bot}/handler.py`]: waits, [other]: saysText.replace(bot, other) }
  await using rig = await startRig({ bots: files })
  const { port } = new URL(rig.url)
  const socket = connect(Number(port), '127.0.0.1').resume()
  t.after(() => socket.destroy())
  socket.write(`POST /${bot} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}`.repeat(1000))
  const { deliveries } = rig.server.store
  while ((await deliveries.pending()).length < 1000);
  const { status, headers, json } = await post(`${rig.url}/${bot}`, {})
  assert.deepEqual(
    [status, headers['retry-after'], json],
    [429, '5', { error: 'too many deliveries wait for this bot' }],
  )
  assert.equal((await post(`${rig.url}/${other}`, { text: 'x' })).status, 200)
  await rig.server.bots.stop(bot)
  while ((await deliveries.list({ limit: 1, failed: true })).length === 0);
})

test('500 the handler fails: the id, and replay once it is fixed', async () => {
  const handler = 'async def handle(payload, bot):\n    return payload["txet"]\n'
  await using rig = await startRig({ bots: { [bot]: saysText, [`${bot}/handler.py`]: handler } })
  using ann = await inBuilds(rig)
  const { status, json } = await post(`${rig.url}/${bot}`, { text: 'kept' })
  assert.deepEqual([status, json], [500, { error: 'internal error', id: json['id'] }])
  const id = String(json['id'])
  const record = await rig.server.store.deliveries.get(id)
  assert.equal(record?.status, 'failed')
  assert.match(record.error ?? '', /handler\.py", line 2[^]*KeyError: 'txet'/)
  assert.deepEqual(await ann.settle(), [])

  writeFileSync(join(rig.home.bots, bot, 'handler.py'), handler.replace('txet', 'text'))
  await outputOf(rig.home, 'bot replay', { id })
  await ann.until(/PRIVMSG #builds :kept$/)
  assert.equal((await rig.server.store.deliveries.get(id))?.status, 'posted')
})

test('replay --failed: what still runs is pending, without its earlier error', async () => {
  const config = 'logging: {level: error}\nwebhooks: {answer_within_ms: 100}\n'
  await using rig = await startRig({ config, bots: { [bot]: saysText, [`${bot}/handler.py`]: mendable } })
  const { deliveries } = rig.server.store
  for (const text of ['one', 'two']) await post(`${rig.url}/${bot}`, { text })
  while ((await deliveries.list({ limit: 9, failed: true })).length < 2);
  touch(rig, 'mended')
  const ids = (await deliveries.list({ limit: 9 })).map(({ id }) => id)
  const pending = { status: 'pending', message: null, channels: [], error: null }
  const replayed = await call(rig.home, 'bot replay', { failed: true })
  assert.deepEqual(replayed, { ok: true, output: { replayed: ids.map((id) => ({ id, ...pending })) } })
  // The second waits for the first: its record has the old outcome.
  while ((await deliveries.list({ limit: 9, failed: true })).length > 1);
  const again = await call(rig.home, 'bot replay', { failed: true })
  assert.deepEqual(again, { ok: true, output: { replayed: [{ id: ids[1], ...pending }] } })
  const one = await call(rig.home, 'bot replay', { id: ids[1] ?? '' })
  assert.match(JSON.stringify(one), /was not run again: the delivery is still running/)
  touch(rig, 'go')
  while ((await deliveries.list({ limit: 9 })).some(({ status }) => status !== 'posted'));
})

test('replay --failed: what its sender has sent again meanwhile is not said twice', async () => {
  const slow = 'spark-ori-slow'
  const bots = {
    [slow]: saysText.replaceAll(bot, slow),
    [`${slow}/handler.py`]: mendable,
    [bot]: saysText,
    [`${bot}/handler.py`]: mendable,
  }
  await using rig = await startRig({ bots })
  const { deliveries } = rig.server.store
  const again = { 'Idempotency-Key': 'k' }
  const first = String((await post(`${rig.url}/${slow}`, { text: 'first' })).json['id'])
  const second = String((await post(`${rig.url}/${bot}`, { text: 'second' }, again)).json['id'])
  for (const name of [slow, bot]) touch(rig, 'mended', name)
  touch(rig, 'go')
  const replayed = call(rig.home, 'bot replay', { failed: true })
  while ((await deliveries.get(first))?.status !== 'pending');
  assert.equal((await post(`${rig.url}/${bot}`, { text: 'second' }, again)).json['status'], 'posted')
  touch(rig, 'go', slow)
  const told = (id: string, message: string) =>
    ({ id, status: 'posted', message, channels: ['#builds'], error: null }) as const
  assert.deepEqual(await replayed, {
    ok: true,
    output: { replayed: [told(first, 'first'), told(second, 'second')] },
  })
  assert.deepEqual(
    rig.spoken.map(({ text }) => text),
    ['second', 'first'],
  )
})

test('replay --failed: once its caller is gone, no other is run', async () => {
  const slow = 'spark-ori-slow'
  const handler = { [`${slow}/handler.py`]: mendable, [`${bot}/handler.py`]: mendable }
  await using rig = await startRig({
    bots: { [slow]: saysText.replaceAll(bot, slow), [bot]: saysText, ...handler },
  })
  const { deliveries } = rig.server.store
  const first = String((await post(`${rig.url}/${slow}`, { text: 'first' })).json['id'])
  const second = String((await post(`${rig.url}/${bot}`, { text: 'second' })).json['id'])
  for (const name of [slow, bot]) touch(rig, 'mended', name)
  touch(rig, 'go')
  const gone = new AbortController()
  const replayed = call(rig.home, 'bot replay', { failed: true }, { signal: gone.signal })
  while ((await deliveries.get(first))?.status !== 'pending');
  gone.abort()
  await replayed
  touch(rig, 'go', slow)
  while ((await deliveries.get(first))?.status !== 'posted');
  // In their order: if the second had its turn, it has had it.
  assert.equal((await post(`${rig.url}/${bot}`, { text: 'third' })).status, 200)
  assert.equal((await deliveries.get(second))?.status, 'failed')
})

test('202 sent again while a replay of it waits its turn: it is said once', async () => {
  await using rig = await startRig({ bots: { [bot]: saysText, [`${bot}/handler.py`]: mendable } })
  const { deliveries } = rig.server.store
  const key = { 'Idempotency-Key': 'k' }
  const { json } = await post(`${rig.url}/${bot}`, { text: 'failed' }, key)
  touch(rig, 'mended')
  const before = post(`${rig.url}/${bot}`, { text: 'before' })
  while ((await deliveries.pending()).length === 0);
  const replayed = rig.server.deliveries.replay(String(json['id']))
  // It is asked for before the sender comes, and has the record still as it was.
  await deliveries.get('')
  const again = await post(`${rig.url}/${bot}`, { text: 'failed' }, key)
  assert.deepEqual([again.status, again.json['status']], [202, 'queued'])
  touch(rig, 'go')
  assert.equal((await before).json['status'], 'posted')
  assert.equal((await replayed).status, 200)
  assert.equal((await post(`${rig.url}/${bot}`, { text: 'after' })).json['status'], 'posted')
  assert.deepEqual(
    rig.spoken.map(({ text }) => text),
    ['before', 'failed', 'after'],
  )
})

for (const goes of ['stop', 'remove'] as const) {
  test(`200 just before the bot goes (${goes}): it is posted to the channel and the owner before the bot quits`, async () => {
    const output = '{channels: ["#builds"], dm_owner: true, template: "{body.n}"}'
    const file = `bot: {name: ${bot}, owner: spark-ori}\noutput: ${output}\n`
    await using rig = await startRig({ bots: { [bot]: file } })
    using owner = await Person.join(rig.ircPort, 'spark-ori', { channels: '#builds' })
    const posts = Array.from({ length: 100 }, (_, n) => post(`${rig.url}/${bot}`, { n }))
    await Promise.race(posts)
    await rig.server.bots[goes](bot)
    const posted = (await Promise.all(posts)).filter(({ status }) => status === 200)
    const heard: string[] = []
    while (!heard.at(-1)?.includes(' QUIT ')) heard.push((await owner.next()) ?? ' QUIT ')
    for (const target of ['#builds', 'spark-ori']) {
      const said = heard.filter((line) => line.includes(` PRIVMSG ${target} :`))
      assert.equal(said.length, posted.length, target)
    }
  })
}

test('503 the bot exists but is not active', async () => {
  await using rig = await startRig({ bots: { [bot]: saysText, 'spark-ori-broken': 'bot: {name: 1}\n' } })
  await rig.server.bots.stop(bot)
  rig.server.bots.create({ name: 'new', owner: 'spark-ori' })
  for (const name of [bot, 'spark-ori-new', 'spark-ori-broken']) {
    const { status, headers, json } = await post(`${rig.url}/${name}`, { text: 'x' })
    assert.deepEqual([status, json['error'], headers['retry-after']], [503, 'bot not active', '30'], name)
  }
  assert.equal((await post(`${rig.url}/${bot}`, 'not JSON')).status, 503, 'before the body is looked at')
  await rig.server.bots.start(bot)
  assert.equal((await post(`${rig.url}/${bot}`, { text: 'x' })).status, 200)
})

test('503 shutting down, after what was accepted has been answered', async (t) => {
  await using rig = await startRig({ bots: { [bot]: saysText, [`${bot}/handler.py`]: waits } })
  const port = Number(new URL(rig.url).port)
  const late = connect(port, '127.0.0.1')
  t.after(() => late.destroy())
  late.write(`POST /${bot} HTTP/1.1\r\nHost: localhost\r\n`)
  const accepted = post(`${rig.url}/${bot}`, { text: 'the last one' })
  while ((await rig.server.store.deliveries.pending()).length < 1);
  rig.server.stop()
  while (!(await isRefused(port)));
  late.write('Content-Length: 2\r\n\r\n{}')
  const refused = await text(late)
  assert.match(refused, /^HTTP\/1.1 503 [^]*Retry-After: 5\r\n[^]*\{"error":"shutting down"\}$/)
  touch(rig, 'go')
  const { status, json } = await accepted
  assert.deepEqual([status, json['message']], [200, 'the last one'])
  await rig.server.stopped
})

test('503 storage is full: nothing is shown that is not on disk', async (t) => {
  const home = temporaryHome(t)
  await using rig = await startRig({ home, bots: { [bot]: saysText } })
  rig.server.stop()
  await rig.server.stopped
  const read = () => loadConfig({ home, flags: { name: 'spark', port: 0, webhookPort: 0 }, env: {} })
  const settings = read()
  assert.ok(settings.ok)
  const server = await startServer(settings.config, { home, version: '0.0.0', reread: read, maxPages: 100 })
  using ann = await inBuilds({ ircPort: Number(server.irc[0]?.split(':').at(-1)) })
  const send = () => post(`${server.webhook}/${bot}`, { text: 'fits', pad: 'x'.repeat(20_000) })
  let shown = 0
  let answer = await send()
  for (; answer.status === 200; shown++) answer = await send()
  assert.deepEqual([answer.status, answer.text], [503, '{"error":"storage is full"}'])
  assert.equal(answer.headers['retry-after'], '10')
  assert.ok(shown > 0)
  assert.equal((await ann.settle()).length, shown)
  assert.equal((await ask(`${server.webhook}/health`)).status, 200)
  ann.type('PRIVMSG #builds :we can still talk')
  server.stop()
  await server.stopped
})

test('GET /health and GET /metrics', async () => {
  await using rig = await startRig({ bots: { [bot]: saysText } })
  await post(`${rig.url}/${bot}`, { text: 'x' })
  const health = await ask(`${rig.url}/health`)
  assert.deepEqual([health.status, health.text], [200, '{"status":"ok"}'])
  const metrics = await ask(`${rig.url}/metrics`)
  assert.equal(metrics.status, 200)
  assert.match(metrics.headers['content-type'] ?? '', /^text\/plain; version=0\.0\.4/)
  assert.ok(
    metrics.text.includes(`
hookline_deliveries_total{bot="${bot}",outcome="posted"} 1
`),
  )
  assert.match(metrics.text, new RegExp(`^hookline_deliveries_total{bot="${bot}",outcome="failed"} 0$`, 'm'))
  assert.match(metrics.text, /^hookline_users 1$/m)
  assert.match(metrics.text, /^hookline_channels 1$/m)
})

test('403 a browser page of another origin', async () => {
  await using rig = await startRig({ bots: { [bot]: saysText } })
  for (const headers of [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ]) {
    assert.equal((await post(`${rig.url}/${bot}`, { text: 'x' }, headers)).status, 403)
  }
  assert.equal((await post(`${rig.url}/${bot}`, { text: 'x' }, { Origin: rig.url })).status, 200)
  assert.equal(rig.spoken.length, 1)
})

test('421 a foreign name that resolves to this machine', async () => {
  const config = `${UNLIMITED}webhooks: {${patient}, allowed_hosts: [hooks.example]}\n`
  await using rig = await startRig({ config, bots: { [bot]: saysText } })
  for (const [Host, status] of [
    ['evil.example', 421],
    ['localhost.evil.example:80', 421],
    ['localhost:1', 200],
    ['localhost.', 200],
    ['localhost.:1', 200],
    ['[::1]', 200],
    ['hooks.example', 200],
  ] as const) {
    assert.equal((await post(`${rig.url}/${bot}`, { text: 'x' }, { Host })).status, status, Host)
  }
})

test('the Content-Type does not matter, and a form with payload= is accepted', async () => {
  await using rig = await startRig({ bots: { [bot]: saysText } })
  using ann = await inBuilds(rig)
  const form = 'application/x-www-form-urlencoded'
  for (const [type, body, shown] of [
    ['text/plain', '{"text":"plain"}', 'plain'],
    [form, '{"text":"curl -d"}', 'curl -d'],
    [form, `payload=${encodeURIComponent('{"text":"4 + 4 = 8 & more"}')}`, '4 + 4 = 8 & more'],
    [`${form}; charset=utf-8`, 'a=b&payload=%7B%22text%22%3A%22plus+sign%22%7D', 'plus sign'],
  ] as const) {
    assert.equal((await post(`${rig.url}/${bot}`, body, { 'Content-Type': type })).status, 200, body)
    await ann.until(new RegExp(`PRIVMSG #builds :?${RegExp.escape(shown)}$`))
  }
})

test('bad payloads: 500,000 nested arrays, 5 MiB, __proto__, 2^53+1, lone surrogates', async () => {
  const config = `${UNLIMITED}webhooks: {${patient}, max_body_bytes: 8000000}\n`
  await using rig = await startRig({ config, bots: { [bot]: saysText } })
  using ann = await inBuilds(rig)
  const send = (body: string | Uint8Array) => post(`${rig.url}/${bot}`, body)
  const deep = '['.repeat(500_000)
  for (const body of [deep, deep + ']'.repeat(500_000), `{"text":${deep}${']'.repeat(500_000)}}`]) {
    const { status, json } = await send(body)
    assert.deepEqual([status, json['error']], [400, 'invalid JSON'])
    assert.match(String(json['detail']), /nested deeper than 512 levels at line 1, column \d+/)
  }
  const large = await send(JSON.stringify({ text: 'five MiB '.repeat(600_000) }))
  assert.equal(large.status, 200)
  const lines = await ann.settle()
  assert.equal(lines.length, 10)
  assert.match(lines.at(-1) ?? '', /:… \(\+\d+ lines, delivery d-[0-9a-z]+\)$/)
  for (const line of lines) assert.ok(Buffer.byteLength(`${line}\r\n`) <= 512)

  for (const [body, shown] of [
    [
      '{"text":{"__proto__":{"polluted":true},"constructor":1}}',
      '{"__proto__":{"polluted":true},"constructor":1}',
    ],
    ['{"text":9007199254740993}', '9007199254740993'],
    ['{"text":[1.0,1e400,-0,0.1000]}', '[1.0,1e400,-0,0.1000]'],
    ['{"text":"a\\ud800b\\udc00c"}', 'a\ufffdb\ufffdc'],
    ['{"text":"\\ud83c\\udf75"}', '🍵'],
    ['{"text":"one\\r\\nQUIT :two\\u0000three"}', 'one'],
  ] as const) {
    assert.equal((await send(body)).status, 200, body)
    await ann.until(new RegExp(`PRIVMSG #builds :?${RegExp.escape(shown)}$`))
  }
  await ann.until(/PRIVMSG #builds :QUIT :twothree$/)
  assert.equal(Object.getOwnPropertyNames(Object.prototype).includes('polluted'), false)
  assert.equal(
    (await send(Buffer.from([...Buffer.from('{"text":"'), 0xed, 0xa0, 0x80, 0x22, 0x7d]))).status,
    400,
  )
  assert.equal((await ask(`${rig.url}/health`)).status, 200)
})

/** A file in the folder of a bot, where its handler looks for it. */
function touch({ home }: Rig, file: string, name = bot): void {
  writeFileSync(join(home.bots, name, file), '')
}

function inBuilds({ ircPort }: Pick<Rig, 'ircPort'>): Promise<Person> {
  return Person.join(ircPort, 'ann', { channels: '#builds' })
}

async function isRefused(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return false
  } catch {
    return true
  } finally {
    socket.destroy()
  }
}
