import assert from 'node:assert/strict'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { newFolder } from '../../test/folder.ts'
import { Chores } from './chores.ts'
import { Committer } from './committer.ts'
import { openDatabase } from './database.ts'
import { row } from '../../test/rigs/store.ts'
import { historyValues } from './values.ts'

test('words are indexed once the store has been idle for 5 ms, a hundred messages at a time', async (t) => {
  await using store = await resting(t)
  store.say(60)
  t.mock.timers.tick(4)
  store.say(60)
  t.mock.timers.tick(4)
  assert.equal(store.indexed(), 0)
  t.mock.timers.tick(1)
  assert.equal(store.indexed(), 100)
  t.mock.timers.tick(5)
  assert.equal(store.indexed(), 120)
})

test('after a large batch they wait for a second without another', async (t) => {
  await using store = await resting(t)
  store.say(65)
  t.mock.timers.tick(999)
  store.say(65)
  t.mock.timers.tick(999)
  assert.equal(store.indexed(), 0)
  t.mock.timers.tick(1)
  assert.equal(store.indexed(), 100)
})

test('after 500 jobs the log is checkpointed into the file, as a copy of the file alone shows', async (t) => {
  await using store = await resting(t)
  store.say(499)
  while (store.indexed() < 499) t.mock.timers.tick(1_000)
  assert.equal(await store.inFile(), 0)
  store.say(1)
  while (store.indexed() < 500) t.mock.timers.tick(1_000)
  assert.equal(await store.inFile(), 500)
})

test('if the store is never idle, after ten seconds each batch is followed by one step', async (t) => {
  await using store = await resting(t)
  store.say(150)
  store.wait(9_999)
  store.say(1)
  assert.equal(store.indexed(), 0)
  store.wait(1)
  store.say(1)
  assert.equal(store.indexed(), 100)
  store.say(1)
  assert.equal(store.indexed(), 153)
})

/** Over a database, with a clock that advances only by ticks. */
async function resting(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const folder = newFolder()
  const database = openDatabase(folder.path)
  // The file's creation is checkpointed, so that only later writes are in the log.
  database.checkpoint()
  const committer = new Committer(database)
  let now = 0
  const chores = new Chores(committer, database, () => now)
  let said = 0
  return {
    say: (count: number): void => {
      const lines = Array.from(
        { length: count },
        () => ['remember', historyValues(row({ id: `m${++said}` }))] as const,
      )
      committer.run({ lines, writes: [], reads: [] })
      chores.after(count)
    },
    /** While it is kept busy: no timer fires. */
    wait: (ms: number): void => {
      now += ms
    },
    indexed: () => Number(database.db.prepare('SELECT seq FROM history_indexed').get()?.['seq']),
    inFile: async () => {
      const copy = join(folder.path, 'copy.db')
      await copyFile(join(folder.path, 'hookline.db'), copy)
      using db = new DatabaseSync(copy)
      return Number(db.prepare('SELECT count(*) AS rows FROM history').get()?.['rows'])
    },
    [Symbol.asyncDispose]: async () => {
      chores.stop()
      database.close()
      folder.remove()
    },
  }
}
