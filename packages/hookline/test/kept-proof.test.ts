// A bot that asked for proof of the sender goes on asking until its file says `type: none`: a file may be read half written.
import assert from 'node:assert/strict'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createBot } from '../src/bots/file/create.ts'
import { editBot } from '../src/bots/file/rewrite.ts'
import { removeBot } from '../src/bots/trash.ts'
import { hookline } from './command.ts'
import { call, outputOf } from './control.ts'
import { Person } from './person.ts'
import { post } from './post.ts'
import { type Rig, startRig, temporaryHome, writeBots } from './rig.ts'

const bot = 'spark-ori-ci'
const SECRET = 'a-made-up-token'
const proven = { Authorization: `Bearer ${SECRET}` }
const AUTH = `{type: token, secrets: [${SECRET}]}`
const file = (auth: string | undefined, channel = '#builds') =>
  `bot: {name: ${bot}, owner: spark-ori}\noutput: {channels: ["${channel}"], template: "{body.text}"}\n${
    auth === undefined ? '' : `trigger: {auth: ${auth}}\n`
  }`
const MISSING =
  /bots\/spark-ori-ci\/bot\.yaml trigger\.auth: is missing, and senders would no longer have to prove themselves: put it back, or accept every sender with auth: \{type: none\}, which `bot edit spark-ori-ci --auth none` writes/

test('a saved file without trigger.auth: the bot asks for the proof as before, and whoever asks is told what to do', async () => {
  await using rig = await startRig({ bots: { [bot]: file(AUTH) } })
  using owner = await Person.join(rig.ircPort, 'spark-ori')
  using ann = await Person.join(rig.ircPort, 'ann', { channels: '#builds,#deploys' })
  writeBots(rig.home, { [bot]: file(undefined, '#deploys') })
  assert.match(await owner.until(/NOTICE/), /the bot keeps its previous settings: bots/)
  assert.match(rig.server.bots.get(bot)?.problems.join() ?? '', MISSING)
  assert.match(JSON.stringify(await call(rig.home, 'bot list', {})), MISSING)
  assert.match(JSON.stringify(await call(rig.home, 'bot inspect', { name: bot })), MISSING)
  const validated = await hookline(rig.home, 'bot', 'validate', bot)
  assert.equal(validated.code, 1)
  assert.match(validated.stderr, MISSING)
  const started = await rig.server.bots.start(bot)
  assert.ok(!started.ok && MISSING.test(started.reason))
  assert.match((await rig.server.reload()).warnings.join('\n'), MISSING)
  assert.deepEqual(await statuses(rig), { forged: 401, proven: 200 })

  const told = ann.until(/ (JOIN|PART) /)
  writeBots(rig.home, { [bot]: file('{type: none}', '#deploys') })
  assert.match(await told, /PART #builds/)
  assert.deepEqual(await statuses(rig), { forged: 200, proven: 200 })
  // It has said once that it means it.
  writeBots(rig.home, { [bot]: file(undefined, '#builds') })
  await ann.until(/JOIN #builds/)
})

test('after a restart a bot whose file has lost trigger.auth stays out, until the file says what is meant', async (t) => {
  const home = temporaryHome(t)
  const closed = await startRig({ home, bots: { [bot]: file(AUTH) } })
  await closed[Symbol.asyncDispose]()
  // A second one, in between: what it was told once lasts.
  for (const { bots } of [{ bots: { [bot]: file(undefined) } }, {}]) {
    await using rig = await startRig({ home, ...(bots ? { bots } : {}) })
    assert.equal(rig.server.bots.get(bot)?.status, 'invalid')
    assert.match(rig.server.bots.get(bot)?.problems.join() ?? '', MISSING)
    assert.deepEqual(await statuses(rig), { forged: 503, proven: 503 })
    // Nobody may post through it, so nothing else is said.
    assert.match((await hookline(home, 'bot', 'inspect', bot)).stdout, /^auth +none$/m)
  }
  await using rig = await startRig({ home })
  using ann = await Person.join(rig.ircPort, 'ann', { channels: '#builds' })
  writeBots(home, { [bot]: file(AUTH) })
  await ann.until(/JOIN #builds/)
  assert.deepEqual(await statuses(rig), { forged: 401, proven: 200 })
})

test('`bot edit --no-secret` and `--auth none` say that it is meant, with and without a server', async (t) => {
  const home = temporaryHome(t)
  {
    await using rig = await startRig({
      home,
      bots: { [bot]: file(AUTH), 'spark-ori-deploys': file(AUTH).replaceAll(bot, 'spark-ori-deploys') },
    })
    // Also while a file without it waits.
    writeBots(home, { [bot]: file(undefined) })
    assert.ok(!(await rig.server.bots.start(bot)).ok)
    await outputOf(home, 'bot edit', { name: bot, secret: null })
    assert.deepEqual(await statuses(rig), { forged: 200, proven: 200 })
  }
  editBot(home, 'spark-ori-deploys', { auth: { type: 'none', secrets: [] } })
  await using rig = await startRig({ home })
  assert.deepEqual(
    rig.server.bots.list().map(({ status }) => status),
    ['active', 'active'],
  )
})

test('a bot that is deleted and made again, with or without a server, need not ask for a proof', async (t) => {
  const home = temporaryHome(t)
  const made = { name: 'ci', owner: 'spark-ori', channels: ['#builds'] }
  {
    await using rig = await startRig({ home, bots: { [bot]: file(AUTH) } })
    await outputOf(home, 'bot delete', { name: bot })
    await outputOf(home, 'bot create', { ...made, start: true })
    assert.deepEqual(await statuses(rig), { forged: 200, proven: 200 })
    await outputOf(home, 'bot edit', { name: bot, secret: SECRET, auth: 'token' })
    assert.deepEqual(await statuses(rig), { forged: 401, proven: 200 })
  }
  assert.ok(removeBot(home, bot, Date.now()).ok)
  assert.ok(createBot(home, made, { today: '2026-04-03' }).ok)
  await using rig = await startRig({ home })
  assert.equal(rig.server.bots.get(bot)?.status, 'active')
})

test('a file that still grows is not read: the bot goes on as it was, its owner is told, and all of it counts at the end', async () => {
  await using rig = await startRig({ bots: { [bot]: file(AUTH) } })
  using owner = await Person.join(rig.ircPort, 'spark-ori')
  using ann = await Person.join(rig.ircPort, 'ann', { channels: '#builds,#deploys' })
  const path = join(rig.home.bots, bot, 'bot.yaml')
  const [head = '', rest = ''] = file('{type: none}', '#deploys').split('trigger')
  writeFileSync(path, `${head}#`)
  const dripping = setInterval(() => appendFileSync(path, '.'), 20)
  try {
    assert.match(
      await owner.until(/NOTICE/),
      /the saved file is still growing, so the bot keeps its previous settings until it is whole/,
    )
  } finally {
    clearInterval(dripping)
  }
  assert.deepEqual(
    (await ann.settle()).filter((line) => / (JOIN|PART) /.test(line)),
    [],
  )
  assert.deepEqual(await statuses(rig), { forged: 401, proven: 200 })
  appendFileSync(path, `\ntrigger${rest}`)
  await ann.until(/JOIN #deploys/)
  assert.deepEqual(await statuses(rig), { forged: 200, proven: 200 })
})

test('saves that never rest take effect now and then, a few times rather than each, and the last one does for sure', async (t) => {
  await using rig = await startRig({ bots: { [bot]: file(AUTH) } })
  using ann = await Person.join(rig.ircPort, 'ann', { channels: '#builds,#deploys,#end' })
  const refreshing = t.mock.method(rig.server.bots, 'refresh')
  let saves = 0
  const save = () => writeBots(rig.home, { [bot]: file(AUTH, ++saves % 2 === 0 ? '#builds' : '#deploys') })
  const saving = setInterval(save, 40)
  try {
    while (refreshing.mock.callCount() < 2) await setImmediate()
  } finally {
    clearInterval(saving)
  }
  const looks = refreshing.mock.callCount()
  assert.ok(looks * 10 < saves, `${looks} looks at ${saves} saves`)
  writeBots(rig.home, { [bot]: file(AUTH, '#end') })
  await ann.until(/JOIN #end/)
})

async function statuses(rig: Rig): Promise<object> {
  const forged = await post(`${rig.url}/${bot}`, { text: 'forged' })
  const genuine = await post(`${rig.url}/${bot}`, { text: 'genuine' }, proven)
  return { forged: forged.status, proven: genuine.status }
}
