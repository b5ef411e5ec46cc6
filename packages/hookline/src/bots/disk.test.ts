import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { createBot, editBot, readBot, readBots } from './disk.ts'
import { newHome, reason } from './rig.test.ts'

const when = { today: '2026-04-03', serverName: 'spark' }

test('a bot is created, read and edited', () => {
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

  assert.equal(editBot(home, 'spark-ori-ghci', { mention: 'spark-claude' }).ok, true)
  assert.equal(readBot(home, 'spark-ori-ghci')?.settings?.output.mention, 'spark-claude')
})

test('what cannot be created is refused with what to do, and leaves nothing behind', () => {
  using home = newHome()
  const create = (name: string, owner: string, more = {}): string =>
    reason(createBot(home, { name, owner, ...more }, when))
  assert.equal(create('ci', 'ori'), "the owner ori lacks the server's name: use spark-ori")
  assert.equal(create('ci', 'Spark-Ori'), "the owner Spark-Ori lacks the server's name: use spark-Ori")
  assert.match(
    create('', 'spark-ori'),
    /^an empty name is not a bot's name: begin with a letter or a digit, /,
  )
  assert.match(create('../x', 'spark-ori'), /^\.\.\/x is not a bot's name/)
  assert.match(create('ci', 'spark-../../x'), /^bot\.name: must be letters/)
  assert.equal(
    create('ci', 'spark-ori', { channels: ['builds'] }),
    'output.channels.0: must begin with #, and # begins a comment: write "#name" in quotes',
  )
  assert.match(create('ci', 'spark-ori', { template: 'x'.repeat(70_000) }), /longer than 64 KiB/)
  assert.deepEqual(readdirSync(home.bots), [])

  assert.equal(create('ci', 'spark-ori'), 'not refused')
  assert.match(create('ci', 'spark-ori'), /^spark-ori-ci exists already: /)
  assert.match(create('CI', 'spark-ori'), /^spark-ori-ci is there already, and both would be one nick: /)
  assert.match(create('ci', 'spark-'), /^the owner spark- is the name of the server alone: /)
  assert.deepEqual(readdirSync(home.bots), ['spark-ori-ci'])
  assert.equal(reason(createBot(home, { name: 'ci', owner: 'ori' }, { today: '2026-04-03' })), 'not refused')
})

test('a refused edit leaves the file as it was', () => {
  using home = newHome()
  createBot(home, { name: 'ci', owner: 'spark-ori' }, when)
  const file = join(home.bots, 'spark-ori-ci', 'bot.yaml')
  const before = readFileSync(file, 'utf8')
  assert.match(reason(editBot(home, 'spark-ori-ci', { channels: ['no'] })), /must begin with #/)
  assert.equal(readFileSync(file, 'utf8'), before)
  assert.match(reason(editBot(home, 'spark-ori-nobody', {})), /^there is no bot spark-ori-nobody: /)
  assert.equal(readBot(home, 'a'.repeat(256)), undefined)
  writeFileSync(file, 'bot: [')
  assert.match(reason(editBot(home, 'spark-ori-ci', {})), /bot\.yaml:1:\d+.*\nmend the file by hand first$/s)
})

test('broken files are told apart, and no link is followed', () => {
  using home = newHome()
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
  assert.match(found['spark-ori-file'] ?? '', /is a link: put the file itself there/)
  assert.match(found['spark-ori-folder'] ?? '', /is a link: move the folder itself there/)
  assert.match(found['spark-ori-long'] ?? '', /longer than 64 KiB/)
  assert.match(found['spark-ori-odd'] ?? '', /is not a file/)
  assert.match(found['spark-ori-bytes'] ?? '', /is not UTF-8: save it as UTF-8/)
  assert.match(found['spark-ori-secret'] ?? '', /HOOKLINE_ABSENT is not set/)
  assert.match(found['spark-ori-linked'] ?? '', /handler\.py is a link/)
})
