// `server check` looks at the whole configuration as the next start would, and `server reload` does so first.
import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { endCertificate, makeCertificate } from './certificates.ts'
import { hookline, hooklineBy, startCommand } from './command.ts'
import { AS_NOBODY, cannotBeNobody, NOBODY } from './nobody.ts'
import { startRig, temporaryHome, writeBots } from './rig.ts'
import { openDatabase } from '../src/store/database.ts'
import type { Home } from '../src/home/home.ts'
import type { ServerChecked, ServerStatus } from '../src/commands/server/views.ts'

async function check(home: Home, ...args: readonly string[]) {
  const { stdout, code } = await hookline(home, 'server', 'check', '--json', ...args)
  return { code, ...(JSON.parse(stdout) as ServerChecked) }
}

const all = (snags: readonly { readonly what: string }[]) => snags.map(({ what }) => what).join('\n')

test('an empty home is fine, and so is one with a server, on the ports that this server has', async (t) => {
  const home = temporaryHome(t)
  assert.deepEqual(await check(home), { code: 0, problems: [], warnings: [] })
  rmSync(home.bots, { recursive: true })
  assert.deepEqual(await check(home), { code: 0, problems: [], warnings: [] })
  await using server = await startCommand(home)
  const ports = [`--port=${server.ircPort}`, `--webhook-port=${new URL(server.url).port}`]
  assert.deepEqual(await check(home, ...ports), { code: 0, problems: [], warnings: [] })
  await server.stop()
})

test('each problem of the settings and of what they name is told at its line, and nothing is changed', async (t) => {
  const home = temporaryHome(t)
  const [own, other, old] = ['own', 'other', 'old'].map((name) => makeCertificate(home.folder, name))
  assert(own && other && old)
  endCertificate(old.cert, old.key)
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.after(() => taken.close())
  const { port } = taken.address() as AddressInfo
  writeFileSync(
    home.config,
    `server:
  motd_file: none
listeners:
  - port: ${port}
    tls: {cert: ${own.cert}, key: ${join(home.folder, 'gone.pem')}}
  - port: 0
    tls:
      cert: ${own.cert}
      key: ${other.key}
  - {port: 0, tls: {cert: ${old.cert}, key: ${old.key}}}
data_dir: ${home.config}
`,
  )
  writeBots(home, { 'spark-ori-ci': 'bot: {name: spark-ori-ci}\n' })
  const env = ['env', '-u', 'HOOKLINE_PORT']
  const { stdout, stderr, code } = await hooklineBy(env, home, 'server', 'check', '--json')
  assert.equal(code, 1)
  const { problems } = JSON.parse(stdout) as ServerChecked
  const told = (pattern: RegExp, stops: boolean) => {
    const found = problems.find(({ what }) => pattern.test(what))
    assert.ok(found, `${pattern} is not in\n${all(problems)}`)
    assert.equal(found.stops, stops, found.what)
    assert.match(found.mend, /./)
  }
  told(/server\.yaml:2:14: server\.motd_file .*none cannot be read: /, true)
  told(/server\.yaml:4:11: cannot listen on 127\.0\.0\.1:\d+: another program is listening there$/, true)
  told(/server\.yaml:5:\d+: the certificate .* cannot be used: ENOENT/, true)
  told(/server\.yaml:9:12: the certificate .* with the key .*other-key\.pem cannot be used: /, true)
  told(/server\.yaml:10:\d+: the certificate .*old-cert\.pem expired at /, false)
  told(/server\.yaml:11:11: \S+ cannot be used: \S+server\.yaml is not a folder$/, true)
  told(/bot\.yaml:1:\d+ bot\.owner: is required/, false)
  assert.match(stderr, /"message":"\d+ problems: the server would not start"/)
})

test('on a terminal the problems are an error, and what is open to strangers a warning', async (t) => {
  const home = temporaryHome(t)
  writeFileSync(home.config, 'server: {motd_file: none}\nlisteners: [{host: 0.0.0.0, port: 0}]\n')
  const { stdout, stderr, code } = await hookline(home, 'server', 'check')
  assert.equal(code, 1)
  assert.equal(stdout, '')
  assert.match(
    stderr,
    /^warning: IRC on 0\.0\.0\.0:0 is in plain text .*\n {2}mend: give that listener tls, or host: 127\.0\.0\.1\n/,
  )
  assert.match(
    stderr,
    /^error: 1 problem: the server would not start\n {2}\S+server\.yaml:1:\d+: server\.motd_file /m,
  )
})

test('what is wrong with the folders: another user’s, links that lead nowhere, a database that is none', async (t) => {
  const home = temporaryHome(t)
  rmSync(home.bots, { recursive: true })
  symlinkSync('nowhere', home.bots)
  mkdirSync(home.data)
  writeFileSync(join(home.data, 'hookline.db'), 'this is no database')
  const { problems } = await check(home)
  assert.match(all(problems), /bots cannot be used: it is a link that leads nowhere/)
  assert.match(all(problems), /the database in \S+data: it is not a whole SQLite file/)
  writeFileSync(join(home.data, 'hookline.db'), '')
  writeFileSync(join(home.data, 'hookline.db-wal'), 'what was written last')
  assert.match(all((await check(home)).problems), /hookline\.db is empty, but \S+-wal beside it has 21 bytes/)
  if (cannotBeNobody) return t.diagnostic(cannotBeNobody)
  chmodSync(home.folder, 0o755)
  const { stdout } = await hooklineBy(AS_NOBODY, home, 'server', 'check', '--json')
  assert.match(all((JSON.parse(stdout) as ServerChecked).problems), /belongs to another user \(uid 0\)/)
})

test('a database that is cut off is one that the next start refuses', async (t) => {
  const home = temporaryHome(t)
  mkdirSync(home.data)
  openDatabase(home.data).close()
  assert.equal((await check(home)).code, 0)
  truncateSync(join(home.data, 'hookline.db'), 5_000)
  const { code, problems } = await check(home)
  assert.equal(code, 1)
  assert.match(all(problems), /the database in \S+data: it is not a whole SQLite file/)
})

test('a database that another home’s server uses is in the way', async (t) => {
  const [home, other] = [temporaryHome(t), temporaryHome(t)]
  await using server = await startCommand(other)
  writeFileSync(home.config, `data_dir: ${other.data}\n`)
  const { problems, code } = await check(home)
  assert.equal(code, 1)
  assert.match(all(problems), /another server uses \S+ \(pid \d+\)/)
  await server.stop()
})

test('what webhooks from other machines mean for each bot is said before the start, and so is a file that a handler would not see', async (t) => {
  const home = temporaryHome(t)
  const yaml = (name: string, rest: string) =>
    `bot: {name: ${name}, owner: spark-ori}\noutput: {channels: ['#tea']}\n${rest}\n`
  writeBots(home, {
    'spark-ori-bare': yaml('spark-ori-bare', ''),
    'spark-ori-open': yaml('spark-ori-open', 'trigger: {auth: {type: none}}'),
    'spark-ori-token': yaml('spark-ori-token', 'trigger: {auth: {type: token, secrets: [a-made-up-token]}}'),
  })
  const args = ['--port=0', '--webhook-port=0', '--webhook-host=0.0.0.0']
  const bare = await check(home, ...args)
  assert.equal(bare.code, 1)
  assert.match(all(bare.problems), /^spark-ori-bare answers 503: it has no trigger\.auth/)
  assert.equal(bare.problems.length, 1)
  assert.match(all(bare.warnings), /may post through spark-ori-open \(/)

  const handled = yaml('spark-ori-token', 'handler: {files: [/none-such]}')
  writeBots(home, { 'spark-ori-bare': handled.replace('ori-token', 'ori-bare') })
  writeFileSync(
    join(home.bots, 'spark-ori-bare', 'handler.py'),
    'async def handle(payload, bot):\n    return None\n',
  )
  const hidden = await check(home, '--port=0', '--webhook-port=0')
  assert.match(
    all(hidden.problems),
    /^bots\/spark-ori-bare\/bot\.yaml handler\.files: \/none-such does not exist$/,
  )
  assert.equal(hidden.code, 1)
})

test('a reload with a key that is gone is refused as a whole, and the settings stay as they are', async (t) => {
  const home = temporaryHome(t)
  const { cert, key } = makeCertificate(home.folder, 'own')
  const listeners = `listeners: [{port: 0, tls: {cert: ${cert}, key: ${key}}}]\n`
  await using rig = await startRig({ home, config: `logging: {level: error}\n${listeners}` })
  writeFileSync(home.config, `accounts: {failures_per_minute: 7}\nlogging: {level: error}\n${listeners}`)
  rmSync(key)
  const { stderr, code } = await hookline(home, 'server', 'reload')
  assert.equal(code, 1)
  assert.match(
    stderr,
    /^error: the settings are invalid; nothing changed\n {2}\S+server\.yaml:3:\d+: the certificate /,
  )
  assert.equal(rig.server.accounts.rules.failuresPerAccount, 3)
  makeCertificate(home.folder, 'own')
  assert.equal((await hookline(home, 'server', 'reload')).code, 0)
  assert.equal(rig.server.accounts.rules.failuresPerAccount, 7)
})

test('a reload looks into no database that its own server has open, whatever path leads there', async (t) => {
  const home = temporaryHome(t)
  const link = join(home.folder, 'linked')
  symlinkSync(home.data, link)
  writeFileSync(home.config, `data_dir: ${home.data}\n`)
  await using server = await startCommand(home)
  writeFileSync(home.config, `data_dir: ${link}\n`)
  const before = locksOn(join(home.data, 'hookline.db'))
  assert.notEqual(before, 0)
  assert.equal((await hookline(home, 'server', 'reload')).code, 0)
  // Whoever closes a file drops all locks that the process has on it.
  assert.equal(locksOn(join(home.data, 'hookline.db')), before)
  await server.stop()
})

test('a server that is open to strangers says so at start, in the log and in status, each with its mend', async (t) => {
  const home = temporaryHome(t)
  const bot = 'spark-ori-ci'
  writeBots(home, {
    [bot]: `bot: {name: ${bot}, owner: spark-ori}\ntrigger: {auth: {type: none}}\noutput: {channels: ['#tea']}\n`,
  })
  writeFileSync(
    home.config,
    `server: {websocket_origins: ['*'], trusted_proxies: [0.0.0.0/0]}
listeners: [{port: 0}, {port: 0, websocket: true}]
limits: {flood_protection: false, exempt: ['::/0']}
accounts: {password_cost: 12, registration: {password_length: 4}}
`,
  )
  await using server = await startCommand(home, '--host=0.0.0.0', '--webhook-host=0.0.0.0')
  const { stdout } = await hookline(home, 'server', 'status', '--json')
  const { warnings } = JSON.parse(stdout) as ServerStatus
  const expected = [
    /^IRC on 0\.0\.0\.0:0 is in plain text/,
    /^webhooks on 0\.0\.0\.0:0 are in plain text/,
    /may connect, join channels/,
    /may register an account/,
    /^every web page may connect/,
    /which address they come from/,
    /no.* limit on connections/,
    /as fast as they like/,
    /as cheap as for tests/,
    /new passwords may have 4 characters/,
    /may post through spark-ori-ci/,
    ...(process.getuid?.() === 0 ? [/^the server runs as root/] : []),
  ]
  for (const [i, pattern] of expected.entries()) assert.match(warnings[i]?.what ?? '', pattern)
  assert.equal(warnings.length, expected.length, all(warnings))
  assert.match((await hookline(home, 'server', 'status')).stderr, /^warning: IRC on .*\n {2}mend: give that/)

  writeFileSync(home.config, 'accounts: {registration: {password_length: 5}}\n')
  assert.equal((await hookline(home, 'server', 'reload')).code, 0)
  const lines = (await server.stop()).split('\n').filter((line) => line.includes('"mend"'))
  const logged = lines.map((line) => JSON.parse(line) as { msg: string; mend: string; level: number })
  assert.deepEqual(
    logged.slice(0, warnings.length).map(({ msg: what, mend }) => ({ what, mend })),
    warnings,
  )
  assert.ok(logged.every(({ level }) => level === 40))
  assert.match(
    all(logged.slice(warnings.length).map(({ msg: what }) => ({ what }))),
    /^new passwords may have 5 characters/,
  )
})

test('a server that only this machine reaches has nothing to warn of, but that it runs as root if it does', async (t) => {
  const home = temporaryHome(t)
  await using server = await startCommand(home)
  const { stdout } = await hookline(home, 'server', 'status', '--json')
  const { warnings } = JSON.parse(stdout) as ServerStatus
  const isRoot = process.getuid?.() === 0
  assert.deepEqual(
    warnings.map(({ what }) => what.split(':')[0]),
    isRoot ? ['the server runs as root'] : [],
  )
  const log = await server.stop()
  assert.equal(log.includes('"msg":"the server runs as root'), isRoot)
  if (cannotBeNobody) return t.diagnostic(cannotBeNobody)
  const own = temporaryHome(t)
  for (const folder of [own.folder, own.bots]) chownSync(folder, NOBODY, NOBODY)
  const started = await hooklineBy(AS_NOBODY, own, 'server', 'start', '--detach', '--json')
  try {
    assert.equal(started.code, 0, started.stderr)
    assert.deepEqual((JSON.parse(started.stdout) as { warnings: unknown }).warnings, [])
  } finally {
    await hooklineBy(AS_NOBODY, own, 'server', 'stop')
  }
})

/** Of whatever process (proc_locks(5)). */
function locksOn(file: string): number {
  const { ino } = statSync(file)
  return readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .filter((line) => line.includes(`:${ino} `)).length
}
