// WEBIRC: gateways on loopback that say whom they speak for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeCertificate } from './certificates.ts'
import { BECOME_OPERATOR, KETTLE, OPERATOR } from './operator.ts'
import { Person } from './person.ts'
import { startRig, temporaryHome } from './rig.ts'
import { visit } from './visitor.ts'

const settings = (hosts: string, more = '') => `server:
  trusted_proxies: [127.0.0.1]
  webirc: [{password_hash: "${KETTLE}", hosts: [${hosts}]}]
${OPERATOR}limits: {flood_protection: false${more}}
logging: {level: error}
`

test('a user behind a gateway comes from where the gateway says', async () => {
  await using rig = await startRig({ config: settings('127.0.0.0/8') })
  using ann = await Person.connect(rig.ircPort)
  ann.type('WEBIRC kettle web host.example 2001:DB8::7 :secure', 'NICK ann', 'USER ann 0 * :Ann', 'WHOIS ann')
  assert.equal(await ann.until(/ 311 /), ':spark 311 ann ann ann 2001:db8::7 * Ann')
  // The gateway connected without TLS: its claim about its own side does not make the whole way secure.
  assert.doesNotMatch((await ann.settle()).join('\n'), / 671 /)
  using bob = await Person.connect(rig.ircPort)
  bob.type('WEBIRC kettle web x 0::1', 'NICK bob', 'USER bob 0 * :Bob', 'WHOIS bob')
  assert.equal(await bob.until(/ 311 /), ':spark 311 bob bob bob 0::1 * Bob')
})

test('a gateway’s certificate does not belong to the users behind it', async (t) => {
  const home = temporaryHome(t)
  const own = makeCertificate(home.folder, 'own')
  const gateway = makeCertificate(home.folder, 'gateway')
  const listeners = `listeners: [{port: 0, tls: {cert: ${own.cert}, key: ${own.key}}}]\n`
  await using rig = await startRig({ home, config: listeners + settings('127.0.0.1') })
  using ann = await Person.connect(rig.ircPort, { tls: { own: gateway } })
  ann.type('WEBIRC kettle web x 192.0.2.7 :secure', 'AUTHENTICATE EXTERNAL')
  assert.match((await ann.next()) ?? '', / 908 \* PLAIN,SCRAM-SHA-256 /)
  ann.type('NICK ann', 'USER ann 0 * :Ann', 'WHOIS ann')
  await ann.until(/ 671 /)
  assert.doesNotMatch((await ann.settle()).join('\n'), / 276 /)
})

test('a wrong password, another place, no address, or words before it end the connection', async () => {
  await using rig = await startRig({ config: settings('127.0.0.1') })
  const refused = /^ERROR :WEBIRC refused: unknown gateway, wrong password or invalid address/
  for (const line of ['WEBIRC coffee web x 192.0.2.7', 'WEBIRC kettle web x nowhere']) {
    using gateway = await Person.connect(rig.ircPort)
    gateway.type(line, 'NICK ann')
    assert.match((await gateway.gone()).join(), refused, line)
  }
  for (const word of ['NICK ann', 'PASS ann:tea-and-cake', 'CAP LIST', 'PING tea', 'TEA', '@tea']) {
    using late = await Person.connect(rig.ircPort)
    late.type(word, 'WEBIRC kettle web x 192.0.2.7')
    assert.match((await late.gone()).at(-1) ?? '', refused, word)
  }
  await using elsewhere = await startRig({ config: settings('192.0.2.0/24') })
  using gateway = await Person.connect(elsewhere.ircPort)
  gateway.type('WEBIRC kettle web x 192.0.2.7')
  assert.match((await gateway.gone()).join(), refused)
})

test('bans and limits apply to the users behind a gateway, not to the gateway', async () => {
  const limits = ', connections_per_address: 2, connections_per_ten_minutes: 2'
  await using rig = await startRig({ config: settings('198.51.100.1', limits) })
  using root = await Person.join(rig.ircPort, 'root')
  root.type(BECOME_OPERATOR, 'UBAN ADD 192.0.2.0/24 :spam')
  await root.settle()
  const gateway = async (address: string) => {
    const person = await Person.connect(rig.ircPort)
    person.type('PROXY TCP4 198.51.100.1 127.0.0.1 5 6', `WEBIRC kettle web x ${address}`)
    return person
  }
  using banned = await gateway('192.0.2.7')
  assert.match((await banned.gone()).join(), /ERROR :Banned: spam/)
  using first = await visit(rig.ircPort, '203.0.113.1', 'first')
  using second = await gateway('203.0.113.1')
  second.type('NICK second', 'USER second 0 * :Second')
  await second.until(/ 001 /)
  using third = await gateway('203.0.113.1')
  assert.match((await third.gone()).join(), /ERROR :Too many connections from your address/)
  using other = await gateway('203.0.113.2')
  other.type('NICK other', 'USER other 0 * :Other')
  assert.match(await other.until(/ 001 |^ERROR /), / 001 /)
  assert.equal((await first.settle()).length, 0)
})
