// A bot's timers are not forgotten because the disk temporarily refuses to record them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseBotFile } from '../src/bots/botfile.ts'
import type { Bot } from '../src/bots/roster.ts'
import { StoreFailure } from '../src/store/failure.ts'
import { openStore } from '../src/store/store.ts'
import { Alarm } from '../src/triggers/alarm.ts'
import { Schedules } from '../src/triggers/schedules.ts'
import { Triggers } from '../src/triggers/triggers.ts'
import { TestClock } from './clock.ts'
import { temporaryHome } from './rig.ts'

const hour = 3_600_000
const begin = Date.UTC(2026, 3, 1)
const name = 'spark-ori-demo'
const file = `bot: {name: ${name}, owner: spark-ori}
trigger: {expect: every 24h, expires: "2026-04-03"}
output: {template: "{body.text}"}
`

test('if the disk refuses to record a bot’s timers, silence and expiry are still reported', async (t) => {
  const home = temporaryHome()
  const store = await openStore(home.data, { log: silent })
  t.after(() => store.close())
  const clock = new TestClock(begin)
  const saved: string[] = []
  const told: string[] = []
  let isFull = true
  const refused = Promise.withResolvers<void>()
  const missed = Promise.withResolvers<string | null>()
  const triggers = new Triggers({
    bots: { get: () => bot, list: () => [bot] },
    deliveries: {
      accept: (_bot, _payload, { event }) => {
        missed.resolve(event)
        return Promise.resolve({ status: 202, body: { ok: true, id: 'd-1', status: 'queued' } })
      },
    },
    store,
    memory: {
      load: () => Promise.resolve(undefined),
      save: (_, json) => {
        if (isFull) return Promise.reject(new Error('the disk is full'))
        saved.push(json)
        return Promise.resolve()
      },
    },
    clock,
    log: { ...silent, error: () => refused.resolve() },
    tellOwner: (_, text) => told.push(text),
  })
  await triggers.start({ observe: () => () => {}, state: undefined as never })
  await refused.promise
  isFull = false
  clock.moveTo(begin + hour)
  assert.match(told.join(), /^spark-ori-demo expires at 2026-04-03/)
  const noted = saved.filter((json) => json.includes('isTold'))
  assert.equal(noted.length, 1, 'what was refused is noted an hour later')
  clock.moveTo(begin + 24 * hour)
  assert.equal(await missed.promise, 'expect.missed')
})

test('with catch_up a run that the disk refuses is tried again each minute', async () => {
  const clock = new TestClock(begin)
  const accepted: (string | null)[] = []
  let tries = 0
  const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const schedules = new Schedules({
    bots: { get: () => botOf(daily) },
    deliveries: {
      accept: (_bot, _payload, { key }) => {
        accepted.push(key)
        const isFull = tries < 2
        setImmediate(() => asked[tries++]?.resolve())
        return Promise.resolve(
          isFull
            ? { status: 503, body: { error: 'storage is full' } }
            : { status: 200, body: { ok: true, id: 'd-1', status: 'queued' } },
        )
      },
    },
    memory: { load: () => Promise.resolve(undefined), save: () => Promise.resolve() },
    alarm: new Alarm(clock, () => {}),
    clock,
    log: silent,
  })
  await schedules.refresh(name)
  clock.moveTo(begin + 24 * hour)
  for (const { promise } of asked) {
    await promise
    clock.moveTo(clock.now() + 60_000)
  }
  clock.moveTo(clock.now() + hour)
  assert.deepEqual(accepted, Array<string>(3).fill('schedule:2026-04-02T00:00:00.000Z'))
})

test('that a bot is stopped in the moment of its run is not called a failure', async () => {
  const clock = new TestClock(begin)
  const logged: string[] = []
  let isStopped = false
  const schedules = new Schedules({
    bots: { get: () => (isStopped ? { ...botOf(daily), status: 'inactive' } : botOf(daily)) },
    deliveries: {
      accept: () => {
        isStopped = true
        return Promise.resolve({ status: 503, body: { error: 'bot not active' } })
      },
    },
    memory: { load: () => Promise.resolve(undefined), save: () => Promise.resolve() },
    alarm: new Alarm(clock, () => {}),
    clock,
    log: { ...silent, error: (_, text) => void logged.push(text) },
  })
  await schedules.refresh(name)
  clock.moveTo(begin + 24 * hour)
  await schedules.refresh(name)
  await new Promise(setImmediate)
  assert.deepEqual([isStopped, logged], [true, []])
})

test('a run that was recorded is not called a failure because the disk refuses to note it', async () => {
  const clock = new TestClock(begin)
  const logged = Promise.withResolvers<string>()
  let isFull = false
  const schedules = new Schedules({
    bots: { get: () => botOf(daily) },
    deliveries: {
      accept: () => {
        isFull = true
        return Promise.resolve({ status: 202, body: { ok: true, id: 'd-1', status: 'queued' } })
      },
    },
    memory: {
      load: () => Promise.resolve(undefined),
      save: () => (isFull ? Promise.reject(new StoreFailure('full', 'the disk is full')) : Promise.resolve()),
    },
    alarm: new Alarm(clock, () => {}),
    clock,
    log: { ...silent, warn: (_, text) => logged.resolve(text), error: (_, text) => logged.resolve(text) },
  })
  await schedules.refresh(name)
  clock.moveTo(begin + 24 * hour)
  assert.equal(await logged.promise, 'a scheduled run was recorded, but could not be noted')
})

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const bot = botOf(file)
const daily = `bot: {name: ${name}, owner: spark-ori}
trigger: {type: schedule, cron: "@daily", timezone: UTC, catch_up: true}
`

function botOf(text: string): Bot {
  const read = parseBotFile(text, 'bot.yaml', name)
  return {
    name,
    folder: '',
    settings: read.ok ? read.settings : assert.fail(read.problems.join()),
    status: 'active',
    problems: [],
    warnings: [],
    handler: undefined,
    user: undefined,
  }
}
