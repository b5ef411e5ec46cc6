// Bots driven by the clock: runs and silences are reported once, across restarts, edits and clock corrections.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Alarm } from '../src/triggers/alarm.ts'
import { TestClock } from './clock.ts'
import { hookline } from './command.ts'
import { post } from './post.ts'
import { allRecords, botFile, records, until } from './reactions.ts'
import { type Rig, startRig, temporaryHome, writeBots } from './rig.ts'

const HOUR = 3_600_000

test('a silence is reported once across restarts, also if it began before and ended while no server ran', async (t) => {
  const name = 'spark-ori-backup'
  const home = temporaryHome(t)
  const clock = new TestClock(Date.UTC(2026, 3, 3, 9, 15))
  const options = { home, clock }
  const told = async (rig: Rig) =>
    (await allRecords(rig)).filter(({ event }) => event === 'expect.missed').map(({ text }) => text)
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
  // Four days without a server: it waits a minute after the start, for its readers.
  clock.jumpTo(clock.now() + 96 * HOUR)
  await using rig = await startRig(options)
  clock.moveTo(clock.now() + 59_000)
  assert.equal((await told(rig)).length, 1)
  clock.moveTo(clock.now() + 1_000)
  await records(rig, 4)
  assert.match((await told(rig))[1] ?? '', /^no webhook for 4 d \(last one 2026-04-06/)
})

test('a silence that ended while no server ran waits a minute for its readers, also if the files are read again', async (t) => {
  const name = 'spark-ori-backup'
  const home = temporaryHome(t)
  const clock = new TestClock(Date.UTC(2026, 3, 3, 9, 15))
  {
    await using _ = await startRig({ home, clock, bots: { [name]: botFile(name, 'expect: every 1h', '') } })
  }
  clock.jumpTo(clock.now() + 2 * HOUR)
  await using rig = await startRig({ home, clock })
  clock.moveTo(clock.now() + 10_000)
  assert.equal((await hookline(home, 'server', 'reload')).code, 0)
  clock.moveTo(clock.now() + 49_000)
  assert.deepEqual(await allRecords(rig), [])
  clock.moveTo(clock.now() + 1_000)
  assert.match((await records(rig, 1))[0]?.text ?? '', /^no webhook for 2 h/)
})

test('a silence begins anew when the bot is stopped and started, not when it is only read again', async () => {
  const clock = new TestClock(Date.UTC(2026, 3, 3, 9, 15))
  const [read, stopped] = ['spark-ori-read', 'spark-ori-stopped']
  const bot = (name: string) => botFile(name, 'expect: every 24h', 'template: "{body.text}"')
  await using rig = await startRig({ clock, bots: { [read]: bot(read), [stopped]: bot(stopped) } })
  clock.moveTo(clock.now() + 20 * HOUR)
  await hookline(rig.home, 'bot', 'stop', stopped)
  for (const name of [read, stopped]) assert.equal((await hookline(rig.home, 'bot', 'start', name)).code, 0)
  // The command does not wait until it is known since when.
  const since = `"since":${clock.now()}`
  await until(
    rig,
    async () => (await rig.server.store.botState.load(`${stopped}:expect`))?.includes(since) === true,
  )
  clock.moveTo(clock.now() + 5 * HOUR)
  assert.deepEqual(
    (await records(rig, 1)).map(({ bot: name }) => name),
    [read],
  )
  clock.moveTo(clock.now() + 19 * HOUR)
  assert.equal((await records(rig, 2))[1]?.bot, stopped)
})

test('of two edits at once the last one says when a silence is too long', async () => {
  const clock = new TestClock(Date.UTC(2026, 3, 3, 9, 15))
  const name = 'spark-ori-backup'
  await using rig = await startRig({ bots: { [name]: botFile(name, '', 'template: "{body.text}"') }, clock })
  const { bots, store } = rig.server
  const saved = () => store.botState.load(`${name}:expect`)
  assert.ok(bots.edit(name, { trigger: { expect: '24h' } }).ok)
  // What is known of the bot is still being read.
  assert.equal(await saved(), undefined)
  assert.ok(bots.edit(name, { trigger: { expect: '10s' } }).ok)
  await until(rig, async () => (await saved()) !== undefined)
  clock.moveTo(clock.now() + 10_000)
  assert.deepEqual(
    (await records(rig, 1)).map(({ text }) => text),
    ['no webhook for 10 s (none yet)'],
  )
})

test('a recreated bot has missed no run of the deleted one, and ignores its deliveries', async (t) => {
  const [daily, quiet] = ['spark-ori-daily', 'spark-ori-quiet']
  const home = temporaryHome(t)
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
    await using rig = await startRig({ home, clock, bots })
    await post(`${rig.url}/${quiet}`, { text: 'done' })
  }
  clock.jumpTo(Date.UTC(2026, 3, 3, 15))
  await using rig = await startRig({ home, clock })
  for (const [name, file] of Object.entries(bots)) {
    assert.ok(rig.server.bots.remove(name).ok)
    writeBots(home, { [name]: file })
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

test('a run is posted once, also if the server restarts in its minute or the clock is set back', async (t) => {
  const name = 'spark-ori-daily'
  const home = temporaryHome(t)
  const clock = new TestClock(Date.UTC(2026, 3, 3, 8, 59, 59))
  const options = { home, clock }
  {
    const bots = {
      [name]: botFile(name, 'type: schedule, cron: "0 9 * * *", timezone: UTC', 'template: "9"'),
    }
    await using rig = await startRig({ ...options, bots })
    clock.moveTo(clock.now() + 1_000)
    await records(rig, 1)
    clock.jumpTo(Date.UTC(2026, 3, 3, 8, 58))
    clock.moveTo(Date.UTC(2026, 3, 3, 9, 10))
    assert.equal((await allRecords(rig)).length, 1)
    clock.jumpTo(Date.UTC(2026, 3, 3, 8, 59))
  }
  await using rig = await startRig(options)
  clock.moveTo(Date.UTC(2026, 3, 3, 9, 1))
  clock.moveTo(Date.UTC(2026, 3, 4, 9, 0))
  assert.deepEqual(
    (await records(rig, 2)).map(({ receivedAt }) => new Date(receivedAt).toISOString()),
    ['2026-04-03T09:00:00.000Z', '2026-04-04T09:00:00.000Z'],
  )
})

test('missed runs are lost; with catch_up the last one is made up for, once', async (t) => {
  const trigger = (more: string) => `type: schedule, cron: "0 * * * *", timezone: UTC${more}`
  const home = temporaryHome(t)
  const clock = new TestClock(Date.UTC(2026, 3, 3, 9, 30))
  const options = { home, clock }
  {
    const bots = {
      'spark-ori-never': botFile('spark-ori-never', trigger(''), 'template: "{scheduled_at}"'),
      'spark-ori-once': botFile('spark-ori-once', trigger(', catch_up: true'), 'template: "{scheduled_at}"'),
    }
    await using rig = await startRig({ ...options, bots })
    assert.equal((await allRecords(rig)).length, 0)
  }
  clock.jumpTo(Date.UTC(2026, 3, 3, 14, 10))
  for (const _start of ['first', 'second']) {
    await using rig = await startRig(options)
    clock.moveTo(clock.now() + 120_000)
    assert.deepEqual(
      (await records(rig, 1)).map(({ bot, text }) => `${bot} ${text}`),
      ['spark-ori-once 2026-04-03T14:00:00.000Z'],
    )
  }
})

test('an edited schedule has missed nothing: neither new times, nor a newly added catch_up', async (t) => {
  const [moved, switched, between] = ['spark-ori-moved', 'spark-ori-switched', 'spark-ori-between']
  const file = (name: string, hour: number, catchUp: boolean) =>
    botFile(
      name,
      `type: schedule, cron: "0 ${hour} * * *", timezone: UTC, catch_up: ${catchUp}`,
      'template: "{scheduled_at}"',
    )
  const home = temporaryHome(t)
  const clock = new TestClock(Date.UTC(2026, 3, 3, 8, 30))
  const options = { home, clock }
  const edit = async (rig: Rig, name: string, text: string) => {
    writeBots(home, { [name]: text })
    assert.equal(await rig.server.bots.refresh(name), undefined)
    // Its memory is read, then written.
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
  writeBots(home, { [between]: file(between, 10, true) })
  clock.jumpTo(Date.UTC(2026, 3, 3, 15, 30))
  {
    await using rig = await startRig(options)
    clock.moveTo(Date.UTC(2026, 3, 4, 8))
    assert.equal((await records(rig, 2)).length, 2)
  }
  clock.jumpTo(Date.UTC(2026, 3, 4, 15))
  await using rig = await startRig(options)
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

test('a run recorded by an older version, without its schedule, counts for the current one', async (t) => {
  const name = 'spark-ori-daily'
  const home = temporaryHome(t)
  const clock = new TestClock(Date.UTC(2026, 3, 3, 12))
  const options = { home, clock }
  const trigger = 'type: schedule, cron: "0 9 * * *", timezone: UTC, catch_up: true'
  {
    const bots = { [name]: botFile(name, trigger, 'template: "{scheduled_at}"') }
    await using rig = await startRig({ ...options, bots })
    const last = Date.UTC(2026, 3, 2, 9)
    await rig.server.store.botState.save(`${name}:schedule`, JSON.stringify({ last }))
  }
  await using rig = await startRig(options)
  clock.moveTo(clock.now() + 60_000)
  assert.deepEqual(
    (await records(rig, 1)).map(({ text }) => text),
    ['2026-04-03T09:00:00.000Z'],
  )
})

test('a machine that slept through runs makes up for none of them, and continues with the next', async () => {
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
  clock.jumpTo(Date.UTC(2026, 3, 3, 18, 0, 30))
  assert.equal((await records(rig, 2))[1]?.text, '2026-04-03T18:00:00.000Z', 'half a minute is not late')
})

test('a time far away is looked at once a minute, since no timer notices sleep or a corrected clock', () => {
  const waits: number[] = []
  const later = (ms: number) => {
    waits.push(ms)
    return () => undefined
  }
  new Alarm({ now: () => 0, later }, () => undefined).set('far', 40 * 24 * HOUR, () => undefined)
  assert.deepEqual(waits, [60_000])
})

test('correcting a clock that was a year ahead stops no schedule and no silence', async () => {
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

test('correcting a clock while no server runs stops no silence', async (t) => {
  const right = Date.UTC(2026, 3, 3, 8, 0)
  const home = temporaryHome(t)
  const clock = new TestClock(right + 365 * 24 * HOUR)
  const name = 'spark-ori-quiet'
  {
    await using rig = await startRig({ home, clock, bots: { [name]: botFile(name, 'expect: every 2h', '') } })
    assert.equal((await post(`${rig.url}/${name}`, { n: 1 })).status, 200)
  }
  clock.jumpTo(right)
  await using rig = await startRig({ home, clock })
  clock.moveTo(right + 2 * HOUR)
  assert.match((await records(rig, 2)).at(-1)?.text ?? '', /^no webhook for 2 h/)
})

test('a clock set back within the first minute after a start delays no run', async () => {
  const clock = new TestClock(Date.UTC(2026, 3, 3, 12))
  const name = 'spark-ori-daily'
  const bots = { [name]: botFile(name, 'type: schedule, cron: "0 9 * * *", timezone: UTC', 'template: "9"') }
  await using rig = await startRig({ clock, bots })
  clock.moveTo(clock.now() + 30_000)
  clock.jumpTo(Date.UTC(2026, 3, 3, 8, 30))
  clock.moveTo(Date.UTC(2026, 3, 3, 9))
  assert.equal((await records(rig, 1))[0]?.text, '9')
})

test('a webhook whose event is called like a silence does not end one', async (t) => {
  const name = 'spark-ori-backup'
  const home = temporaryHome(t)
  const clock = new TestClock(Date.UTC(2026, 3, 3, 9, 15))
  {
    const bots = { [name]: botFile(name, 'expect: every 24h', 'template: "{text}"') }
    await using rig = await startRig({ home, clock, bots })
    clock.moveTo(clock.now() + 60_000)
    await post(`${rig.url}/${name}`, { text: 'done' }, { 'x-github-event': 'expect.missed' })
  }
  await using rig = await startRig({ home, clock })
  clock.moveTo(clock.now() + 24 * HOUR)
  assert.deepEqual(
    (await records(rig, 2)).map(({ text }) => text),
    ['done', 'no webhook for 24 h (last one 2026-04-03 09:16 UTC)'],
  )
})
