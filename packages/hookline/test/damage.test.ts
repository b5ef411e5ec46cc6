// A database that is missing, empty or damaged: nothing is replaced in silence, and whoever looks is told what to do.
import assert from 'node:assert/strict'
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { ServerStatus } from '../src/commands/server/views.ts'
import type { Home } from '../src/home/home.ts'
import { openDatabase } from '../src/store/database.ts'
import { openStore } from '../src/store/store.ts'
import { hookline, startCommand } from './command.ts'
import { outputOf } from './control.ts'
import { logTo } from './log.ts'
import { ask, post } from './post.ts'
import { temporaryHome, writeBots } from './rig.ts'

const bot = 'spark-ori-ci'
const RESTORE = 'restore a backup: hookline server restore FILE --force; what is there now is moved aside'

for (const [what, lose] of [
  ['missing', (file: string) => rmSync(file)],
  ['empty', (file: string) => writeFileSync(file, '')],
] as const) {
  test(`a database that is ${what} beside its WAL is not replaced, nor backed up: put back, it has everything`, async (t) => {
    const home = await killedHome(t)
    const file = join(home.data, 'hookline.db')
    const wal = readFileSync(`${file}-wal`)
    copyFileSync(file, join(home.folder, 'aside'))
    lose(file)
    const text = `${file} is ${what}, but ${file}-wal beside it has ${wal.length} bytes\n`
    const hint = `hint: put hookline.db back; or ${RESTORE}; or move hookline.db-wal away to begin with an empty database\n`
    for (const [args, error] of [
      [['server', 'start'], `the database in ${home.data} cannot be used: `],
      [['server', 'backup', join(home.folder, 'b.tar')], 'no backup was made: '],
    ] as const) {
      const { code, stderr } = await hookline(home, ...args)
      assert.deepEqual([code, stderr], [2, `error: ${error}${text}${hint}`])
    }
    assert.ok(wal.equals(readFileSync(`${file}-wal`)))
    renameSync(join(home.folder, 'aside'), file)
    await using server = await startCommand(home)
    const { json } = await post(`${server.url}/${bot}`, { say: 'x' }, { 'Idempotency-Key': 'k' })
    assert.equal(json['status'], 'duplicate')
  })
}

test('if only the WAL of a lost database is in the default folder, another data_dir does not begin a new one', async (t) => {
  const home = await killedHome(t)
  rmSync(join(home.data, 'hookline.db'))
  writeFileSync(home.config, `data_dir: ${home.folder}/elsewhere\n`)
  const { code, stderr } = await hookline(home, 'server', 'start')
  assert.match(stderr, /where no database is, but there is one in /)
  assert.equal(code, 2)
})

test('garbage in place of the database is refused, and stays', async (t) => {
  const home = await killedHome(t)
  const file = join(home.data, 'hookline.db')
  for (const garbage of [Buffer.from('SQLite format 3\0'), Buffer.alloc(60, 7), Buffer.alloc(9_000, 7)]) {
    writeFileSync(file, garbage)
    const { code, stderr } = await hookline(home, 'server', 'start')
    assert.match(stderr, new RegExp(`^error: the database in .* cannot be used: .*\nhint: ${RESTORE}\n$`))
    assert.equal(code, 2)
    assert.ok(garbage.equals(readFileSync(file)))
  }
})

test('garbage in place of the lock is named, with what to do about that', async (t) => {
  const home = temporaryHome(t)
  openDatabase(home.data).close()
  writeFileSync(join(home.data, 'lock'), 'garbage')
  const { code, stderr } = await hookline(home, 'server', 'start')
  assert.match(stderr, /data\/lock is no lock of hookline, which is an empty file\nhint: .*move it away/)
  assert.doesNotMatch(stderr, /restore/)
  assert.equal(code, 2)
})

test('a small database is checked before the server is ready', async (t) => {
  const home = temporaryHome(t)
  await using server = await startCommand(home)
  assert.ok(server.url)
  const { stdout } = await hookline(home, 'server', 'status')
  assert.match(stdout, /^database +checked at 2\d{3}-\S+Z$/m)
})

test('a large database is checked while the server works: status, metrics and log tell', async (t) => {
  const home = largeHome(t)
  {
    await using server = await startCommand(home)
    const { storage_checked_at: at, storage_damage: damage } = await checked(home)
    assert.deepEqual([typeof at, damage], ['string', null])
    assert.match(await server.stop(), /"msg":"the database was checked, and is sound"/)
  }
  // A part that no start reads, in a file that was closed as it should be.
  const file = join(home.data, 'hookline.db')
  const page = pageOf(file, 'unread')
  writeFileSync(file, readFileSync(file).fill(0xa5, (page - 1) * 4096, page * 4096))
  await using server = await startCommand(home)
  assert.equal((await post(`${server.url}/${bot}`, { say: 'meanwhile' })).status, 200)
  const { storage_damage: damage } = await checked(home)
  assert.equal(
    damage,
    `${file} is damaged (Tree ${page} page ${page}: btreeInitPage() returns error code 11)`,
  )
  const { stdout } = await hookline(home, 'server', 'status')
  const told = /^database +damaged: .*: restore a backup: hookline server restore FILE --force$/m
  assert.match(stdout, told)
  assert.match((await ask(`${server.url}/metrics`)).text, /^hookline_store_damaged 1$/m)
  assert.match(await server.stop(), /"level":50.*"msg":"the database is damaged: restore a backup: /)
})

test('damage that a read meets is told at once', async (t) => {
  const { data } = largeHome(t)
  const file = join(data, 'hookline.db')
  const page = pageOf(file, 'accounts')
  writeFileSync(file, readFileSync(file).fill(0xa5, (page - 1) * 4096, page * 4096))
  const told: string[] = []
  const store = await openStore(data, { log: logTo((_, text) => told.push(text)) })
  await assert.rejects(store.accounts.all(), { reason: 'damaged' })
  assert.equal(store.integrity.damage, 'database disk image is malformed')
  assert.match(told[0] ?? '', /^the database is damaged: restore a backup/)
  await store.close()
})

/** Where a server that was killed has left a WAL with a delivery of key `k`. */
async function killedHome(t: TestContext): Promise<Home> {
  const home = temporaryHome(t)
  writeBots(home, { [bot]: BOT })
  // What the last stop left in the file is not in the WAL.
  openDatabase(home.data).close()
  await using server = await startCommand(home)
  const { status } = await post(`${server.url}/${bot}`, { say: 'x' }, { 'Idempotency-Key': 'k' })
  assert.equal(status, 200)
  server.child.kill('SIGKILL')
  return home
}

/** Its database is too large to wait for. */
function largeHome(t: TestContext): Home {
  const home = temporaryHome(t)
  writeBots(home, { [bot]: BOT })
  openDatabase(home.data).close()
  using db = new DatabaseSync(join(home.data, 'hookline.db'))
  db.exec(`
    CREATE TABLE large (bytes BLOB); INSERT INTO large VALUES (zeroblob(${40 * 1024 * 1024}));
    CREATE TABLE unread (n INTEGER); INSERT INTO unread VALUES (1);
  `)
  return home
}

/** The status once its database is checked. */
async function checked(home: Home): Promise<ServerStatus> {
  for (;;) {
    const status = await outputOf<ServerStatus>(home, 'server status', {})
    if (status.storage_checked_at !== null) return status
    assert.equal(status.storage_damage, null)
    await wait(20)
  }
}

function pageOf(file: string, table: string): number {
  using db = new DatabaseSync(file, { readOnly: true })
  return Number(db.prepare('SELECT rootpage FROM sqlite_master WHERE name = ?').get(table)?.['rootpage'])
}

const BOT = `bot: {name: ${bot}, owner: spark-ori}\noutput: {channels: ["#log"], template: "{body.say}"}\n`
