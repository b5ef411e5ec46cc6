// Effects of renaming a channel beyond the channel itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Person } from './person.ts'
import { post } from './post.ts'
import { startRig, temporaryHome, writeBots } from './rig.ts'

test('messages and events of a channel are found under its new name', async () => {
  await using rig = await startRig()
  const caps = 'batch draft/chathistory draft/event-playback'
  using ann = await Person.join(rig.ircPort, 'ann', { caps })
  ann.socket.write('JOIN #old\r\nPRIVMSG #old :before\r\nPRIVMSG @#old :to operators\r\nTOPIC #old :tea\r\n')
  ann.socket.write('RENAME #old #New\r\nPRIVMSG #new :after\r\n')
  await ann.settle()
  ann.socket.write('CHATHISTORY LATEST #new * 10\r\n')
  const told = await ann.settle()
  assert.deepEqual(
    told.map((line) => line.replace(/^@\S+ /, '').replace(/^:ann!\S+ /, '')),
    [
      told[0],
      'JOIN #New',
      'PRIVMSG #New :before',
      'PRIVMSG @#New :to operators',
      'TOPIC #New tea',
      'PRIVMSG #New :after',
      told.at(-1),
    ],
  )
  assert.deepEqual(await rig.server.store.history('#old', 10), [])
})

test('another case of the letters, which is allowed at any time, rewrites no history', async () => {
  await using rig = await startRig()
  using ann = await Person.join(rig.ircPort, 'ann', { caps: 'batch draft/chathistory' })
  ann.type('JOIN #tea', 'PRIVMSG #tea :before', 'RENAME #tea #Tea', 'PRIVMSG #tea :after')
  await ann.settle()
  ann.type('CHATHISTORY LATEST #tea * 10')
  const told = (await ann.settle()).flatMap((line) => / (BATCH \+.*|PRIVMSG .*)$/.exec(line)?.[1] ?? [])
  assert.deepEqual(told.slice(1), ['PRIVMSG #tea :before', 'PRIVMSG #Tea :after'])
  assert.match(told[0] ?? '', / chathistory #Tea$/)
})

test('what was said in a closed channel is not read in one of the same age that takes its name', async () => {
  const time = Date.now()
  await using rig = await startRig({ machine: () => time })
  using ann = await Person.join(rig.ircPort, 'ann')
  using eve = await Person.join(rig.ircPort, 'eve', { caps: 'batch draft/chathistory' })
  ann.type('JOIN #ops', 'MODE #ops +i', 'PRIVMSG #ops :the code is 1234', 'PRIVMSG @#ops :the other is 4321')
  await ann.settle()
  eve.type('JOIN #lobby')
  await eve.settle()
  ann.type('PART #ops')
  await ann.settle()
  eve.type('RENAME #lobby #ops', 'CHATHISTORY LATEST #ops * 10')
  assert.ok(!(await eve.settle()).some((line) => line.includes('PRIVMSG')))
})

test('what a bot was about to say when its channel was renamed once more is said there, and can be taken back', async () => {
  let time = Date.now()
  await using rig = await startRig({ machine: () => time })
  const { chat } = rig.server
  using ann = await Person.join(rig.ircPort, 'ann', { caps: 'draft/message-redaction', channels: '#one' })
  const guest = { nick: 'spark-ori-ci', username: 'bot', realname: 'ci', isBot: true }
  const appeared = chat.appear({ ...guest, channels: ['#one'] })
  assert.ok(appeared.ok)
  ann.type('RENAME #one #two')
  await ann.settle()
  const drafted = chat.draft(appeared.user, { target: '#one', command: 'PRIVMSG', text: 'hello' })
  assert.ok(drafted.ok)
  const { draft } = drafted
  // A channel is renamed once a minute at most.
  time += 61_000
  ann.type('RENAME #two #three')
  await ann.settle()
  chat.publish(draft)
  chat.redact(appeared.user, { id: draft.id, target: draft.target, reason: undefined })
  assert.deepEqual(
    (await ann.settle()).map((line) => line.replace(/^:\S+ /, '')),
    ['PRIVMSG #three :hello', `REDACT #three ${draft.id}`],
  )
})

test('a bot’s owner is told of a second rename, with the name that the file still has', async () => {
  let time = Date.now()
  const bot = 'spark-ori-ci'
  const yaml = `bot: {name: ${bot}, owner: spark-ori}\noutput: {channels: ["#one"]}\n`
  await using rig = await startRig({ bots: { [bot]: yaml }, machine: () => time })
  using ori = await Person.join(rig.ircPort, 'spark-ori')
  ori.type('JOIN #one', 'RENAME #one #two')
  await ori.until(/ #one has been renamed to #two\. /)
  time += 61_000
  ori.type('RENAME #two #three')
  const told = await ori.until(/ has been renamed to #three\. /)
  assert.match(
    told,
    /#two has .* will join #one when the server next starts: change the channel to #three in /,
  )
})

test('what a bot was about to say fits behind a longer name, and nothing of it is missing', async () => {
  await using rig = await startRig()
  const { chat } = rig.server
  using ann = await Person.join(rig.ircPort, 'ann', { channels: '#one' })
  const guest = { nick: 'spark-ori-ci', username: 'bot', realname: 'ci', isBot: true }
  const appeared = chat.appear({ ...guest, channels: ['#one'] })
  assert.ok(appeared.ok)
  const { user } = appeared
  const lines = ['a', 'b'].map((letter) => letter.repeat(chat.room(user, '#one')))
  const drafted = chat.draft(user, { target: '#one', command: 'PRIVMSG', text: lines.join('\n') })
  assert.ok(drafted.ok)
  ann.type(`RENAME #one #${'n'.repeat(60)}`)
  await ann.settle()
  chat.publish(drafted.draft)
  const heard = await ann.settle()
  for (const line of heard) assert.ok(Buffer.byteLength(line) <= 510, `${Buffer.byteLength(line)} bytes`)
  assert.equal(heard.map((line) => line.replace(/^.* :/, '')).join(''), lines.join(''))
})

test('a registered channel has its new name after the next start of the server, those who stay are in it, and others lead there', async (t) => {
  const home = temporaryHome(t)
  {
    await using rig = await startRig({ home })
    using ann = await Person.join(rig.ircPort, 'ann', { caps: 'draft/read-marker' })
    ann.socket.write('REGISTER * * sesame-street\r\n')
    await ann.settle()
    ann.socket.write('NS SET always-on true\r\nJOIN #old,#door\r\nCS REGISTER #old\r\n')
    ann.socket.write('CS REGISTER #door\r\nMODE #door +f #old\r\nPART #door\r\n')
    ann.socket.write('MARKREAD #old timestamp=2020-01-01T00:00:00.000Z\r\n')
    await ann.settle()
    while (!JSON.stringify(await rig.server.store.records.all('channel')).includes('forward'));
    while ((await rig.server.store.records.all('read-marker')).length === 0);
    ann.socket.write('RENAME #old #new\r\n')
    await ann.settle()
  }
  await using rig = await startRig({ home })
  using bob = await Person.join(rig.ircPort, 'bob')
  bob.socket.write('LIST\r\nWHOIS ann\r\n')
  const told = await bob.settle()
  assert.deepEqual(
    told.filter((line) => / (322|319) /.test(line)),
    [':spark 322 bob #door 0 :', ':spark 322 bob #new 1 :', ':spark 319 bob ann ~#new'],
  )
  bob.socket.write('JOIN #old\r\n')
  assert.match((await bob.settle()).join('\n'), / 470 bob #old #new [^]* JOIN #new$/m)
  const [door] = await rig.server.store.records.all('channel')
  assert.match(door?.json ?? '', /"forward":"#new"/)
  const [marked] = await rig.server.store.records.all('read-marker')
  assert.deepEqual(marked, { key: '@ann', json: '{"#new":1577836800000}' })
})

test('an old name that another channel took does not lead to the renamed one after a restart', async (t) => {
  const home = temporaryHome(t)
  {
    await using rig = await startRig({ home })
    using ann = await Person.join(rig.ircPort, 'ann')
    ann.type('REGISTER * * sesame-street')
    await ann.settle()
    ann.type('JOIN #one', 'CS REGISTER #one', 'RENAME #one #two')
    ann.type('JOIN #red', 'CS REGISTER #red', 'RENAME #red #blue')
    // She saw the renames, so the names are free for her.
    ann.type('JOIN #one', 'PART #one', 'JOIN #green', 'RENAME #green #red', 'PART #red')
    await ann.settle()
  }
  await using rig = await startRig({ home })
  using bob = await Person.join(rig.ircPort, 'bob')
  bob.type('JOIN #one', 'JOIN #red')
  const joined = (await bob.settle()).filter((line) => / (?:470|JOIN) /.test(line))
  assert.deepEqual(joined, [':bob!bob@127.0.0.1 JOIN #one', ':bob!bob@127.0.0.1 JOIN #red'])
})

test('a channel’s old name does not lead to it for a bot that came later', async () => {
  const bots = {
    'spark-ori-pay':
      'bot: {name: spark-ori-pay, owner: spark-ori}\n' +
      'output: {channels: ["#pay", "#lobby"], template: "{body.text}",\n' +
      '  routes: [{when: {equals: {body.level: secret}}, channels: ["#pay"]}]}\n',
    'spark-ori-go':
      'bot: {name: spark-ori-go, owner: spark-ori}\n' +
      'trigger: {type: event, on: message, in: ["#pay"], match: {command: "!go"}}\n' +
      'output: {channels: ["#lobby"], template: "{body.nick} goes"}\n',
  }
  await using rig = await startRig({ bots })
  for (const name of Object.keys(bots)) await rig.server.bots.stop(name)
  using eve = await Person.join(rig.ircPort, 'eve')
  eve.type('JOIN #pay', 'RENAME #pay #lobby')
  await eve.settle()
  for (const name of Object.keys(bots)) await rig.server.bots.start(name)
  using ann = await Person.join(rig.ircPort, 'ann', { channels: '#pay' })
  await eve.settle()
  await post(`${rig.url}/spark-ori-pay`, { level: 'secret', text: 'salaries' })
  assert.equal(await ann.until(/PRIVMSG/), ':spark-ori-pay!bot@spark PRIVMSG #pay :salaries')
  eve.type('PRIVMSG #lobby :!go')
  assert.deepEqual(await eve.settle(), [])
  ann.type('PRIVMSG #pay :!go')
  assert.equal(await eve.until(/PRIVMSG/), ':spark-ori-go!bot@spark PRIVMSG #lobby :ann goes')
})

test('a bot whose file lists both the new and the old name is in another channel by the old one', async () => {
  const name = 'spark-ori-ci'
  const file = (channels: string) =>
    `bot: {name: ${name}, owner: spark-ori}\noutput: {channels: [${channels}], template: "{body.text}"}\n`
  await using rig = await startRig({ bots: { [name]: file('"#old"') } })
  using ann = await Person.join(rig.ircPort, 'ann')
  ann.type('JOIN #old', 'RENAME #old #new')
  await ann.settle()
  writeBots(rig.home, { [name]: file('"#new", "#old"') })
  assert.ok((await rig.server.bots.start(name)).ok)
  using bob = await Person.join(rig.ircPort, 'bob')
  bob.type('NAMES #old,#new')
  assert.match((await bob.settle()).join('\n'), / #old \+spark-ori-ci\n.* #new :\+spark-ori-ci @ann\n/)
})
