// `server start` in the foreground: readiness, what it shows, and every way it is ended.
import assert from 'node:assert/strict'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from './folder.ts'

const bin = fileURLToPath(new URL('../bin/hookline.js', import.meta.url))

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`one readiness line; ${signal} ends it with exit code 0 and nothing left behind`, async (t) => {
    const server = start(t, ['--name', 'spark'])
    assert.match(
      await server.line(),
      /^hookline spark is ready: irc 127\.0\.0\.1:[1-9]\d*, webhooks http:\/\/127\.0\.0\.1:[1-9]\d*$/,
    )
    assert.equal(readFileSync(join(server.home, 'server.pid'), 'utf8'), `${server.child.pid}\n`)
    server.child.kill(signal)
    assert.deepEqual(await server.exit, [0, null])
    assert.equal(existsSync(join(server.home, 'server.pid')), false)
    assert.equal(existsSync(join(server.home, 'control.sock')), false)
  })
}

test('a signal that arrives twice, as Ctrl-C does through a launcher, counts once: accepted work is finished', async (t) => {
  const server = start(t, ['--name', 'spark'])
  await server.line()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) server.child.kill(signal)
  assert.deepEqual(await server.exit, [0, null])
  assert.equal(existsSync(join(server.home, 'server.pid')), false)
})

test('`server stop` does not wait for whoever started the server to ask for its exit code', async (t) => {
  const server = start(t, ['--name', 'spark'])
  await server.line()
  // While this blocks, nobody asks: the server stays a zombie.
  const env = { PATH: process.env['PATH'], HOOKLINE_HOME: server.home }
  const stop = spawnSync(process.execPath, [bin, 'server', 'stop'], { env, encoding: 'utf8' })
  assert.deepEqual([stop.stderr, stop.status], ['', 0])
  assert.deepEqual(await server.exit, [0, null])
})

test('`npm start` uses the name in server.yaml', async (t) => {
  const home = temporaryFolder(t)
  writeFileSync(join(home, 'server.yaml'), 'server: {name: kettle}\n')
  const file = fileURLToPath(new URL('../../../package.json', import.meta.url))
  const { scripts } = JSON.parse(readFileSync(file, 'utf8')) as { scripts: { start: string } }
  const [, args = ''] = scripts.start.split(' server start ')
  const server = start(t, args.split(' '), { env: { HOOKLINE_HOME: home } })
  assert.match(await server.line(), /^hookline kettle is ready/)
  server.child.kill('SIGTERM')
  assert.deepEqual(await server.exit, [0, null])
})

test('an unwritable pid file gives a warning: the server still serves and drains', async (t) => {
  const home = temporaryFolder(t)
  mkdirSync(join(home, 'server.pid'))
  const server = start(t, ['--name', 'spark'], { env: { HOOKLINE_HOME: home } })
  assert.match(await server.line(), /^hookline spark is ready/)
  assert.match(await untilMatch(server.stderr, /\n/), /^warning: .*server\.pid cannot be written: EISDIR/)
  server.child.kill('SIGTERM')
  assert.deepEqual(await server.exit, [0, null])
})

test('on shutdown silent connections are closed at once, and a request in progress is answered', async (t) => {
  const server = start(t, [])
  const { http } = portsOf(await server.line())
  const [silent, slow] = open(t, 2, http) as [Socket, Socket]
  slow.write('POST /nobody HTTP/1.1\r\n')
  // Later in time: what was written before has been read.
  await fetch(`http://127.0.0.1:${http}/health`)
  server.child.kill('SIGTERM')
  await once(silent.resume(), 'close')
  slow.write('Host: localhost\r\n\r\n')
  assert.match(await untilMatch(slow, /\r\n\r\n/), /^HTTP\/1\.1 503 /)
  assert.deepEqual(await server.exit, [0, null])
})

test('a slow sender and a slow handler delay shutdown by ten seconds together, not ten each', async (t) => {
  const home = temporaryFolder(t)
  const bot = join(home, 'bots', 'spark-ori-slow')
  mkdirSync(bot, { recursive: true })
  writeFileSync(join(bot, 'bot.yaml'), 'bot: {name: spark-ori-slow, owner: spark-ori}\n')
  writeFileSync(
    join(bot, 'handler.mjs'),
    "export const handle = () => new Promise(() => console.log('it runs'))\n",
  )
  const patient = 'handlers: {timeout_ms: 60000}\nwebhooks: {answer_within_ms: 60000}\n'
  writeFileSync(join(home, 'server.yaml'), patient)
  const server = start(t, ['--name', 'spark', '--json'], { env: { HOOKLINE_HOME: home } })
  const { webhook } = JSON.parse(await server.line()) as { webhook: string }
  const answer = fetch(`${webhook}/spark-ori-slow`, { method: 'POST', body: '{}' })
  const cut = assert.rejects(answer)
  await untilMatch(server.stderr, /it runs/)
  const asked = performance.now()
  server.child.kill('SIGTERM')
  assert.deepEqual(await server.exit, [0, null])
  assert.ok(performance.now() - asked < 20_000)
  await cut
})

test('a server that still finishes what it accepted can be asked, and no other starts in its home', async (t) => {
  const home = temporaryFolder(t)
  const server = start(t, ['--name', 'spark'], { env: { HOOKLINE_HOME: home } })
  const { http } = portsOf(await server.line())
  const [silent, slow] = open(t, 2, http) as [Socket, Socket]
  slow.write('POST /nobody HTTP/1.1\r\n')
  await fetch(`http://127.0.0.1:${http}/health`)
  server.child.kill('SIGTERM')
  await once(silent.resume(), 'close')
  const env = { PATH: process.env['PATH'], HOOKLINE_HOME: home }
  const status = spawnSync(process.execPath, [bin, 'server', 'status'], { env, encoding: 'utf8' })
  assert.match(status.stdout, /^hookline spark is running\n/)
  const second = spawnSync(process.execPath, [bin, 'server', 'start'], { env, encoding: 'utf8' })
  assert.match(
    second.stderr,
    /^error: a server is already running in .*\nhint: stop it with: hookline server stop/,
  )
  slow.write('Host: localhost\r\n\r\n')
  assert.deepEqual(await server.exit, [0, null])
})

test('--example creates a bot, shows a line to paste, and what the pasted line posts', async (t) => {
  const server = start(t, ['--name', 'local', '--example'])
  await server.line()
  const help = await untilMatch(server.stderr, /watch '#lobby'/)
  const [, body = '', url = ''] = /-d '(\{.*\})' (http:\S+)/.exec(help) ?? []
  assert.match(url, /\/local-you-hello$/)
  assert.equal((await fetch(url, { method: 'POST', body })).status, 200)
  assert.match(await server.line(), /^\d\d:\d\d #lobby <local-you-hello> Ada says: the kettle is on$/)
})

test('on a server whose name no nick can begin with, such as a DNS name, bots and people go without it', async (t) => {
  const server = start(t, ['--name', 'irc.example.org', '--example'])
  await server.line()
  await untilMatch(server.stderr, /\/you-hello/)
  const env = { PATH: process.env['PATH'], HOOKLINE_HOME: server.home }
  const run = (...args: string[]) => spawnSync(process.execPath, [bin, ...args], { env, encoding: 'utf8' })
  assert.match(run('bot', 'create', 'ci', '--owner', 'ori').stdout, /^created ori-ci: /)
  const listed = run('bot', 'list')
  assert.deepEqual(listed.stdout.match(/^\S+/gm), ['NAME', 'ori-ci', 'you-hello'])
  assert.doesNotMatch(listed.stderr, /does not begin/)
  assert.equal(run('send', '#lobby', 'hello').status, 0)
})

test('with --json the only line is the readiness line, as an object', async (t) => {
  const server = start(t, ['--name', 'spark', '--json'])
  const ready = JSON.parse(await server.line()) as Record<string, unknown>
  assert.deepEqual([ready['event'], ready['server'], ready['pid']], ['ready', 'spark', server.child.pid])
  assert.match(String(ready['irc']), /^127\.0\.0\.1:\d+$/)
  assert.match(String(ready['webhook']), /^http:\/\/127\.0\.0\.1:\d+$/)
})

test('an address in use is fatal: exit 2, with the address, the reason and the flag', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.after(() => taken.close())
  const { port } = taken.address() as { port: number }
  for (const flag of ['--port', '--webhook-port']) {
    const server = start(t, [`${flag}=${port}`])
    const said = await untilMatch(server.stderr, /hint: .*\n/)
    assert.match(
      said,
      new RegExp(`error: .*cannot listen on 127\\.0\\.0\\.1:${port}: another program is listening there\\n`),
    )
    assert.match(said, new RegExp(`hint: .* ${flag} `))
    assert.deepEqual(await server.exit, [2, null])
    const detached = start(t, [`${flag}=${port}`, '--detach'])
    assert.match(
      await untilMatch(detached.stderr, /hint: .*\n/),
      new RegExp(`error: .*127\\.0\\.0\\.1:${port}`),
    )
    assert.deepEqual(await detached.exit, [2, null])
  }
})

test('a background server that cannot write its log says how to find out why it ended', (t) => {
  const home = temporaryFolder(t)
  writeFileSync(join(home, 'server.yaml'), 'listeners: nothing\n')
  // No file may grow, as on a full disk.
  const args = ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, bin, 'server', 'start', '--detach']
  const env = { PATH: process.env['PATH'], HOOKLINE_HOME: home, NODE_DISABLE_COMPILE_CACHE: '1' }
  const { stderr, status } = spawnSync('sh', args, { env, encoding: 'utf8', timeout: 60_000 })
  assert.equal(
    stderr,
    `error: the server ended before it was ready, and nothing is in ${home}/server.log\n` +
      'hint: start it without --detach to see why\n',
  )
  assert.equal(status, 2)
})

test('a background server begins a new log when the last one is long, and keeps that', (t) => {
  const home = temporaryFolder(t)
  const log = join(home, 'server.log')
  const env = { PATH: process.env['PATH'], HOOKLINE_HOME: home }
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [bin, 'server', ...args], { env, encoding: 'utf8', timeout: 60_000 })
  for (const [bytes, isKept] of [
    [16 * 1024 * 1024, false],
    [16 * 1024 * 1024 + 1, true],
  ] as const) {
    writeFileSync(log, '')
    truncateSync(log, bytes)
    assert.equal(run('start', '--port=0', '--webhook-port=0', '--detach').status, 0)
    assert.equal(run('stop').status, 0)
    assert.equal(existsSync(`${log}.1`), isKept)
  }
  assert.equal(statSync(`${log}.1`).size, 16 * 1024 * 1024 + 1)
  assert.ok(statSync(log).size < 1024 * 1024)
})

test('if the log of a background server cannot be opened, the message names it and says what helps', (t) => {
  const home = temporaryFolder(t)
  mkdirSync(join(home, 'server.log'))
  const env = { PATH: process.env['PATH'], HOOKLINE_HOME: home }
  const args = [bin, 'server', 'start', '--port=0', '--webhook-port=0', '--detach']
  const { stderr, status } = spawnSync(process.execPath, args, { env, encoding: 'utf8', timeout: 60_000 })
  assert.equal(
    stderr,
    `error: ${home}/server.log cannot be used: EISDIR: illegal operation on a directory, open '${home}/server.log'\n` +
      'hint: it must be a file of the user who starts the server: move it away, or start without --detach\n',
  )
  assert.equal(status, 2)
})

test('a file in place of the folder of the database is called that', (t) => {
  const home = temporaryFolder(t)
  writeFileSync(join(home, 'data'), '')
  const env = { PATH: process.env['PATH'], HOOKLINE_HOME: home }
  const args = [bin, 'server', 'start', '--port=0', '--webhook-port=0']
  const { stderr, status } = spawnSync(process.execPath, args, { env, encoding: 'utf8', timeout: 60_000 })
  assert.match(
    stderr,
    /^error: the database in .*\/data cannot be used: EEXIST: .*\nhint: a file is in its place: move it away, /,
  )
  assert.equal(status, 2)
})

test('with few file descriptors, the chat leaves some to webhooks and commands, and says that it is full', async (t) => {
  const server = start(t, [], { shell: 'ulimit -n 80; exec "$@"' })
  const { irc, http } = portsOf(await server.line())
  const told = untilMatch(server.stderr, /new chat connections are refused/)
  const sockets = open(t, 40, irc)
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  const [refused] = open(t, 1, irc) as [Socket]
  assert.equal(await untilMatch(refused, /ERROR.*\r\n/), 'ERROR :The server is full: try again later\r\n')
  await told
  const answer = await fetch(`http://127.0.0.1:${http}/nobody`, { method: 'POST', body: '{}' })
  assert.equal(answer.status, 404)
  server.child.kill('SIGTERM')
  assert.deepEqual(await server.exit, [0, null])
})

test('too many open files are logged once, and connected users stay', async (t) => {
  const server = start(t, [], { shell: 'ulimit -n 60; exec "$@"' })
  const { irc, http } = portsOf(await server.line())
  const [first] = open(t, 1, irc) as [Socket]
  const told = untilMatch(server.stderr, /too many open files/)
  open(t, 60, http)
  const lines = (await told).match(/^.*too many open files.*$/gm)
  assert.equal(lines?.length, 1)
  first.write('PING tea\r\n')
  assert.match(String(await once(first, 'data')), /PONG/)
  server.child.kill('SIGTERM')
  assert.deepEqual(await server.exit, [0, null])
})

test('when files run out, webhook connections that wait for their next request are closed', async (t) => {
  const server = start(t, [], { shell: 'ulimit -n 60; exec "$@"' })
  const { http } = portsOf(await server.line())
  const sockets = open(t, 60, http)
  // Those beyond the limit are reset, which `once` would take for a failure.
  const gone = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
  for (const socket of sockets) socket.resume().write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await Promise.all(gone)
  const answer = await fetch(`http://127.0.0.1:${http}/nobody`, { method: 'POST', body: '{}' })
  assert.equal(answer.status, 404)
  server.child.kill('SIGTERM')
  assert.deepEqual(await server.exit, [0, null])
})

test('a damaged database is named, however the server was stopped before, with a hint', async (t) => {
  const data = temporaryFolder(t)
  const config = join(data, 'server.yaml')
  writeFileSync(config, `data_dir: ${data}\n`)
  const first = start(t, ['--config', config])
  await first.line()
  first.child.kill('SIGTERM')
  await first.exit
  const file = join(data, 'hookline.db')
  const page = pageOf(file, 'records')
  writeFileSync(file, readFileSync(file).fill(0xa5, (page - 1) * 4096, page * 4096))
  const second = start(t, ['--config', config])
  const [logged = '', ...said] = (await untilMatch(second.stderr, /hint: .*\n/)).split(/(?<=\n)/)
  assert.match(
    logged,
    /"reason":"database disk image is malformed","msg":"something in the database cannot be read"/,
  )
  assert.equal(
    said.join(''),
    `error: the database in ${data} cannot be used: database disk image is malformed\n` +
      'hint: restore a backup: hookline server restore FILE --force; what is there now is moved aside\n',
  )
  assert.deepEqual(await second.exit, [2, null])
})

test('for a database that another program has open, the hint is to stop that program, not to restore', async (t) => {
  const data = temporaryFolder(t)
  const config = join(data, 'server.yaml')
  writeFileSync(config, `data_dir: ${data}\n`)
  using other = new DatabaseSync(join(data, 'hookline.db'))
  other.exec('BEGIN EXCLUSIVE')
  const server = start(t, ['--config', config])
  assert.equal(
    await untilMatch(server.stderr, /hint: .*\n/),
    `error: the database in ${data} cannot be used: database is locked\n` +
      'hint: another program has it open: stop that one, then run it again\n',
  )
  assert.deepEqual(await server.exit, [2, null])
})

test('a data folder in use is fatal too: exit 2, without a hint about addresses', async (t) => {
  const data = temporaryFolder(t)
  const file = join(data, 'server.yaml')
  writeFileSync(file, `data_dir: ${join(data, 'data')}\n`)
  const first = start(t, ['--config', file])
  await first.line()
  const second = start(t, ['--config', file])
  const said = await untilMatch(second.stderr, /hint: .*\n/)
  const pid = first.child.pid
  assert.match(
    said,
    new RegExp(`error: .* another server uses ${data}/data \\(pid ${pid}\\): it may be stopping, `),
  )
  assert.match(said, /hint: stop that server, or set HOOKLINE_HOME to another folder\n/)
  assert.deepEqual(await second.exit, [2, null])
})

test('files that cannot be read or created are reported with the reason and a hint', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'server.yaml')
  const data = join(file, 'data')
  writeFileSync(file, `data_dir: ${data}\n`)
  const server = start(t, ['--config', file])
  const said = await untilMatch(server.stderr, /hint: .*\n/)
  assert.match(said, new RegExp(`error: the database in ${data} cannot be used: ENOTDIR: `))
  assert.match(said, /hint: a file is in its place: /)
  assert.deepEqual(await server.exit, [2, null])
  const unread = start(t, ['--config', folder])
  assert.match(await untilMatch(unread.stderr, /hint: .*\n/), /cannot be read: EISDIR: /)
  assert.deepEqual(await unread.exit, [1, null])
})

test('the reader of its output may leave: the server keeps running', async (t) => {
  const server = start(t, ['--name', 'spark', '--example'])
  await server.line()
  const help = await untilMatch(server.stderr, /watch '#lobby'/)
  const [, body = '', url = ''] = /-d '(\{.*\})' (http:\S+)/.exec(help) ?? []
  server.child.stdout?.destroy()
  for (let post = 0; post < 3; post++) assert.equal((await fetch(url, { method: 'POST', body })).status, 200)
  server.child.kill('SIGTERM')
  assert.deepEqual(await server.exit, [0, null])
})

test('when the process that started it dies, it stops', async (t) => {
  const server = start(t, ['--name', 'spark'], { lifeline: true })
  await server.line()
  server.child.disconnect()
  assert.deepEqual(await server.exit, [0, null])
})

test('compiled code is on disk once it runs: after a kill the next start is just as fast', async (t) => {
  const cache = temporaryFolder(t)
  const server = start(t, ['--name', 'spark'], { env: { NODE_COMPILE_CACHE: cache } })
  await server.line()
  server.child.kill('SIGKILL')
  await server.exit
  assert.ok(readdirSync(cache, { recursive: true }).length > 200)
})

interface Started {
  readonly child: ChildProcess
  readonly home: string
  readonly stderr: NodeJS.ReadableStream
  readonly exit: Promise<unknown[]>
  line(): Promise<string>
}

/** Where the table begins. */
function pageOf(file: string, table: string): number {
  using db = new DatabaseSync(file, { readOnly: true })
  return Number(db.prepare('SELECT rootpage FROM sqlite_master WHERE name = ?').get(table)?.['rootpage'])
}

/** Of the readiness line. */
function portsOf(ready: string): { irc: number; http: number } {
  const [, irc, http] = /irc 127\.0\.0\.1:(\d+), webhooks http:\/\/127\.0\.0\.1:(\d+)/.exec(ready) ?? []
  return { irc: Number(irc), http: Number(http) }
}

/** That many silent connections. */
function open(t: TestContext, count: number, port: number): readonly Socket[] {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'))
  t.after(() => sockets.forEach((socket) => socket.destroy()))
  for (const socket of sockets) socket.on('error', () => socket.destroy())
  return sockets
}

function start(
  t: TestContext,
  args: readonly string[],
  {
    lifeline = false,
    env = {},
    shell = 'exec "$@"',
  }: { lifeline?: boolean; env?: NodeJS.ProcessEnv; shell?: string } = {},
): Started {
  const home = mkdtempSync(join(tmpdir(), 'hookline-'))
  const child = spawn('sh', ['-c', shell, 'sh', process.execPath, bin, 'server', 'start', ...args], {
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      HOOKLINE_HOME: home,
      HOOKLINE_PORT: '0',
      HOOKLINE_WEBHOOK_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', ...(lifeline ? (['ipc'] as const) : [])],
  })
  const exit = once(child, 'exit')
  t.after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await exit
    rmSync(home, { recursive: true, force: true })
  })
  const { stdout, stderr } = child
  assert.ok(stdout && stderr)
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]()
  return { child, home, stderr, exit, line: async () => String((await lines.next()).value) }
}

/** Everything received until it matches. */
async function untilMatch(stream: NodeJS.ReadableStream, pattern: RegExp): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let text = ''
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8')
    if (pattern.test(text)) resolve(text)
  })
  stream.on('end', () => reject(new Error(`it ended without ${pattern}: ${text}`)))
  return await promise
}
