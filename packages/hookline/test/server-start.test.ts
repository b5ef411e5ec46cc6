// `server start` in the foreground: readiness, what it shows, and every way it is ended.
import assert from 'node:assert/strict'
import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { suite, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Home } from '../src/home/home.ts'
import { openDatabase } from '../src/store/database.ts'
import { outputOf } from './control.ts'
import { bin, environment, hookline, hooklineBy, inShell, leaveFiles, spawnCommand } from './command.ts'
import { temporaryFolder } from './folder.ts'
import { ask, post } from './post.ts'
import { temporaryHome, writeBots } from './rig.ts'
import { emptyHome } from './shell.ts'
import { IN_TERMINAL } from './terminal.ts'

for (const [what, ...signals] of [
  ['SIGTERM ends', 'SIGTERM'],
  ['SIGINT ends', 'SIGINT'],
  ['SIGINT and SIGTERM at once, as from Ctrl-C through a launcher, end', 'SIGINT', 'SIGTERM'],
] as const) {
  test(`one readiness line; ${what} it with exit code 0 and nothing left behind`, async () => {
    await using server = start(['--name', 'spark'])
    assert.match(
      await server.line(),
      /^hookline spark is ready: irc 127\.0\.0\.1:[1-9]\d*, webhooks http:\/\/127\.0\.0\.1:[1-9]\d*$/,
    )
    assert.equal(readFileSync(server.home.pidFile, 'utf8'), `${server.child.pid}\n`)
    for (const signal of signals) server.child.kill(signal)
    assert.deepEqual(await server.exit, [0, null])
    for (const file of [server.home.pidFile, server.home.socket]) assert.equal(existsSync(file), false)
  })
}

test('SIGHUP reads the settings again where there is no terminal, and says in the log what is wrong', async (t) => {
  const home = temporaryHome(t)
  await using server = start(['--name', 'spark'], { home })
  await server.line()
  server.child.kill('SIGHUP')
  await untilMatch(server.child.stderr, /"msg":"settings and bots were read again"/)
  writeFileSync(home.config, 'limits: {nick_length: many}\n')
  server.child.kill('SIGHUP')
  await untilMatch(
    server.child.stderr,
    /limits\.nick_length.*"msg":"the settings are invalid: nothing changed"/,
  )
  await server.stop()
})

test('`server stop` does not wait for whoever started the server to ask for its exit code', async () => {
  await using server = start(['--name', 'spark'])
  await server.line()
  // While this blocks, nobody asks: the server stays a zombie.
  const env = { PATH: process.env['PATH'], HOOKLINE_HOME: server.home.folder }
  const stop = spawnSync(process.execPath, [bin, 'server', 'stop'], { env, encoding: 'utf8' })
  assert.deepEqual([stop.stderr, stop.status], ['', 0])
  assert.deepEqual(await server.exit, [0, null])
})

test('`npm start` uses the name in server.yaml', async (t) => {
  const home = temporaryHome(t)
  writeFileSync(home.config, 'server: {name: kettle}\n')
  const file = fileURLToPath(new URL('../../../package.json', import.meta.url))
  const { scripts } = JSON.parse(readFileSync(file, 'utf8')) as { scripts: { start: string } }
  const [, args = ''] = scripts.start.split(' server start ')
  await using server = start(args.split(' '), { home })
  assert.match(await server.line(), /^hookline kettle is ready/)
  await server.stop()
})

test('an unwritable pid file gives a warning: the server still serves and drains', async (t) => {
  const home = temporaryHome(t)
  mkdirSync(home.pidFile)
  await using server = start(['--name', 'spark'], { home })
  assert.match(await server.line(), /^hookline spark is ready/)
  assert.match(
    await untilMatch(server.child.stderr, /warning.*\n/),
    /^warning: .*server\.pid cannot be written: EISDIR/m,
  )
  await server.stop()
})

test('on shutdown silent connections are closed at once, and a request in progress is answered; until then no other server starts', async (t) => {
  await using server = start(['--name', 'spark'])
  const { http } = portsOf(await server.line())
  const [silent, slow] = open(t, 2, http) as [Socket, Socket]
  slow.write('POST /nobody HTTP/1.1\r\n')
  // Later in time: what was written before has been read.
  await fetch(`http://127.0.0.1:${http}/health`)
  server.child.kill('SIGTERM')
  await once(silent.resume(), 'close')
  const [status, second] = await Promise.all([
    hookline(server.home, 'server', 'status'),
    hookline(server.home, 'server', 'start'),
  ])
  assert.match(status.stdout, /^hookline spark is running\n/)
  assert.match(
    second.stderr,
    /^error: a server is already running in .*\nhint: stop it with: hookline server stop/,
  )
  slow.write('Host: localhost\r\n\r\n')
  assert.match(await untilMatch(slow, /\r\n\r\n/), /^HTTP\/1\.1 503 /)
  assert.deepEqual(await server.exit, [0, null])
})

test('--example creates a bot, shows a line to paste, and what the pasted line posts', async () => {
  await using server = start(['--name', 'local', '--example'])
  await server.line()
  const help = await untilMatch(server.child.stderr, /watch '#lobby'/)
  const [, body = '', url = ''] = /-d '(\{.*\})' (http:\S+)/.exec(help) ?? []
  assert.match(url, /\/local-you-hello$/)
  assert.equal((await post(url, body)).status, 200)
  assert.match(await server.line(), /^\d\d:\d\d #lobby <local-you-hello> Ada says: the kettle is on$/)
})

test('--example shows how to post to a bot that takes webhooks, or says that none does', async (t) => {
  const home = temporaryHome(t)
  const timed = 'trigger: {type: schedule, cron: "0 9 * * *"}\noutput: {channels: ["#tea"], template: tea}\n'
  writeBots(home, { 'spark-ori-a': `bot: {name: spark-ori-a, owner: spark-ori}\n${timed}` })
  await using first = start(['--name', 'spark', '--example'], { home })
  await untilMatch(first.child.stderr, /^You cannot post to a bot: .* or no bot takes them/m)
  await first.stop()
  writeBots(home, { 'spark-ori-b': 'bot: {name: spark-ori-b, owner: spark-ori}\n' })
  await using second = start(['--name', 'spark', '--example'], { home })
  await untilMatch(second.child.stderr, /^Post to spark-ori-b from another terminal:/m)
})

test('on a server whose name no nick can begin with, such as a DNS name, bots and people go without it', async () => {
  await using server = start(['--name', 'irc.example.org', '--example'])
  await server.line()
  await untilMatch(server.child.stderr, /\/you-hello/)
  const run = (...args: string[]) => hookline(server.home, ...args)
  assert.match((await run('bot', 'create', 'ci', '--owner', 'ori')).stdout, /^created ori-ci: /)
  const [listed, sent] = await Promise.all([run('bot', 'list'), run('send', '#lobby', 'hello')])
  assert.deepEqual(listed.stdout.match(/^\S+/gm), ['NAME', 'ori-ci', 'you-hello'])
  assert.doesNotMatch(listed.stderr, /does not begin/)
  assert.equal(sent.code, 0)
})

test('with --json the only line is the readiness line, as an object', async () => {
  await using server = start(['--name', 'spark', '--json'])
  const ready = JSON.parse(await server.line()) as Record<string, unknown>
  assert.deepEqual([ready['event'], ready['server'], ready['pid']], ['ready', 'spark', server.child.pid])
  assert.match(String(ready['irc']), /^127\.0\.0\.1:\d+$/)
  assert.match(String(ready['webhook']), /^http:\/\/127\.0\.0\.1:\d+$/)
})

test('on a terminal the log is short, and names what each line is about', async (t) => {
  const home = temporaryHome(t)
  const bot = 'spark-ori-ci'
  writeBots(home, { [bot]: `bot: {name: ${bot}, owner: spark-ori}\noutput: {channels: ['#tea']}\n` })
  const [option, script] = IN_TERMINAL
  await using server = start(['--name', 'spark'], { home, shell: `exec python3 ${option} '${script}' "$@"` })
  const first = await server.line()
  const isRoot = /^warn: the server runs as root: .* \(mend run it as a user of its own: .*\)$/.test(first)
  assert.equal(isRoot, process.getuid?.() === 0)
  const { http } = portsOf(isRoot ? await server.line() : first)
  await ask(`http://127.0.0.1:${http}/${bot}`)
  assert.equal(await server.line(), `warn: a webhook was refused: 405 use POST (bot ${bot})`)
})

test('an address in use is fatal: exit 2, with the address, the reason and the flag', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.after(() => taken.close())
  const { port } = taken.address() as { port: number }
  const told = (flag: string) =>
    new RegExp(
      `error: .*cannot listen on 127\\.0\\.0\\.1:${port}: another program is listening there\\n.*hint: .* ${flag} `,
      's',
    )
  await Promise.all(
    ['--port', '--webhook-port'].flatMap((flag) =>
      [[], ['--detach']].map(async (how) => {
        await using home = emptyHome()
        const { code, stderr } = await hookline(home, 'server', 'start', `${flag}=${port}`, ...how)
        assert.match(stderr, told(flag))
        assert.equal(code, 2)
      }),
    ),
  )
})

test('a background server that cannot write its log says how to find out why it ended', async (t) => {
  const home = temporaryHome(t)
  writeFileSync(home.config, 'listeners: nothing\n')
  // No file may grow, as on a full disk.
  const full = inShell('ulimit -f 0; NODE_DISABLE_COMPILE_CACHE=1 exec "$@"')
  const { stderr, code } = await hooklineBy(full, home, 'server', 'start', '--detach')
  assert.equal(
    stderr,
    `error: the server ended before it was ready, and nothing is in ${home.logFile}\n` +
      'hint: start it without --detach to see why\n',
  )
  assert.equal(code, 2)
})

test('a background server begins a new log when the last one is long, and keeps that', async () => {
  const longest = 16 * 1024 * 1024
  const logsAfter = async (bytes: number) => {
    await using home = emptyHome()
    const [log, kept] = [home.logFile, `${home.logFile}.1`]
    writeFileSync(log, '')
    truncateSync(log, bytes)
    for (const args of [['start', '--detach'], ['stop']])
      assert.equal((await hookline(home, 'server', ...args)).code, 0)
    return [statSync(log).size, statSync(kept, { throwIfNoEntry: false })?.size] as const
  }
  const [[goesOn, nothing], [begun, kept]] = await Promise.all([logsAfter(longest), logsAfter(longest + 1)])
  assert.ok(goesOn >= longest && begun < longest / 16, `${goesOn}, ${begun}`)
  assert.deepEqual([nothing, kept], [undefined, longest + 1])
})

test('if the log of a background server cannot be opened, the message names it and says what helps', async (t) => {
  const home = temporaryHome(t)
  const log = home.logFile
  mkdirSync(log)
  const { stderr, code } = await hookline(home, 'server', 'start', '--detach')
  assert.equal(
    stderr,
    `error: ${log} cannot be used: EISDIR: illegal operation on a directory, open '${log}'\n` +
      'hint: it must be a file of the user who starts the server: move it away, or start without --detach\n',
  )
  assert.equal(code, 2)
})

test('with few file descriptors, the chat leaves some to webhooks and commands, and says that it is full', async (t) => {
  await using server = start([], { shell: 'ulimit -n 80; exec "$@"' })
  const { irc, http } = portsOf(await server.line())
  const told = untilMatch(server.child.stderr, /new chat connections are refused/)
  const sockets = open(t, 16, irc)
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  const [refused] = open(t, 1, irc) as [Socket]
  assert.equal(await untilMatch(refused, /ERROR.*\r\n/), 'ERROR :The server is full: try again later\r\n')
  await told
  assert.equal((await post(`http://127.0.0.1:${http}/nobody`, {})).status, 404)
  await server.stop()
})

test('too many open files are logged once, and connected users stay', async (t) => {
  const home = temporaryHome(t)
  await using server = start([], { home })
  const { irc } = portsOf(await server.line())
  await outputOf(home, 'server status', {})
  const [first] = (await opened(t, irc, 'PING first\r\n')) as [Socket]
  const told = untilMatch(server.child.stderr, /too many open files: new connections/)
  leaveFiles(server.child, 0)
  const lines = (await told).match(/^.*too many open files: new connections.*$/gm)
  assert.equal(lines?.length, 1)
  first.write('PING tea\r\n')
  assert.match(String(await once(first, 'data')), /PONG/)
  await server.stop()
})

test('when files run out, webhook connections that wait for their next request are closed', async (t) => {
  const home = temporaryHome(t)
  await using server = start([], { home })
  const { http } = portsOf(await server.line())
  await outputOf(home, 'server status', {})
  const sockets = await opened(t, http, 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const gone = sockets.map((socket) => once(socket, 'close'))
  leaveFiles(server.child, 0)
  await Promise.all(gone)
  assert.equal((await post(`http://127.0.0.1:${http}/nobody`, {})).status, 404)
  await server.stop()
})

/** Connections that were answered: so many that they have the numbers of the files which were open while all was loaded. */
async function opened(t: TestContext, port: number, line: string): Promise<Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < 20) {
    const [socket] = open(t, 1, port) as [Socket]
    sockets.push(socket)
    socket.write(line)
    await once(socket, 'data')
  }
  return sockets
}

// Each of these waits for seconds.
suite('side by side', { concurrency: true }, () => {
  test('a slow sender and a slow handler delay shutdown by ten seconds together, not ten each', async (t) => {
    const home = temporaryHome(t)
    writeBots(home, {
      'spark-ori-slow': 'bot: {name: spark-ori-slow, owner: spark-ori}\n',
      'spark-ori-slow/handler.mjs': "export const handle = () => new Promise(() => console.log('it runs'))\n",
    })
    const patient = 'handlers: {timeout_ms: 60000}\nwebhooks: {answer_within_ms: 60000}\n'
    writeFileSync(home.config, patient)
    await using server = start(['--name', 'spark', '--json'], { home })
    const { webhook } = JSON.parse(await server.line()) as { webhook: string }
    const cut = assert.rejects(post(`${webhook}/spark-ori-slow`, {}))
    await untilMatch(server.child.stderr, /it runs/)
    const asked = performance.now()
    await server.stop()
    assert.ok(performance.now() - asked < 20_000)
    await cut
  })

  test('for a database that another program has open, the hint is to stop that program, not to restore', async (t) => {
    const data = temporaryFolder(t)
    const config = join(data, 'server.yaml')
    writeFileSync(config, `data_dir: ${data}\n`)
    using other = new DatabaseSync(join(data, 'hookline.db'))
    other.exec('BEGIN EXCLUSIVE')
    const { code, stderr } = await hookline(temporaryHome(t), 'server', 'start', '--config', config)
    assert.equal(
      stderr,
      `error: the database in ${data} cannot be used: database is locked\n` +
        'hint: another program has it open: stop that one, then run it again\n',
    )
    assert.equal(code, 2)
  })
})

test('a damaged database is named, however the server was stopped before, with a hint', async (t) => {
  const data = temporaryFolder(t)
  const config = join(data, 'server.yaml')
  writeFileSync(config, `data_dir: ${data}\n`)
  openDatabase(data).close()
  const file = join(data, 'hookline.db')
  const page = pageOf(file, 'records')
  writeFileSync(file, readFileSync(file).fill(0xa5, (page - 1) * 4096, page * 4096))
  const { code, stderr } = await hookline(temporaryHome(t), 'server', 'start', '--config', config)
  assert.equal(
    stderr,
    `error: the database in ${data} cannot be used: ${file} is damaged (Tree ${page} page ${page}: btreeInitPage() returns error code 11)\n` +
      'hint: restore a backup: hookline server restore FILE --force; what is there now is moved aside\n',
  )
  assert.equal(code, 2)
})

test('a database that lacks a table, or has one of another program, is reported like a damaged one', async (t) => {
  const data = temporaryFolder(t)
  const config = join(data, 'server.yaml')
  writeFileSync(config, `data_dir: ${data}\n`)
  const file = join(data, 'hookline.db')
  const change = (sql: string) => {
    using db = new DatabaseSync(file)
    db.exec(sql)
  }
  const expectRefused = async (flaw: string) => {
    const { code, stderr } = await hookline(temporaryHome(t), 'server', 'start', '--config', config)
    assert.equal(
      stderr,
      `error: the database in ${data} cannot be used: ${flaw}\n` +
        'hint: restore a backup: hookline server restore FILE --force; what is there now is moved aside\n',
    )
    assert.equal(code, 2)
  }
  change('CREATE TABLE accounts (id)')
  await expectRefused('table accounts already exists')
  rmSync(file)
  openDatabase(data).close()
  change('DROP TABLE kept')
  await expectRefused('no such table: kept')
})

test('a data folder in use is fatal too: exit 2, without a hint about addresses', async (t) => {
  const data = temporaryFolder(t)
  const file = join(data, 'server.yaml')
  writeFileSync(file, `data_dir: ${join(data, 'data')}\n`)
  await using first = start(['--config', file])
  await first.line()
  const { code, stderr } = await hookline(temporaryHome(t), 'server', 'start', '--config', file)
  const pid = first.child.pid
  assert.match(
    stderr,
    new RegExp(`error: .* another server uses ${data}/data \\(pid ${pid}\\): it may be stopping, `),
  )
  assert.match(stderr, /hint: stop that server, or set HOOKLINE_HOME to another folder\n/)
  assert.equal(code, 2)
})

test('files that cannot be read or created are reported with the reason and a hint', async (t) => {
  const start = (...args: readonly string[]) => hookline(temporaryHome(t), 'server', 'start', ...args)
  const folder = temporaryFolder(t)
  const file = join(folder, 'server.yaml')
  for (const [data, reason] of [
    [file, 'EEXIST'],
    [join(file, 'data'), 'ENOTDIR'],
  ] as const) {
    writeFileSync(file, `data_dir: ${data}\n`)
    const { code, stderr } = await start('--config', file)
    assert.match(
      stderr,
      new RegExp(
        `^error: the database in ${data} cannot be used: ${reason}: .*\nhint: a file is in its place: `,
      ),
    )
    assert.equal(code, 2)
  }
  const unread = await start('--config', folder)
  assert.match(unread.stderr, /cannot be read: EISDIR: .*\nhint: /)
  assert.equal(unread.code, 1)
})

test('the reader of its output may leave: the server keeps running', async () => {
  await using server = start(['--name', 'spark', '--example'])
  await server.line()
  const help = await untilMatch(server.child.stderr, /watch '#lobby'/)
  const [, body = '', url = ''] = /-d '(\{.*\})' (http:\S+)/.exec(help) ?? []
  server.child.stdout.destroy()
  for (let n = 0; n < 3; n++) assert.equal((await post(url, body)).status, 200)
  await server.stop()
})

test('when the process that started it dies, it stops', async (t) => {
  const home = temporaryHome(t)
  const child = fork(bin, ['server', 'start', '--name', 'spark'], { env: environment(home), silent: true })
  const exit = once(child, 'exit')
  assert.ok(child.stdout)
  await untilMatch(child.stdout, /is ready/)
  child.disconnect()
  assert.deepEqual(await exit, [0, null])
})

test('compiled code is on disk once it runs: after a kill the next start is just as fast', async (t) => {
  const cache = temporaryFolder(t)
  await using server = start(['--name', 'spark'], { shell: `NODE_COMPILE_CACHE=${cache} exec "$@"` })
  await server.line()
  server.child.kill('SIGKILL')
  await server.exit
  assert.ok(readdirSync(cache, { recursive: true }).length > 200)
})

interface Started extends AsyncDisposable {
  readonly child: ReturnType<typeof spawnCommand>
  readonly home: Home
  readonly exit: Promise<unknown[]>
  line(): Promise<string>
  /** SIGTERM; fails unless it ends as it should. */
  stop(): Promise<void>
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

test('a database that data_dir would leave behind keeps the server from starting', async () => {
  await using server = start([])
  await server.line()
  await server.stop()
  const { home } = server
  const other = join(home.folder, 'elsewhere')
  writeFileSync(home.config, `data_dir: ${other}\n`)
  const { code, stderr } = await hookline(home, 'server', 'start')
  assert.equal(code, 2)
  assert.match(stderr, /^error: data_dir is .*elsewhere, where no database is, but there is one in .*data$/m)
  assert.match(
    stderr,
    /^hint: if the disk of data_dir is mounted: move all files of the other folder there, or remove/m,
  )
  renameSync(home.data, other)
  await using moved = start([], { home })
  assert.match(await moved.line(), / is ready: /)
})

function start(
  args: readonly string[],
  { home: given, shell = 'exec "$@"' }: { home?: Home; shell?: string } = {},
): Started {
  const home = given ?? temporaryHome()
  const child = spawnCommand(inShell(shell), home, 'server', 'start', ...args)
  const exit = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    child,
    home,
    exit,
    line: async () => String((await lines.next()).value),
    async stop() {
      child.kill('SIGTERM')
      assert.deepEqual(await exit, [0, null])
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await exit
      if (given === undefined) rmSync(home.folder, { recursive: true, force: true })
    },
  }
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
