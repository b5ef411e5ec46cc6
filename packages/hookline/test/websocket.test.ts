// The WebSocket door, with Node's own client, and with bare bytes where that client is too well-behaved.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { text } from 'node:stream/consumers'
import { dialTls, makeCertificate } from './certificates.ts'
import { Person } from './person.ts'
import { type Rig, startRig, temporaryHome, UNLIMITED } from './rig.ts'
import { WebPerson } from './webperson.ts'

const LISTENERS = 'listeners: [{port: 0}, {port: 0, websocket: true}]\n'

test('the client’s first protocol that we support is used; without one it is text', async () => {
  await using rig = await startRig({ config: LISTENERS + UNLIMITED })
  assert.match(rig.server.irc[1] ?? '', /^127\.0\.0\.1:\d+ websocket$/)
  using ann = await Person.join(rig.ircPort, 'ann')
  const asked: [string[], string, string][] = [
    [['binary.ircv3.net'], 'binary.ircv3.net', 'binary'],
    [['text.ircv3.net', 'binary.ircv3.net'], 'text.ircv3.net', 'text'],
    [['soap', 'binary.ircv3.net', 'text.ircv3.net'], 'binary.ircv3.net', 'binary'],
    [[], '', 'text'],
  ]
  for (const [protocols, spoken, kind] of asked) {
    using web = await WebPerson.join(rig.secondPort, 'web', { protocols })
    assert.equal(web.protocol, spoken)
    assert.equal(web.kind, kind)
    ann.type('PRIVMSG web :green tea ☕')
    assert.equal(await web.next(), ':ann!ann@127.0.0.1 PRIVMSG web :green tea ☕')
    web.type('PRIVMSG ann :and honey 🍯')
    assert.equal(await ann.next(), ':web!web@127.0.0.1 PRIVMSG ann :and honey 🍯')
    web.type('QUIT')
    assert.match((await web.gone()).join(), /ERROR/)
    await ann.settle()
  }
})

test('a message that ends in CRLF, is too long or is not UTF-8 is answered as on TCP', async () => {
  await using rig = await startRig({ config: LISTENERS + UNLIMITED })
  using web = await WebPerson.join(rig.secondPort, 'web')
  web.type('PING one\r\n', `PING ${'x'.repeat(505)}`)
  assert.equal(await web.next(), ':spark PONG spark one')
  assert.match((await web.next()) ?? '', /^:spark PONG spark x+$/)
  web.type(`PING ${'x'.repeat(506)}`)
  assert.match((await web.next()) ?? '', / 417 /)
  web.send(Buffer.from('PRIVMSG web :caf\xe9', 'latin1'))
  assert.match((await web.next()) ?? '', /^:spark FAIL PRIVMSG INVALID_UTF8 /)
  web.type('x'.repeat(20_000))
  await web.gone()
  assert.equal(web.closedWith, 1009)
})

test('lines to a channel reach TCP and WebSocket alike, in order, each in its own message', async () => {
  await using rig = await startRig({ config: LISTENERS + UNLIMITED })
  using ann = await Person.join(rig.ircPort, 'ann')
  using text = await WebPerson.join(rig.secondPort, 'text')
  using binary = await WebPerson.join(rig.secondPort, 'binary', { protocols: ['binary.ircv3.net'] })
  for (const person of [ann, text, binary]) {
    person.type('JOIN #tea')
    await person.settle()
  }
  await text.settle()
  const said = Array.from({ length: 200 }, (_, i) => `PRIVMSG #tea :${i} ${'x'.repeat(i)}`)
  ann.type(...said)
  for (const person of [text, binary]) {
    for (const line of said) assert.equal(await person.next(), `:ann!ann@127.0.0.1 ${line}`)
  }
})

test('a client that never reads is closed when its send queue is full', async () => {
  const limits = 'limits: {flood_protection: false, send_queue_bytes: 65536}\nlogging: {level: error}\n'
  await using rig = await startRig({ config: LISTENERS + limits })
  using ann = await Person.join(rig.ircPort, 'ann')
  const slow = connect({ port: rig.secondPort, host: '127.0.0.1' })
  slow.on('error', () => {
    // In the end it is cut off.
  })
  slow.write(handshake())
  await once(slow, 'data')
  slow.write(Buffer.concat(['NICK slow', 'USER slow 0 * :s', 'JOIN #tea'].map((line) => masked(line))))
  slow.pause()
  ann.type('JOIN #tea')
  await ann.until(/ 366 /)
  let closing: string | undefined
  for (let said = 0; closing === undefined && said < 100_000;) {
    ann.type(...Array.from({ length: 100 }, () => `PRIVMSG #tea :${said++} ${'x'.repeat(400)}`))
    closing = (await ann.settle()).find((line) => line.includes(' QUIT '))
  }
  assert.equal(closing, ':slow!slow@127.0.0.1 QUIT :SendQ exceeded')
  slow.destroy()
})

test('pings, pongs, empty messages and empty fragments count as lines or by their bytes; a ping is answered', async () => {
  const limits = 'limits: {flood_burst: 8, flood_lines_per_second: 1}\nlogging: {level: error}\n'
  await using rig = await startRig({ config: LISTENERS + limits })
  const times = (count: number, frame: Buffer): Buffer =>
    Buffer.concat(Array.from({ length: count }, () => frame))
  const fragments = [masked('', 0x01), times(4_000, masked('', 0x00)), masked('', 0x80)]
  const attacks = [
    times(20, masked('tea', PING)),
    times(20, masked('', PONG)),
    times(20, masked('')),
    Buffer.concat(fragments),
  ]
  for (const attack of attacks) {
    const eve = connect({ port: rig.secondPort, host: '127.0.0.1' })
    eve.write(handshake())
    await once(eve, 'data')
    let heard = ''
    eve.on('data', (chunk: Buffer) => (heard += chunk.toString('latin1')))
    await new Promise((sent) => eve.write(Buffer.concat([attack, masked('PING last')]), sent))
    using witness = await Person.connect(rig.ircPort)
    await witness.settle()
    assert.doesNotMatch(heard, / last/, attack.subarray(0, 12).toString('hex'))
    // All in one turn, so the last of them alone.
    assert.equal(heard.split('\x8a\x03tea').length - 1, attack === attacks[0] ? 1 : 0)
    eve.destroy()
  }
})

test('a page of another site is refused unless it is listed; a client without Origin is accepted', async () => {
  const config = `server: {websocket_origins: ["https://*.example.org"]}\n${LISTENERS}${UNLIMITED}`
  await using rig = await startRig({ config })
  const asked: [string | undefined, RegExp][] = [
    [undefined, /^HTTP\/1\.1 101 /],
    ['http://localhost:3000', /^HTTP\/1\.1 101 /],
    ['https://chat.example.org', /^HTTP\/1\.1 101 /],
    ['https://evil.example', /^HTTP\/1\.1 403 [^]*server\.websocket_origins/],
    ['https://chat.example.org.evil.example', /^HTTP\/1\.1 403 /],
    ['null', /^HTTP\/1\.1 403 /],
  ]
  for (const [origin, answer] of asked) {
    const got = await ask(rig, handshake(origin === undefined ? {} : { Origin: origin }))
    assert.match(got, answer, String(origin))
  }
})

test('a request without an upgrade is told so, and anything but HTTP is cut off', async () => {
  await using rig = await startRig({ config: LISTENERS + UNLIMITED })
  assert.match(
    await ask(rig, 'GET / HTTP/1.1\r\nHost: irc\r\n\r\n'),
    /^HTTP\/1\.1 426 [^]*connect with WebSocket/,
  )
  assert.match(await ask(rig, handshake().replace('HTTP/1.1', 'HTTP/2.0')), /^HTTP\/1\.1 400 /)
  assert.equal(await ask(rig, 'NICK ann\r\nUSER ann 0 * :Ann\r\n'), '')
})

test('a trusted proxy states a WebSocket’s address, by header or PROXY line; anybody else cannot', async () => {
  const proxies = (list: string) => `server: {trusted_proxies: [${list}]}\n${LISTENERS}${UNLIMITED}`
  const forwarded = { 'X-Forwarded-For': '198.51.100.9, 192.0.2.7', 'X-Forwarded-Proto': 'https' }
  const whoAmI = ['NICK ann', 'USER ann 0 * :Ann', 'WHOIS ann', 'QUIT']
  {
    await using rig = await startRig({ config: proxies('127.0.0.1') })
    const byHeader = await ask(rig, handshake(forwarded), ...whoAmI)
    assert.match(byHeader, / 311 ann ann ann 192\.0\.2\.7 /)
    assert.match(byHeader, / 671 ann ann /)
    const inFront = await ask(rig, `PROXY TCP4 192.0.2.8 127.0.0.1 5 6\r\n${handshake()}`, ...whoAmI)
    assert.match(inFront, / 311 ann ann ann 192\.0\.2\.8 /)
    const garbled = await ask(rig, handshake({ 'X-Forwarded-For': 'unknown' }), ...whoAmI)
    assert.match(garbled, / 311 ann ann ann 127\.0\.0\.1 /)
  }
  await using rig = await startRig({ config: proxies('192.0.2.1') })
  const lying = await ask(rig, handshake(forwarded), ...whoAmI)
  assert.match(lying, / 311 ann ann ann 127\.0\.0\.1 /)
  assert.doesNotMatch(lying, / 671 /)
})

test('an address counts before it sends anything; a proxied client counts by its own', async () => {
  const config = `server: {trusted_proxies: [127.0.0.1]}\n${LISTENERS}limits: {connections_per_address: 1}\nlogging: {level: error}\n`
  await using rig = await startRig({ config })
  const silent = connect({ port: rig.secondPort, host: '127.0.0.1' })
  silent.write('PROXY TCP4 192.0.2.7 127.0.0.1 5 6\r\n')
  // It sends nothing more, and is known to be in because the next one is refused.
  let refused = ''
  for (let i = 0; i < 100 && refused === ''; i++) {
    const got = await ask(rig, `PROXY TCP4 192.0.2.7 127.0.0.1 5 6\r\n${handshake()}`)
    if (got.includes(' 429 ')) refused = got
  }
  assert.match(refused, /^HTTP\/1\.1 429 [^]*Too many connections from your address/)
  silent.destroy()
  const forwarded = { 'X-Forwarded-For': '192.0.2.8' }
  const first = connect({ port: rig.secondPort, host: '127.0.0.1' })
  first.write(handshake(forwarded))
  await once(first, 'data')
  assert.match(await ask(rig, handshake(forwarded)), / 429 /)
  assert.match(await ask(rig, handshake({ 'X-Forwarded-For': '192.0.2.9' })), / 101 /)
  first.destroy()
})

test('WebSocket works over TLS too, and asks nobody for a certificate', async (t) => {
  const home = temporaryHome(t)
  const { cert, key } = makeCertificate(home.folder, 'own')
  const listener = `{port: 0, websocket: true, tls: {cert: ${cert}, key: ${key}}}`
  await using rig = await startRig({ home, config: `listeners: [{port: 0}, ${listener}]\n${UNLIMITED}` })
  assert.match(rig.server.irc[1] ?? '', /^127\.0\.0\.1:\d+ tls websocket$/)
  const socket = await dialTls(rig.secondPort, { own: makeCertificate(home.folder, 'client') })
  socket.write(handshake())
  for (const line of ['NICK ann', 'USER ann 0 * :Ann', 'WHOIS ann', 'QUIT']) socket.write(masked(line))
  socket.on('data', (chunk: Buffer) => void (chunk.includes('ERROR') && socket.end()))
  const heard = await text(socket)
  assert.match(heard, / 671 ann ann /)
  assert.doesNotMatch(heard, / 276 /)
})

test('a protocol ping is answered, and the server closes properly', async () => {
  const rig = await startRig({ config: LISTENERS + UNLIMITED })
  const socket = connect({ port: rig.secondPort, host: '127.0.0.1' })
  socket.write(handshake())
  await once(socket, 'data')
  socket.write(masked('are you there', 0x89))
  const [pong] = (await once(socket, 'data')) as [Buffer]
  assert.equal(pong[0], 0x8a)
  assert.equal(pong.toString('utf8', 2), 'are you there')
  using web = await WebPerson.join(rig.secondPort, 'web')
  await rig[Symbol.asyncDispose]()
  assert.match((await web.gone()).join(), /^ERROR :Server shutting down$/)
  assert.equal(web.closedWith, 1000)
  socket.destroy()
})

test('a silent connection is pinged within a minute, so that no proxy closes it', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  await using rig = await startRig({ config: LISTENERS + UNLIMITED })
  const socket = connect({ port: rig.secondPort, host: '127.0.0.1' })
  socket.write(handshake())
  await once(socket, 'data')
  t.mock.timers.tick(59_000)
  const [ping] = (await once(socket, 'data')) as [Buffer]
  assert.deepEqual([...ping], [0x89, 0])
  socket.destroy()
})

function handshake(headers: Readonly<Record<string, string>> = {}): string {
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const usual = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'
  return `GET / HTTP/1.1\r\nHost: irc\r\n${usual}Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${more.join('')}\r\n`
}

/** The heads of control frames. */
const PING = 0x89
const PONG = 0x8a

/** What a client sends is masked (RFC 6455 5.3), here with zeros. */
function masked(payload: string, head = 0x81): Buffer {
  const bytes = Buffer.from(payload)
  return Buffer.concat([Buffer.from([head, 0x80 | bytes.length, 0, 0, 0, 0]), bytes])
}

/** Sends a request and lines after it, and reads to the end; an upgrade without lines is closed. */
async function ask(rig: Rig, request: string, ...lines: readonly string[]): Promise<string> {
  const socket = connect({ port: rig.secondPort, host: '127.0.0.1' })
  socket.write(request)
  for (const line of lines) socket.write(masked(line))
  if (lines.length === 0) {
    socket.once('data', (chunk: Buffer) => void (chunk.includes(' 101 ') && socket.end()))
  }
  // A closing handshake is answered by closing.
  else socket.on('data', (chunk: Buffer) => void (chunk.includes('ERROR') && socket.end()))
  return text(socket)
}
