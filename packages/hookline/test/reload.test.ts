// What `server reload` does with server.yaml as it is now.
import assert from 'node:assert/strict'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { inTurn } from '../src/accounts/hashqueue.ts'
import { loadConfig } from '../src/config/config.ts'
import { startServer } from '../src/server/server.ts'
import { hookline } from './command.ts'
import { BECOME_OPERATOR, OPERATOR } from './operator.ts'
import { Person } from './person.ts'
import { startRig, temporaryHome, UNLIMITED } from './rig.ts'

test('an unreadable message of the day: nothing changes, and an error says so', async () => {
  await using rig = await startRig({ config: 'logging: {level: error}\n' })
  const strict = 'accounts: {password_cost: 4, registration: {password_length: 9}}\nlogging: {level: error}\n'
  writeFileSync(rig.home.config, `server: {motd_file: none}\n${strict}`)
  const { isApplied, warnings } = await rig.server.reload()
  assert.equal(isApplied, false)
  assert.match(
    warnings.join('\n'),
    /^\S+server\.yaml:1:21: server\.motd_file \S+none cannot be read: [^\n]*$/,
  )
  assert.equal(rig.server.accounts.rules.shortestPassword, 10)
})

test('a channel with a name that is now too long can be joined as long as it exists', async () => {
  await using rig = await startRig({ config: 'logging: {level: error}\n' })
  using ann = await Person.join(rig.ircPort, 'ann')
  using bob = await Person.join(rig.ircPort, 'bob')
  ann.type('JOIN #afternoon-tea')
  await ann.settle()
  writeFileSync(rig.home.config, 'limits: {channel_length: 8}\nlogging: {level: error}\n')
  assert.equal((await rig.server.reload()).isApplied, true)
  bob.type('JOIN #afternoon-tea,#morning-tea')
  const told = (await bob.settle()).filter((line) => / (JOIN|403) /.test(line))
  assert.deepEqual(
    told.map((line) => line.replace(/^\S+ /, '')),
    ['JOIN #afternoon-tea', '403 bob #morning-tea :No such channel'],
  )
})

test('RECOVER disconnects nobody for a nick that is now too long', async () => {
  const rest = 'accounts: {password_cost: 4}\nlogging: {level: error}\n'
  await using rig = await startRig({ config: rest })
  using tablet = await Person.join(rig.ircPort, 'annabelle')
  tablet.type('NS REGISTER kettle')
  assert.match((await tablet.settle()).join(), / 900 /)
  using phone = await Person.join(rig.ircPort, 'ann')
  phone.type('NS IDENTIFY annabelle kettle')
  assert.match((await phone.settle()).join(), / 900 /)
  writeFileSync(rig.home.config, `limits: {nick_length: 8}\n${rest}`)
  assert.equal((await rig.server.reload()).isApplied, true)
  phone.type('NS RECOVER annabelle', 'ISON annabelle')
  assert.match((await phone.settle()).join('\n'), /:Erroneous nickname[^]* 303 ann :?annabelle$/)
})

test('a message of the day works with any line endings', async () => {
  await using rig = await startRig({ config: 'logging: {level: error}\n' })
  writeFileSync(join(rig.home.folder, 'motd'), '\ufeffone\rtwo\r\nth\0ree\n\nfive\r\n\n')
  writeFileSync(rig.home.config, 'server: {motd_file: motd}\nlogging: {level: error}\n')
  assert.equal((await rig.server.reload()).isApplied, true)
  using ann = await Person.join(rig.ircPort, 'ann')
  ann.type('MOTD')
  const lines = (await ann.settle()).filter((line) => line.includes(' 372 '))
  assert.deepEqual(
    lines.map((line) => line.split(':- ')[1]),
    ['one', 'two', 'three', '', 'five'],
  )
})

test('a new name waits for the next start, also as the name of the network', async (t) => {
  const home = temporaryHome(t)
  const read = (name: string) => loadConfig({ home, flags: { name, port: 0, webhookPort: 0 }, env: {} })
  const settings = read('spark')
  assert(settings.ok)
  const server = await startServer(settings.config, { home, version: '0.0.0', reread: () => read('flint') })
  t.after(async () => {
    server.stop()
    await server.stopped
  })
  assert.match((await server.reload()).warnings.join(), /^server\.name: the change takes effect at the next/)
  using ann = await Person.connect(Number(server.irc[0]?.split(':').at(-1)))
  ann.type('NICK ann', 'USER a 0 * :ann')
  assert.match(await ann.until(/ 001 /), /^:spark 001 ann :Welcome to the spark Network/)
})

test('a connection password counts until a reload changes it, even while it is compared', async () => {
  const config = (salt: string) =>
    `server: {password_hash: "$scrypt$ln=4,r=8,p=1$${salt}$Uv8wBAGk5dZ6GBsGy2Qrz5KnokdH1cpdIDYv2VWCrlI"}\n`
  await using rig = await startRig({ config: config('YSBzYWx0IG9mIHNpeHRlZQ') })
  using early = await Person.connect(rig.ircPort)
  early.type('PASS kettle')
  await early.settle()
  using late = await Person.connect(rig.ircPort)
  await late.settle()
  const { promise: whenever, resolve: goOn } = Promise.withResolvers<void>()
  const others = [inTurn(() => whenever), inTurn(() => whenever)]
  late.type('PASS kettle')
  await early.settle()
  writeFileSync(rig.home.config, config('YW5vdGhlciBzYWx0IGhlcmU'))
  assert.equal((await rig.server.reload()).isApplied, true)
  goOn()
  await Promise.all(others)
  for (const each of [early, late]) {
    each.type('NICK ann', 'USER ann 0 * :ann')
    assert.match(await each.until(/ (464|001) /), / 464 \S+ :Password incorrect$/)
  }
})

test('a reload says if the folder of the bots cannot be read, beside everything else', async () => {
  await using rig = await startRig({ config: UNLIMITED + OPERATOR })
  using ann = await Person.join(rig.ircPort, 'ann')
  ann.type(BECOME_OPERATOR)
  await ann.until(/ 381 /)
  rmSync(rig.home.bots, { recursive: true })
  writeFileSync(rig.home.bots, '')
  ann.type('REHASH')
  await ann.until(/ 382 ann server\.yaml /)
  assert.match(await ann.until(/ NOTICE /), / :the bots stay as they are: ENOTDIR: not a directory/)
  writeFileSync(rig.home.config, `${UNLIMITED}${OPERATOR}webhooks: {max_lines: 3}\n`)
  const { warnings, isApplied } = await rig.server.reload()
  assert.ok(isApplied)
  assert.match(warnings.join('\n'), /^webhooks: .*\nthe bots stay as they are: ENOTDIR: /)
})

test('bots stay when the link to their folder leads nowhere any more, or is gone', async () => {
  const bot = 'spark-ori-ci'
  await using rig = await startRig({ bots: { [bot]: `bot: {name: ${bot}, owner: spark-ori}\n` } })
  renameSync(rig.home.bots, join(rig.home.folder, 'checkout'))
  symlinkSync('checkout', rig.home.bots)
  assert.deepEqual((await rig.server.reload()).warnings, [])
  renameSync(join(rig.home.folder, 'checkout'), join(rig.home.folder, 'elsewhere'))
  assert.match((await rig.server.reload()).warnings.join('\n'), /^the bots stay as they are: ENOENT: /)
  assert.equal(rig.server.bots.get(bot)?.status, 'active')
  const { code, stderr } = await hookline(rig.home, 'bot', 'list')
  assert.equal(code, 2)
  assert.match(stderr, /^error: bot list: ENOENT: .*bots'\nhint: it was removed, or is a link /)

  rmSync(rig.home.bots)
  assert.match((await rig.server.reload()).warnings.join('\n'), /^the bots stay as they are: ENOENT: /)
  assert.equal(rig.server.bots.get(bot)?.status, 'active')
})

test('settings that change only at the next start are named', async () => {
  await using rig = await startRig({ config: 'logging: {level: error}\n' })
  // Else the next start would refuse to leave the old one behind.
  mkdirSync(join(rig.home.folder, 'other'))
  writeFileSync(join(rig.home.folder, 'other', 'hookline.db'), '')
  writeFileSync(
    rig.home.config,
    `
server: {casemapping: precis, cloak: {enabled: true}}
listeners: [{port: 0, websocket: true}]
webhooks: {max_lines: 3}
data_dir: ${join(rig.home.folder, 'other')}
logging: {level: warn}
limits: {whowas_entries: 7, exempt: [192.0.2.0/24]}
history: {days: 3}
handlers: {timeout_ms: 700}
`,
  )
  assert.deepEqual(await rig.server.reload(), {
    isApplied: true,
    warnings: [
      'server.casemapping: the change takes effect at the next start of the server',
      'listeners: the change takes effect at the next start of the server',
      'trusted_proxies, websocket_origins, cloak and limits on connections: the change takes effect at the next start of the server',
      'webhooks: the change takes effect at the next start of the server',
      'data_dir: the change takes effect at the next start of the server',
      'logging.level: the change takes effect at the next start of the server',
      'limits.whowas_entries: the change takes effect at the next start of the server',
      'how much history is kept: the change takes effect at the next start of the server',
      'handlers: the change takes effect at the next start of the server',
    ],
  })
})
