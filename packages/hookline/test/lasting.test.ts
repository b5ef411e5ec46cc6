// What survives a restart: registered channels, always-on users, and their channels.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { openLog } from '../src/log/log.ts'
import { openStore } from '../src/store/store.ts'
import { BECOME_OPERATOR, OPERATOR } from './operator.ts'
import { Person } from './person.ts'
import { type Rig, startRig, temporaryHome, UNLIMITED } from './rig.ts'

const PASSWORD = 'tea-and-cake'

test('a registered channel comes back with its topic, modes, bans, founder and access list', async (t) => {
  const home = temporaryHome(t)
  {
    await using rig = await startRig({ home })
    using ann = await member(rig.ircPort, 'ann')
    using bob = await member(rig.ircPort, 'bob')
    ann.type('JOIN #tea', 'TOPIC #tea :green today', 'MODE #tea +bmk eve!*@* kettle', 'CS REGISTER #tea')
    ann.type('CS ACCESS #tea ADD bob h')
    assert.deepEqual(await said(ann), [
      '#tea is now registered, and you are its founder',
      'bob now gets % on joining',
    ])
    bob.type('JOIN #tea kettle')
    assert(names(await bob.settle()).includes('%bob'))
  }

  await using rig = await startRig({ home })
  using eve = await Person.join(rig.ircPort, 'eve')
  eve.type('JOIN #tea kettle')
  assert.match((await eve.settle()).join('\n'), / 474 eve #tea /)
  using carol = await Person.join(rig.ircPort, 'carol')
  carol.type('JOIN #tea kettle', 'PRIVMSG #tea :hello')
  const seen = await carol.settle()
  assert.match(seen.join('\n'), / 332 carol #tea :green today$/m)
  assert.deepEqual(names(seen), ['carol'])
  assert.match(seen.join('\n'), / 404 carol #tea /)
  // The founder and helpers need no key.
  using ann = await loggedIn(rig.ircPort, 'ann')
  ann.type('JOIN #tea')
  assert(names(await ann.settle()).includes('~ann'))
  using bob = await loggedIn(rig.ircPort, 'bob')
  bob.type('JOIN #tea')
  assert(names(await bob.settle()).includes('%bob'))
})

test('a dropped channel is gone with its last member, and an old access list gives nobody power', async (t) => {
  const home = temporaryHome(t)
  {
    await using rig = await startRig({ home })
    using ann = await member(rig.ircPort, 'ann')
    ann.type('JOIN #tea', 'CS REGISTER #tea', 'CS UNREGISTER #tea')
    const [, toBeSure = ''] = await said(ann)
    const [, words = ''] = /^To confirm: \/msg ChanServ (.*)$/.exec(toBeSure) ?? []
    ann.type('CS UNREGISTER #tea 1', `CS ${words}`)
    assert.deepEqual((await said(ann)).at(-1), '#tea is no longer registered')
  }
  await using rig = await startRig({ home })
  using bob = await Person.join(rig.ircPort, 'bob')
  bob.type('JOIN #tea')
  assert.deepEqual(names(await bob.settle()), ['@bob'])
})

test('a transferred channel belongs to the other from then on, with its list unchanged', async (t) => {
  const home = temporaryHome(t)
  let time = Date.parse('2026-04-01T09:00:00Z')
  {
    await using rig = await startRig({ home, machine: () => time })
    using ann = await member(rig.ircPort, 'ann')
    using bob = await member(rig.ircPort, 'bob')
    using _carol = await member(rig.ircPort, 'carol')
    ann.type('JOIN #tea', 'CS REGISTER #tea', 'CS ACCESS #tea ADD bob h', 'CS ACCESS #tea ADD carol o')
    ann.type('CS TRANSFER #tea bob')
    assert.equal(
      (await said(ann)).at(-1),
      'bob is not in #tea: whoever gets a channel must be in it, logged in',
    )
    bob.type('JOIN #tea')
    await bob.settle()
    ann.type('CS TRANSFER #tea bob')
    const toBeSure = (await said(ann)).at(-1) ?? ''
    const [, words = ''] = /^To confirm: \/msg ChanServ (.*)$/.exec(toBeSure) ?? []
    time = Date.parse('2026-05-01T09:00:00Z')
    ann.type(`CS ${words}`, 'CS UNREGISTER #tea')
    assert.deepEqual(await said(ann), ['#tea now belongs to bob', 'Only the founder of #tea may do that'])
    const modes = (await bob.settle()).filter((line) => line.includes(' MODE '))
    assert.deepEqual(modes, [':spark MODE #tea +q bob', ':spark MODE #tea -q ann'])
  }
  await using rig = await startRig({ home })
  using bob = await loggedIn(rig.ircPort, 'bob')
  bob.type('CS INFO #tea', 'CS ACCESS #tea')
  const [since = '', ...list] = await said(bob)
  assert.match(since, /^#tea has belonged to bob since 2026-05-01T/)
  assert.deepEqual(list, ['q bob (founder)', 'o carol'])
})

test('nobody has the rank of a deleted account, not even after a restart, whatever their name', async (t) => {
  const home = temporaryHome(t)
  {
    await using rig = await startRig({ home })
    using ann = await member(rig.ircPort, 'ann')
    using bob = await member(rig.ircPort, 'bob')
    ann.type('JOIN #tea', 'CS REGISTER #tea', 'CS ACCESS #tea ADD bob o')
    assert.deepEqual(await said(ann), [
      '#tea is now registered, and you are its founder',
      'bob now gets @ on joining',
    ])
    assert.ok((await rig.server.accounts.drop('bob')).ok)
    await bob.settle()
  }
  await using rig = await startRig({ home })
  using bob = await member(rig.ircPort, 'bob')
  bob.type('JOIN #tea')
  assert.deepEqual(names(await bob.settle()), ['bob'])
})

test('nothing of a deleted account is left to the next of that name, even if the server fell in between', async (t) => {
  const home = temporaryHome(t)
  const caps = 'CAP REQ draft/read-marker'
  {
    await using rig = await startRig({ home })
    using ann = await member(rig.ircPort, 'ann')
    using bob = await member(rig.ircPort, 'bob')
    ann.type('JOIN #tea', 'CS REGISTER #tea', 'METADATA * SET color :red')
    ann.type(caps, 'MARKREAD #tea timestamp=2026-04-03T09:15:00.000Z')
    await ann.settle()
    bob.type('JOIN #cake', 'CS REGISTER #cake', 'CS ACCESS #cake ADD ann o')
    await bob.settle()
  }
  // The account goes first, and what it had a moment later.
  {
    using disk = new DatabaseSync(join(home.data, 'hookline.db'), { timeout: 5_000 })
    disk.exec(`DELETE FROM accounts WHERE key = 'ann'`)
  }
  for (const come of [member, loggedIn]) {
    await using rig = await startRig({ home })
    using ann = await come(rig.ircPort, 'ann')
    ann.type(caps, 'LIST', 'JOIN #cake', 'CS ACCESS #cake', 'METADATA * LIST', 'MARKREAD #tea')
    const seen = (await ann.settle()).join('\n')
    assert.match(seen, / 322 ann #cake [^]*:q bob \(founder\)$[^]* MARKREAD #tea \*$/m)
    assert.doesNotMatch(seen, / 322 ann #tea |@ann|:o ann$| 761 /m)
  }
})

test('an always-on user stays in its channels while disconnected and across restarts', async (t) => {
  const home = temporaryHome(t)
  {
    await using rig = await startRig({ home, config: UNLIMITED + OPERATOR })
    using ann = await member(rig.ircPort, 'ann')
    ann.type('NS SET ALWAYS-ON ON', 'JOIN #tea', 'MODE #tea +k kettle', 'MODE ann +i', BECOME_OPERATOR)
    await ann.settle()
    ann.type('QUIT')
    await ann.gone()
    using bob = await Person.join(rig.ircPort, 'bob')
    bob.type('JOIN #tea kettle', 'WHOIS ann')
    const seen = await bob.settle()
    assert.deepEqual(names(seen), ['@ann', 'bob'])
    assert.match(seen.join('\n'), / 301 bob ann :Not connected$/m)
    // Operator privileges are for whoever is connected.
    assert.doesNotMatch(seen.join('\n'), / 313 bob ann /)
    bob.type('PRIVMSG ann :are you there?')
    await bob.settle()
  }
  await using rig = await startRig({ home })
  using bob = await Person.join(rig.ircPort, 'bob', { caps: 'batch draft/chathistory draft/event-playback' })
  bob.type('JOIN #tea')
  assert.match((await bob.settle()).join('\n'), / 475 bob #tea /)
  bob.type('JOIN #tea kettle')
  assert.deepEqual(names(await bob.settle()), ['@ann', 'bob'])
  bob.type('CHATHISTORY LATEST #tea * 50')
  const joins = (await bob.settle()).filter((line) => / :ann!\S+ JOIN /.test(line))
  assert.equal(joins.length, 1, 'coming back is not joining')
  using phone = await Person.connect(rig.ircPort)
  phone.type(`PASS ann:${PASSWORD}`, 'NICK ann', 'USER phone 0 * :phone')
  await phone.until(/ NOTICE ann :There are direct messages .* PLAY bob \d{10} shows them$/)
  // Whatever nick she asks for, she stays who she was.
  using ann = await loggedIn(rig.ircPort, 'ann', 'ann_')
  ann.type('MODE ann', 'NAMES #tea')
  const hers = await ann.settle()
  assert.match(hers.join('\n'), / 221 ann \+i$/m)
  assert.deepEqual(names(hers), ['@ann', 'bob'])
  assert.deepEqual(await bob.settle(), [])
})

test('who runs a channel still reads after a restart what was said to its operators before', async (t) => {
  const home = temporaryHome(t)
  {
    await using rig = await startRig({ home })
    using ann = await member(rig.ircPort, 'ann')
    ann.type('NS SET ALWAYS-ON ON', 'JOIN #tea', 'PRIVMSG @#tea :the key is under the mat')
    await ann.settle()
  }
  await using rig = await startRig({ home })
  using ann = await loggedIn(rig.ircPort, 'ann')
  ann.type('CHATHISTORY LATEST #tea * 9')
  const heard = (await ann.settle()).flatMap((line) => / PRIVMSG (\S+ .*)$/.exec(line)?.[1] ?? [])
  assert.deepEqual(heard, ['@#tea :the key is under the mat'])
})

test('a rank taken from an absent always-on user stays taken after a restart', async (t) => {
  const home = temporaryHome(t)
  {
    await using rig = await startRig({ home })
    using bob = await Person.join(rig.ircPort, 'bob', { channels: '#tea' })
    using ann = await member(rig.ircPort, 'ann')
    ann.type('NS SET ALWAYS-ON ON', 'JOIN #tea')
    await ann.settle()
    bob.type('MODE #tea +o ann')
    await bob.settle()
    ann.type('QUIT')
    await ann.gone()
    bob.type('MODE #tea -o ann')
    await bob.settle()
  }
  await using rig = await startRig({ home })
  using bob = await Person.join(rig.ircPort, 'bob')
  bob.type('JOIN #tea')
  assert.deepEqual(names(await bob.settle()), ['ann', 'bob'])
})

test('a user who is no longer always on leaves with its last connection, and KILL ends it too', async (t) => {
  const home = temporaryHome(t)
  const config = UNLIMITED + OPERATOR
  {
    await using rig = await startRig({ home, config })
    for (const nick of ['ann', 'bob']) {
      using person = await member(rig.ircPort, nick)
      person.type('NS SET ALWAYS-ON ON', 'JOIN #tea')
      await person.settle()
      person.type('QUIT')
      await person.gone()
    }
    using carol = await Person.join(rig.ircPort, 'carol')
    carol.type('JOIN #tea')
    assert.deepEqual(names(await carol.settle()), ['@ann', 'bob', 'carol'])
    using ann = await loggedIn(rig.ircPort, 'ann')
    ann.type('NS SET ALWAYS-ON OFF')
    await ann.settle()
    ann.type('QUIT :done')
    await ann.gone()
    assert.match(await carol.until(/ QUIT /), /^:ann!\S+ QUIT :Quit: done$/)
    carol.type(BECOME_OPERATOR, 'KILL bob :enough')
    assert.match(await carol.until(/ QUIT /), /^:bob!\S+ QUIT :Killed \(carol \(enough\)\)$/)
  }
  await using rig = await startRig({ home, config })
  using carol = await Person.join(rig.ircPort, 'carol')
  carol.type('JOIN #tea')
  assert.deepEqual(names(await carol.settle()), ['@carol'])
})

test('when a reload turns always-on off, disconnected users leave, and bots stay', async (t) => {
  const home = temporaryHome(t)
  const bots = {
    'spark-ori-ci': 'bot: {name: spark-ori-ci, owner: spark-ori}\noutput: {channels: ["#tea"]}\n',
  }
  const config = 'accounts: {password_cost: 4}\nlogging: {level: error}\n'
  await using rig = await startRig({ home, config, bots })
  using ann = await member(rig.ircPort, 'ann')
  ann.type('NS SET ALWAYS-ON ON', 'JOIN #tea', 'QUIT')
  await ann.gone()
  using bob = await member(rig.ircPort, 'bob')
  bob.type('JOIN #tea')
  assert.deepEqual(names(await bob.settle()).toSorted(), ['+spark-ori-ci', '@ann', 'bob'])
  writeFileSync(home.config, config.replace('4', '4, always_on: disabled'))
  assert.deepEqual(await rig.server.reload(), { isApplied: true, warnings: [] })
  bob.type('NAMES #tea')
  const seen = await bob.settle()
  assert.match(seen.join('\n'), /^:ann!ann@127\.0\.0\.1 QUIT :No longer always on$/m)
  assert.deepEqual(names(seen).toSorted(), ['+spark-ori-ci', 'bob'])
})

test('a user is on disk from when it is always on until it no longer is, also by a setting of the server', async (t) => {
  const home = temporaryHome(t)
  const config = 'accounts: {password_cost: 4}\nlogging: {level: error}\n'
  const mandatory = config.replace('4', '4, always_on: mandatory')
  {
    await using rig = await startRig({ home, config })
    using ann = await member(rig.ircPort, 'ann')
    for (const [word, count] of [
      ['ON', 1],
      ['OFF', 0],
      ['ON', 1],
    ] as const) {
      ann.type(`NS SET ALWAYS-ON ${word}`)
      await untilKept(rig, count)
    }
    ann.type('NS SET ALWAYS-ON OFF', 'JOIN #tea')
    await untilKept(rig, 0)
    for (const [text, count] of [
      [mandatory, 1],
      [config, 0],
      [mandatory, 1],
    ] as const) {
      writeFileSync(home.config, text)
      assert.deepEqual(await rig.server.reload(), { isApplied: true, warnings: [] })
      await untilKept(rig, count)
    }
  }
  const disabled = config.replace('4', '4, always_on: disabled')
  await using rig = await startRig({ home, config: disabled })
  await untilKept(rig, 0)
})

test('an always-on user whose account is suspended does not come back, even if the server fell in between', async (t) => {
  const home = temporaryHome(t)
  {
    await using rig = await startRig({ home })
    using ann = await member(rig.ircPort, 'ann')
    ann.type('NS SET ALWAYS-ON ON', 'JOIN #tea')
    await ann.settle()
  }
  // The account is suspended first, and the user is gone a moment later.
  {
    using disk = new DatabaseSync(join(home.data, 'hookline.db'), { timeout: 5_000 })
    disk.exec(`UPDATE accounts SET suspended = '{"by":"spark","at":0,"reason":""}'`)
  }
  await using rig = await startRig({ home })
  using bob = await Person.join(rig.ircPort, 'bob')
  bob.type('JOIN #tea', 'WHOIS ann')
  const seen = await bob.settle()
  assert.deepEqual(names(seen), ['@bob'])
  assert.match(seen.join('\n'), / 401 bob ann /)
  await untilKept(rig, 0)
})

test('a failing disk does not keep the server from stopping', async (t) => {
  const home = temporaryHome(t)
  await using rig = await startRig({ home })
  using ann = await member(rig.ircPort, 'ann')
  using disk = new DatabaseSync(join(home.data, 'hookline.db'), { timeout: 5_000 })
  disk.exec(`CREATE TRIGGER refusal BEFORE INSERT ON records BEGIN SELECT RAISE(ABORT, 'no room'); END`)
  ann.type('JOIN #tea', 'CS REGISTER #tea')
  assert.deepEqual(await said(ann), ['#tea is now registered, and you are its founder'])
  rig.server.stop()
  await rig.server.stopped
})

test('who leaves because the server stops does not leave in the history', async (t) => {
  const home = temporaryHome(t)
  await using rig = await startRig({ home })
  using ann = await Person.join(rig.ircPort, 'ann', { channels: '#tea' })
  using bob = await Person.join(rig.ircPort, 'bob')
  bob.type('JOIN #tea', 'QUIT')
  await ann.until(/QUIT/)
  rig.server.stop()
  await rig.server.stopped

  const store = await openStore(home.data, { log: openLog('error') })
  const cut = { kind: 'newest' } as const
  const rows = await store.page({ sights: [{ conversation: '#tea' }], cut, limit: 9, isWithEvents: true })
  await store.close()
  const seen = rows?.map(({ command, mask }) => `${mask.split('!')[0]} ${command}`)
  assert.deepEqual(seen, ['ann JOIN', 'bob JOIN', 'bob QUIT'])
})

/** Makes an account and stays logged in to it. */
async function member(port: number, nick: string): Promise<Person> {
  const person = await Person.join(port, nick)
  person.type(`REGISTER * * ${PASSWORD}`)
  await person.until(/ REGISTER SUCCESS /)
  await person.settle()
  return person
}

async function loggedIn(port: number, account: string, nick = account): Promise<Person> {
  const person = await Person.connect(port)
  const proof = Buffer.from(`\0${account}\0${PASSWORD}`).toString('base64')
  person.type('CAP REQ sasl', 'AUTHENTICATE PLAIN', `AUTHENTICATE ${proof}`)
  person.type(`NICK ${nick}`, `USER ${nick} 0 * :${nick}`, 'CAP END')
  await person.until(/ (376|422) /)
  await person.settle()
  return person
}

/** So many users who stay are on disk. */
async function untilKept({ server }: Rig, count: number): Promise<void> {
  while ((await server.store.records.all('user')).length !== count);
}

/** What services said. */
async function said(person: Person): Promise<string[]> {
  return (await person.settle()).flatMap((line) => /Serv!\S+ NOTICE \S+ :(.*)$/.exec(line)?.[1] ?? [])
}

function names(lines: readonly string[]): string[] {
  return lines.flatMap((line) => / 353 \S+ \S \S+ :?(.*)$/.exec(line)?.[1]?.split(' ') ?? [])
}
