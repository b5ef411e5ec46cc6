// What a stranger sends can neither wake anybody nor colour, reorder, forge or break a line, however it becomes a message.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { Person } from './person.ts'
import { post } from './post.ts'
import { startRig } from './rig.ts'

const name = 'spark-ori-bot'

/** Each trick, and what must remain of it in the line. */
const tricks: Readonly<Record<string, readonly [sent: string, read: string]>> = {
  'an @nick': ['@ann look', '@\u200bann look'],
  'an @nick put together across a control character': ['@\u0002ann', '@\u200bann'],
  'an @nick behind what cannot be seen': ['x\u200b@ann \u2060@ann', 'x\u200b@\u200bann \u2060@\u200bann'],
  'the wide @': ['＠ann ﹫ann', '＠\u200bann ﹫\u200bann'],
  'a CTCP request': ['\u0001ACTION dances\u0001', 'ACTION dances'],
  'colours and bold': ['\u000304,01red\u0003 \u0002bold\u000f', '04,01red bold'],
  'letters in another order': ['a\u202egnp.exe\u202c\u2066b\u2069', 'agnp.exeb'],
  'a line of its own': ['a\r\u0000QUIT :gone', 'aQUIT :gone'],
  'C1 controls': ['a\u009bb\u0085c', 'abc'],
}

/** Ways from a payload's `s` to a line that begins with `> ` and ends with ` <`. */
const ways: Readonly<
  Record<string, { bot: string; files?: Record<string, string>; payload?: (s: string) => object }>
> = {
  'a template': { bot: 'output: {channels: ["#c"], template: "> {body.s} <"}' },
  'a filter of a template': {
    bot: `output: {channels: ["#c"], template: '> {body.none|default:""}{body.list|join:", "} <'}`,
    payload: (s) => ({ list: [s] }),
  },
  'a Liquid template': { bot: 'output: {channels: ["#c"], engine: liquid, template: "> {{ s }} <"}' },
  'a Liquid template that captures': {
    bot: 'output: {channels: ["#c"], engine: liquid, template: "{% capture x %}{{ s }}{% endcapture %}> {{ x }} <"}',
  },
  'a handler': {
    bot: 'output: {channels: ["#c"]}',
    files: { 'handler.mjs': 'export async function handle(payload) { return `> ${payload.s} <` }\n' },
  },
  'a preset': { bot: 'output: {channels: ["#c"], preset: slack}', payload: (s) => ({ text: `> ${s} <` }) },
}

for (const [way, { bot, files = {}, payload = (s: string) => ({ s }) }] of Object.entries(ways)) {
  test(`through ${way}, text of a payload is harmless`, async () => {
    const extra = Object.entries(files).map(([file, text]) => [`${name}/${file}`, text] as const)
    const yaml = `bot: {name: ${name}, owner: spark-ori}\n${bot}\n`
    await using rig = await startRig({ bots: { [name]: yaml, ...Object.fromEntries(extra) } })
    using ann = await Person.join(rig.ircPort, 'ann', { channels: '#c' })
    for (const [trick, [sent, read]] of Object.entries(tricks)) {
      assert.equal((await post(`${rig.url}/${name}`, payload(sent))).status, 200)
      assert.deepEqual(await ann.settle(), [`:${name}!bot@spark PRIVMSG #c :> ${read} <`], trick)
    }
    // A line break makes a second line of the same message, never one of another kind.
    await post(`${rig.url}/${name}`, payload('a\r\nQUIT :gone\n\nPRIVMSG ann :b'))
    const lines = await ann.settle()
    assert.deepEqual(
      lines.map((line) => line.replace(`:${name}!bot@spark PRIVMSG #c :`, '')),
      ['> a', 'QUIT :gone', 'PRIVMSG ann :b <'],
    )
  })
}

test('a word too long for a line does not end before an @, which would wake somebody at the beginning of the next', async () => {
  const yaml = `bot: {name: ${name}, owner: spark-ori}\noutput: {channels: ["#c"], template: "{body.s}"}\n`
  await using rig = await startRig({ bots: { [name]: yaml } })
  using ann = await Person.join(rig.ircPort, 'ann', { channels: '#c' })
  const room = 510 - `:${name}!bot@spark PRIVMSG #c :`.length
  const words = ['x'.repeat(room), `see ${'/'.repeat(room - 4)}`, 'ᄀ'.repeat(room / 3), 'x'.repeat(room - 3)]
  for (const word of words) {
    for (const at of ['@', '＠']) {
      await post(`${rig.url}/${name}`, { s: `${word}${at}ann look` })
      const lines = (await ann.settle()).map((line) => line.replace(/^:.* PRIVMSG #c :/, ''))
      assert.equal(lines.join(''), `${word}${at}ann look`)
      for (const line of lines) assert.doesNotMatch(line, /^[@＠]/)
    }
  }
})

test('headers and the event are as harmless as the payload', async () => {
  const yaml = `bot: {name: ${name}, owner: spark-ori}
output:
  channels: ["#c"]
  template: "> {headers.x-kind} {event} <"
`
  await using rig = await startRig({ bots: { [name]: yaml } })
  using ann = await Person.join(rig.ircPort, 'ann', { channels: '#c' })
  const headers = { 'X-Kind': '@ann\tand @ann', 'X-GitHub-Event': 'push @ann' }
  assert.equal((await post(`${rig.url}/${name}`, {}, headers)).status, 200)
  assert.deepEqual(await ann.settle(), [
    `:${name}!bot@spark PRIVMSG #c :> @\u200bann and @\u200bann push @\u200bann <`,
  ])
})

test('only the bot’s own mention wakes; an @nick in the payload reaches nobody', async () => {
  const yaml = `bot: {name: ${name}, owner: spark-ori}\noutput: {channels: ["#c"], mention: agent, template: "{s}"}\n`
  await using rig = await startRig({ bots: { [name]: yaml } })
  using ann = await Person.join(rig.ircPort, 'ann')
  using agent = await Person.join(rig.ircPort, 'agent')
  await post(`${rig.url}/${name}`, { s: '@ann @agent' })
  assert.deepEqual(await ann.settle(), [])
  assert.deepEqual(await agent.settle(), [
    `:spark NOTICE agent :${name} mentioned you in #c: @agent @\u200bann @\u200bagent`,
  ])
})

test('a filtered delivery is answered 200 skipped, nothing is posted, and the handler does not run', async () => {
  const yaml = `bot: {name: ${name}, owner: spark-ori}
trigger: {filter: {events: [push], matches: {body.ref: "^refs/heads/(main|release-.*)$"}}}
output: {channels: ["#c"]}
`
  const handler =
    'export async function handle(payload, bot) { bot.state.runs = (bot.state.runs ?? 0) + 1; return `run ${bot.state.runs}` }\n'
  await using rig = await startRig({ bots: { [name]: yaml, [`${name}/handler.mjs`]: handler } })
  const send = (ref: string, event: string) =>
    post(`${rig.url}/${name}`, { ref }, { 'X-GitHub-Event': event })
  const filtered = await send('refs/heads/topic', 'push')
  assert.deepEqual(
    [filtered.status, filtered.json['status'], filtered.json['message']],
    [200, 'skipped', null],
  )
  assert.equal((await send('refs/heads/main', 'star')).json['status'], 'skipped')
  assert.equal((await send('refs/heads/release-1', 'push')).json['message'], 'run 1')
  const rows = await rig.server.store.deliveries.list({ bot: name, limit: 10 })
  assert.deepEqual(
    rows.map(({ event, status, reason }) => [event, status, reason]),
    [
      [
        'push',
        'skipped',
        'filtered: trigger.filter.matches: body.ref does not match ^refs/heads/(main|release-.*)$',
      ],
      ['star', 'skipped', 'filtered: trigger.filter.events: star is not among them'],
      ['push', 'posted', null],
    ],
  )
})

test('a replay has the event and the headers of the first time', async () => {
  const yaml = (template: string): string => `bot: {name: ${name}, owner: spark-ori}
trigger: {event: body.kind}
output: {fallback: error, templates: {made: "${template}"}}
`
  await using rig = await startRig({ bots: { [name]: yaml('{headers.x-a} {nope} {body.gone}') } })
  const failed = await post(`${rig.url}/${name}`, { kind: 'made' }, { 'X-A': 'kept' })
  assert.deepEqual([failed.status, failed.json['error']], [500, 'internal error'])
  const id = String(failed.json['id'])
  const row = await rig.server.store.deliveries.get(id)
  assert.deepEqual(row?.unresolved, ['nope', 'body.gone'])
  assert.equal(row?.error, 'output.templates.made uses values that the payload lacks: nope, body.gone')
  writeFileSync(`${rig.home.bots}/${name}/bot.yaml`, yaml('{headers.x-a} {event}'))
  assert.ok((await rig.server.bots.start(name)).ok)
  const again = await rig.server.deliveries.replay(id)
  assert.deepEqual(again.body, { ok: true, id, status: 'posted', message: 'kept made', channels: [] })
})

test('a JSON fallback has at most three lines, and is complete in the record', async () => {
  const yaml = `bot: {name: ${name}, owner: spark-ori}\noutput: {channels: ["#c"], template: "{nope}"}\n`
  await using rig = await startRig({ bots: { [name]: yaml } })
  using ann = await Person.join(rig.ircPort, 'ann', { channels: '#c' })
  const small = await post(`${rig.url}/${name}`, { a: 1.5 })
  assert.equal(small.json['message'], '{"a":1.5}')
  assert.deepEqual(await ann.settle(), [`:${name}!bot@spark PRIVMSG #c :{"a":1.5}`])
  const large = { text: 'x'.repeat(5_000) }
  const { json } = await post(`${rig.url}/${name}`, large)
  const lines = await ann.settle()
  assert.equal(lines.length, 3)
  assert.match(lines[2] ?? '', /PRIVMSG #c :… \(\+\d+ lines, delivery [^ ]+\)$/)
  const [first, second, mark] = lines.map((line) => line.replace(/^.*? PRIVMSG #c :/, ''))
  assert.equal(json['message'], `${first}${second}\n${mark}`)
  const row = await rig.server.store.deliveries.get(String(json['id']))
  assert.deepEqual([row?.text, row?.unresolved], [JSON.stringify(large), ['nope']])
})
