// trigger.expires: senders get 410 from then on, and the owner is told before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Bot } from '../src/bots/roster.ts'
import { Alarm } from '../src/triggers/alarm.ts'
import { Expiries, type ExpiriesOptions } from '../src/triggers/expiries.ts'
import { TestClock } from './clock.ts'
import { silent } from './log.ts'
import { Person } from './person.ts'
import { post } from './post.ts'
import { type Rig, startRig, temporaryHome } from './rig.ts'
import { botIn } from './rigs/bots.ts'

const bot = 'spark-ori-demo'
const end = Date.UTC(2026, 3, 30)
const day = 86_400_000
const file = `bot: {name: ${bot}, owner: spark-ori}\ntrigger: {expires: "2026-04-30"}\noutput: {template: "{body.text}"}\n`

test('the owner is told three days before and at the end, each once across restarts; then senders get 410', async (t) => {
  const home = temporaryHome(t)
  const hears = async (from: number, to: number): Promise<readonly string[]> => {
    const clock = new TestClock(from)
    await using rig = await startRig({ bots: { [bot]: file }, home, clock })
    using ori = await Person.join(rig.ircPort, 'spark-ori')
    clock.moveTo(to)
    // What is kept for the owner is written, then read: a later request is answered later.
    for (const _step of ['written', 'read']) await rig.server.store.kept.of('spark-ori')
    const { status } = await post(`${rig.url}/${bot}`, { text: 'x' })
    const lines = await ori.settle()
    return [
      String(status),
      ...lines.flatMap((line) => / NOTICE \S+ :(?:\[[^\]]*\] )?(.*)$/.exec(line)?.[1] ?? []),
    ]
  }
  const mend = 'To extend it, change trigger.expires in its bot.yaml'
  assert.deepEqual(await hears(end - 5 * day, end - 4 * day), ['200'])
  assert.deepEqual(await hears(end - 4 * day, end - 3 * day), [
    '200',
    `${bot} expires at 2026-04-30 00:00 UTC: after that, its senders get 410. ${mend}`,
  ])
  assert.deepEqual(await hears(end - 2 * day, end - day), ['200'])
  assert.deepEqual(await hears(end - day, end), [
    '410',
    `${bot} expired at 2026-04-30 00:00 UTC: its senders now get 410. ${mend}`,
  ])
  assert.deepEqual(await hears(end + day, end + 2 * day), ['410'])
})

test('an end that was told by a clock that was ahead is told again when it comes, with a restart or without', async (t) => {
  const told = async (rig: Rig): Promise<number> => {
    // What is kept for the owner is written, then read.
    for (const _step of ['read', 'written']) await rig.server.store.kept.of('spark-ori')
    const { messages } = await rig.server.store.kept.of('spark-ori')
    return messages.filter(({ text }) => text.includes('expired')).length
  }
  const home = temporaryHome(t)
  const clock = new TestClock(end + 365 * day)
  {
    await using rig = await startRig({ bots: { [bot]: file }, home, clock })
    clock.moveTo(clock.now() + 60_000)
    assert.equal(await told(rig), 1)
    clock.jumpTo(end - day)
    clock.moveTo(end - day / 2)
    assert.equal(await told(rig), 1)
    clock.moveTo(end)
    assert.equal(await told(rig), 2)
    clock.jumpTo(end + day)
  }
  clock.jumpTo(end - day)
  await using rig = await startRig({ home, clock })
  clock.moveTo(end)
  assert.equal(await told(rig), 3)
})

test('silence after the end is not reported; silence before it is', async () => {
  const watched = file.replace('{expires', '{expect: every 1d, expires')
  const clock = new TestClock(end - 3.5 * day)
  await using rig = await startRig({ bots: { [bot]: watched }, clock })
  const came = async (until: number): Promise<readonly (number | string | null)[]> => {
    clock.moveTo(until)
    // What the clock triggers is recorded before what is sent after it.
    const { status } = await post(`${rig.url}/${bot}`, { text: 'x' })
    const rows = await rig.server.store.deliveries.list({ bot, limit: 10 })
    return [status, ...rows.map(({ event }) => event)]
  }
  assert.deepEqual(await came(end - 2.5 * day), [200, 'expect.missed', null])
  assert.deepEqual(await came(end - day / 2), [200, 'expect.missed', null, 'expect.missed', null])
  assert.deepEqual(await came(end + 5 * day), [410, 'expect.missed', null, 'expect.missed', null])
})

test('the owner is told once, though the bot is looked at again in the moment of its end', async () => {
  const clock = new TestClock(end - day)
  const load = () => Promise.resolve(JSON.stringify({ end, at: end - 3 * day }))
  const { expiries, told } = watched(clock, { load })
  await expiries.refresh(bot)
  const refreshed = expiries.refresh(bot)
  clock.moveTo(end)
  await refreshed
  clock.moveTo(end + day)
  assert.equal(told.length, 1)
})

test('if the disk refuses to record that the owner was told, the end is still reported', async () => {
  const clock = new TestClock(end - 4 * day)
  const refused = Promise.withResolvers<void>()
  const save = () => Promise.reject(new Error('the disk is full'))
  const log = { ...silent, error: () => setImmediate(refused.resolve) }
  const { expiries, told } = watched(clock, { save, log })
  await expiries.refresh(bot)
  clock.moveTo(end - 3 * day)
  await refused.promise
  clock.moveTo(end)
  assert.deepEqual(
    told.map((text) => text.slice(0, text.indexOf(' 2026'))),
    [`${bot} expires at`, `${bot} expired at`],
  )
})

test('an end removed while the disk is being asked what the owner was told is not reported', async () => {
  const clock = new TestClock(end - 4 * day)
  const asked = Promise.withResolvers<undefined>()
  let found: Bot | undefined = botThatExpires
  const { expiries, told } = watched(clock, { get: () => found, load: () => asked.promise })
  const refreshed = expiries.refresh(bot)
  found = undefined
  await expiries.refresh(bot)
  asked.resolve(undefined)
  await refreshed
  clock.moveTo(end)
  assert.deepEqual(told, [])
})

const botThatExpires = botIn(file, bot)

/** What the owner is told of a bot that expires; on disk is nothing, unless `load` finds something. */
function watched(
  clock: TestClock,
  {
    get = () => botThatExpires,
    load = () => Promise.resolve(undefined),
    save = () => Promise.resolve(),
    log = silent,
  }: Partial<ExpiriesOptions['bots'] & ExpiriesOptions['memory'] & Pick<ExpiriesOptions, 'log'>>,
) {
  const told: string[] = []
  const expiries = new Expiries({
    bots: { get },
    memory: { load, save },
    alarm: new Alarm(clock, () => {}),
    clock,
    log,
    tellOwner: (_, text) => told.push(text),
  })
  return { expiries, told }
}
