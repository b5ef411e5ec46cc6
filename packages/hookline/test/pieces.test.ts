// Answers too long for one turn: complete, in order, within their label, and others are served in between.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { Person } from './person.ts'
import { startRig } from './rig.ts'

const CHANNELS = 700
const PAGES = 1_000
const config = 'limits: {flood_protection: false, channels_per_user: 1000}\nlogging: {level: error}\n'
const caps = 'batch labeled-response'
const names = Array.from({ length: CHANNELS }, (_, index) => `#c${index}`)

async function inAllChannels(port: number): Promise<Person> {
  const person = await Person.join(port, 'ann', { caps })
  for (const name of names) person.type(`JOIN ${name}`)
  await person.settle()
  return person
}

test('a long LIST and a long NAMES are complete, and commands typed after them are answered after them', async () => {
  await using rig = await startRig({ config })
  using ann = await inAllChannels(rig.ircPort)
  const some = names.slice(0, 80)
  ann.type('LIST', `NAMES ${some.join(',')}`, 'WHO ann')
  const told = (await ann.settle()).map((line) => {
    const [, code, , first, second] = line.split(' ')
    return [code, code === '353' ? second : first]
  })
  assert.deepEqual(
    told.filter(([code]) => code !== '366'),
    [
      ['321', 'Channel'],
      ...names.map((name) => ['322', name]),
      ['323', ':End'],
      ...some.map((name) => ['353', name]),
      ['352', '#c0'],
      ['315', 'ann'],
    ],
  )
})

test('a channel that is renamed during a LIST is in it once', async () => {
  await using rig = await startRig({ config })
  using ann = await inAllChannels(rig.ircPort)
  using bob = await Person.join(rig.ircPort, 'bob')
  bob.type('LIST')
  ann.type('RENAME #c0 #tea')
  const listed = (await bob.settle()).filter((line) => / 322 bob (#c0|#tea) /.test(line))
  assert.equal(listed.length, 1, listed.join('\n'))
})

test('a long answer to a labelled command is one batch, without what others say meanwhile', async () => {
  await using rig = await startRig({ config })
  using ann = await inAllChannels(rig.ircPort)
  using bob = await Person.join(rig.ircPort, 'bob', { channels: '#c0' })
  await ann.settle()
  ann.type('@label=one LIST', '@label=two LIST #c1', '@label=three PING x')
  for (let each = 0; each < 20; each++) bob.type(`PRIVMSG #c0 :${each}`)
  const lines: string[] = []
  do lines.push((await ann.next()) ?? assert.fail('closed'))
  while (!lines.at(-1)?.includes('label=three'))
  await bob.settle()
  const answers = lines.filter((line) => !line.includes(' PRIVMSG '))
  const [opening = ''] = answers
  const ref = /^@label=one :spark BATCH \+(\S+) labeled-response$/.exec(opening)?.[1] ?? assert.fail(opening)
  const closing = answers.indexOf(`:spark BATCH -${ref}`)
  assert.equal(closing, CHANNELS + 3)
  assert.ok(answers.slice(1, closing).every((line) => line.startsWith(`@batch=${ref} `)))
  assert.match(answers[closing + 1] ?? '', /^@label=two :spark BATCH \+/)
  assert.ok(lines.filter((line) => line.includes(' PRIVMSG ')).every((line) => !line.startsWith('@batch')))
})

test('playback of many channels, on request or at a JOIN, fits in the send queue however much it is', async () => {
  await using rig = await startRig({ config: config.replace('{', '{send_queue_bytes: 65536, ') })
  using ann = await Person.join(rig.ircPort, 'ann', { caps: 'batch znc.in/playback' })
  using bob = await Person.join(rig.ircPort, 'bob')
  const some = names.slice(0, 6)
  const all = some.flatMap((name) => Array.from({ length: 30 }, (_, i) => `${name} :${i} ${'x'.repeat(400)}`))
  bob.type(`JOIN ${some.join(',')}`, ...all.map((each) => `PRIVMSG ${each}`))
  await bob.settle()
  ann.type('PRIVMSG *playback :PLAY *', `JOIN ${some.join(',')}`)
  const atJoin: string[] = []
  while (atJoin.length < all.length) atJoin.push(...said([(await ann.next()) ?? assert.fail('closed')]))
  assert.deepEqual(atJoin.toSorted(), all.toSorted())
  ann.type('PRIVMSG *playback :PLAY *')
  assert.deepEqual(said(await ann.settle()), all)
})

test('whoever leaves and joins again before the last messages are read is sent them once', async () => {
  await using rig = await startRig({ config: `${config}history: {autoreplay_lines: 5}\n` })
  using ann = await Person.join(rig.ircPort, 'ann', { caps: 'server-time' })
  using bob = await Person.join(rig.ircPort, 'bob')
  bob.type('JOIN #c0', 'PRIVMSG #c0 :hello')
  await bob.settle()
  ann.type('JOIN #c1')
  await ann.settle()
  // The last is answered after what the JOINs have asked for.
  ann.type('JOIN #c0', 'PART #c0', 'JOIN #c0', 'CHATHISTORY LATEST #c1 * 1')
  assert.deepEqual(said(await ann.settle()), ['#c0 :hello'])
})

test('another connection of a user is sent all that was said before it came, however fast', async () => {
  const lines = Array.from({ length: 300 }, (_, i) => `#c0 :${i}`)
  const settings = `accounts: {password_cost: 4}\nhistory: {autoreplay_lines: ${lines.length}}\n`
  await using rig = await startRig({ config: config + settings })
  using ann = await Person.join(rig.ircPort, 'ann', { channels: '#c0' })
  ann.type('NS REGISTER a-good-password')
  await ann.settle()
  using phone = await Person.connect(rig.ircPort)
  phone.type('CAP REQ server-time', 'PASS ann:a-good-password', 'NICK ann', 'USER ann 0 * :ann')
  await phone.until(/ 900 /)
  using bob = await Person.join(rig.ircPort, 'bob', { channels: '#c0' })
  bob.type(...lines.map((line) => `PRIVMSG ${line}`))
  await bob.settle()
  // The last is answered after what the JOIN has asked for, or between two pieces of it.
  phone.type('CAP END', 'CHATHISTORY LATEST #c0 * 1')
  const told = new Set(said(await phone.settle()))
  assert.deepEqual([...told].toSorted(), lines.toSorted())
})

test('many history pages requested at once wait for a client that does not read', async () => {
  await using rig = await startRig({ config: config.replace('{', '{send_queue_bytes: 65536, ') })
  using ann = await Person.join(rig.ircPort, 'ann', { caps: 'batch draft/chathistory soju.im/search' })
  using bob = await Person.join(rig.ircPort, 'bob')
  const all = Array.from({ length: 90 }, (_, i) => `#tea :${i} ${'x'.repeat(400)}`)
  ann.type('JOIN #tea')
  await ann.settle()
  bob.type('JOIN #tea', ...all.map((each) => `PRIVMSG ${each}`))
  await bob.settle()
  await ann.settle()
  // For those who are connected the queue stays as it was.
  writeFileSync(rig.home.config, config.replace('{', '{send_queue_bytes: 16777216, '))
  assert.equal((await rig.server.reload()).isApplied, true)
  ann.socket.pause()
  ann.type(...Array.from({ length: PAGES / 2 }, () => 'CHATHISTORY LATEST #tea * 100\r\nSEARCH in=#tea'))
  // The system takes some ten megabytes for a client that does not read, which is a quarter of what was asked for.
  for (let turn = 0; turn < PAGES * 2; turn++) await bob.settle()
  ann.socket.resume()
  assert.equal(said(await ann.settle()).length, PAGES * all.length)
})

test('a history page longer than the send queue comes in pieces, and a label stands on all of it', async () => {
  const limits = 'send_queue_bytes: 65536, multiline_bytes: 16384, '
  await using rig = await startRig({ config: config.replace('{', `{${limits}`) })
  const reads = 'draft/multiline draft/chathistory soju.im/search znc.in/playback'
  using ann = await Person.join(rig.ircPort, 'ann', { caps: `${caps} ${reads}`, channels: '#tea' })
  using bob = await Person.join(rig.ircPort, 'bob', { caps: 'batch draft/multiline', channels: '#tea' })
  const message = Array.from({ length: 30 }, (_, i) => `#tea :${i} ${'x'.repeat(400)}`)
  const all = Array.from({ length: 10 }, () => message).flat()
  const lines = message.map((line) => `@batch=1 PRIVMSG ${line}`)
  for (let sent = 0; sent < all.length; sent += message.length) {
    bob.type('BATCH +1 draft/multiline #tea', ...lines, 'BATCH -1')
    await bob.settle()
    await ann.settle()
  }
  const asked = ['CHATHISTORY LATEST #tea * 100', 'SEARCH in=#tea', 'PRIVMSG *playback :PLAY #tea']
  for (const command of [...asked, ...asked.map((each) => `@label=x ${each}`)]) {
    ann.type(command)
    const told = await ann.settle()
    assert.deepEqual(said(told), all, command)
    assert.equal(told.filter((line) => line.startsWith('@label=x ')).length, command.startsWith('@') ? 1 : 0)
  }
})

test('lists that are longer than the send queue are read whole', async () => {
  const limits = 'send_queue_bytes: 65536, channel_list_modes: 1000, '
  const metadata = 'metadata: {max_keys: 1000, changes_per_minute: 10000}\n'
  await using rig = await startRig({ config: config.replace('{', `{${limits}`) + metadata })
  using ann = await Person.join(rig.ircPort, 'ann', { channels: '#tea' })
  for (let each = 0; each < 400; each++) {
    ann.type(`MODE #tea +b ${each}${'x'.repeat(190)}`, `METADATA * SET key${each} :${'x'.repeat(200)}`)
    if (each % 50 === 0) await ann.settle()
  }
  await ann.settle()
  ann.type('MODE #tea b', 'METADATA * LIST')
  const codes = (await ann.settle()).map((line) => line.split(' ')[1])
  assert.deepEqual(codes, [...Array<string>(400).fill('367'), '368', ...Array<string>(400).fill('761')])
})

test('whoever is no longer seen in a large auditorium reads of all who have left its sight', async () => {
  const hall = `#${'x'.repeat(120)}`
  const limits = 'send_queue_bytes: 65536, channel_length: 128, '
  await using rig = await startRig({ config: config.replace('{', `{${limits}`) })
  using ann = await Person.join(rig.ircPort, 'ann', { channels: hall })
  ann.type(`MODE ${hall} +u`)
  using bob = await Person.join(rig.ircPort, 'bob', { caps: 'server-time', channels: hall })
  await using crowd = new AsyncDisposableStack()
  for (let each = 0; each < 400; each++)
    crowd.use(await Person.join(rig.ircPort, `guest${each}`, { channels: hall }))
  ann.type(`MODE ${hall} +v bob`)
  await ann.settle()
  await bob.settle()
  ann.type(`MODE ${hall} -v bob`)
  await bob.until(/ MODE /)
  for (let each = 0; each < 400; each++) await bob.until(new RegExp(`:guest${each}!\\S+ PART `))
})

test('a client that reads nothing of a long answer is disconnected, and others are told', async () => {
  const limits = 'send_queue_bytes: 65536, ping_timeout_ms: 1000, '
  await using rig = await startRig({ config: config.replace('{', `{${limits}`) })
  using ann = await inAllChannels(rig.ircPort)
  using bob = await Person.join(rig.ircPort, 'bob', { channels: '#c0' })
  ann.socket.pause()
  // Three times what the system takes for a client that does not read.
  ann.type(...Array.from({ length: PAGES }, () => 'LIST'))
  await bob.until(/^:ann!\S+ QUIT :SendQ exceeded$/)
})

function said(lines: readonly string[]): string[] {
  return lines.flatMap((line) => / PRIVMSG (.*)/.exec(line)?.[1] ?? [])
}
