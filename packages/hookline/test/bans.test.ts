// Bans of addresses, with connections from elsewhere: a trusted proxy on loopback says where they are from.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Person } from './person.ts'
import { type Rig, startRig, temporaryHome } from './rig.ts'
import { come, TRUSTING, visit } from './visitor.ts'

const config = `server: {${TRUSTING}}
opers:
  - name: root
    password_hash: $scrypt$ln=4,r=8,p=1$YSBzYWx0IG9mIHNpeHRlZQ$Uv8wBAGk5dZ6GBsGy2Qrz5KnokdH1cpdIDYv2VWCrlI
limits: {flood_protection: false}
logging: {level: error}
`

test('a banned network is turned away at the door, and those who are here go, whatever they are called', async () => {
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

test('an IPv6 network is banned as it is written, and IPv4 behind IPv6 is IPv4', async () => {
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

test('REQUIRE-SASL lets nobody from there be a user without an account, and lets everybody negotiate', async () => {
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
    /:spark 465 ann :You must log in \(SASL\) to connect from here: log in\nERROR :Banned: log in$/,
  )
})

test('a ban outlives the server, and ends when its time is over', async () => {
  const home = temporaryHome()
  {
    await using rig = await startRig({ config, home, keepsHome: true })
    using root = await operator(rig)
    root.type('UBAN ADD 192.0.2.0/24')
    await root.settle()
  }
  await using rig = await startRig({ config, home })
  using ann = await come(rig.ircPort, '192.0.2.7')
  assert.match((await ann.gone()).join(), /Banned: No reason given/)
  using root = await operator(rig)
  root.type('UBAN ADD 203.0.113.0/24 DURATION 1s :short', 'UBAN LIST')
  assert.match(await root.until(/There are/), /There are 2 bans$/)
  assert.match(await root.until(/Lifted/), /:Lifted the ban of 203\.0\.113\.0\/24$/)
  using bob = await visit(rig.ircPort, '203.0.113.1', 'bob')
  assert.equal((await bob.settle()).length, 0)
})

async function operator(rig: Rig): Promise<Person> {
  const root = await Person.join(rig.ircPort, 'root')
  root.type('OPER root kettle')
  await root.settle()
  return root
}
