// What happens to bots that are changed twice at once.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Home } from '../src/home/home.ts'
import { takeLock } from '../src/store/lock.ts'
import { hookline, hooklineBy, type Ran } from './command.ts'
import { call } from './control.ts'
import { processesWith } from './processes.ts'
import { startRig, temporaryHome, writeBots } from './rig.ts'

const bot = 'spark-ori-ci'
const text = `bot: {name: ${bot}, owner: spark-ori}\ntrigger: {auth: {type: token, secrets: [of-old-times]}}\n`

test('without a server, both of two simultaneous changes are in the file, as is every secret that was shown', async (t) => {
  const home = homeWith(t, text)
  const [rotated, edited] = await atOnce(home, [
    ['bot', 'rotate-secret', bot, '--json'],
    ['bot', 'edit', bot, '--description', 'both'],
  ])
  assert.deepEqual([rotated?.code, edited?.code], [0, 0], JSON.stringify([rotated, edited]))
  const { secret } = JSON.parse(rotated?.stdout ?? '') as { secret: string }
  const after = readFileSync(fileIn(home), 'utf8')
  for (const part of [secret, 'of-old-times', 'description: both']) assert.ok(after.includes(part), after)
})

test('of two bots with the same nick created at once, one is created', async (t) => {
  const home = homeWith(t)
  const ran = await atOnce(home, [
    ['bot', 'create', 'ci', '--owner', 'spark-ori'],
    ['bot', 'create', 'CI', '--owner', 'spark-ori'],
  ])
  assert.deepEqual(
    ran.map(({ code }) => code).toSorted((a, b) => Number(a) - Number(b)),
    [0, 1],
    JSON.stringify(ran),
  )
  assert.match(ran.map(({ stderr }) => stderr).join(''), /already exists, and both would have the same nick/)
  assert.equal(readdirSync(home.bots).length, 1)
})

test('of two restores into one home at once, one restores it, and the other finds it there', async (t) => {
  const file = join(temporaryHome(t).folder, 'backup.tar')
  assert.equal((await hookline(homeWith(t, text), 'server', 'backup', file)).code, 0)
  const home = temporaryHome(t)
  const ran = await atOnce(home, [
    ['server', 'restore', file],
    ['server', 'restore', file],
  ])
  assert.deepEqual(
    ran.map(({ code }) => code).toSorted((a, b) => Number(a) - Number(b)),
    [0, 1],
    JSON.stringify(ran),
  )
  assert.match(ran.map(({ stderr }) => stderr).join(''), /there are already files here/)
  assert.equal(readFileSync(fileIn(home), 'utf8'), text)
  assert.deepEqual(readdirSync(home.folder).toSorted(), ['bots', 'bots.lock'])
})

test('if the lock cannot be taken, nothing is changed, and a hint is given', async (t) => {
  const home = homeWith(t, text)
  mkdirSync(home.botsLock)
  const ran = await hookline(home, 'bot', 'edit', bot, '--description', 'new')
  assert.equal(ran.code, 2)
  assert.match(
    ran.stderr,
    /^error: cannot use .*bots\.lock: unable to open.*\nhint: set HOOKLINE_HOME to a folder/,
  )
  assert.equal(readFileSync(fileIn(home), 'utf8'), text)
})

test('a server does not wait for a command that keeps changing a bot', async () => {
  await using rig = await startRig({ bots: { [bot]: text } })
  const lock = takeLock(rig.home.botsLock, 0)
  const changes: readonly (readonly [string, object])[] = [
    ['bot edit', { name: bot, description: 'new' }],
    ['bot rotate-secret', { name: bot }],
    ['bot delete', { name: bot }],
    ['bot create', { name: 'cd', owner: 'spark-ori' }],
  ]
  for (const [operation, input] of changes) {
    const refused = await call(rig.home, operation, input)
    assert.ok(!refused.ok, operation)
    assert.deepEqual([refused.error.code, refused.error.kind], [2, 'busy'])
    assert.match(refused.error.message, /^somebody else is changing the bots in /)
  }
  assert.equal(readFileSync(fileIn(rig.home), 'utf8'), text)
  lock?.release()
  for (const [operation, input] of changes) assert.ok((await call(rig.home, operation, input)).ok, operation)
})

/** The commands, started while none may proceed; they proceed once all of them are waiting. */
async function atOnce(home: Home, commands: readonly (readonly string[])[]): Promise<readonly Ran[]> {
  const lock = takeLock(home.botsLock, 0)
  assert.ok(lock)
  let ended = 0
  const running = commands.map((args) => hooklineBy([], home, ...args).finally(() => ended++))
  while (inLine(home) < commands.length) {
    if (ended > 0) assert.fail(`it did not wait: ${JSON.stringify(await Promise.race(running))}`)
    await wait(10)
  }
  lock.release()
  return await Promise.all(running)
}

/** How many other processes have the lock's file open. */
function inLine({ folder, botsLock }: Home): number {
  const pids = processesWith(folder).map((found) => found.split(' ', 1)[0] ?? '')
  return pids.filter((pid) => filesOf(pid).includes(botsLock)).length
}

function filesOf(pid: string): readonly string[] {
  const folder = `/proc/${pid}/fd`
  try {
    return readdirSync(folder).map((each) => readlinkSync(join(folder, each)))
  } catch {
    return [] // It has ended, or closed a file, meanwhile.
  }
}

function homeWith(t: TestContext, botFile?: string): Home {
  const home = temporaryHome(t)
  if (botFile !== undefined) writeBots(home, { [bot]: botFile })
  return home
}

function fileIn(home: Home): string {
  return join(home.bots, bot, 'bot.yaml')
}
