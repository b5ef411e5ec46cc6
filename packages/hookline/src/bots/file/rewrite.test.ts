import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { createBot } from './create.ts'
import { readBot } from '../disk.ts'
import { editBot } from './rewrite.ts'
import { newHome, reason } from '../../../test/rigs/bots.ts'

test('an edit is in the file', () => {
  using home = newHome()
  createBot(home, { name: 'ci', owner: 'spark-ori' }, { today: '2026-04-03' })
  assert.equal(editBot(home, 'spark-ori-ci', { mention: 'spark-claude' }).ok, true)
  assert.equal(readBot(home, 'spark-ori-ci')?.settings?.output.mention, 'spark-claude')
})

test('an edited file keeps its kind of line breaks', () => {
  using home = newHome()
  createBot(home, { name: 'ci', owner: 'spark-ori', template: 'a\nb\n' }, { today: '2026-04-03' })
  const file = join(home.bots, 'spark-ori-ci', 'bot.yaml')
  const before = readFileSync(file, 'utf8').replaceAll('\n', '\r\n')
  writeFileSync(file, before)
  assert.ok(editBot(home, 'spark-ori-ci', { dmOwner: true }).ok)
  assert.equal(readFileSync(file, 'utf8'), before.replace('dm_owner: false', 'dm_owner: true'))
  assert.equal(readBot(home, 'spark-ori-ci')?.settings?.output.template, 'a\nb\n')
})

test('a refused edit leaves the file as it was', () => {
  using home = newHome()
  createBot(home, { name: 'ci', owner: 'spark-ori' }, { today: '2026-04-03' })
  const file = join(home.bots, 'spark-ori-ci', 'bot.yaml')
  const before = readFileSync(file, 'utf8')
  assert.match(reason(editBot(home, 'spark-ori-ci', { channels: ['no'] })), /must begin with #/)
  assert.equal(readFileSync(file, 'utf8'), before)
  assert.match(reason(editBot(home, 'spark-ori-nobody', {})), /^there is no bot spark-ori-nobody: /)
  writeFileSync(file, 'bot: [')
  assert.match(reason(editBot(home, 'spark-ori-ci', {})), /bot\.yaml:1:\d+.*\nfix the file by hand first$/s)
})
