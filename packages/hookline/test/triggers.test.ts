// Bots that react: no loop, no flood, nothing twice after a restart, nothing lost that was recorded.
import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Home } from '../src/home.ts'
import type { DeliveryRecord } from '../src/store/deliveryrows.ts'
import { TestClock } from './clock.ts'
import { hookline, startCommand } from './command.ts'
import { Person } from './person.ts'
import { ask, post } from './post.ts'
import { type Rig, startRig, temporaryHome } from './rig.ts'

const HOUR = 3_600_000

test('what bots say wakes no bot: two that react to every message answer a person, and not each other', async () => {
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
  // Also not what the command line says for the operator.
  assert.equal((await hookline(rig.home, 'send', '#log', 'hello')).code, 0)
  ann.type('PRIVMSG #log :once more')
  const all = await records(rig, 10)
  assert.deepEqual(
    all.map(({ event }) => event),
    [...Array<string>(2).fill('chat.join'), ...Array<string>(8).fill('chat.message')],
  )
  assert.equal(rig.spoken.filter(({ isBot }) => isBot).length, 10)
})

test('three bots in a ring that react to each other’s deliveries: three answers, then an end that says why', async () => {
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
  // The end of a chain wakes nobody: what is posted next is the next record.
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

test('beyond its rate a bot does not react; its owner hears at once, then once a minute how often', async () => {
  const clock = new TestClock(Date.UTC(2026, 3, 3, 9, 0))
  await using rig = await startRig({
    clock,
    bots: { 'spark-ori-echo': botFile('spark-ori-echo', 'type: event, on: message', 'template: "{text}"') },
  })
  using owner = await Person.join(rig.ircPort, 'spark-ori')
  using ann = await Person.join(rig.ircPort, 'ann')
  ann.type('JOIN #log', ...Array.from({ length: 25 }, (_, n) => `PRIVMSG #log :${n}`))
  await records(rig, 10)
  assert.match(await owner.until(/NOTICE/), /spark-ori-echo does not react to everything now: .*10\/10s/)
  clock.moveTo(clock.now() + 60_000)
  assert.match(await owner.until(/NOTICE/), /spark-ori-echo did not react 14 more times in the last minute/)
  clock.moveTo(clock.now() + 120_000)
  ann.type('PRIVMSG #log :again')
  assert.equal((await records(rig, 11)).at(-1)?.text, 'again')
  assert.deepEqual(await owner.settle(), [])

  ann.type(...Array.from({ length: 25 }, (_, n) => `PRIVMSG #log :${n}`))
  await ann.settle()
  clock.jumpTo(clock.now() - HOUR)
  clock.moveTo(clock.now() + 60_000)
  await owner.until(/NOTICE.*did not react 15 more times/)
})

test('how often a bot did not react is told also where the server stops before the minute is over', async () => {
  const home = temporaryHome()
  const bots = {
    'spark-ori-echo': botFile('spark-ori-echo', 'type: event, on: message', 'template: "{text}"'),
  }
  {
    const clock = new TestClock(Date.UTC(2026, 3, 3, 9, 0))
    await using rig = await startRig({ clock, home, keepsHome: true, bots })
    using ann = await Person.join(rig.ircPort, 'ann')
    ann.type('JOIN #log', ...Array.from({ length: 25 }, (_, n) => `PRIVMSG #log :${n}`))
    await ann.settle()
    await records(rig, 10)
  }
  await using rig = await startRig({ home })
  using owner = await Person.connect(rig.ircPort)
  owner.type('NICK spark-ori', 'USER ori 0 * :Ori')
  await owner.until(/NOTICE.*does not react to everything now/)
  await owner.until(/NOTICE.*spark-ori-echo did not react 14 more times/)
})

test('what no longer counts because the server stops is told to nobody as lost', async () => {
  const home = temporaryHome()
  try {
    const fast = 'rate: 10000/1s'
    const rig = await startRig({
      home,
      keepsHome: true,
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
  } finally {
    rmSync(home.folder, { recursive: true, force: true })
  }
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

test('a bot reacts from when it is started until it is stopped, and as its file says now', async () => {
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
  const edited = botFile(name, 'type: event, on: part', 'template: "2"')
  writeFileSync(join(rig.home.bots, name, 'bot.yaml'), edited)
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

test('a message of many blanks is looked through in time linear to it', async () => {
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
  const began = performance.now()
  ann.type('BATCH -1')
  await ann.settle()
  assert.ok(performance.now() - began < 1_000)
  assert.equal((await records(rig, 1))[0]?.event, 'chat.message')
})

test('a silence is told once over restarts, also when it began before and ended while no server ran', async () => {
  const name = 'spark-ori-backup'
  const home = temporaryHome()
  const clock = new TestClock(Date.UTC(2026, 3, 3, 9, 15))
  const options = { home, clock, keepsHome: true }
  const told = async (rig: Rig) =>
    (await all(rig)).filter(({ event }) => event === 'expect.missed').map(({ text }) => text)
  try {
    {
      const bots = { [name]: botFile(name, 'expect: every 24h', 'template: "{body.text}"') }
      await using rig = await startRig({ ...options, bots })
      await post(`${rig.url}/${name}`, { text: 'done' })
      clock.moveTo(clock.now() + 20 * HOUR)
    }
    {
      await using rig = await startRig(options)
      clock.moveTo(clock.now() + 3 * HOUR)
      assert.deepEqual(await told(rig), [])
      clock.moveTo(clock.now() + HOUR)
      await records(rig, 2)
      assert.deepEqual(await told(rig), ['no webhook for 24 h (last one 2026-04-03 09:15 UTC)'])
    }
    clock.jumpTo(clock.now() + 30 * HOUR)
    {
      await using rig = await startRig(options)
      clock.moveTo(clock.now() + 30 * HOUR)
      await rig.server.store.deliveries.pending()
      assert.equal((await told(rig)).length, 1)
      await post(`${rig.url}/${name}`, { text: 'done again' })
    }
    // Four days with no server: it waits a minute after the start, for those who should read it.
    clock.jumpTo(clock.now() + 96 * HOUR)
    await using rig = await startRig({ ...options, keepsHome: false })
    clock.moveTo(clock.now() + 59_000)
    assert.equal((await told(rig)).length, 1)
    clock.moveTo(clock.now() + 1_000)
    await records(rig, 4)
    assert.match((await told(rig))[1] ?? '', /^no webhook for 4 d \(last one 2026-04-06/)
  } finally {
    rmSync(home.folder, { recursive: true, force: true })
  }
})

test('a bot that is made anew has missed no run of the one that was deleted, and heard nothing of what came for it', async () => {
  const [daily, quiet] = ['spark-ori-daily', 'spark-ori-quiet']
  const home = temporaryHome()
  const clock = new TestClock(Date.UTC(2026, 3, 3, 8, 30))
  const bots = {
    [daily]: botFile(
      daily,
      'type: schedule, cron: "0 9 * * *", timezone: UTC, catch_up: true',
      'template: "9"',
    ),
    [quiet]: botFile(quiet, 'expect: every 24h', 'template: "{body.text}"'),
  }
  {
    await using rig = await startRig({ home, clock, bots, keepsHome: true })
    await post(`${rig.url}/${quiet}`, { text: 'done' })
  }
  clock.jumpTo(Date.UTC(2026, 3, 3, 15))
  await using rig = await startRig({ home, clock })
  for (const [name, file] of Object.entries(bots)) {
    assert.ok(rig.server.bots.remove(name).ok)
    write(home, name, 'bot.yaml', file)
    assert.ok((await rig.server.bots.start(name)).ok)
  }
  await until(rig, async () => {
    const noted = await rig.server.store.botState.load(`${quiet}:expect`)
    return noted?.includes(`"since":${clock.now()},`) === true
  })
  clock.moveTo(Date.UTC(2026, 3, 4, 15))
  assert.deepEqual(
    (await records(rig, 3)).map(({ text }) => text),
    ['done', '9', 'no webhook for 24 h (none yet)'],
  )
})

test('a run is told once, also when the server starts again in its minute or the clock is set back', async () => {
  const name = 'spark-ori-daily'
  const home = temporaryHome()
  const clock = new TestClock(Date.UTC(2026, 3, 3, 8, 59, 59))
  const options = { home, clock, keepsHome: true }
  {
    const bots = {
      [name]: botFile(name, 'type: schedule, cron: "0 9 * * *", timezone: UTC', 'template: "9"'),
    }
    await using rig = await startRig({ ...options, bots })
    clock.moveTo(clock.now() + 1_000)
    await records(rig, 1)
    clock.jumpTo(Date.UTC(2026, 3, 3, 8, 58))
    clock.moveTo(Date.UTC(2026, 3, 3, 9, 10))
    assert.equal((await all(rig)).length, 1)
    clock.jumpTo(Date.UTC(2026, 3, 3, 8, 59))
  }
  await using rig = await startRig({ ...options, keepsHome: false })
  clock.moveTo(Date.UTC(2026, 3, 3, 9, 1))
  clock.moveTo(Date.UTC(2026, 3, 4, 9, 0))
  assert.deepEqual(
    (await records(rig, 2)).map(({ receivedAt }) => new Date(receivedAt).toISOString()),
    ['2026-04-03T09:00:00.000Z', '2026-04-04T09:00:00.000Z'],
  )
})

test('runs that were missed are gone; with catch_up the last of them is made up for, once', async () => {
  const trigger = (more: string) => `type: schedule, cron: "0 * * * *", timezone: UTC${more}`
  const home = temporaryHome()
  const clock = new TestClock(Date.UTC(2026, 3, 3, 9, 30))
  const options = { home, clock, keepsHome: true }
  {
    const bots = {
      'spark-ori-never': botFile('spark-ori-never', trigger(''), 'template: "{scheduled_at}"'),
      'spark-ori-once': botFile('spark-ori-once', trigger(', catch_up: true'), 'template: "{scheduled_at}"'),
    }
    await using rig = await startRig({ ...options, bots })
    assert.equal((await all(rig)).length, 0)
  }
  clock.jumpTo(Date.UTC(2026, 3, 3, 14, 10))
  for (const keepsHome of [true, false]) {
    await using rig = await startRig({ ...options, keepsHome })
    clock.moveTo(clock.now() + 120_000)
    assert.deepEqual(
      (await records(rig, 1)).map(({ bot, text }) => `${bot} ${text}`),
      ['spark-ori-once 2026-04-03T14:00:00.000Z'],
    )
  }
})

test('what an edit brings has missed nothing: neither other times, nor catch_up where there was none', async () => {
  const [moved, switched, between] = ['spark-ori-moved', 'spark-ori-switched', 'spark-ori-between']
  const file = (name: string, hour: number, catchUp: boolean) =>
    botFile(
      name,
      `type: schedule, cron: "0 ${hour} * * *", timezone: UTC, catch_up: ${catchUp}`,
      'template: "{scheduled_at}"',
    )
  const home = temporaryHome()
  const clock = new TestClock(Date.UTC(2026, 3, 3, 8, 30))
  const options = { home, clock, keepsHome: true }
  const edit = async (rig: Rig, name: string, text: string) => {
    write(home, name, 'bot.yaml', text)
    assert.equal(await rig.server.bots.refresh(name), undefined)
    // What it remembers is read, then written.
    for (const _step of ['read', 'written']) await rig.server.store.botState.load(name)
  }
  {
    const bots = {
      [moved]: file(moved, 9, true),
      [between]: file(between, 9, true),
      [switched]: file(switched, 11, true),
    }
    await using rig = await startRig({ ...options, bots })
    await edit(rig, switched, file(switched, 11, false))
    clock.moveTo(Date.UTC(2026, 3, 3, 9))
    await records(rig, 2)
  }
  clock.jumpTo(Date.UTC(2026, 3, 3, 15))
  {
    await using rig = await startRig(options)
    clock.moveTo(clock.now() + 60_000)
    await edit(rig, moved, file(moved, 10, true))
    await edit(rig, switched, file(switched, 11, true))
  }
  write(home, between, 'bot.yaml', file(between, 10, true))
  clock.jumpTo(Date.UTC(2026, 3, 3, 15, 30))
  {
    await using rig = await startRig(options)
    clock.moveTo(Date.UTC(2026, 3, 4, 8))
    assert.equal((await records(rig, 2)).length, 2)
  }
  clock.jumpTo(Date.UTC(2026, 3, 4, 15))
  await using rig = await startRig({ ...options, keepsHome: false })
  clock.moveTo(clock.now() + 60_000)
  assert.deepEqual(
    (await records(rig, 5)).map(({ bot, text }) => `${bot} ${text}`).toSorted(),
    [
      `${between} 2026-04-03T09:00:00.000Z`,
      `${between} 2026-04-04T10:00:00.000Z`,
      `${moved} 2026-04-03T09:00:00.000Z`,
      `${moved} 2026-04-04T10:00:00.000Z`,
      `${switched} 2026-04-04T11:00:00.000Z`,
    ],
    'what they miss from then on is made up for',
  )
})

test('a run that an older version noted, without its schedule, is of this one', async () => {
  const name = 'spark-ori-daily'
  const home = temporaryHome()
  const clock = new TestClock(Date.UTC(2026, 3, 3, 12))
  const options = { home, clock, keepsHome: true }
  const trigger = 'type: schedule, cron: "0 9 * * *", timezone: UTC, catch_up: true'
  {
    const bots = { [name]: botFile(name, trigger, 'template: "{scheduled_at}"') }
    await using rig = await startRig({ ...options, bots })
    const last = Date.UTC(2026, 3, 2, 9)
    await rig.server.store.botState.save(`${name}:schedule`, JSON.stringify({ last }))
  }
  await using rig = await startRig({ ...options, keepsHome: false })
  clock.moveTo(clock.now() + 60_000)
  assert.deepEqual(
    (await records(rig, 1)).map(({ text }) => text),
    ['2026-04-03T09:00:00.000Z'],
  )
})

test('a machine that slept through runs makes up for none of them, and goes on with the next', async () => {
  const name = 'spark-ori-hourly'
  const clock = new TestClock(Date.UTC(2026, 3, 3, 9, 30))
  const trigger = 'type: schedule, cron: "0 * * * *", timezone: UTC'
  await using rig = await startRig({
    clock,
    bots: { [name]: botFile(name, trigger, 'template: "{scheduled_at}"') },
  })
  clock.jumpTo(Date.UTC(2026, 3, 3, 14, 10))
  clock.moveTo(Date.UTC(2026, 3, 3, 15, 0))
  assert.deepEqual(
    (await records(rig, 1)).map(({ text }) => text),
    ['2026-04-03T15:00:00.000Z'],
  )
})

test('a clock that was a year ahead and is set right stops no schedule and no silence', async () => {
  const right = Date.UTC(2026, 3, 3, 8, 0)
  const clock = new TestClock(right)
  const [daily, quiet] = ['spark-ori-daily', 'spark-ori-quiet']
  await using rig = await startRig({
    clock,
    bots: {
      [daily]: botFile(daily, 'type: schedule, cron: "0 9 * * *", timezone: UTC', 'template: "9"'),
      [quiet]: botFile(quiet, 'expect: every 2h', 'template: "{n}"'),
    },
  })
  clock.jumpTo(right + 365 * 24 * HOUR)
  await records(rig, 1) // of a silence, for so it looks
  assert.equal((await post(`${rig.url}/${quiet}`, { n: 1 })).status, 200)
  clock.moveTo(clock.now() + 60_000)
  clock.jumpTo(right)
  clock.moveTo(right + HOUR)
  assert.equal((await records(rig, 3)).at(-1)?.text, '9')
  clock.moveTo(right + 3 * HOUR)
  const last = (await records(rig, 4)).at(-1)
  assert.match(last?.text ?? '', /^no webhook for 2 h/)
})

test('kill -9 while a bot works on what happened: it is told after the next start, once', async () => {
  const name = 'spark-ori-slow'
  const home = temporaryHome()
  try {
    const [called, go] = [join(home.folder, 'called'), join(home.folder, 'go')]
    write(home, name, 'bot.yaml', botFile(name, 'type: event, on: message, match: {command: "!go"}', ''))
    write(
      home,
      name,
      'handler.mjs',
      `import { existsSync, writeFileSync } from 'node:fs'
       export async function handle(payload) {
         writeFileSync(${JSON.stringify(called)}, '')
         while (!existsSync(${JSON.stringify(go)})) await new Promise(setImmediate)
         return 'went ' + payload.args
       }`,
    )
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
  } finally {
    rmSync(home.folder, { recursive: true, force: true })
  }
})

function botFile(name: string, trigger: string, output: string): string {
  const parts = ['channels: ["#log"]', ...(output === '' ? [] : [output])]
  return `bot: {name: ${name}, owner: spark-ori}\ntrigger: {${trigger}}\noutput: {${parts.join(', ')}}\n`
}

function reacts(name: string, to: string): string {
  return botFile(name, `type: event, on: delivery, ${to}`, 'template: "{bot} {status} {depth}"')
}

function write(home: Home, bot: string, file: string, text: string): void {
  mkdirSync(join(home.bots, bot), { recursive: true })
  writeFileSync(join(home.bots, bot, file), text)
}

function all(rig: Rig): Promise<readonly DeliveryRecord[]> {
  return rig.server.store.deliveries.list({ limit: 1_000 })
}

/** Once so many are recorded and have an outcome; it fails when there are more. */
async function records(rig: Rig, count: number): Promise<readonly DeliveryRecord[]> {
  let found: readonly DeliveryRecord[] = []
  await until(rig, async () => {
    found = await all(rig)
    return found.length >= count && found.every(({ status }) => status !== 'pending')
  })
  // What they caused in turn is recorded before this answer of the store.
  found = await all(rig)
  assert.equal(found.length, count, JSON.stringify(found, undefined, 1))
  return found
}

async function until(rig: Rig, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 60_000
  while (!(await holds())) {
    if (performance.now() > end)
      assert.fail(`not within a minute: ${JSON.stringify(await all(rig), undefined, 1)}`)
    await rig.server.store.deliveries.pending()
  }
}
