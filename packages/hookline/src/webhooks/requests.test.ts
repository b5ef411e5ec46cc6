// What makes a valid HTTP request, whichever bot it is for.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { authOf, everything, head, raw, Rig } from '../../test/rigs/webhooks.ts'
import { secretFor, sign } from '../../test/sign.ts'

const bot = 'spark-ori-ghci'

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

test('400: a request line without a version, or with one that is written otherwise', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  for (const line of [
    `POST /${bot}`,
    `POST /${bot} HTTP/2.0`,
    'GET /health',
    'GET /health HTTP/2.0',
    `POST /${bot} HTTP/0.9`,
  ]) {
    const { status, body } = await raw(
      rig.port,
      `${line}\r\nHost: localhost\r\nContent-Length: 11\r\n\r\n{"say":"x"}`,
    )
    assert.equal(status, 400, line)
    assert.match(body, /^{"error":"malformed request"[^}]*}$/)
  }
  assert.deepEqual(await rig.history(), [])
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

test('408: an incomplete request stores nothing', async () => {
  await using rig = await Rig.create({ requestMs: 100 })
  rig.bots.add(bot)
  const { status, body } = await raw(rig.port, head(bot, 'Content-Length: 20') + '{"say":')
  assert.equal(status, 408)
  assert.equal(body, '{"error":"request too slow"}')
  assert.deepEqual(await rig.store.deliveries.list({ limit: 9 }), [])
})

test('408: incomplete headers', async () => {
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
  const expecting = connect(rig.port, '127.0.0.1')
  expecting.write(head(bot, 'Content-Length: 100001\r\nExpect: 100-continue'))
  const [answer] = (await once(expecting, 'data')) as [Buffer]
  assert.match(answer.toString(), /^HTTP\/1\.1 413 /, 'before anything of the body is asked for')
  // The server would wait for the body, to drop it.
  expecting.destroy()
})

test('100-continue: a body within the limit is asked for', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  const socket = connect(rig.port, '127.0.0.1')
  socket.write(head(bot, 'Content-Length: 11\r\nExpect: 100-continue\r\nConnection: close'))
  const [go] = (await once(socket, 'data')) as [Buffer]
  assert.equal(go.toString(), 'HTTP/1.1 100 Continue\r\n\r\n')
  socket.write('{"say":"x"}')
  assert.match(await everything(socket), /^HTTP\/1.1 200 OK/)
})

test('an unknown expectation is ignored', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  const asked = head(bot, 'Content-Length: 2\r\nExpect: the-best\r\nConnection: close')
  assert.equal((await raw(rig.port, `${asked}{}`)).status, 200)
})

test('415: a body is unpacked from gzip, deflate in both its forms, and brotli, but from nothing else', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  const body = Buffer.from('{"say":"packed"}')
  const packed: Readonly<Record<string, Buffer>> = {
    gzip: gzipSync(body),
    'x-gzip': gzipSync(body),
    GZIP: gzipSync(body),
    deflate: deflateSync(body),
    'deflate ': deflateRawSync(body),
    br: brotliCompressSync(body),
    identity: body,
  }
  for (const [coding, bytes] of Object.entries(packed)) {
    const { status, json } = await rig.post(`/${bot}`, bytes, { 'Content-Encoding': coding })
    assert.deepEqual([status, json['message']], [200, 'packed'], coding)
  }
  for (const coding of ['zstd', 'gzip, br', 'constructor']) {
    const { status, headers } = await rig.post(`/${bot}`, gzipSync(body), { 'Content-Encoding': coding })
    assert.deepEqual([status, headers['accept-encoding']], [415, 'gzip, deflate, br'], coding)
  }
})

test('413 and 400: a body that is too large once it is unpacked, and one that cannot be', async () => {
  await using rig = await Rig.create({ bodyBytes: 1_000 })
  rig.bots.add(bot)
  for (const [coding, pack] of [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
  ] as const) {
    const headers = { 'Content-Encoding': coding }
    assert.equal((await rig.post(`/${bot}`, pack(Buffer.alloc(1_001, ' ')), headers)).status, 413, coding)
    assert.equal((await rig.post(`/${bot}`, '{"say":"not packed"}', headers)).status, 400, coding)
  }
  assert.deepEqual(await rig.store.deliveries.list({ limit: 9 }), [])
})

test('a signature counts for the body as it was before it was compressed, or as it travelled', async () => {
  await using rig = await Rig.create()
  const secret = secretFor('github')
  rig.bots.add(bot, {}, { auth: authOf('github', secret) })
  const body = Buffer.from('{"say":"signed"}')
  const packed = gzipSync(body)
  for (const [signed, status] of [
    [body, 200],
    [packed, 200],
    [Buffer.from('{"say":"forged"}'), 401],
  ] as const) {
    const { headers } = sign('github', { secret, body: signed, id: String(signed.length) })
    const answer = await rig.post(`/${bot}`, packed, { ...headers, 'Content-Encoding': 'gzip' })
    assert.equal(answer.status, status)
  }
})

test('501: a transfer coding other than chunked', async () => {
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
    assert.deepEqual(JSON.parse(body), { error: 'transfer coding not supported', detail })
  }
  // RFC 9110, 5.6.1.2: empty list elements do not count.
  for (const coding of ['Transfer-Encoding: Chunked', 'Transfer-Encoding: , chunked'])
    assert.equal((await ask(coding)).status, 200)
  assert.deepEqual(await rig.history(), ['x', 'x'])
})

test('421: on loopback, a foreign Host, which is named if it can be a name', async () => {
  await using rig = await Rig.create({ allowedHosts: ['hooks.example'] })
  rig.bots.add(bot)
  for (const [Host, which] of [
    ['My_Upstream:80', 'my_upstream'],
    ['a b"<i>', 'it'],
  ] as const) {
    const { json } = await rig.post(`/${bot}`, {}, { Host })
    const detail = `add ${which} to webhooks.allowed_hosts in server.yaml, or use the address`
    assert.deepEqual(json, { error: 'unknown host', detail })
  }
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

test('431: headers over 16 KiB', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  const { status, body } = await raw(rig.port, head(bot, `X-Big: ${'x'.repeat(17 * 1024)}`))
  assert.equal(status, 431)
  assert.equal(body, '{"error":"headers too large"}')
})
