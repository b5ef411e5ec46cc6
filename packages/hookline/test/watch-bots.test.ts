// Saving bot.yaml or a handler takes effect at once; the owner is told of mistakes.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs, { mkdirSync, renameSync, rmSync, symlinkSync, watch, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { leaveFiles, startCommand } from './command.ts'
import { Person } from './person.ts'
import { post } from './post.ts'
import { type Rig, startRig, temporaryHome, writeBots } from './rig.ts'

const bot = 'spark-ori-ci'
const file = (channels: string, template = '{body.text}') =>
  `bot: {name: ${bot}, owner: spark-ori}\noutput: {channels: [${channels}], template: "${template}"}\n`

test('a saved bot.yaml takes effect at once: the bot joins its channels, and posts its template', async () => {
  await using rig = await startRig({ bots: { [bot]: file('"#builds"') } })
  using ann = await Person.join(rig.ircPort, 'ann', { channels: '#builds,#deploys' })
  save(rig, file('"#deploys"', 'now {body.text}'))
  assert.equal(await ann.until(/PART/), `:${bot}!bot@spark PART #builds`)
  assert.equal(await ann.until(/JOIN/), `:${bot}!bot@spark JOIN #deploys`)
  await post(`${rig.url}/${bot}`, { text: 'here' })
  assert.equal(await ann.until(/PRIVMSG/), `:${bot}!bot@spark PRIVMSG #deploys :now here`)
})

test('a folder that replaces another at once counts as saved, as do later changes in it', async () => {
  await using rig = await startRig({ bots: { [bot]: file('"#builds"') } })
  using ann = await Person.join(rig.ircPort, 'ann', { channels: '#builds,#deploys,#ops' })
  putInPlace(rig, file('"#deploys"'))
  assert.equal(await ann.until(/JOIN/), `:${bot}!bot@spark JOIN #deploys`)
  save(rig, file('"#ops"'))
  assert.equal(await ann.until(/JOIN/), `:${bot}!bot@spark JOIN #ops`)
})

test('without a file to spare the bots folder is not taken for gone, and is looked at again', async (t) => {
  const home = temporaryHome(t)
  writeBots(home, { [bot]: file('"#builds"') })
  await using server = await startCommand(home)
  const told = new Promise<void>((resolve) =>
    server.child.stderr.on('data', (text) => String(text).includes('folder') && resolve()),
  )
  leaveFiles(server.child, 0)
  mkdirSync(join(home.bots, 'spark-ori-new'))
  await told
  leaveFiles(server.child, 100)
  using ann = await Person.join(server.ircPort, 'ann', { channels: '#deploys' })
  // A folder in place of another is noticed by the look at all of them.
  renameSync(join(home.bots, bot), join(home.folder, 'before'))
  writeBots(home, { [bot]: file('"#deploys"') })
  await ann.until(/JOIN/)
  const log = await server.stop()
  assert.match(log, /EMFILE[^\n]*the bots folder cannot be read; the bots keep running/)
  assert.doesNotMatch(log, /is gone/)
})

test('folders that appear at once are examined together', async (t) => {
  await using rig = await startRig({ bots: { [bot]: file('"#builds"') } })
  using ann = await Person.join(rig.ircPort, 'ann', { channels: '#deploys' })
  // Unchanged, but counted: the server reads the bots folder with it at each check.
  const reading = t.mock.method(fs, 'readdirSync')
  syncBuiltinESMExports()
  for (let i = 0; i < 1_000; i++) mkdirSync(join(rig.home.bots, `spark-ori-b${i}`))
  putInPlace(rig, file('"#deploys"'))
  assert.equal(await ann.until(/JOIN/), `:${bot}!bot@spark JOIN #deploys`)
  reading.mock.restore()
  syncBuiltinESMExports()
  const looks = reading.mock.calls.filter(({ arguments: [folder] }) => folder === rig.home.bots).length
  assert.ok(looks > 0 && looks < 10, `${looks} looks`)
})

test('if the bots folder is removed they keep running, and its contents count once it is back', async () => {
  await using rig = await startRig({ bots: { [bot]: file('"#builds"') } })
  using ann = await Person.join(rig.ircPort, 'ann', { channels: '#builds,#deploys,#ops' })
  const watcher = watch(rig.home.bots)
  const noticed = once(watcher, 'change')
  renameSync(rig.home.bots, join(rig.home.folder, 'before'))
  rmSync(join(rig.home.folder, 'before', bot), { recursive: true })
  // The server has been watching for longer, and so was told first.
  await noticed
  watcher.close()
  assert.equal((await post(`${rig.url}/${bot}`, { text: 'still' })).json['message'], 'still')

  save(rig, file('"#deploys"'))
  assert.equal(await ann.until(/JOIN/), `:${bot}!bot@spark JOIN #deploys`)
  save(rig, file('"#ops"'))
  assert.equal(await ann.until(/JOIN/), `:${bot}!bot@spark JOIN #ops`)
})

test('another bots folder in its place at once: its contents count, and so does what is added to it later', async () => {
  await using rig = await startRig({ bots: { [bot]: file('"#builds"') } })
  using ann = await Person.join(rig.ircPort, 'ann', { channels: '#builds,#deploys' })
  renameSync(rig.home.bots, join(rig.home.folder, 'before'))
  save(rig, file('"#deploys"'))
  assert.equal(await ann.until(/JOIN/), `:${bot}!bot@spark JOIN #deploys`)
  writeBots(rig.home, { 'spark-ori-late': file('"#builds"') })
  while (rig.server.bots.get('spark-ori-late') === undefined) await rig.server.store.deliveries.pending()
})

test('if something else takes the place of the bots folder, they stay and the owner is told', async () => {
  await using rig = await startRig({ bots: { [bot]: file('"#builds"') } })
  using owner = await Person.join(rig.ircPort, 'spark-ori')
  rmSync(rig.home.bots, { recursive: true })
  writeFileSync(rig.home.bots, '')
  assert.match(await owner.until(/NOTICE/), /spark-ori-ci: .*cannot be read: ENOTDIR/)
  assert.equal(rig.server.bots.get(bot)?.status, 'active')
})

test('while the folder of a bot with a handler is gone, its payloads are not posted but can be replayed', async () => {
  const handler = 'export const handle = (payload) => payload.text\n'
  await using rig = await startRig({ bots: { [bot]: file('"#builds"'), [`${bot}/handler.mjs`]: handler } })
  const elsewhere = join(rig.home.folder, 'elsewhere')
  renameSync(join(rig.home.bots, bot), elsewhere)
  const { status, json } = await post(`${rig.url}/${bot}`, { text: 'kept', secret: 'not for all' })
  assert.equal(status, 500)
  const id = String(json['id'])
  assert.match((await rig.server.store.deliveries.get(id))?.error ?? '', /is gone, and handler\.mjs with it/)
  renameSync(elsewhere, join(rig.home.bots, bot))
  assert.equal((await rig.server.deliveries.replay(id)).status, 200)
  assert.deepEqual(
    rig.spoken.map(({ text }) => text),
    ['kept'],
  )
})

test('a broken edit: the bot keeps its previous settings, and its owner is told, also when they come later', async () => {
  await using rig = await startRig({ bots: { [bot]: file('"#builds"') } })
  using owner = await Person.join(rig.ircPort, 'spark-ori')
  save(rig, file('builds'))
  const told = await owner.until(/NOTICE/)
  assert.match(
    told,
    /^:spark NOTICE spark-ori :.*spark-ori-ci: the saved file is invalid, so the bot keeps its previous settings: .*bot\.yaml:2:\d+/,
  )
  assert.equal((await post(`${rig.url}/${bot}`, { text: 'still' })).status, 200)

  owner.type('QUIT')
  await owner.gone()
  save(rig, 'bot: [')
  while ((await rig.server.store.kept.of('spark-ori' as never)).messages.length === 0) await setImmediate()
  using back = await Person.connect(rig.ircPort)
  back.type('NICK spark-ori', 'USER ori 0 * :Ori')
  await back.until(/NOTICE spark-ori :.*the saved file is invalid/)
})

test('a removed folder: the bot keeps its previous settings, as its owner is told and bot inspect shows, until it is back', async () => {
  await using rig = await startRig({ bots: { [bot]: file('"#builds"') } })
  using owner = await Person.join(rig.ircPort, 'spark-ori')
  const folder = join(rig.home.bots, bot)
  const elsewhere = join(rig.home.folder, 'elsewhere')
  renameSync(folder, elsewhere)
  assert.match(
    await owner.until(/NOTICE/),
    /keeps its previous settings: .*bot\.yaml is gone: put it back, or `bot delete/,
  )
  assert.match(rig.server.bots.get(bot)?.problems.join() ?? '', /bot\.yaml is gone/)
  assert.equal((await post(`${rig.url}/${bot}`, { text: 'still' })).status, 200)
  await rig.server.bots.stop(bot)
  const started = await rig.server.bots.start(bot)
  assert.ok(!started.ok && /bot\.yaml is gone/.test(started.reason))
  renameSync(elsewhere, folder)
  assert.ok((await rig.server.bots.start(bot)).ok)
  assert.deepEqual(rig.server.bots.get(bot)?.problems, [])
})

test('a broken handler is reported when saved: the bot stays, and its deliveries fail until it is fixed', async () => {
  const handler = 'async def handle(payload, bot):\n    return payload["text"]\n'
  await using rig = await startRig({ bots: { [bot]: file('"#builds"'), [`${bot}/handler.py`]: handler } })
  using owner = await Person.join(rig.ircPort, 'spark-ori')
  const path = join(rig.home.bots, bot, 'handler.py')
  const broken =
    /the saved file is invalid, so the bot fails every delivery until this is fixed: .*handler\.py/
  writeFileSync(path, 'async def handle(payload, bot)\n')
  assert.match(await owner.until(/NOTICE/), broken)
  assert.equal((await post(`${rig.url}/${bot}`, { text: 'here' })).status, 500)
  assert.equal(rig.server.bots.get(bot)?.status, 'active')
  assert.match(rig.server.bots.get(bot)?.problems[0] ?? '', /handler\.py:1:\d+: /)

  rmSync(path)
  symlinkSync('/dev/null', path)
  assert.match(await owner.until(/NOTICE.*saved/), broken)
  assert.match(rig.server.bots.get(bot)?.problems[0] ?? '', /handler\.py is not a regular file/)
  rmSync(path)
  writeFileSync(path, handler)
  while (rig.server.bots.get(bot)?.problems.length !== 0) await rig.server.store.deliveries.pending()
  assert.equal((await post(`${rig.url}/${bot}`, { text: 'here' })).status, 200)
})

test('what a handler writes beside itself is no edit: the rate of its bot goes on', async () => {
  const handler = `import { writeFileSync } from 'node:fs'
export function handle({ text }) {
  writeFileSync('handler.log', text)
  return text
}
`
  const other = 'spark-ori-late'
  const rated = file('"#builds"').replace('output', 'trigger: {rate: 1/1h}\noutput')
  await using rig = await startRig({ bots: { [bot]: rated, [`${bot}/handler.mjs`]: handler } })
  assert.equal((await post(`${rig.url}/${bot}`, { text: 'one' })).status, 200)
  // Saved later, and so noticed later.
  writeBots(rig.home, { [other]: file('"#builds"').replace(bot, other) })
  while (rig.server.bots.get(other) === undefined) await rig.server.store.deliveries.pending()
  assert.equal((await post(`${rig.url}/${bot}`, { text: 'two' })).status, 429)
})

test('a bot folder added while the server runs exists but is not active', async () => {
  await using rig = await startRig()
  save(rig, file('"#builds"'))
  while (rig.server.bots.get(bot) === undefined) await rig.server.store.deliveries.pending()
  assert.equal((await post(`${rig.url}/${bot}`, { text: 'x' })).status, 503)
})

function save(rig: Rig, text: string): void {
  writeBots(rig.home, { [bot]: text })
}

/** Another folder replaces the bot's at once. */
function putInPlace({ home }: Rig, text: string): void {
  const [folder, next] = [join(home.bots, bot), join(home.folder, 'next')]
  mkdirSync(next)
  writeFileSync(join(next, 'bot.yaml'), text)
  renameSync(folder, join(home.folder, 'before'))
  renameSync(next, folder)
}
