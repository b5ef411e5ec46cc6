import assert from 'node:assert/strict'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { createBot } from './file/create.ts'
import { readBots } from './disk.ts'
import { newHome, reason } from '../../test/rigs/bots.ts'
import { lastRemoved, removeBot, removedBots } from './trash.ts'

test('a removed bot is in the trash, with its owner and the time', () => {
  using home = newHome()
  createBot(home, { name: 'ghci', owner: 'spark-ori' }, { today: '2026-04-03' })
  assert.equal(lastRemoved(home, 'spark-ori-ghci'), undefined)
  const at = Date.parse('2026-04-03T10:11:12.345Z')
  const removed = removeBot(home, 'spark-ori-ghci', at)
  assert.deepEqual(removed, {
    ok: true,
    trash: join(home.folder, 'trash', 'spark-ori-ghci-20260403T101112-345Z'),
  })
  assert.ok(removed.ok && existsSync(join(removed.trash, 'bot.yaml')))
  assert.deepEqual(readBots(home), [])
  assert.deepEqual(lastRemoved(home, 'spark-ori-ghci'), { owner: 'spark-ori', at })
  assert.equal(lastRemoved(home, 'spark-ori'), undefined)
})

test('of two removed bots of one name the last one is reported', () => {
  using home = newHome()
  for (const [owner, name, at] of [
    ['spark-ori', 'a-b', 2_000],
    ['spark-ori-a', 'b', 1_000],
  ] as const) {
    createBot(home, { name, owner }, { today: '2026-04-03' })
    assert.ok(removeBot(home, 'spark-ori-a-b', at).ok)
  }
  assert.deepEqual(lastRemoved(home, 'spark-ori-a-b'), { owner: 'spark-ori', at: 2_000 })
})

test('all removed bots are reported, except those from before a restore, which may have brought them back', () => {
  using home = newHome()
  assert.deepEqual(removedBots(home), [])
  const at = Date.parse('2026-04-03T10:11:12.345Z')
  for (const more of [0, 1, 2]) {
    createBot(home, { name: 'ci', owner: 'spark-ori' }, { today: '2026-04-03' })
    assert.ok(removeBot(home, 'spark-ori-ci', at + more).ok)
  }
  mkdirSync(join(home.folder, 'trash', 'something else'))
  const name = 'spark-ori-ci'
  assert.deepEqual(
    removedBots(home),
    [at, at + 1, at + 2].map((each) => ({ name, at: each })),
  )
  mkdirSync(join(home.folder, 'trash', 'before-restore-2026-04-03T10-11-12-346Z'))
  assert.deepEqual(removedBots(home), [{ name, at: at + 2 }])
})

test('a folder that is not a bot is not removed', () => {
  using home = newHome()
  assert.match(reason(removeBot(home, '../bots', 0)), /^there is no bot/)
  assert.match(reason(removeBot(home, 'a'.repeat(256), 0)), /^there is no bot/)
})
