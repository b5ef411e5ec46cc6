// Bots that react to events: no loop, no flood, nothing twice after a restart, nothing recorded is lost.
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { TestClock } from './clock.ts'
import { hookline, startCommand } from './command.ts'
import { Person } from './person.ts'
import { ask, post } from './post.ts'
import { botFile, records, until } from './reactions.ts'
import { type Rig, startRig, temporaryHome, writeBots } from './rig.ts'

const HOUR = 3_600_000

test('bot messages trigger no bot: two that react to every message answer a person, and not each other', async () => {
  const echo = (name: string) => botFile(name, 'type: event, on: [message, join]', 'template: "{event}"')
  await using rig = await startRig({
    bots: { 'spark-ori-a': echo('spark-ori-a'), 'spark-ori-b': echo('spark-ori-b') },
  })
  using ann = await Person.join(rig.ircPort, 'ann')
  ann.type('JOIN #log')
  await records(rig, 2)
  for (const count of [4, 6, 8]) {
    ann.type('PRIVMSG #log :hello')
    await records(rig, count)
  }
  // Nor does what the command line says for the operator.
  assert.equal((await hookline(rig.home, 'send', '#log', 'hello')).code, 0)
  ann.type('PRIVMSG #log :once more')
  const all = await records(rig, 10)
  assert.deepEqual(
    all.map(({ event }) => event),
    [...Array<string>(2).fill('chat.join'), ...Array<string>(8).fill('chat.message')],
  )
  assert.equal(rig.spoken.filter(({ isBot }) => isBot).length, 10)
})

test('three bots that react to each other’s deliveries in a ring: three answers, then an end with the reason', async () => {
  await using rig = await startRig({
    bots: {
      'spark-ori-ci': botFile('spark-ori-ci', '', 'template: "{body.text}"'),
      'spark-ori-a': reacts('spark-ori-a', 'bots: [spark-ori-ci, spark-ori-c]'),
      'spark-ori-b': reacts('spark-ori-b', 'bots: [spark-ori-a]'),
      'spark-ori-c': reacts('spark-ori-c', 'bots: [spark-ori-b]'),
    },
  })
  await post(`${rig.url}/spark-ori-ci`, { text: 'green' })
  const all = await records(rig, 5)
  assert.deepEqual(
    all.map(({ bot, status, text }) => `${bot} ${status} ${text}`),
    [
      'spark-ori-ci posted green',
      'spark-ori-a posted spark-ori-ci posted 1',
      'spark-ori-b posted spark-ori-a posted 2',
      'spark-ori-c posted spark-ori-b posted 3',
      'spark-ori-a skipped null',
    ],
  )
  assert.match(all[4]?.reason ?? '', /the chain ends here/)
  // The end of a chain triggers nobody: the next post is the next record.
  await post(`${rig.url}/spark-ori-ci`, { text: 'red' })
  assert.equal((await records(rig, 10))[5]?.text, 'red')
})

test('two bots that react to every delivery end too, and none reacts to itself', async () => {
  await using rig = await startRig({
    bots: {
      'spark-ori-ci': botFile('spark-ori-ci', '', 'template: "{body.text}"'),
      'spark-ori-a': reacts('spark-ori-a', 'rate: 100/1s'),
      'spark-ori-b': reacts('spark-ori-b', 'rate: 100/1s'),
    },
  })
  await post(`${rig.url}/spark-ori-ci`, { text: 'green' })
  const all = await records(rig, 9)
  assert.equal(all.filter(({ status }) => status === 'posted').length, 7)
  assert.equal(all.filter(({ status }) => status === 'skipped').length, 2)
  const selves = all.filter(({ bot, text }) => text?.startsWith(`${bot} `))
  assert.deepEqual(selves, [])
})

test('a bot that reacts to failures says whose and why; replays count, other outcomes do not', async () => {
  const watch = 'type: event, on: delivery, outcome: failed'
  await using rig = await startRig({
    bots: {
      'spark-ori-ci': botFile('spark-ori-ci', '', ''),
      'spark-ori-ci/handler.py':
        'def handle(payload, bot):\n    if "text" in payload: return payload["text"]\n    raise ValueError("no text")\n',
      'spark-ori-watch': botFile('spark-ori-watch', watch, 'template: "{bot} failed: {error}"'),
    },
  })
  assert.equal((await post(`${rig.url}/spark-ori-ci`, { text: 'fine' })).status, 200)
  const { json } = await post(`${rig.url}/spark-ori-ci`, {})
  const said = () => rig.spoken.filter(({ from }) => from === 'spark-ori-watch').map(({ text }) => text)
  await until(rig, () => said().length === 1)
  assert.match(said()[0] ?? '', /^spark-ori-ci failed: ValueError: no text/)
  await rig.server.deliveries.replay(String(json['id']))
  await until(rig, () => said().length === 2)
})

test('beyond its rate a bot does not react; its owner is told at once, then once a minute how often', async () => {
  const clock = new TestClock(Date.UTC(2026, 3, 3, 9, 0))
  await using rig = await startRig({
    clock,
    bots: { 'spark-ori-echo': botFile('spark-ori-echo', 'type: event, on: message', 'template: "{text}"') },
  })
  using owner = await Person.join(rig.ircPort, 'spark-ori')
  using ann = await Person.join(rig.ircPort, 'ann')
  ann.type('JOIN #log', ...Array.from({ length: 25 }, (_, n) => `PRIVMSG #log :${n}`))
  await records(rig, 10)
  assert.match(await owner.until(/NOTICE/), /spark-ori-echo is missing events: .*10\/10s/)
  clock.moveTo(clock.now() + 60_000)
  assert.match(await owner.until(/NOTICE/), /spark-ori-echo missed 14 more events in the last minute/)
  clock.moveTo(clock.now() + 120_000)
  ann.type('PRIVMSG #log :again')
  assert.equal((await records(rig, 11)).at(-1)?.text, 'again')
  assert.deepEqual(await owner.settle(), [])

  ann.type(...Array.from({ length: 25 }, (_, n) => `PRIVMSG #log :${n}`))
  await ann.settle()
  clock.jumpTo(clock.now() - HOUR)
  clock.moveTo(clock.now() + 60_000)
  await owner.until(/NOTICE.*missed 15 more events/)
})

test('the number of missed reactions is also reported if the server stops before the minute is over', async (t) => {
  const home = temporaryHome(t)
  const bots = {
    'spark-ori-echo': botFile('spark-ori-echo', 'type: event, on: message', 'template: "{text}"'),
  }
  {
    const clock = new TestClock(Date.UTC(2026, 3, 3, 9, 0))
    await using rig = await startRig({ clock, home, bots })
    using ann = await Person.join(rig.ircPort, 'ann')
    ann.type('JOIN #log', ...Array.from({ length: 25 }, (_, n) => `PRIVMSG #log :${n}`))
    await ann.settle()
    await records(rig, 10)
  }
  await using rig = await startRig({ home })
  using owner = await Person.connect(rig.ircPort)
  owner.type('NICK spark-ori', 'USER ori 0 * :Ori')
  await owner.until(/NOTICE.*is missing events/)
  await owner.until(/NOTICE.*spark-ori-echo missed 14 more events/)
})

test('events dropped because the server is stopping are not reported as lost', async (t) => {
  const home = temporaryHome(t)
  const fast = 'rate: 10000/1s'
  const rig = await startRig({
    home,
    bots: {
      'spark-ori-ci': botFile('spark-ori-ci', `type: event, on: message, ${fast}`, 'template: "{text}"'),
      'spark-ori-w': reacts('spark-ori-w', `bots: [spark-ori-ci], ${fast}`),
    },
  })
  using ann = await Person.join(rig.ircPort, 'ann')
  // Fewer than may end at once: of those there would be a word, and rightly.
  ann.type('JOIN #log', ...Array.from({ length: 95 }, (_, n) => `PRIVMSG #log :${n}`))
  await until(rig, () => rig.spoken.some(({ isBot }) => isBot))
  rig.server.stop()
  await rig.server.stopped

  await using later = await startRig({ home })
  using owner = await Person.join(later.ircPort, 'spark-ori')
  assert.deepEqual(
    (await owner.settle()).filter((line) => line.includes('NOTICE')),
    [],
  )
})

test('a bot without a webhook has no URL: 404, and why', async () => {
  await using rig = await startRig({
    bots: { 'spark-ori-greet': botFile('spark-ori-greet', 'type: event, on: join', '') },
  })
  const answer = await post(`${rig.url}/spark-ori-greet`, {})
  assert.equal(answer.status, 404)
  assert.deepEqual(answer.json, {
    error: 'bot not found',
    detail: 'this bot has no webhook: its trigger is event',
  })
  assert.equal((await ask(`${rig.url}/spark-ori-greet`)).status, 404)
})

test('a bot reacts from its start until it is stopped, as its current file says', async () => {
  const name = 'spark-ori-greet'
  await using rig = await startRig({
    bots: { [name]: botFile(name, 'type: event, on: join', 'template: "1"') },
  })
  using ann = await Person.join(rig.ircPort, 'ann')
  ann.type('JOIN #log')
  await records(rig, 1)
  await rig.server.bots.stop(name)
  ann.type('PART #log', 'JOIN #log')
  await ann.settle()
  writeBots(rig.home, { [name]: botFile(name, 'type: event, on: part', 'template: "2"') })
  assert.ok((await rig.server.bots.start(name)).ok)
  ann.type('JOIN #other', 'PART #other', 'PART #log')
  assert.deepEqual(
    (await records(rig, 2)).map(({ event, text }) => `${event} ${text}`),
    ['chat.join 1', 'chat.part 2'],
  )
})

test('a bot that names a channel twice sees it once', async () => {
  const trigger = 'type: event, on: [nick, quit], in: ["#log", "#LOG", "#tea"]'
  const name = 'spark-ori-a'
  await using rig = await startRig({ bots: { [name]: botFile(name, trigger, 'template: "{channels}"') } })
  using ann = await Person.join(rig.ircPort, 'ann')
  ann.type('JOIN #log,#tea', 'NICK anna')
  assert.equal((await records(rig, 1))[0]?.text, '["#log","#tea"]')
})

test('a message of many blanks is matched in time linear in its length', async () => {
  const name = 'spark-ori-a'
  const trigger = 'type: event, on: message, match: {command: "!go"}'
  const config = 'limits: {flood_protection: false, multiline_bytes: 65536, multiline_lines: 256}\n'
  await using rig = await startRig({ config, bots: { [name]: botFile(name, trigger, 'template: "{args}"') } })
  using ann = await Person.join(rig.ircPort, 'ann', { caps: 'batch draft/multiline' })
  ann.type('JOIN #log', 'BATCH +1 draft/multiline #log')
  const blanks = '@batch=1;draft/multiline-concat PRIVMSG #log :'
  ann.type('@batch=1 PRIVMSG #log :!go a', ...Array<string>(150).fill(blanks + ' '.repeat(400)))
  ann.type(`${blanks}b`)
  await ann.settle()
  // Of this thread alone, in which the server is too: others may take the processor meanwhile.
  const before = process.threadCpuUsage()
  ann.type('BATCH -1')
  await ann.settle()
  const { user, system } = process.threadCpuUsage(before)
  assert.ok(user + system < 1_000_000, `${user + system} µs`)
  assert.equal((await records(rig, 1))[0]?.event, 'chat.message')
})

test('kill -9 while a bot works on an event: it is posted once, after the next start', async (t) => {
  const name = 'spark-ori-slow'
  const home = temporaryHome(t)
  const [called, go] = [join(home.folder, 'called'), join(home.folder, 'go')]
  writeBots(home, {
    [name]: botFile(name, 'type: event, on: message, match: {command: "!go"}', ''),
    [`${name}/handler.mjs`]: `import { existsSync, writeFileSync } from 'node:fs'
     export async function handle(payload) {
       writeFileSync(${JSON.stringify(called)}, '')
       while (!existsSync(${JSON.stringify(go)})) await new Promise(setImmediate)
       return 'went ' + payload.args
     }`,
  })
  {
    await using server = await startCommand(home)
    using ann = await Person.join(server.ircPort, 'ann')
    ann.type('JOIN #log', 'PRIVMSG #log :!go on')
    while (!existsSync(called)) await ann.settle()
    server.child.kill('SIGKILL')
    await server.exit
  }
  writeFileSync(go, '')
  await using rig = await startRig({ home })
  assert.deepEqual(
    (await records(rig, 1)).map(({ text, status }) => `${status} ${text}`),
    ['posted went on'],
  )
  await until(rig, () => rig.spoken.some(({ text }) => text === 'went on'))
  assert.equal((await rig.server.store.history('#log', 100)).filter(({ isBot }) => isBot).length, 1)
})

for (const [how, end] of Object.entries({
  stopped: (rig: Rig) => rig.server.bots.stop('spark-ori-echo'),
  deleted: (rig: Rig) => rig.server.bots.remove('spark-ori-echo'),
})) {
  test(`a bot that is ${how} before its reaction is recorded does not react, and its owner hears nothing`, async () => {
    await using rig = await startRig({
      bots: {
        'spark-ori-ci': botFile('spark-ori-ci', '', 'template: "{body.text}"'),
        'spark-ori-echo': reacts('spark-ori-echo', 'bots: [spark-ori-ci]'),
      },
    })
    using owner = await Person.join(rig.ircPort, 'spark-ori')
    const unwatch = rig.server.watch('#log', () => queueMicrotask(() => end(rig)))
    await post(`${rig.url}/spark-ori-ci`, { text: 'green' })
    unwatch()
    await post(`${rig.url}/spark-ori-ci`, { text: 'red' })
    assert.deepEqual(
      (await records(rig, 2)).map(({ text }) => text),
      ['green', 'red'],
    )
    assert.deepEqual(await owner.settle(), [])
  })
}

function reacts(name: string, to: string): string {
  return botFile(name, `type: event, on: delivery, ${to}`, 'template: "{bot} {status} {depth}"')
}
