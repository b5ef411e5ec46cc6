// Bans of addresses, with remote connections: a trusted proxy on loopback says where they are from.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { banList } from '../src/chat/banlist.ts'
import { House } from './fuzz/house.ts'
import { someSettings } from './fuzz/settings.ts'
import { BECOME_OPERATOR, OPERATOR } from './operator.ts'
import { Person } from './person.ts'
import { type Rig, startRig, temporaryHome, UNLIMITED } from './rig.ts'
import { come, TRUSTING, visit } from './visitor.ts'

const config = `server: {${TRUSTING}}\n${OPERATOR}${UNLIMITED}`

test('a banned network is refused, and its connected users are disconnected, whatever their names', async () => {
  await using rig = await startRig({ config })
  using root = await operator(rig)
  using ann = await visit(rig.ircPort, '192.0.2.7', 'ann')
  using unknown = await come(rig.ircPort, '192.0.2.8')
  using bob = await visit(rig.ircPort, '198.51.100.1', 'bob')
  root.type('UBAN ADD 192.0.2.0/24 :spam')
  assert.match((await ann.gone()).join('\n'), / 465 ann :You are banned [^]*ERROR :Banned: spam$/)
  assert.match((await unknown.gone()).join('\n'), /ERROR :Banned: spam$/)
  using late = await come(rig.ircPort, '192.0.2.200')
  assert.deepEqual(await late.gone(), [
    ':spark 465 * :You are banned from this server: spam',
    'ERROR :Banned: spam',
  ])
  bob.type('PING here')
  assert.match(await bob.until(/PONG/), /here$/)
  root.type('UBAN DEL 192.0.2.0/24')
  await root.settle()
  using again = await visit(rig.ircPort, '192.0.2.7', 'ann')
  again.type('PING here')
  assert.match(await again.until(/PONG/), /here$/)
})

test('a mask that covers this machine, by address or cloak, is refused; one of a single user there is not', async () => {
  const cloaked = config.replace(TRUSTING, `${TRUSTING}, cloak: {enabled: true}`)
  await using rig = await startRig({ config: cloaked })
  const ban = async (target: string) => {
    const request = { target, durationMs: undefined, needsAccount: false, reason: '' }
    const added = await rig.server.bans.add(request, 'test')
    return added.ok ? '' : added.reason
  }
  for (const target of ['*!*@127.0.0.1', '*!*@127.*', '*@::1', '*!*@0::1', '*!*@*.cloak', '*?!*@1?7.*'])
    assert.match((await ban(target)) ?? '', /includes this machine itself/, target)
  for (const target of ['evil!*@127.0.0.1', '*!evil@*.cloak', '*!*@192.*'])
    assert.equal(await ban(target), '')
})

test('a mask of everybody in a network is that network; one of some in it is refused, as it would match nobody', async () => {
  await using rig = await startRig({ config })
  using root = await operator(rig)
  using ann = await visit(rig.ircPort, '192.0.2.7', 'ann')
  root.type('UBAN ADD evil!*@192.0.2.0/24')
  await root.until(/:Give an address, a network such as/)
  root.type('UBAN ADD *!*@192.0.2.0/24 :spam')
  assert.match((await ann.gone()).join('\n'), /ERROR :Banned: spam$/)
  root.type('UBAN DEL @192.0.2.0/24')
  await root.until(/Unbanned 192\.0\.2\.0\/24$/)
  // So is an address of IPv6, in whatever form.
  using bob = await visit(rig.ircPort, '2001:db8::7', 'bob')
  root.type('UBAN ADD *!*@2001:0DB8::7 :more spam')
  await root.until(/ NOTICE root :Banned 2001:db8::7 /)
  assert.match((await bob.gone()).join('\n'), /ERROR :Banned: more spam$/)
  using eve = await visit(rig.ircPort, '2001:db8::8', 'eve')
  root.type('UBAN ADD eve!*@2001:0DB8::8 :even more')
  assert.match((await eve.gone()).join('\n'), /ERROR :Banned: even more$/)
})

test('an operator’s ban or its lifting counts even if their connection breaks before it is written', async () => {
  await using rig = await startRig({ config })
  using disk = new DatabaseSync(join(rig.home.data, 'hookline.db'), { timeout: 5_000 })
  using witness = await operator(rig, 'witness')
  using ann = await visit(rig.ircPort, '192.0.2.7', 'ann')
  witness.type('JOIN #tea')
  await witness.settle()
  for (const [command, told] of [
    ['ADD 192.0.2.0/24 :spam', /Banned 192\.0\.2\.0\/24 \(by root, /],
    ['DEL 192.0.2.0/24', /Unbanned 192\.0\.2\.0\/24/],
  ] as const) {
    using root = await operator(rig)
    root.type('JOIN #tea')
    await root.settle()
    disk.exec('BEGIN IMMEDIATE') // the server's own writing waits for it
    root.type('PING begun', `UBAN ${command}`)
    await root.until(/PONG/)
    root.socket.resetAndDestroy()
    await witness.until(/QUIT/)
    disk.exec('ROLLBACK')
    await witness.until(told)
  }
  assert.match((await ann.gone()).join('\n'), /ERROR :Banned: spam$/)
})

test('of two operators who ban each other at the same moment both are out, as they will be after a restart', async () => {
  await using rig = await startRig({ config })
  using disk = new DatabaseSync(join(rig.home.data, 'hookline.db'), { timeout: 5_000 })
  using root = await operator(rig)
  using boot = await operator(rig, 'boot')
  using witness = await operator(rig, 'witness')
  disk.exec('BEGIN IMMEDIATE') // the server's own writing waits for it
  // The first is written alone; the others are then written together.
  for (const [one, mask] of [
    [witness, 'eve'],
    [root, 'boot'],
    [boot, 'root'],
  ] as const) {
    one.type('PING begun', `UBAN ADD ${mask}!*@*`)
    await one.until(/PONG/)
  }
  disk.exec('ROLLBACK')
  assert.match((await boot.gone()).join('\n'), /ERROR :Banned: /)
  assert.deepEqual(
    rig.server.bans.all().map(({ target }) => target),
    ['eve!*@*', 'boot!*@*', 'root!*@*'],
  )
  assert.match((await root.gone()).join('\n'), /ERROR :Banned: /)
})

test('an IPv6 network is banned as written, and IPv4-mapped IPv6 counts as IPv4', async () => {
  await using rig = await startRig({ config })
  using root = await operator(rig)
  root.type('UBAN ADD 2001:db8:1::/48', 'UBAN ADD 192.0.2.7')
  await root.settle()
  using six = await come(rig.ircPort, '2001:db8:1:2::9')
  assert.match((await six.gone()).join(), /Banned/)
  using mapped = await come(rig.ircPort, '::ffff:192.0.2.7')
  assert.match((await mapped.gone()).join(), /Banned/)
  using other = await visit(rig.ircPort, '2001:db8:2::9', 'other')
  assert.equal((await other.settle()).length, 0)
})

test('REQUIRE-SASL lets nobody from there register without an account, but lets everybody negotiate', async () => {
  await using rig = await startRig({ config })
  using root = await operator(rig)
  root.type('UBAN ADD REQUIRE-SASL 192.0.2.0/24 :log in')
  await root.settle()
  using ann = await come(rig.ircPort, '192.0.2.7')
  ann.type('CAP LS 302', 'NICK ann', 'USER ann 0 * :Ann')
  assert.match(await ann.until(/ LS /), / LS /)
  ann.type('CAP END')
  assert.match(
    (await ann.gone()).join('\n'),
    /:spark 465 ann :You must log in with SASL to connect from here: log in\nERROR :Banned: log in$/,
  )
})

test('REQUIRE-SASL lets logged-in users in, with the account’s host if so configured', async () => {
  const more =
    'accounts: {password_cost: 4}\nserver: {trusted_proxies: [127.0.0.1], cloak: {enabled: true, accounts: true}}\n'
  await using rig = await startRig({ config: config.replace(/^server: .*\n/, more) })
  using root = await operator(rig)
  root.type('UBAN ADD REQUIRE-SASL 192.0.2.0/24', 'JOIN #tea')
  await root.settle()
  using owner = await visit(rig.ircPort, '198.51.100.1', 'ann')
  owner.type('REGISTER * * sesame')
  await owner.until(/REGISTER SUCCESS/)
  owner.type('QUIT')
  await owner.gone()

  using ann = await come(rig.ircPort, '192.0.2.7')
  ann.type('PASS ann:sesame', 'NICK ann', 'USER ann 0 * :Ann', 'JOIN #tea')
  assert.match(await ann.until(/ 396 /), / 396 ann ann\.account\.cloak /)
  assert.equal(await ann.until(/ JOIN /), ':ann!ann@ann.account.cloak JOIN #tea')
  // Where she is from she is banned as anybody there, whatever she is called.
  using neighbour = await visit(rig.ircPort, '198.51.100.2', 'neighbour')
  neighbour.type('REGISTER * * sesame', 'WHOIS neighbour')
  const cloak = (await neighbour.until(/ 311 /)).split(' ')[5] ?? ''
  root.type(`MODE #tea +b *!*@${cloak}`)
  await root.settle()
  neighbour.type('QUIT')
  await neighbour.gone()
  using again = await come(rig.ircPort, '198.51.100.2')
  again.type('PASS neighbour:sesame', 'NICK neighbour', 'USER n 0 * :N', 'JOIN #tea')
  assert.match(await again.until(/ 396 /), / neighbour\.account\.cloak /)
  assert.match(await again.until(/#tea/), / 474 /)
})

test('a user who logs out is disconnected where only accounts are allowed', async () => {
  const { chat } = new House(someSettings(1), { keeps: false })
  const wire = { waiting: 0, write() {}, end() {}, cut() {}, pause() {}, resume() {} }
  const session = chat.connect(wire, { host: '192.0.2.7', isSecure: false })
  chat.propose({ kind: 'account.made', name: 'ann', createdAt: 0, settings: {} })
  const user = chat.newUserKey()
  const facts = { nick: 'ann', username: 'ann', host: '192.0.2.7', realname: 'Ann', account: 'ann' }
  chat.propose({ kind: 'user.registered', user, ...facts, modes: [], isSecure: false, session: session.id })
  const request = { target: '192.0.2.0/24', durationMs: undefined, needsAccount: true, reason: '' }
  assert((await banList(chat).add(request, 'spark')).ok)
  assert.equal(session.isClosed, false)
  chat.propose({ kind: 'user.account', user, account: null })
  assert.equal(session.isClosed, true)
})

test('a ban survives a restart, and ends when its time is over', async (t) => {
  const home = temporaryHome(t)
  {
    await using rig = await startRig({ config, home })
    using root = await operator(rig)
    root.type('UBAN ADD 192.0.2.0/24')
    await root.settle()
  }
  let ahead = 0
  await using rig = await startRig({ config, home, machine: () => Date.now() + ahead })
  using ann = await come(rig.ircPort, '192.0.2.7')
  assert.match((await ann.gone()).join(), /Banned: No reason given/)
  using root = await operator(rig)
  root.type('UBAN ADD 203.0.113.0/24 DURATION 1h :short', 'UBAN LIST')
  assert.match(await root.until(/There are/), /There are 2 bans$/)
  ahead = 3_600_000
  assert.match(await root.until(/Unbanned/), /:Unbanned 203\.0\.113\.0\/24$/)
  using bob = await visit(rig.ircPort, '203.0.113.1', 'bob')
  assert.equal((await bob.settle()).length, 0)
})

test('a ban that is renewed at the moment it expires survives a restart, too', async (t) => {
  const home = temporaryHome(t)
  let ahead = 0
  const machine = () => Date.now() + ahead
  {
    await using rig = await startRig({ config, home, machine })
    using disk = new DatabaseSync(join(home.data, 'hookline.db'), { timeout: 5_000 })
    using root = await operator(rig)
    root.type('UBAN ADD 192.0.2.0/24 DURATION 1h', 'UBAN ADD 203.0.113.0/24 DURATION 1h')
    await root.until(/:Banned 203/)
    disk.exec('BEGIN IMMEDIATE') // the server's own writing waits for it
    root.type('PING begun', 'UBAN ADD 192.0.2.0/24 DURATION 1d')
    await root.until(/PONG/)
    ahead = 3_600_000
    // Which expires at the same time, and was made later.
    await root.until(/:Unbanned 203/)
    disk.exec('ROLLBACK')
    await root.until(/:Banned/)
  }
  await using rig = await startRig({ config, home, machine })
  assert.deepEqual(
    rig.server.bans.all().map(({ target }) => target),
    ['192.0.2.0/24'],
  )
})

test('the list of bans is complete, even if it is longer than a send queue', async () => {
  await using rig = await startRig({
    config: config.replace('limits: {', 'limits: {send_queue_bytes: 65536, '),
  })
  const masks = Array.from({ length: 300 }, (_, i) => `*!*@${'x'.repeat(100)}${i}.example.org`)
  const reason = 'r'.repeat(200)
  const request = { durationMs: undefined, needsAccount: false, reason }
  await Promise.all(masks.map((target) => rig.server.bans.add({ ...request, target }, 'spark')))
  using root = await operator(rig)
  root.type('UBAN LIST')
  const seen = await root.settle()
  assert.match(seen.pop() ?? '', / :There are 300 bans$/)
  assert.deepEqual(
    seen.map((line) => / :(\S+) \(by spark, permanently\): r{200}$/.exec(line)?.[1]),
    masks,
  )
})

test('a ban of an earlier version is lifted by the mask that the list shows', async (t) => {
  const home = temporaryHome(t)
  const target = '*!*@2001:db8::7'
  const ban = { target, network: null, needsAccount: false, reason: 'spam', by: 'root', at: 0, until: null }
  {
    await using rig = await startRig({ config, home })
    await rig.server.store.records.save([{ kind: 'ban', key: target, json: JSON.stringify(ban) }])
  }
  await using rig = await startRig({ config, home })
  using root = await operator(rig)
  root.type(`UBAN DEL ${target}`)
  assert.deepEqual(await root.settle(), [`:spark NOTICE root :Unbanned ${target}`])
})

test('a ban that expired while the server was down keeps nobody out afterwards', async (t) => {
  const home = temporaryHome(t)
  const request = { target: '192.0.2.0/24', durationMs: 3_600_000, needsAccount: false, reason: 'spam' }
  let at = Date.parse('2026-04-03T09:00:00Z')
  const machine = () => at
  {
    await using rig = await startRig({ config, home, machine })
    assert((await rig.server.bans.add(request, 'root')).ok)
  }
  at += 2 * 3_600_000
  await using rig = await startRig({ config, home, machine })
  assert.deepEqual(rig.server.bans.all(), [])
  using ann = await visit(rig.ircPort, '192.0.2.7', 'ann')
  assert.equal((await ann.settle()).length, 0)
})

async function operator(rig: Rig, nick = 'root'): Promise<Person> {
  const root = await Person.join(rig.ircPort, nick)
  root.type(BECOME_OPERATOR)
  await root.settle()
  return root
}
