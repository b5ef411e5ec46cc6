import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { createBot } from './file/create.ts'
import { readBot, readBots } from './disk.ts'
import { newHome } from '../../test/rigs/bots.ts'

test('broken files are distinguished, and no link is followed', () => {
  using home = newHome()
  const when = { today: '2026-04-03' }
  const folder = (name: string): string => {
    mkdirSync(join(home.bots, name))
    return join(home.bots, name)
  }
  createBot(home, { name: 'good', owner: 'spark-ori' }, when)
  const good = join(home.bots, 'spark-ori-good')
  writeFileSync(join(folder('spark-ori-bad'), 'bot.yaml'), 'bot:\n  name: spark-ori-bad\n  ownr: x\n')
  symlinkSync(join(good, 'bot.yaml'), join(folder('spark-ori-file'), 'bot.yaml'))
  symlinkSync(good, join(home.bots, 'spark-ori-folder'))
  writeFileSync(join(folder('spark-ori-long'), 'bot.yaml'), `# ${'x'.repeat(65536)}`)
  mkdirSync(join(folder('spark-ori-odd'), 'bot.yaml'))
  writeFileSync(join(folder('spark-ori-bytes'), 'bot.yaml'), Buffer.from('# caf\xe9', 'latin1'))
  folder('empty')
  folder('.hidden')
  createBot(
    home,
    { name: 'secret', owner: 'spark-ori', auth: { type: 'github', secrets: ['env:HOOKLINE_ABSENT'] } },
    when,
  )
  createBot(home, { name: 'linked', owner: 'spark-ori' }, when)
  symlinkSync('/dev/zero', join(home.bots, 'spark-ori-linked', 'handler.py'))

  const found = Object.fromEntries(readBots(home).map((bot) => [bot.name, bot.problems.join('\n')]))
  assert.deepEqual(
    Object.keys(found),
    ['bad', 'bytes', 'file', 'folder', 'good', 'linked', 'long', 'odd', 'secret'].map(
      (name) => `spark-ori-${name}`,
    ),
  )
  assert.equal(found['spark-ori-good'], '')
  assert.match(
    found['spark-ori-bad'] ?? '',
    /^bots\/spark-ori-bad\/bot\.yaml:3:3 bot\.ownr: unknown key: did you mean owner\?$/m,
  )
  assert.match(found['spark-ori-file'] ?? '', /is a symbolic link: replace it with the file itself/)
  assert.match(found['spark-ori-folder'] ?? '', /is a symbolic link: replace it with the folder itself/)
  assert.match(found['spark-ori-long'] ?? '', /longer than 64 KiB/)
  assert.match(found['spark-ori-odd'] ?? '', /is not a file/)
  assert.match(found['spark-ori-bytes'] ?? '', /is not UTF-8: save it as UTF-8/)
  assert.match(
    found['spark-ori-secret'] ?? '',
    /^bots\/spark-ori-secret\/bot\.yaml trigger\.auth\.secrets: .* HOOKLINE_ABSENT is not set/,
  )
  assert.match(found['spark-ori-linked'] ?? '', /handler\.py is not a regular file/)
})

test('an impossible folder name is not a bot', () => {
  using home = newHome()
  for (const name of ['', '.', '..', '../bots', 'a\0b', 'a'.repeat(256)])
    assert.equal(readBot(home, name), undefined)
})
