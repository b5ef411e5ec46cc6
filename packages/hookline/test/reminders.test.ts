// A bot's timers are not forgotten because the disk temporarily refuses to record them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreFailure } from '../src/store/failure.ts'
import { Alarm } from '../src/triggers/alarm.ts'
import { Schedules, type SchedulesOptions } from '../src/triggers/schedules.ts'
import { Triggers } from '../src/triggers/triggers.ts'
import { TestClock } from './clock.ts'
import { silent } from './log.ts'
import { botIn } from './rigs/bots.ts'
import { newStores } from './rigs/store.ts'

const hour = 3_600_000
const begin = Date.UTC(2026, 3, 1)
const name = 'spark-ori-demo'
const recorded = { status: 202, body: { ok: true, id: 'd-1', status: 'queued' } } as const

test('if the disk refuses to record a bot’s timers, silence and expiry are still reported', async () => {
  await using stores = newStores()
  const store = await stores.open()
  const bot = botIn(
    `bot: {name: ${name}, owner: spark-ori}
trigger: {expect: every 24h, expires: "2026-04-03"}
output: {template: "{body.text}"}
`,
    name,
  )
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
        return Promise.resolve(recorded)
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
  await runs(clock, {
    accept: (_bot, _payload, { key }) => {
      accepted.push(key)
      const isFull = tries < 2
      setImmediate(() => asked[tries++]?.resolve())
      return Promise.resolve(isFull ? { status: 503, body: { error: 'storage is full' } } : recorded)
    },
  })
  for (const { promise } of asked) {
    await promise
    clock.moveTo(clock.now() + 60_000)
  }
  clock.moveTo(clock.now() + hour)
  assert.deepEqual(accepted, Array<string>(3).fill('schedule:2026-04-02T00:00:00.000Z'))
})

test('that a bot is stopped in the moment of its run is not called a failure', async () => {
  const logged: string[] = []
  let isStopped = false
  const schedules = await runs(new TestClock(begin), {
    get: () => (isStopped ? { ...daily, status: 'inactive', user: undefined } : daily),
    accept: () => {
      isStopped = true
      return Promise.resolve({ status: 503, body: { error: 'bot not active' } })
    },
    log: { ...silent, error: (_, text) => void logged.push(text) },
  })
  await schedules.refresh(name)
  await new Promise(setImmediate)
  assert.deepEqual([isStopped, logged], [true, []])
})

test('a run that was recorded is not called a failure because the disk refuses to note it', async () => {
  const logged = Promise.withResolvers<string>()
  let isFull = false
  await runs(new TestClock(begin), {
    accept: () => {
      isFull = true
      return Promise.resolve(recorded)
    },
    save: () => (isFull ? Promise.reject(new StoreFailure('full', 'the disk is full')) : Promise.resolve()),
    log: { ...silent, warn: (_, text) => logged.resolve(text), error: (_, text) => logged.resolve(text) },
  })
  assert.equal(await logged.promise, 'a scheduled run was recorded, but could not be noted')
})

const daily = botIn(
  `bot: {name: ${name}, owner: spark-ori}
trigger: {type: schedule, cron: "@daily", timezone: UTC, catch_up: true}
`,
  name,
)

type Around = SchedulesOptions['bots'] & SchedulesOptions['deliveries'] & SchedulesOptions['memory']

/** The schedule of that bot, a day later: its run is due. Nothing is noted, unless `save` does it. */
async function runs(
  clock: TestClock,
  {
    accept,
    get = () => daily,
    save = () => Promise.resolve(),
    log = silent,
  }: Pick<Around, 'accept'> & Partial<Around & Pick<SchedulesOptions, 'log'>>,
) {
  const schedules = new Schedules({
    bots: { get },
    deliveries: { accept },
    memory: { load: () => Promise.resolve(undefined), save },
    alarm: new Alarm(clock, () => {}),
    clock,
    log,
  })
  await schedules.refresh(name)
  clock.moveTo(begin + 24 * hour)
  return schedules
}
