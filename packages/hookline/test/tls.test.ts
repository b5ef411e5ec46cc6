// TLS listeners: which certificate is presented, when it is reloaded, and what is done with the client's own.
import assert from 'node:assert/strict'
import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { dialTls, endCertificate, makeCertificate } from './certificates.ts'
import { TestClock } from './clock.ts'
import { startCommand } from './command.ts'
import { Person } from './person.ts'
import { type Rig, type RigOptions, startRig, temporaryHome } from './rig.ts'

test('a TLS listener speaks TLS, says so in WHOIS, and keeps its certificate when the new one is bad', async (t) => {
  const home = temporaryHome(t)
  const { cert, key } = makeCertificate(home.folder, 'own')
  await using rig = await startRig(settings(home, `{cert: ${cert}, key: ${key}}`))
  assert.match(rig.server.irc[1] ?? '', /^127\.0\.0\.1:\d+ tls$/)
  const port = rig.secondPort

  using ann = await Person.join(port, 'ann', { tls: {} })
  using bob = await Person.join(rig.ircPort, 'bob')
  bob.type('WHOIS ann', 'PRIVMSG ann :hello')
  assert.equal(await bob.until(/ 671 /), ':spark 671 bob ann :is using a secure connection')
  assert.equal(await ann.next(), ':bob!bob@127.0.0.1 PRIVMSG ann :hello')

  using plain = await Person.connect(port)
  plain.type('NICK plain', 'USER plain 0 * plain')
  assert(!(await plain.gone()).some((line) => line.includes(' 001 ')))

  writeFileSync(cert, 'no certificate')
  const { warnings } = await rig.server.reload()
  assert.equal(warnings.length, 1)
  assert.match(
    warnings[0] ?? '',
    /^\S+server\.yaml:\d+:\d+: the certificate .*own-cert\.pem with the key .*own-key\.pem cannot be used: /,
  )
  using carol = await Person.join(port, 'carol', { tls: {} })
  carol.type('PING here')
  assert.equal(await carol.next(), ':spark PONG spark here')
})

test('a client that asks for a second handshake is cut off, also after a reload', async (t) => {
  const home = temporaryHome(t)
  const { cert, key } = makeCertificate(home.folder, 'own')
  await using rig = await startRig(settings(home, `{cert: ${cert}, key: ${key}}`))
  for (let time = 0; time < 2; time++) {
    const socket = await dialTls(rig.secondPort, { maxVersion: 'TLSv1.2', servername: 'localhost' })
    const closed = new Promise((resolve) => socket.on('close', resolve).resume())
    const refused = new Promise((resolve) => socket.on('error', resolve))
    const again = new Promise((resolve) => socket.renegotiate({}, resolve))
    assert.notEqual(await Promise.race([again, refused]), null, 'it got one')
    await closed
    assert.deepEqual((await rig.server.reload()).warnings, [])
  }
})

test('a certificate whose key is not there yet is bad too, even if the two are of different kinds', async (t) => {
  const home = temporaryHome(t)
  const { cert, key, fingerprint } = makeCertificate(home.folder, 'own')
  const other = makeCertificate(home.folder, 'other', 'localhost', 'rsa:2048')
  await using rig = await startRig(settings(home, `{cert: ${cert}, key: ${key}}`))
  copyFileSync(other.cert, cert)
  const { warnings } = await rig.server.reload()
  assert.match(warnings.join(), /cannot be used: the key is not that of the certificate/)
  assert.equal(await shownTo(rig), fingerprint)
  copyFileSync(other.key, key)
  assert.deepEqual((await rig.server.reload()).warnings, [])
  assert.equal(await shownTo(rig), other.fingerprint)
})

test('a renewed certificate is presented from then on, and connected users stay', async (t) => {
  const home = temporaryHome(t)
  const [own, renewed] = ['own', 'renewed'].map((name) => makeCertificate(home.folder, name))
  assert(own && renewed)
  await using rig = await startRig(settings(home, `{cert: ${own.cert}, key: ${own.key}}`))
  using ann = await Person.join(rig.secondPort, 'ann', { tls: {} })
  assert.equal(await shownTo(rig), own.fingerprint)

  // As certificate tools do it: new files replace the old ones.
  for (const kind of ['key', 'cert'] as const) {
    copyFileSync(renewed[kind], `${own[kind]}.new`)
    renameSync(`${own[kind]}.new`, own[kind])
  }
  const deadline = Date.now() + 60_000
  while ((await shownTo(rig)) !== renewed.fingerprint) assert(Date.now() < deadline, 'it is not shown')
  ann.type('PING here')
  assert.equal(await ann.next(), ':spark PONG spark here')
})

test('a reload reports a certificate that expires soon or has expired', async (t) => {
  const home = temporaryHome(t)
  const { cert, key } = makeCertificate(home.folder, 'own')
  const clock = new TestClock(Date.now())
  await using rig = await startRig({ ...settings(home, `{cert: ${cert}, key: ${key}}`), clock })
  const warnedAfter = async (hours: number) => {
    clock.moveTo(clock.now() + hours * 3_600_000)
    return (await rig.server.reload()).warnings.join()
  }
  assert.equal(await warnedAfter(0), '')
  // It is valid for a day: at most a fifth of that is left.
  assert.match(await warnedAfter(20), /^the certificate .*own-cert\.pem expires at 20.*Z: renew it$/)
  assert.match(
    await warnedAfter(5),
    /^the certificate .*own-cert\.pem expired at 20.*Z: clients that check it/,
  )
  // Somebody renewed it.
  const renewed = makeCertificate(home.folder, 'own')
  assert.equal(renewed.cert, cert)
  clock.jumpTo(Date.now())
  assert.equal(await warnedAfter(0), '')
})

test('a reload reports a certificate that two listeners share once', async (t) => {
  const home = temporaryHome(t)
  const { cert, key } = makeCertificate(home.folder, 'own')
  const shared = `tls: {cert: ${cert}, key: ${key}}`
  await using rig = await startRig({
    home,
    config: `listeners: [{port: 0, ${shared}}, {port: 0, websocket: true, ${shared}}]`,
  })
  writeFileSync(cert, 'no certificate')
  assert.equal((await rig.server.reload()).warnings.length, 1)
})

test('the log says at startup that a certificate has expired', async (t) => {
  const home = temporaryHome(t)
  const { cert, key } = makeCertificate(home.folder, 'own')
  endCertificate(cert, key)
  writeFileSync(home.config, `listeners: [{port: 0}, {port: 0, tls: {cert: ${cert}, key: ${key}}}]\n`)
  await using server = await startCommand(home)
  assert.match(await server.stop(), /"msg":"the certificate [^"]*own-cert\.pem expired at /)
})

test('a client that asks for another name of the server gets that name’s certificate', async (t) => {
  const home = temporaryHome(t)
  const [one, two] = ['one', 'two'].map((name) => makeCertificate(home.folder, name, `${name}.example`))
  assert(one && two)
  const more = `more: [{cert: ${two.cert}, key: ${two.key}}]`
  await using rig = await startRig(settings(home, `{cert: ${one.cert}, key: ${one.key}, ${more}}`))
  assert.equal(await shownTo(rig, 'two.example'), two.fingerprint)
  assert.equal(await shownTo(rig, 'one.example'), one.fingerprint)
  assert.equal(await shownTo(rig, 'three.example'), one.fingerprint)
  assert.equal(await shownTo(rig), one.fingerprint)
  writeFileSync(two.cert, readFileSync(one.cert))
  assert.match((await rig.server.reload()).warnings.join(), /two-cert\.pem/)
  assert.equal(await shownTo(rig, 'two.example'), two.fingerprint, 'a bad one leaves all as they were')
})

test('the fingerprint of a client’s certificate is shown to that client, and to nobody else', async (t) => {
  const home = temporaryHome(t)
  const own = makeCertificate(home.folder, 'own')
  const client = makeCertificate(home.folder, 'client', 'ann')
  await using rig = await startRig(settings(home, `{cert: ${own.cert}, key: ${own.key}}`))
  using ann = await Person.connect(rig.secondPort, { tls: { own: client } })
  using bob = await Person.join(rig.ircPort, 'bob')
  ann.type('NICK ann', 'USER ann 0 * :Ann', 'WHOIS ann')
  assert.equal(
    await ann.until(/ 276 /),
    `:spark 276 ann ann :has client certificate fingerprint ${client.fingerprint}`,
  )
  bob.type('WHOIS ann')
  const seen = [await bob.next(), ...(await bob.settle())].join('\n')
  assert.match(seen, / 671 bob ann /)
  assert.doesNotMatch(seen, / 276 /)
})

test('sts is sent to clients that asked for one of our names, and not to those that connected to an address', async (t) => {
  const home = temporaryHome(t)
  const { cert, key } = makeCertificate(home.folder, 'own')
  const sts = 'sts: {port: 6697, duration_days: 30, preload: true, hosts: [Irc.example]}'
  const { config } = settings(home, `{cert: ${cert}, key: ${key}}`)
  await using rig = await startRig({ home, config: `server: {${sts}}\n${config}` })
  const told: [string | undefined, RegExp][] = [
    ['IRC.example', / sts=duration=2592000,preload$/],
    ['other.example', /^(?!.* sts)/],
    [undefined, /^(?!.* sts)/],
  ]
  for (const [servername, wanted] of told) {
    using ann = await Person.connect(rig.secondPort, { tls: { servername } })
    ann.type('CAP LS 302')
    assert.match(await ann.until(/ LS :/), wanted, servername)
  }
})

function settings(home: ReturnType<typeof temporaryHome>, tls: string): RigOptions {
  return { home, config: `listeners: [{port: 0}, {port: 0, tls: ${tls}}]\nlogging: {level: error}\n` }
}

/** The fingerprint of the certificate that the server presents for that name. */
async function shownTo(rig: Rig, servername?: string): Promise<string | undefined> {
  const socket = await dialTls(rig.secondPort, { servername })
  const { fingerprint256 } = socket.getPeerCertificate()
  socket.destroy()
  return fingerprint256.replaceAll(':', '').toLowerCase()
}
