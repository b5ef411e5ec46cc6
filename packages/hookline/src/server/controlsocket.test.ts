import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { temporaryFolder } from '../../test/folder.ts'
import { silent } from '../../test/log.ts'
import { ensureHome, findHome, type Home } from '../home/home.ts'
import { connectControl, type ControlClient } from '../control/client.ts'
import type { SpokenEntry } from '../chat/spoken.ts'
import { StartFailure } from '../failure/startfailure.ts'
import type { Context, Running } from '../commands/context.ts'
import { listenControl } from './controlsocket.ts'

test('a call is answered with the output of its operation', async (t) => {
  const { client } = await serving(t)
  const answer = await client.call('server status', {})
  assert.ok(answer.ok)
  const status = answer.output as { name: string; pid: number; bots: number; irc: string[] }
  assert.deepEqual([status.name, status.pid, status.bots, status.irc], ['spark', 4711, 1, '127.0.0.1:6667'])
})

test('the socket can be opened by this user only', async (t) => {
  const { home } = await serving(t)
  assert.equal(statSync(home.socket).mode & 0o777, 0o600)
})

test('an unknown operation, a wrong input and a bug are answered, and the connection stays open', async (t) => {
  const { client, logged } = await serving(t)
  const unknown = await client.call('bot dance', {})
  assert.deepEqual([unknown.ok, !unknown.ok && unknown.error.kind], [false, 'usage'])
  assert.match(JSON.stringify(unknown), /restart the server/, 'the command may be newer than the server')
  const wrong = await client.call('history', { channel: '#a', limit: 'many' })
  assert.ok(!wrong.ok && wrong.error.message.includes('--limit'))
  const bug = await client.call('history', { channel: '#a' })
  assert.ok(!bug.ok && bug.error.kind === 'internal')
  assert.ok(!JSON.stringify(bug).includes('the store is a stand-in'), 'what broke is for the log alone')
  assert.match(JSON.stringify(logged), /history/)
  assert.ok((await client.call('server status', {})).ok)
})

test('watch passes on each message as it is posted, and stops when its caller leaves', async (t) => {
  const { home, running } = await serving(t)
  const connected = await connectControl(home)
  assert.ok(connected.ok)
  const stop = new AbortController()
  const seen: object[] = []
  const both = Promise.withResolvers<void>()
  const onEvent = (event: object): void => {
    seen.push(event)
    if (seen.length === 2) both.resolve()
  }
  const answer = connected.client.call('watch', { channel: '#a' }, { onEvent, signal: stop.signal })
  await running.watched
  running.say({ ...SPOKEN, text: 'one' })
  running.say({ ...SPOKEN, channel: '#b', text: 'not here' })
  running.say({ ...SPOKEN, text: 'two' })
  await both.promise
  assert.deepEqual(
    seen.map((event) => (event as { text: string }).text),
    ['one', 'two'],
  )
  assert.deepEqual(seen[0], {
    id: 'm1',
    time: '1970-01-01T00:00:01.000Z',
    channel: '#a',
    from: 'alice',
    text: 'one',
    delivery: null,
    command: 'PRIVMSG',
    bot: false,
  })
  stop.abort()
  await answer
  await running.unwatched
})

test('a long answer is sent whole to a client that reads; one that is too long is refused with a hint', async (t) => {
  const { client } = await serving(t)
  const long = await client.call('history', { channel: '#long', limit: 3 })
  assert.ok(long.ok, JSON.stringify(long))
  assert.equal(JSON.stringify(long.output).match(/x{4194304}/g)?.length, 3)
  const tooLong = await client.call('history', { channel: '#long', limit: 17 })
  assert.ok(!tooLong.ok)
  assert.equal(tooLong.error.kind, 'refused')
  assert.match(tooLong.error.message, /^the answer has more than 64 MiB/)
  assert.match(tooLong.error.remediation, /--limit/)
  const endless = await client.call('history', { channel: '#long', limit: 200 })
  assert.ok(!endless.ok && endless.error.kind === 'refused', 'what V8 makes no string of')
})

test('a client that asks while a long answer is under way gets both', async (t) => {
  const { home } = await serving(t)
  const socket = createConnection(home.socket)
  t.after(() => socket.destroy())
  socket.write('{"id":1,"operation":"history","input":{"channel":"#long","limit":3}}\n')
  await once(socket, 'readable')
  // As the command line does every ten seconds, to see whether the server is alive.
  await new Promise((sent) => socket.write('{"id":2,"operation":"server status"}\n', sent))
  const lines = linesOf(socket)
  assert.match((await lines()).slice(0, 20), /^\{"id":1,"ok":true/)
  assert.match(await lines(), /^\{"id":2,"ok":true/)
})

test('a client that watches and does not read is cut off', async (t) => {
  const { home, running } = await serving(t)
  const socket = createConnection(home.socket)
  t.after(() => socket.destroy())
  socket.write('{"id":1,"operation":"watch"}\n')
  await running.watched
  const text = 'x'.repeat(1024 * 1024)
  for (let count = 0; count < 8; count++) running.say({ ...SPOKEN, text })
  await running.unwatched
})

test('the server stops although a client that watches reads nothing', async (t) => {
  const { home, control, running } = await serving(t)
  const socket = createConnection(home.socket)
  t.after(() => socket.destroy())
  socket.write('{"id":1,"operation":"watch"}\n')
  await running.watched
  // More than the system takes off our hands, and less than what ends the connection.
  running.say({ ...SPOKEN, text: 'x'.repeat(2 * 1024 * 1024) })
  await control.close()
  await running.unwatched
})

test('anything but a request is refused; a line that is too long ends the connection', async (t) => {
  const { home } = await serving(t)
  const socket = createConnection(home.socket)
  t.after(() => socket.destroy())
  const lines = linesOf(socket)
  for (const bad of ['hello', '{}', '[]', 'null', '{"id":1}', '{"id":{},"operation":"watch"}']) {
    socket.write(`${bad}\n`)
    assert.match(await lines(), /"id":null.*"kind":"usage"/)
  }
  // An empty line is none.
  socket.write('\n{"id":7,"operation":"server status"}\n')
  assert.match(await lines(), /^\{"id":7,"ok":true/)
  socket.write('x'.repeat(1024 * 1024 + 1))
  assert.match(await lines(), /more than 1048576 bytes/)
  await once(socket, 'close')
})

test('the seventeenth client is refused as one too many, and leaves nothing behind', async (t) => {
  const { home } = await serving(t)
  const first: ControlClient[] = []
  for (let count = 1; count < 16; count++) {
    const connected = await connectControl(home)
    assert.ok(connected.ok)
    first.push(connected.client)
    assert.ok((await connected.client.call('server status', {})).ok)
  }
  const before = openPipes()
  const last = await connectControl(home)
  assert.ok(last.ok)
  const answer = await last.client.call('server status', {})
  assert.equal(answer.ok || answer.error.kind, 'busy')
  last.client.close()
  while (openPipes() > before) await setImmediate()
  for (const client of first) client.close()
})

function openPipes(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind.startsWith('Pipe')).length
}

test('the seventeenth call of a client is refused, and its others go on', async (t) => {
  const { client, running } = await serving(t)
  const heard = Promise.withResolvers<object>()
  for (let count = 0; count < 16; count++) void client.call('watch', {}, { onEvent: heard.resolve })
  const refused = await client.call('server status', {})
  assert.equal(refused.ok || refused.error.kind, 'busy')
  await running.watched
  running.say(SPOKEN)
  await heard.promise
})

test('a call that was given up before it began does not begin', async (t) => {
  const { client } = await serving(t)
  const answer = await client.call('watch', {}, { signal: AbortSignal.abort() })
  assert.equal(answer.ok, false)
})

test('a file that a dead server left is replaced', async (t) => {
  const home = newHome(t)
  await leaveStaleSocket(home)
  assert.ok(existsSync(home.socket))
  const found = await connectControl(home)
  assert.ok(!found.ok && found.error.kind === 'not_running')
  const control = await listenControl(deskOf(home), { log: silent })
  t.after(() => control.close())
  assert.ok((await connectControl(home)).ok)
})

test('something else in place of the socket is named, and left alone', async (t) => {
  const home = newHome(t)
  mkdirSync(home.socket)
  await assert.rejects(listenControl(deskOf(home), { log: silent }), (error: unknown) => {
    assert(error instanceof StartFailure)
    assert.match(error.message, /cannot open the control socket \S+control\.sock: .*: remove what is there/)
    return true
  })
  assert.ok(statSync(home.socket).isDirectory())
})

test('a second server in one home is refused, and the first is named', async (t) => {
  const { home } = await serving(t)
  await assert.rejects(listenControl(deskOf(home), { log: silent }), /already running in \S+ \(pid 4711\)/)
})

test('a home whose socket path would be too long is refused with a hint', async (t) => {
  const home = findHome({ HOOKLINE_HOME: join(newHome(t).folder, 'a'.repeat(100)) })
  ensureHome(home)
  await assert.rejects(
    listenControl(deskOf(home), { log: silent }),
    /set HOOKLINE_HOME to a folder with a shorter path/,
  )
})

test('without a socket no server is running', async (t) => {
  const absent = await connectControl(newHome(t))
  assert.ok(!absent.ok && absent.error.kind === 'not_running' && absent.error.code === 2)
})

test('a stuck server is reported; asking for its status does not wait for ever', async (t) => {
  const home = newHome(t)
  const stuck = createServer().listen(home.socket)
  await once(stuck, 'listening')
  t.after(() => stuck.close())
  const connected = await connectControl(home, 20)
  assert(connected.ok)
  const answer = await connected.client.call('server status', {})
  assert(!answer.ok)
  assert.equal(answer.error.kind, 'unreachable')
  assert.match(answer.error.message, /has not answered/)
})

test('watching a server that is alive but silent goes on', async (t) => {
  const { home, running } = await serving(t)
  const connected = await connectControl(home, 1_500)
  assert(connected.ok)
  const { client } = connected
  const heard = Promise.withResolvers<object>()
  const answer = client.call('watch', {}, { onEvent: heard.resolve })
  await running.askedTwice
  running.say({ ...SPOKEN, text: 'at last' })
  const first = await Promise.race([heard.promise, answer])
  assert.equal((first as { text?: string }).text, 'at last', JSON.stringify(first))
  client.close()
  await answer
})

test('a caller whose server goes away gets an error', async (t) => {
  const { client, control, running } = await serving(t)
  const answer = client.call('watch', {})
  await running.watched
  await control.close()
  const settled = await answer
  assert(!settled.ok)
  assert.equal(settled.error.kind, 'unreachable')
  assert.match(settled.error.message, /may have stopped/)
})

const SPOKEN: SpokenEntry = {
  id: 'm1',
  time: 1000,
  command: 'PRIVMSG',
  channel: '#a',
  from: 'alice',
  text: '',
  delivery: null,
  isBot: false,
}

async function serving(t: TestContext) {
  const home = newHome(t)
  const logged: object[] = []
  const running = standIn()
  const control = await listenControl(deskOf(home, running), {
    log: { ...silent, error: (data) => logged.push(data) },
  })
  const connected = await connectControl(home)
  assert.ok(connected.ok)
  const { client } = connected
  t.after(async () => {
    client.close()
    await control.close()
  })
  return { home, control, client, running, logged }
}

const LONG = {
  ...SPOKEN,
  conversation: '#long',
  target: '#long',
  mask: 'alice!a@host',
  account: null,
  text: 'x'.repeat(4 * 1024 * 1024),
  tags: '{}',
}

/** A fake server with nothing but an interface. Its store knows one channel, and throws for any other as a bug would. */
function standIn() {
  const listeners = new Set<(spoken: SpokenEntry) => void>()
  const watched = Promise.withResolvers<void>()
  const unwatched = Promise.withResolvers<void>()
  const askedTwice = Promise.withResolvers<void>()
  let asked = 0
  const face = {
    name: 'spark',
    version: '0.0.0',
    pid: 4711,
    startedAt: 1000,
    uptimeSeconds: () => 1,
    irc: ['127.0.0.1:6667'],
    webhook: 'http://127.0.0.1:7680',
    exposures: () => [],
    counts() {
      if (++asked === 2) askedTwice.resolve()
      return { connections: 0, users: 1, channels: 1, bots: 1 }
    },
    store: {
      integrity: { checkedAt: undefined, damage: undefined },
      clock: { offBy: undefined },
      history: (conversation: string, limit: number) =>
        conversation === '#long'
          ? Promise.resolve(Array.from({ length: limit }, () => LONG))
          : Promise.reject(new Error('the store is a stand-in')),
    },
    watch(channel: string | undefined, listener: (spoken: SpokenEntry) => void) {
      const heard = (spoken: SpokenEntry): void => {
        if (channel === undefined || channel === spoken.channel) listener(spoken)
      }
      listeners.add(heard)
      watched.resolve()
      return () => {
        listeners.delete(heard)
        unwatched.resolve()
      }
    },
  }
  return {
    // The socket never uses the parts that this fake lacks; nor do the operations under test.
    face: face as unknown as Running,
    watched: watched.promise,
    unwatched: unwatched.promise,
    askedTwice: askedTwice.promise,
    say: (spoken: SpokenEntry) => listeners.forEach((listener) => listener(spoken)),
  }
}

function deskOf(home: Home, running = standIn()): Context {
  return {
    home,
    running: running.face,
    known: { serverName: undefined, webhook: undefined },
  }
}

function newHome(t: TestContext): Home {
  const home = findHome({ HOOKLINE_HOME: temporaryFolder(t) })
  ensureHome(home)
  return home
}

/** What a killed server leaves behind: a socket file that nobody listens on. */
async function leaveStaleSocket(home: Home): Promise<void> {
  const script = `require('node:net').createServer().listen(process.argv[1], () => process.stdout.write('up'))`
  const child = spawn(process.execPath, ['-e', script, home.socket], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
}

function linesOf(socket: Socket): () => Promise<string> {
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  return async () => String((await lines.next()).value)
}
