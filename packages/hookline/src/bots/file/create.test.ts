import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { createBot } from './create.ts'
import { readBot } from '../disk.ts'
import { newHome, reason } from '../../../test/rigs/bots.ts'

const when = { today: '2026-04-03', serverName: 'spark' }

test('a new bot is a folder with a bot.yaml, readable only by its owner', () => {
  using home = newHome()
  const created = createBot(
    home,
    { name: 'ghci', owner: 'spark-ori', channels: ['#builds'], template: '{body.a}' },
    when,
  )
  assert.deepEqual(created, { ok: true, name: 'spark-ori-ghci' })
  const file = join(home.bots, 'spark-ori-ghci', 'bot.yaml')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(join(home.bots, 'spark-ori-ghci')), ['bot.yaml'])
  assert.equal(readBot(home, 'spark-ori-ghci')?.settings?.created, '2026-04-03')
})

test('an invalid bot is refused with a hint, and leaves nothing behind', () => {
  using home = newHome()
  const create = (name: string, owner: string, more = {}): string =>
    reason(createBot(home, { name, owner, ...more }, when))
  assert.equal(create('ci', 'ori'), "the owner ori does not begin with the server's name: use spark-ori")
  assert.equal(
    create('ci', 'Spark-Ori'),
    "the owner Spark-Ori does not begin with the server's name: use spark-Ori",
  )
  assert.match(
    create('', 'spark-ori'),
    /^an empty name is not a valid bot name: use letters, digits, _ and -, /,
  )
  assert.match(create('../x', 'spark-ori'), /^\.\.\/x is not a valid bot name/)
  assert.match(create('ci', 'spark-../../x'), /^bot\.name: must be letters/)
  assert.equal(
    create('ci', 'spark-ori', { channels: ['builds'] }),
    'output.channels.0: must begin with #, and # begins a comment: write "#name" in quotes',
  )
  assert.match(create('ci', 'spark-ori', { template: 'x'.repeat(70_000) }), /longer than 64 KiB/)
  assert.deepEqual(readdirSync(home.bots), [])

  assert.equal(create('ci', 'spark-ori'), 'not refused')
  assert.match(create('ci', 'spark-ori'), /^spark-ori-ci already exists: /)
  assert.match(create('CI', 'spark-ori'), /^spark-ori-ci already exists, and both would have the same nick: /)
  assert.match(create('ci', 'spark-'), /^the owner spark- is only the server's name: /)
  assert.deepEqual(readdirSync(home.bots), ['spark-ori-ci'])
  assert.equal(reason(createBot(home, { name: 'ci', owner: 'ori' }, { today: '2026-04-03' })), 'not refused')
})
