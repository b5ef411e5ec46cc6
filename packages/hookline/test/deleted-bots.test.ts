// What a bot had accepted when it was deleted: it fails, its owner is told once, and no later bot of that name posts it.
import assert from 'node:assert/strict'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createBot } from '../src/bots/file/create.ts'
import { removeBot } from '../src/bots/trash.ts'
import type { Home } from '../src/home/home.ts'
import { hookline } from './command.ts'
import { Person } from './person.ts'
import { post } from './post.ts'
import { type Rig, startRig, temporaryHome, writeBots } from './rig.ts'

const bot = 'spark-ori-ci'
const gathers = botFile('template: "{body.text}", coalesce: 10m')

test('queued deliveries fail; a new bot of that name posts only its own', async () => {
  await using rig = await startRig({ bots: { [bot]: gathers } })
  using owner = await Person.join(rig.ircPort, 'spark-ori')
  for (const text of ['one', 'two', 'three']) await queue(rig, text)
  assert.ok(rig.server.bots.remove(bot).ok)
  rig.server.bots.create({ name: 'ci', owner: 'spark-ori', channels: ['#other'], template: '{body.text}' })
  assert.ok((await rig.server.bots.start(bot)).ok)

  assert.match(await owner.until(/NOTICE/), saysLost('3 accepted deliveries have'))
  assert.equal((await post(`${rig.url}/${bot}`, { text: 'new' })).status, 200)
  assert.deepEqual(await outcomes(rig), [
    ...Array<string>(3).fill('failed: the bot was deleted'),
    'posted: null',
  ])
  assert.deepEqual(
    rig.spoken.map(({ channel, text }) => `${channel} ${text}`),
    ['#other new'],
  )
  assert.deepEqual(await owner.settle(), [], 'told once')
})

test('a file where the trash should be keeps a bot from being deleted, and the error says what to do', async () => {
  await using rig = await startRig({ bots: { [bot]: gathers } })
  writeFileSync(join(rig.home.folder, 'trash'), '')
  const { code, stderr } = await hookline(rig.home, 'bot', 'delete', bot)
  assert.equal(code, 2)
  assert.match(stderr, /^error: .*\/trash'\nhint: a file is in place of a folder: move it away, /)
  assert.equal((await post(`${rig.url}/${bot}`, { text: 'still here' })).status, 202)
})

test('the delivery a handler is working on, and those behind it, fail too', async () => {
  const handler = 'import time\ndef handle(payload, bot):\n    time.sleep(600)\n'
  await using rig = await startRig({
    config: 'logging: {level: error}\nwebhooks: {answer_within_ms: 100}\n',
    bots: { [bot]: botFile(''), [`${bot}/handler.py`]: handler },
  })
  using owner = await Person.join(rig.ircPort, 'spark-ori')
  for (const text of ['works', 'waits']) await queue(rig, text)
  rig.server.bots.remove(bot)
  assert.match(await owner.until(/NOTICE/), saysLost('2 accepted deliveries have'))
  assert.deepEqual(await outcomes(rig), Array<string>(2).fill('failed: the bot was deleted'))
})

for (const isMadeAgain of [false, true]) {
  const title = isMadeAgain ? 'deleted and made again' : 'deleted'
  test(`${title} while no server runs: the owner is told after the next start`, async (t) => {
    const home = temporaryHome(t)
    await leaveOne(home)
    assert.ok(removeBot(home, bot, Date.now()).ok)
    const again = { name: 'ci', owner: 'spark-ori', channels: ['#other'] }
    if (isMadeAgain) assert.ok(createBot(home, again, { today: '2026-04-03' }).ok)
    await using rig = await startRig({ home })
    using owner = await Person.connect(rig.ircPort)
    owner.type('NICK spark-ori', 'USER ori 0 * :Ori')
    assert.match(await owner.until(/NOTICE .*deleted/), saysLost('1 accepted delivery has'))
    assert.deepEqual(await outcomes(rig), ['failed: the bot was deleted'])
    assert.deepEqual(rig.spoken, [])
  })
}

test('deliveries for a bot whose folder is missing at the start, but was not deleted, wait until it is back', async (t) => {
  const home = temporaryHome(t)
  await leaveOne(home)
  const folder = join(home.bots, bot)
  renameSync(folder, join(home.folder, 'elsewhere'))
  await using rig = await startRig({ home })
  assert.deepEqual(await outcomes(rig), ['pending: null'])
  renameSync(join(home.folder, 'elsewhere'), folder)
  writeBots(home, { [bot]: botFile('template: "{body.text}"') })
  assert.ok((await rig.server.bots.start(bot)).ok)
  assert.equal((await post(`${rig.url}/${bot}`, { text: 'new' })).status, 200)
  assert.deepEqual(
    rig.spoken.map(({ channel, text }) => `${channel} ${text}`),
    ['#log old', '#log new'],
  )
})

test('deliveries that came after another bot of that name was deleted wait for the existing one', async (t) => {
  const home = temporaryHome(t)
  createBot(home, { name: 'ci', owner: 'spark-ori' }, { today: '2026-04-03' })
  assert.ok(removeBot(home, bot, Date.now() - 1).ok)
  await leaveOne(home)
  await using rig = await startRig({ home, bots: { [bot]: botFile('template: "{body.text}"') } })
  assert.equal((await post(`${rig.url}/${bot}`, { text: 'new' })).status, 200)
  assert.deepEqual(await outcomes(rig), ['posted: null', 'posted: null'])
})

for (const isOffline of [false, true]) {
  const when = isOffline ? 'while no server runs' : 'on a server that runs'
  test(`deleted ${when}, a bot leaves no state to a later one of its name, and is not mistaken for it`, async (t) => {
    const home = temporaryHome(t)
    const made = { name: 'ci', owner: 'spark-ori', channels: ['#other'] }
    const handler = `export async function handle(payload, bot) {
      bot.state.calls = (bot.state.calls ?? 0) + 1
      return payload.text + ' ' + bot.state.calls
    }`
    const say = async ({ url }: Rig) => {
      const { json } = await post(`${url}/${bot}`, { text: 'hello' }, { 'Idempotency-Key': 'k' })
      const { status, message, channels } = json
      return [status, message, ...(channels as readonly string[])].join(' ')
    }
    const addHandler = () => writeFileSync(join(home.bots, bot, 'handler.mjs'), handler)
    {
      const bots = { [bot]: botFile(''), [`${bot}/handler.mjs`]: handler }
      await using rig = await startRig({ home, bots })
      assert.equal(await say(rig), 'posted hello 1 #log')
      assert.equal(await say(rig), 'duplicate hello 1 #log')
      if (!isOffline) {
        assert.ok(rig.server.bots.remove(bot).ok)
        assert.ok(rig.server.bots.create(made).ok)
        addHandler()
        assert.ok((await rig.server.bots.start(bot)).ok)
        assert.equal(await say(rig), 'posted hello 1 #other')
      }
    }
    if (isOffline) {
      assert.ok(removeBot(home, bot, Date.now()).ok)
      assert.ok(createBot(home, made, { today: '2026-04-03' }).ok)
      addHandler()
      await using rig = await startRig({ home })
      assert.equal(await say(rig), 'posted hello 1 #other')
    }
    await using rig = await startRig({ home })
    assert.equal(await say(rig), 'duplicate hello 1 #other', 'and it is known again itself')
    const { json } = await post(`${rig.url}/${bot}`, { text: 'again' })
    assert.equal(json['message'], 'again 2', 'it keeps its own state')
    assert.equal((await outcomes(rig)).length, 3, 'the record of the other stays')
  })
}

/** A delivery waiting for a stopped bot. */
async function leaveOne(home: Home): Promise<void> {
  await using rig = await startRig({ home, bots: { [bot]: gathers } })
  await queue(rig, 'old')
  await rig.server.bots.stop(bot)
}

async function queue({ url }: Rig, text: string): Promise<void> {
  assert.equal((await post(`${url}/${bot}`, { text })).status, 202)
}

async function outcomes({ server }: Rig): Promise<readonly string[]> {
  const rows = await server.store.deliveries.list({ limit: 10 })
  return rows.map(({ status, error }) => `${status}: ${error}`)
}

function saysLost(what: string): RegExp {
  return new RegExp(`[: ]${bot} was deleted: ${what} failed \\(see: hookline bot deliveries --failed\\)$`)
}

function botFile(output: string): string {
  return `bot: {name: ${bot}, owner: spark-ori}\noutput: {channels: ["#log"], ${output}}\n`
}
