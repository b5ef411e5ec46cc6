// Names as long as the settings allow: still no line is longer than 512 bytes, and none loses what stands at its end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Person } from './person.ts'
import { type Rig, startRig } from './rig.ts'

const CONFIG = `
limits: {flood_protection: false, nick_length: 64, channel_length: 128, username_length: 32, realname_length: 200}
accounts: {password_cost: 4}
logging: {level: error}
`
const NICK = 'n'.repeat(64)
const CHANNEL = `#${'c'.repeat(127)}`
const MASK = `${'m'.repeat(196)}!*@*`

function start(more = ''): Promise<Rig> {
  return startRig({ name: 's'.repeat(63), config: `${more}\n${CONFIG}` })
}

async function enter(port: number): Promise<Person> {
  const ann = await Person.connect(port)
  ann.type(`NICK ${NICK}`, `USER ${'u'.repeat(32)} 0 * :${'r'.repeat(200)}`)
  await ann.until(/ 422 /)
  ann.type(`JOIN ${CHANNEL}`)
  await ann.settle()
  return ann
}

function assertFits(line: string): void {
  assert.ok(Buffer.byteLength(line) <= 512 - 2, `${Buffer.byteLength(line)} bytes: ${line}`)
}

test('the list of bans tells when each was set, whoever set it', async () => {
  await using rig = await start()
  using ann = await enter(rig.ircPort)
  for (const list of ['b', 'e', 'I']) {
    ann.type(`MODE ${CHANNEL} +${list} ${MASK}`)
    await ann.settle()
    ann.type(`MODE ${CHANNEL} ${list}`)
    const [entry = '', end = ''] = await ann.settle()
    assertFits(entry)
    assert.match(entry, new RegExp(` ${RegExp.escape(MASK)} \\S+ \\d{10}$`))
    assert.match(end, / :End of /)
  }
})

test('WHO with fields tells every one of them in a line that fits', async () => {
  await using rig = await start()
  using ann = await enter(rig.ircPort)
  ann.type('REGISTER * * kettle', `WHO ${NICK} %tcuihsnfdlaor,123`)
  const line = (await ann.settle()).find((each) => each.includes(' 354 ')) ?? ''
  assertFits(line)
  const [, , , ...fields] = line.split(' ')
  assert.deepEqual(fields.slice(0, 2), ['123', '*'])
  assert.deepEqual(fields.slice(-2, -1), ['n/a'])
  assert.equal(fields.at(-3), NICK)
  assert.equal(fields.length, 13)
})

test('the longest URL of a picture is told whole', async () => {
  for (const icon of [
    `https://example.org/?${'='.repeat(42)}${'i'.repeat(137)}`,
    `https://example.org/${'é'.repeat(154)}`,
  ]) {
    await using rig = await start(`server: {icon: "${icon}"}`)
    using ann = await Person.connect(rig.ircPort)
    ann.type(`NICK ${NICK}`, 'USER ann 0 * :ann')
    const lines = (await ann.settle()).filter((line) => line.includes(' 005 '))
    lines.forEach(assertFits)
    // What does not fit is cut off.
    assert.ok(lines.every((line) => line.endsWith(' :are supported by this server')))
    const tokens = lines.flatMap((line) => line.split(' '))
    assert.ok(tokens.includes(`draft/ICON=${icon.replaceAll('=', String.raw`\x3D`)}`))
  }
})

test('the notice of missed messages tells how to replay them', async () => {
  await using rig = await start()
  using ann = await enter(rig.ircPort)
  ann.type('NS REGISTER kettle', 'NS SET ALWAYS-ON ON')
  await ann.until(/:ALWAYS-ON is ON/)
  ann.type('QUIT')
  await ann.gone()
  for (const letter of ['a', 'b', 'c', 'd']) {
    using other = await Person.join(rig.ircPort, letter.repeat(64))
    other.type(`PRIVMSG ${NICK} :hello`)
    await other.settle()
  }
  using back = await Person.connect(rig.ircPort)
  back.type(`PASS ${NICK}:kettle`, `NICK ${NICK}`, 'USER ann 0 * :ann')
  const line = await back.until(/ NOTICE \S+ :There are direct messages /)
  assertFits(line)
  assert.match(line, / PLAY b{64},c{64},d{64} \d{10} shows them; LIST names the others, too$/)
})

test('an error that repeats what was typed fits, too', async () => {
  await using rig = await start()
  using ann = await enter(rig.ircPort)
  ann.type(`CHATHISTORY BETWEEN ${'t'.repeat(200)} hash=${'h'.repeat(195)} * 1`)
  const [line = ''] = await ann.settle()
  assertFits(line)
  assert.match(
    line,
    / FAIL CHATHISTORY INVALID_MSGREFTYPE BETWEEN t{200} hash=h+ :Not a timestamp or a msgid$/,
  )
})

test('ChanServ takes many ranks at once and names whose they are', async () => {
  await using rig = await start('server: {cloak: {enabled: true}}')
  using ann = await enter(rig.ircPort)
  ann.type('REGISTER * * kettle')
  await ann.until(/ REGISTER SUCCESS /)
  ann.type(`CS REGISTER ${CHANNEL}`, `MODE ${CHANNEL} +aohv ${NICK} ${NICK} ${NICK} ${NICK}`)
  await ann.settle()
  ann.type(`CS DEOP ${CHANNEL}`)
  const told = (await ann.settle()).filter((line) => line.includes(' MODE '))
  told.forEach(assertFits)
  const named = told.flatMap((line) => line.split(' ').slice(4))
  assert.deepEqual(named, Array<string>(4).fill(NICK))
})

test('a member is shown the whole key of a channel', async () => {
  await using rig = await start()
  using ann = await enter(rig.ircPort)
  const forward = `#${'f'.repeat(127)}`
  const keys = ['k'.repeat(64), 'ü'.repeat(32)]
  ann.type(`JOIN ${forward}`, `MODE ${CHANNEL} +CEiMmRsUul 999999999`, `MODE ${CHANNEL} +f ${forward}`)
  for (const key of keys) {
    ann.type(`MODE ${CHANNEL} +k ${key}`, `MODE ${CHANNEL}`)
    const shown = (await ann.settle()).find((line) => line.includes(' 324 ')) ?? ''
    assertFits(shown)
    assert.equal(shown.split(' ').at(-1), key)
  }
  ann.type(`MODE ${CHANNEL} +k ${'ü'.repeat(33)}`)
  assert.match((await ann.settle()).join(), / 696 \S+ \S+ k \* :Key is not well-formed$/)
})
