// What the log says about connections, server operators, and those who guess passwords.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { inTurn } from '../src/accounts/hashqueue.ts'
import { hookline, startCommand } from './command.ts'
import { BECOME_OPERATOR, OPERATOR } from './operator.ts'
import { Person } from './person.ts'
import { post } from './post.ts'
import { startRig, temporaryHome, writeBots } from './rig.ts'

test('the log says who became an operator and what they did, and who failed, but no password', async (t) => {
  const home = temporaryHome(t)
  writeFileSync(home.config, `${OPERATOR}accounts: {password_cost: 4}\n`)
  await using server = await startCommand(home)
  using ann = await Person.join(server.ircPort, 'ann')
  using bob = await Person.join(server.ircPort, 'bob')
  bob.type('OPER root spoon', 'OPER kettle root', 'KILL ann')
  await bob.until(/ 481 /)
  ann.type(
    BECOME_OPERATOR,
    'NS SAREGISTER carol ladle',
    'KILL bob :go',
    'SAMODE #tea +k spoon',
    'UBAN ADD REQUIRE-SASL DURATION 1h 192.0.2.0/24 :spam',
  )
  await ann.settle()

  const log = await server.stop()
  const lines = log.split('\n').filter((line) => line.includes('operator') || line.includes('OPER'))
  const told = lines.map((line) => {
    const { level, nick, oper, command, about } = JSON.parse(line)
    return [level, nick, oper, command, about].join(' ')
  })
  assert.deepEqual(told, [
    '40 bob  OPER root',
    '40 bob  OPER ',
    '30 ann root OPER root',
    '30 ann root NickServ SAREGISTER carol',
    '30 ann root KILL bob go',
    '30 ann root SAMODE #tea +k',
    '30 ann root UBAN ADD REQUIRE-SASL DURATION 1h 192.0.2.0/24',
  ])
  assert.match(lines[0] ?? '', /"address":"127\.0\.0\.1"/)
  assert.doesNotMatch(log, /kettle|spoon|ladle/)
})

test('at level debug the log tells of each connection and delivery, but nothing of what was said', async (t) => {
  const home = temporaryHome(t)
  const bot = 'spark-ori-ci'
  writeBots(home, { [bot]: `bot: {name: ${bot}, owner: spark-ori}\noutput: {channels: ['#tea']}\n` })
  writeFileSync(home.config, 'logging: {level: debug}\n')
  await using server = await startCommand(home)
  using ann = await Person.join(server.ircPort, 'ann', { channels: '#tea' })
  const { json } = await post(`${server.url}/${bot}`, { leaf: 'oolong' })
  await ann.until(/oolong/)
  ann.type('QUIT :spoon')
  await ann.until(/^ERROR /)

  const log = await server.stop()
  const told = log.split('\n').flatMap((line) => (line.startsWith('{"level":20') ? [JSON.parse(line)] : []))
  const address = '127.0.0.1'
  assert.deepEqual(
    told.map(({ level: _level, time: _time, ...rest }) => rest),
    [
      { address, msg: 'a connection' },
      { bot, id: json['id'], status: 'posted', msg: 'a delivery' },
      { address, nick: 'ann', reason: 'Connection closed', msg: 'a connection has ended' },
    ],
  )
  assert.doesNotMatch(log, /oolong|spoon/)
})

test('the log has the start, the stop, and what commands changed, without what they said', async (t) => {
  const home = temporaryHome(t)
  await using server = await startCommand(home)
  await hookline(home, 'ban', 'add', '192.0.2.0/24', '--reason', 'spoon')
  await hookline(home, 'ban', 'add', '127.0.0.1')
  await hookline(home, 'ban', 'list')
  await hookline(home, 'send', '#tea', 'kettle')
  const log = await server.stop()
  const told = log.split('\n').flatMap((line) => (line.startsWith('{"level":30') ? [JSON.parse(line)] : []))
  const { pid } = server.child
  assert.deepEqual(
    told.map(({ level: _level, time: _time, version: _version, ...rest }) => rest),
    [
      {
        server: 'spark',
        pid,
        irc: [`127.0.0.1:${server.ircPort}`],
        webhook: server.url,
        msg: 'the server is ready',
      },
      { command: 'ban add', about: '192.0.2.0/24', msg: 'a command from this machine' },
      { command: 'send', about: '#tea', msg: 'a command from this machine' },
      { pid, msg: 'the server has stopped' },
    ],
  )
  assert.doesNotMatch(log, /spoon|kettle/)
})

test('OPER does not tell whether there is an operator of that name, nor takes another’s password for it', async () => {
  await using rig = await startRig({ config: OPERATOR })
  using ann = await Person.join(rig.ircPort, 'ann')
  ann.type('OPER nobody kettle')
  assert.match((await ann.settle()).join(), /^:spark 464 ann :Password incorrect$/)
  const { promise: whenever, resolve: goOn } = Promise.withResolvers<void>()
  const line = Array.from({ length: 258 }, () => inTurn(() => whenever))
  ann.type('OPER nobody kettle')
  assert.match((await ann.settle()).join(), /^:spark 263 ann OPER :Please wait/)
  goOn()
  await Promise.all(line)
})

test('while too many passwords are being hashed, the right one is not called wrong', async () => {
  await using rig = await startRig({ config: OPERATOR })
  using ann = await Person.join(rig.ircPort, 'ann')
  const { promise: whenever, resolve: goOn } = Promise.withResolvers<void>()
  const line = Array.from({ length: 258 }, () => inTurn(() => whenever))
  ann.type(...Array.from({ length: 6 }, () => BECOME_OPERATOR))
  for (const each of await ann.settle()) assert.match(each, / 263 ann OPER :Please wait/)
  goOn()
  await Promise.all(line)
  ann.type(BECOME_OPERATOR)
  await ann.until(/ 381 /)
})

test('the log says once a minute where too many failed logins come from', async (t) => {
  const home = temporaryHome(t)
  writeFileSync(home.config, 'accounts: {password_cost: 4, failures_per_minute: 2}\n')
  await using server = await startCommand(home)
  using ann = await Person.join(server.ircPort, 'ann')
  ann.type(...Array.from({ length: 5 }, (_, n) => `NS IDENTIFY root spoon${n}`))
  await ann.settle()

  const log = await server.stop()
  const lines = log.split('\n').filter((line) => line.includes('failed logins'))
  assert.equal(lines.length, 1, log)
  assert.match(lines[0] ?? '', /"level":40,.*"address":"127\.0\.0\.1"/)
  assert.doesNotMatch(log, /spoon/)
})

test('the log says once a minute which address is kept out by the connection limits', async (t) => {
  const home = temporaryHome(t)
  writeFileSync(home.config, 'server: {trusted_proxies: [127.0.0.1]}\nlimits: {connections_per_address: 1}\n')
  await using server = await startCommand(home)
  const knock = async (): Promise<Person> => {
    const person = await Person.connect(server.ircPort)
    person.type('PROXY TCP4 192.0.2.7 127.0.0.1 5000 6667', 'NICK ann', 'USER ann 0 * ann')
    return person
  }
  using ann = await knock()
  await ann.until(/ 001 /)
  for (let i = 0; i < 2; i++) {
    using other = await knock()
    await other.until(/ERROR :Too many connections from your address/)
  }

  const lines = (await server.stop()).split('\n').filter((line) => line.includes('are refused'))
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /"level":40,.*"address":"192\.0\.2\.7".*limits\.connections_per_address/)
})
