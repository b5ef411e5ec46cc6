// The files of every earlier version: each is migrated to this one completely, and a server works on it.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openDatabase } from '../src/store/database.ts'
import { migrations } from '../src/store/schema.ts'
import { temporaryFolder } from './folder.ts'
import { Person } from './person.ts'
import { post } from './post.ts'
import { startRig, temporaryHome } from './rig.ts'
import { migrated } from './rigs/store.ts'
import { dump, fixtureFile, restore, type Rows, rowsOf, schemaOf } from './upgrade/dump.ts'

const newest = migrations.length
const earlier = Array.from({ length: newest - 1 }, (_, i) => i + 1)

test('every earlier version has a fixture', () => {
  for (const version of earlier) {
    const advice = `there is no fixture of schema version ${version}: node scripts/run.mjs packages/hookline/test/upgrade/make.ts ${version}`
    assert.ok(existsSync(fixtureFile(version)), advice)
  }
})

test('no file, and an empty one, become a database of this version', (t) => {
  const data = temporaryFolder(t)
  openDatabase(data).close()
  writeFileSync(fileIn(data), '')
  const opened = openDatabase(data)
  assert.deepEqual(schemaOf(opened.db), schemaAt(newest))
  opened.close()
})

// Including this version's, if it was made in time.
for (const version of [...earlier, newest].filter((each) => existsSync(fixtureFile(each)))) {
  test(`version ${version}: its migrations have not changed since, and each of its tables has a row`, (t) => {
    const data = temporaryFolder(t)
    restore(version, data)
    using old = new DatabaseSync(fileIn(data))
    assert.deepEqual(schemaOf(old), schemaAt(version))
    for (const [table, rows] of Object.entries(rowsOf(old))) assert.ok(rows.length > 0, `${table} is empty`)
  })

  test(`version ${version}: opening brings it to version ${newest} and keeps every row`, (t) => {
    const data = temporaryFolder(t)
    restore(version, data)
    const before = readRows(data)
    const opened = openDatabase(data)
    expectKept(before, rowsOf(opened.db))
    assert.equal(versionOf(opened.db), newest)
    assert.deepEqual(schemaOf(opened.db), schemaAt(newest))
    const sums = opened.db.prepare(`
      SELECT (SELECT sum(length(body)) FROM deliveries) + (SELECT coalesce(sum(length(bytes)), 0) FROM delivery_packs) AS bytes,
        (SELECT sum(length(CAST(text AS BLOB))) FROM deliveries) AS texts`)
    assert.deepEqual(opened.db.prepare('SELECT bytes, texts FROM delivery_bodies').all(), sums.all())
    opened.close()
  })

  test(`version ${version}: a server starts on it and serves what is in it`, async (t) => {
    const home = temporaryHome(t)
    restore(version, home.data)
    await using rig = await startRig({ home, bots: BOTS })
    // What came before the crash is posted before what comes now.
    assert.equal((await post(`${rig.url}/spark-ori-plain`, { text: 'from today' })).status, 200)
    const { store, deliveries } = rig.server
    const [failed] = await store.deliveries.list({ failed: true, limit: 10 })
    assert.equal((await deliveries.replay(failed?.id ?? '')).status, 200)
    const said = (await store.history('#tea', 100)).map(({ text }) => text)
    assert.deepEqual(
      said.filter((text) => EXPECTED.includes(text)),
      EXPECTED,
    )
    // The owner was away, and gets what was kept.
    using owner = await Person.connect(rig.ircPort)
    owner.type('NICK spark-ori', 'USER ori 0 * :Ori')
    await owner.until(/ PRIVMSG spark-ori :.*build green/)
  })
}

test('a future version is refused, and the file stays unchanged', (t) => {
  const data = temporaryFolder(t)
  openDatabase(data).close()
  using db = new DatabaseSync(fileIn(data))
  db.exec(`PRAGMA user_version = ${newest + 1}; CREATE TABLE of_tomorrow (x)`)
  const before = dump(db)
  db.close()
  assert.throws(() => openDatabase(data), /written by a newer hookline \(schema \d+, this one knows \d+\)$/)
  using after = new DatabaseSync(fileIn(data))
  assert.equal(dump(after), before)
})

test('a failed migration leaves the old version intact', (t) => {
  const data = temporaryFolder(t)
  restore(1, data)
  using db = new DatabaseSync(fileIn(data))
  // Blocks the third migration, after the second is done.
  db.exec('CREATE TABLE threads (x)')
  const before = dump(db)
  db.close()
  assert.throws(() => openDatabase(data), /threads already exists/)
  using after = new DatabaseSync(fileIn(data))
  assert.equal(dump(after), before)
  after.exec('DROP TABLE threads')
  after.close()
  openDatabase(data).close()
})

test('a killed migration leaves the old version intact', async (t) => {
  const data = temporaryFolder(t)
  restore(newest - 1, data)
  const before = readRows(data)
  const child = spawn(process.execPath, [`${import.meta.dirname}/upgrade/halfway.ts`, data], {
    stdio: 'inherit',
  })
  const exit = once(child, 'exit')
  // Far enough into it that SQLite has begun to write what is not committed.
  while (child.exitCode === null && sizeOf(`${fileIn(data)}-wal`) < 8_000_000) await nextTurn()
  child.kill('SIGKILL')
  assert.deepEqual(await exit, [null, 'SIGKILL'])
  assert.deepEqual(readRows(data), before)
  const opened = openDatabase(data)
  expectKept(before, rowsOf(opened.db))
  assert.deepEqual(schemaOf(opened.db), schemaAt(newest))
  opened.close()
})

const EXPECTED = [
  "who's for a cup? ☕",
  'build green',
  'from a handler',
  'from before the crash',
  'from today',
  '1',
]
const BOTS = {
  'spark-ori-plain':
    'bot: {name: spark-ori-plain, owner: spark-ori}\noutput: {channels: ["#tea"], template: "{body.text}"}\n',
  'spark-ori-hand':
    'bot: {name: spark-ori-hand, owner: spark-ori}\noutput: {channels: ["#tea"], template: "{body.job}"}\n',
}

/** Each row with everything it had; it may have more now. */
function expectKept(before: Rows, after: Rows): void {
  for (const [table, rows] of Object.entries(before)) {
    const columns = Object.keys(rows[0] ?? {})
    const kept = after[table]?.map((row) =>
      Object.fromEntries(columns.map((column) => [column, row[column]])),
    )
    assert.deepEqual(
      kept,
      rows.map((row) => ({ ...row })),
      table,
    )
  }
}

function readRows(data: string): Rows {
  using db = new DatabaseSync(fileIn(data))
  return rowsOf(db)
}

function schemaAt(version: number): readonly string[] {
  using made = migrated(version)
  return schemaOf(made)
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version'])
}

function fileIn(data: string): string {
  return join(data, 'hookline.db')
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
