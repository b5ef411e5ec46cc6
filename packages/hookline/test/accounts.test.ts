// Accounts over real connections: what persists, what logs in, and where secrets must not appear.
import assert from 'node:assert/strict'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeCertificate } from './certificates.ts'
import { startCommand } from './command.ts'
import { Person } from './person.ts'
import { QUICK, startRig, temporaryHome } from './rig.ts'
import { finalMessages } from './scram.ts'
import { runInShell } from './shell.ts'

const base64 = (...parts: string[]) => Buffer.from(parts.join('\0')).toString('base64')

/** Before registration, by PLAIN; returns the 900, or the refusal. */
async function logIn(port: number, name: string, password: string): Promise<string> {
  using person = await Person.connect(port)
  person.type('CAP REQ sasl', 'AUTHENTICATE PLAIN', `AUTHENTICATE ${base64('', name, password)}`)
  return await person.until(/ 90[0-9] /)
}

test('nobody takes a name that looks like one of a bot to come, though the server’s own name has letters that look like others', async () => {
  await using rig = await startRig({ name: 'hookline' })
  using ann = await Person.join(rig.ircPort, 'ann')
  for (const nick of ['hookline-ori-ci', 'h00kline-ori-ci', 'hookIine-ori-ci', 'hook1ine-ori-ci']) {
    ann.type(`NICK ${nick}`)
    const [answer = ''] = await ann.settle()
    assert.match(answer, / 433 ann \S+ :/, nick)
  }
  ann.type('NICK hookline-ori')
  assert.match((await ann.settle())[0] ?? '', /^:ann!\S+ NICK :?hookline-ori$/)
})

test('after a restart the account exists, its nick is protected, and password and token log in', async (t) => {
  const home = temporaryHome(t)
  let token = ''
  {
    await using rig = await startRig({ home })
    using ann = await Person.join(rig.ircPort, 'Ann')
    ann.type('REGISTER * ann@example.org kettle', 'NS SET MULTICLIENT OFF', 'NS TOKEN ADD laptop')
    token = /laptop: (\S+)/.exec(await ann.until(/laptop: hlt_/))?.[1] ?? ''
  }
  await using rig = await startRig({ home })
  assert.match(await logIn(rig.ircPort, 'ann', 'kettle'), / 900 \* \S+ Ann /)
  assert.match(await logIn(rig.ircPort, 'ann', token), / 900 \* \S+ Ann /)
  assert.match(await logIn(rig.ircPort, 'ann', `${token.slice(0, -1)}!`), / 904 /)
  using thief = await Person.connect(rig.ircPort)
  thief.type('NICK ann', 'USER ann 0 * ann')
  await thief.until(/ 433 \* ann /)
  using ann = await Person.join(rig.ircPort, 'other')
  ann.type('NS IDENTIFY ann kettle', 'NS SET')
  assert.match(await ann.until(/MULTICLIENT/), /MULTICLIENT is OFF/)
})

test('a token ends by the clock of the machine, though times in the chat are ahead of it', async () => {
  let ahead = 0
  await using rig = await startRig({ machine: () => Date.now() + ahead })
  using ann = await Person.join(rig.ircPort, 'ann', { caps: 'echo-message' })
  ann.type('REGISTER * * kettle', 'NS TOKEN ADD laptop 1h')
  const token = /laptop: (\S+)/.exec(await ann.until(/laptop: hlt_/))?.[1] ?? ''
  // It was wrong for a moment.
  ahead = 20 * 3_600_000
  ann.type('PRIVMSG ann :hello')
  await ann.settle()
  ahead = 0
  assert.match(await logIn(rig.ircPort, 'ann', token), / 900 \* \S+ ann /)
})

test('account show prints the settings in the words used to set them', async () => {
  await using rig = await startRig()
  using ann = await Person.join(rig.ircPort, 'ann')
  ann.type(
    'REGISTER * * kettle',
    'NS SET ALWAYS-ON ON',
    'NS SET MULTICLIENT OFF',
    'NS SET AUTOREPLAY-LINES 3',
  )
  await ann.until(/AUTOREPLAY-LINES is 3/)
  const shown = await runInShell('hookline account show ann', rig.home.folder)
  assert.match(shown, /^settings {6}ALWAYS-ON ON, MULTICLIENT OFF, AUTOREPLAY-LINES 3$/m)
})

test('a user who drops an account is told that it is gone', async () => {
  await using rig = await startRig()
  using ann = await Person.join(rig.ircPort, 'ann')
  ann.type('REGISTER * * kettle', 'NS DROP')
  const code = /DROP (\d+)/.exec(await ann.until(/To confirm/))?.[1] ?? ''
  ann.type(`NS DROP ${code}`)
  assert.match(await ann.until(/NOTICE ann :/), /deleted/)
})

test('a login with a token creates no other way in', async () => {
  await using rig = await startRig()
  using ann = await Person.join(rig.ircPort, 'ann')
  ann.type('REGISTER * * kettle-and-cup', 'NS TOKEN ADD ci')
  const token = /ci: (\S+)/.exec(await ann.until(/ci: hlt_/))?.[1] ?? ''
  using program = await Person.join(rig.ircPort, 'program')
  program.type(`NS IDENTIFY ann ${token}`)
  await program.until(/You are logged in as/)
  for (const asked of [
    'TOKEN ADD more',
    'TOKEN DEL ci',
    'CERT ADD',
    'SET PASSWORD x',
    'SET EMAIL NONE',
    'DROP',
  ]) {
    program.type(`NS ${asked}`)
    assert.match((await program.settle()).join('\n'), /You cannot do that when logged in with a token/, asked)
  }
  program.type('NS TOKEN')
  await program.until(/:ci: /)
  program.type('NS IDENTIFY ann kettle-and-cup', 'NS TOKEN DEL ci')
  await program.until(/The token ci has been revoked/)
})

test('with a token end the connections that logged in with it, also of a user who stays, and no others', async () => {
  await using rig = await startRig()
  using ann = await Person.join(rig.ircPort, 'ann')
  ann.type('REGISTER * * kettle-and-cup', 'NS SET ALWAYS-ON ON', 'NS TOKEN ADD ci', 'NS TOKEN ADD phone')
  const ci = /ci: (\S+)/.exec(await ann.until(/ci: hlt_/))?.[1] ?? ''
  const phone = /phone: (\S+)/.exec(await ann.until(/phone: hlt_/))?.[1] ?? ''
  using thief = await Person.connect(rig.ircPort)
  thief.type(`PASS ann:${ci}`, 'NICK ann', 'USER thief 0 * :thief')
  await thief.until(/ 001 ann /)
  using other = await Person.join(rig.ircPort, 'other')
  other.type(`NS IDENTIFY ann ${ci}`)
  await other.until(/You are logged in as ann/)
  using unfinished = await Person.connect(rig.ircPort)
  unfinished.type(`PASS ann:${ci}`, 'NICK ann')
  await unfinished.until(/ 900 /)
  using mobile = await Person.connect(rig.ircPort)
  mobile.type(`PASS ann:${phone}`, 'NICK ann', 'USER mobile 0 * :mobile')
  await mobile.until(/ 001 ann /)
  ann.type('NS TOKEN DEL ci')
  for (const each of [thief, other, unfinished])
    assert.match(
      (await each.gone()).at(-1) ?? '',
      /^ERROR :The token that you logged in with has been revoked$/,
    )
  await mobile.settle()
  await ann.until(/The token ci has been revoked/)
})

test('neither password nor token is on disk or in the log', async (t) => {
  const home = temporaryHome(t)
  writeFileSync(home.config, QUICK.replace('level: error', 'level: debug'))
  const secrets = ['correct-horse-1', 'correct-horse-2', 'wrong-horse']
  await using server = await startCommand(home)
  using ann = await Person.join(server.ircPort, 'ann', { caps: 'sasl echo-message message-tags' })
  ann.type(
    `REGISTER * * ${secrets[0]}`,
    `NS SET PASSWORD ${secrets[1]}`,
    'PRIVMSG NickServ :TOKEN ADD laptop',
  )
  const token = /laptop: (\S+)/.exec(await ann.until(/laptop: hlt_/))?.[1] ?? ''
  secrets.push(token)
  ann.type('NS LOGOUT', `PRIVMSG NickServ :IDENTIFY ann ${secrets[2]}`)
  await ann.until(/Login failed:/)
  ann.type('AUTHENTICATE PLAIN', `AUTHENTICATE ${base64('', 'ann', secrets[1] ?? '')}`)
  await ann.until(/ 903 /)
  const log = await server.stop()
  const kept = globSync('**/*', { cwd: home.folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)))
  const all = Buffer.concat([...kept, Buffer.from(log)])
  assert(all.includes('$argon2id$'))
  for (const secret of secrets) {
    assert.equal(all.includes(secret), false)
    assert.equal(all.includes(base64('', 'ann', secret)), false)
  }
})

test('SCRAM-SHA-256 on the wire: the server authenticates itself too, and the password is never sent', async () => {
  await using rig = await startRig()
  using ann = await Person.join(rig.ircPort, 'ann')
  ann.type('REGISTER * * kettle')
  await ann.until(/ 900 /)
  using bob = await Person.connect(rig.ircPort)
  bob.type('CAP REQ sasl', 'AUTHENTICATE SCRAM-SHA-256')
  await bob.until(/ AUTHENTICATE \+$/)
  const said = (text: string) => `AUTHENTICATE ${Buffer.from(text).toString('base64')}`
  const heard = async () => {
    const line = await bob.until(/ AUTHENTICATE /)
    return Buffer.from(line.split(' ')[2] ?? '', 'base64').toString()
  }
  const bare = 'n=ann,r=fyko'
  bob.type(said(`n,,${bare}`))
  const serverFirst = await heard()
  const [, rounds] = /^r=fyko.+,s=.+,i=(\d+)$/.exec(serverFirst) ?? []
  assert(Number(rounds) >= 4096)
  const { client, server } = finalMessages('kettle', bare, serverFirst)
  bob.type(said(client))
  assert.equal(await heard(), server)
  bob.type('AUTHENTICATE +')
  assert.match((await bob.next()) ?? '', / 900 \* \S+ ann /)
  assert.match((await bob.next()) ?? '', / 903 /)
})

test('EXTERNAL is offered to clients with a certificate, and logs in once it was added to an account', async (t) => {
  const home = temporaryHome(t)
  const own = makeCertificate(home.folder, 'own')
  const client = makeCertificate(home.folder, 'client', 'ann')
  const listeners = `listeners: [{port: 0}, {port: 0, tls: {cert: ${own.cert}, key: ${own.key}}}]\n`
  await using rig = await startRig({ home, config: listeners + QUICK })
  const dial = () => Person.connect(rig.secondPort, { tls: { own: client } })
  using ann = await dial()
  ann.type('CAP LS 302')
  await ann.until(/ sasl=PLAIN,SCRAM-SHA-256,EXTERNAL /)
  ann.type('AUTHENTICATE EXTERNAL', 'AUTHENTICATE +')
  await ann.until(/ 904 \* :.*this certificate belongs to no account of that name/)
  ann.type('NICK ann', 'USER ann 0 * ann', 'CAP END', 'REGISTER * * kettle', 'NS CERT ADD')
  await ann.until(/You can now log in with that certificate/)

  using again = await dial()
  again.type('AUTHENTICATE EXTERNAL', 'AUTHENTICATE +')
  await again.until(/ 900 \* \S+ ann /)
  using plain = await Person.connect(rig.ircPort)
  plain.type('CAP LS 302')
  await plain.until(/ sasl=PLAIN,SCRAM-SHA-256 /)
  plain.type('AUTHENTICATE EXTERNAL')
  await plain.until(/ 908 \* PLAIN,SCRAM-SHA-256 :/)
})

test('a user with several connections can log in again, but not to another account until the others are closed', async () => {
  await using rig = await startRig()
  using bea = await Person.join(rig.ircPort, 'bea')
  bea.type('REGISTER * * kettle', 'QUIT')
  await bea.gone()
  using ann = await Person.join(rig.ircPort, 'ann')
  ann.type('REGISTER * * kettle')
  await ann.until(/ 900 /)
  using again = await Person.connect(rig.ircPort)
  // NICK before it has authenticated, as most clients do.
  again.type('CAP REQ sasl', 'NICK ann', 'USER ann 0 * ann')
  // Started while there was no other connection.
  ann.type('AUTHENTICATE PLAIN')
  await ann.until(/AUTHENTICATE \+/)
  again.type('AUTHENTICATE PLAIN', `AUTHENTICATE ${base64('', 'ann', 'kettle')}`, 'CAP END')
  await again.until(/ 422 ann /)
  ann.type(`AUTHENTICATE ${base64('', 'bea', 'kettle')}`)
  assert.match(await ann.until(/ 90\d ann /), / 907 ann /)
  again.type('NS IDENTIFY bea kettle')
  await again.until(/Close your other connections first/)
  again.type('NS IDENTIFY ann kettle')
  await again.until(/You are logged in as ann/)
  // After the logout, the other one is not authenticated either.
  ann.type('NS LOGOUT', 'NS IDENTIFY bea kettle')
  await again.until(/ 901 ann /)
  await ann.until(/Close your other connections first/)
  ann.type('REGISTER cat * kettle')
  await ann.until(/FAIL REGISTER TEMPORARILY_UNAVAILABLE cat :Close your other connections first/)
  again.type('QUIT')
  await again.gone()
  ann.type('NS IDENTIFY bea kettle')
  await ann.until(/ 900 ann \S+ bea /)
})

test('a bot with the name of an account cannot be disconnected by whoever is logged in to it', async () => {
  await using rig = await startRig()
  await rig.server.accounts.create({ name: 'spark-ori-ci', password: 'kettle', email: null })
  using thief = await Person.join(rig.ircPort, 'thief')
  thief.type('NS IDENTIFY spark-ori-ci kettle')
  await thief.until(/You are logged in as/)
  rig.server.bots.create({ name: 'ci', owner: 'spark-ori' })
  assert.ok((await rig.server.bots.start('spark-ori-ci')).ok)
  for (const verb of ['GHOST', 'RECOVER']) {
    thief.type(`NS ${verb} spark-ori-ci`)
    assert.match(await thief.until(/ NOTICE /), /That nick is not yours$/)
  }
})

test('nobody has the name of a bot as account or nick, even of one that is stopped; whoever is marked as one is no bot', async () => {
  const bot = 'spark-ori-ci'
  const config = QUICK.replace('password_cost: 4', 'password_cost: 4, registration: {other_names: true}')
  await using rig = await startRig({ config, bots: { [bot]: `bot: {name: ${bot}, owner: spark-ori}\n` } })
  const create = (name: string) => rig.server.accounts.create({ name, password: 'kettle', email: null })
  const refused = { ok: false, reason: 'name', text: 'That is the name of a bot' }
  assert.deepEqual(await create(bot), refused)
  await rig.server.bots.stop(bot)
  assert.deepEqual(await create(bot.toUpperCase()), refused)
  using ann = await Person.join(rig.ircPort, 'ann')
  ann.type(`REGISTER ${bot} * kettle`)
  await ann.until(/ FAIL REGISTER BAD_ACCOUNT_NAME spark-ori-ci :That is the name of a bot$/)
  // Whoever had it could speak as the bot, and keep it from starting.
  ann.type('NICK Spark-Ori-CI')
  await ann.until(/ 433 ann Spark-Ori-CI :/)
  assert.ok((await rig.server.bots.start(bot)).ok)
  using agent = await Person.join(rig.ircPort, 'claude')
  agent.type('MODE claude +B')
  await agent.settle()
  assert.deepEqual(await create('claude'), { ok: true, account: 'claude' })
})

test('of two who register the same name at the same moment, one gets it', async () => {
  const config = QUICK.replace('password_cost: 4', 'password_cost: 4, registration: {other_names: true}')
  await using rig = await startRig({ config })
  const people = await Promise.all(['ann', 'bob', 'cy'].map((nick) => Person.join(rig.ircPort, nick)))
  for (const person of people) person.type('REGISTER kettle * teapot')
  const answers = await Promise.all(people.map((person) => person.until(/ (FAIL )?REGISTER /)))
  assert.equal(answers.filter((line) => line.includes(' REGISTER SUCCESS kettle ')).length, 1)
  assert.equal(answers.filter((line) => line.includes(' REGISTER ACCOUNT_EXISTS kettle ')).length, 2)
  for (const person of people) person[Symbol.dispose]()
})
