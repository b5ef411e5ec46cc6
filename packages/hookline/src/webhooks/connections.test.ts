import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { everything, head, raw, Rig } from '../../test/rigs/webhooks.ts'

const bot = 'spark-ori-ghci'

test('a connection beyond the bound replaces the one that has gone longest without a complete request', async () => {
  await using rig = await Rig.create({ connections: 2 })
  rig.bots.add(bot)
  const speak = async (socket: Socket) => {
    socket.write(head(bot, 'Content-Length: 11') + '{"say":"x"}')
    await once(socket, 'data')
  }
  const first = connect(rig.port, '127.0.0.1')
  await speak(first)
  const dripping = connect(rig.port, '127.0.0.1')
  dripping.write('POST /')
  await once(dripping, 'connect')
  await speak(first)
  const third = connect(rig.port, '127.0.0.1')
  await Promise.all([once(dripping, 'close'), speak(third)])
  assert.equal(dripping.bytesRead, 0)
  await speak(first)
  const fourth = connect(rig.port, '127.0.0.1')
  await Promise.all([once(third, 'close'), speak(fourth)])
  for (const socket of [first, fourth]) socket.end()
  assert.equal((await rig.history()).length, 5)
})

test('incomplete bodies share a memory limit: beyond it the oldest one is dropped', async () => {
  await using rig = await Rig.create({ unfinishedBytes: 100 })
  rig.bots.add(bot)
  const begin = (text: string): Socket => {
    const socket = connect(rig.port, '127.0.0.1')
    socket.write(head(bot, 'Content-Length: 90') + text.padEnd(60))
    return socket
  }
  const first = begin('{"say":"first"}')
  await rig.post(`/${bot}`, { say: 'whole' })
  // Answered or dropped requests no longer count.
  begin('').destroy()
  const second = begin('{"say":"second"}')
  assert.equal(await everything(first), '')
  second.write(' '.repeat(30))
  assert.match(String(await once(second, 'data')), /^HTTP\/1\.1 200 /)
  second.end()
  assert.deepEqual(await rig.history(), ['whole', 'second'])
})

test('a body that follows a complete request counts from its first byte', async () => {
  await using rig = await Rig.create({ unfinishedBytes: 100 })
  rig.bots.add(bot)
  const begun = (text: string) => head(bot, 'Content-Length: 90') + text.padEnd(60)
  const first = connect(rig.port, '127.0.0.1')
  first.write(head(bot, 'Content-Length: 11') + '{"say":"x"}' + begun('{"say":"y"}'))
  const closed = once(first, 'close')
  await once(first, 'data')
  const second = connect(rig.port, '127.0.0.1')
  second.write(begun('{"say":"z"}'))
  await closed
  second.write(' '.repeat(30))
  await once(second, 'data')
  second.end()
  assert.deepEqual(await rig.history(), ['x', 'z'])
})

test('a request that is being answered keeps its connection, whoever else connects', async () => {
  await using rig = await Rig.create({ connections: 1 })
  rig.bots.add(bot, {}, { handler: 'handler.py' })
  const held = rig.bots.hold(bot)
  const first = connect(rig.port, '127.0.0.1')
  first.write(head(bot, 'Content-Length: 11') + '{"say":"x"}')
  await held.asked
  // A request after it that is refused at once does not change that.
  first.write(head('nobody', 'Content-Length: 2') + '{}')
  const second = connect(rig.port, '127.0.0.1')
  await once(second, 'close')
  held.release()
  const [bytes] = (await once(first, 'data')) as [Buffer]
  assert.match(bytes.toString(), /^HTTP\/1\.1 200 /)
  first.end()
})

test('a request that is cut off in its body stores nothing', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  const socket = connect(rig.port, '127.0.0.1')
  socket.write(head(bot, 'Content-Length: 20') + '{"say":"x"}')
  await once(socket, 'ready')
  socket.resetAndDestroy()
  assert.equal((await rig.post(`/${bot}`, { say: 'whole' })).status, 200)
  assert.deepEqual(await rig.history(), ['whole'])
})

test('a connection stays open, and its requests are answered in order', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  const socket = connect(rig.port, '127.0.0.1')
  const one = (say: string, more = '') =>
    head(bot, `Content-Length: ${say.length + 10}${more}`) + `{"say":"${say}"}`
  socket.write(
    one('a') + one('b') + head('nobody', 'Content-Length: 2') + '{}' + one('c', '\r\nConnection: close'),
  )
  const statuses = (await everything(socket)).match(/HTTP\/1.1 \d+/g)
  assert.deepEqual(statuses, ['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200'])
  assert.deepEqual(await rig.history(), ['a', 'b', 'c'])
})

test('bytes after a request that are not HTTP do not affect its answer', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, {}, { handler: 'handler.py' })
  const whole = head(bot, 'Content-Length: 11') + '{"say":"x"}'
  const socket = connect(rig.port, '127.0.0.1')
  socket.write(`${whole}NICK amy\r\n\r\n`)
  assert.match(await everything(socket), /^HTTP\/1\.1 200 [^]*"posted"[^}]*}$/)
  const refused = await raw(rig.port, head('nobody', 'Content-Length: 2') + '{}' + 'NICK amy\r\n\r\n')
  assert.equal(refused.status, 404)
  assert.match(refused.body, /bot not found.*HTTP\/1\.1 400 .*malformed request/s)

  await rig.chat.toldAtLeast(1)
  const held = rig.bots.hold(bot)
  const slow = connect(rig.port, '127.0.0.1')
  slow.write(whole)
  await held.asked
  slow.write(head('nobody', 'Content-Length: 2') + '{}' + 'NICK amy\r\n\r\n')
  const answers = everything(slow)
  assert.equal((await rig.post('/nobody', {})).status, 404)
  held.release()
  assert.match(await answers, /^HTTP\/1\.1 200 [^]*}HTTP\/1\.1 404 [^}]*}$/)
  // It comes behind the other.
  assert.equal((await rig.post(`/${bot}`, { say: 'y' })).status, 200)
  assert.deepEqual(await rig.history(), ['x', 'x', 'y'])
})

test('after Connection: close, a stray byte does not take the answer away', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, {}, { handler: 'handler.py' })
  for (const stray of ['\n', 'x', '\r\n', 'POST / HTTP/1.1\r\n']) {
    const closing = head(bot, 'Content-Length: 11\r\nConnection: close') + '{"say":"x"}'
    const { status } = await raw(rig.port, closing + stray)
    assert.equal(status, 200, JSON.stringify(stray))
  }
})

test('a client that sends everything and closes its side is answered', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  const say = async (text: string): Promise<string> => {
    const socket = connect(rig.port, '127.0.0.1')
    socket.end(text)
    return everything(socket)
  }
  const whole = head(bot, 'Content-Length: 11') + '{"say":"x"}'
  const both = (await say(whole + whole)).match(/HTTP\/1\.1 \d+/g)
  assert.deepEqual(both, ['HTTP/1.1 200', 'HTTP/1.1 200'])
  assert.match(await say(head(bot, 'Content-Length: 30') + '{"say":"y"}'), /^HTTP\/1\.1 400 /)
  assert.equal(await say(''), '')
  assert.deepEqual(await rig.history(), ['x', 'x'])
})
