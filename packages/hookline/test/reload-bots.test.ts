// What `server reload` and `bot delete` do with the bots' folders as they are now.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Person } from './person.ts'
import { post } from './post.ts'
import { type Rig, startRig, writeBots } from './rig.ts'

const bot = 'spark-ori-ci'
const of = (name: string) =>
  `bot: {name: ${name}, owner: spark-ori}\noutput: {channels: ["#builds"], template: "{body.text}"}\n`

test('a reload drops bots whose files are gone, valid and invalid ones', async () => {
  await using rig = await startRig({ bots: { [bot]: of(bot), 'spark-ori-bad': 'bot: {' } })
  using ann = await Person.join(rig.ircPort, 'ann', { channels: '#builds' })
  rmSync(folderOf(rig, bot), { recursive: true })
  rmSync(join(folderOf(rig, 'spark-ori-bad'), 'bot.yaml'))

  const { warnings } = await rig.server.reload()
  assert.deepEqual(
    warnings,
    [bot, 'spark-ori-bad']
      .toSorted()
      .map((name) => `${name} has left: ${folderOf(rig, name)}/bot.yaml is gone`),
  )
  assert.equal(await ann.until(/QUIT/), `:${bot}!bot@spark QUIT Deleted`)
  assert.deepEqual(rig.server.bots.list(), [])
  assert.equal((await post(`${rig.url}/${bot}`, { text: 'x' })).status, 404)
})

test('an edited description is at once the real name of an active bot', async () => {
  await using rig = await startRig({ bots: { [bot]: of(bot) } })
  using ann = await Person.join(rig.ircPort, 'ann', { caps: 'setname', channels: '#builds' })
  assert.ok(rig.server.bots.edit(bot, { description: 'CI\nresults' }).ok)
  assert.equal(await ann.next(), `:${bot}!bot@spark SETNAME :CI results`)
  ann.type(`WHOIS ${bot}`)
  assert.match((await ann.next()) ?? '', / 311 .* :CI results$/)
})

test('a reload says which bot does not start', async () => {
  await using rig = await startRig({ bots: { [bot]: of(bot) } })
  const secret = 'trigger: {auth: {type: token, secrets: ["env:HOOKLINE_NO_SUCH"]}}\n'
  save(rig, bot, of(bot) + secret)
  const { warnings } = await rig.server.reload()
  assert.match(warnings.join('\n'), /^bots\/spark-ori-ci\/bot\.yaml trigger\.auth\.secrets: /)
})

test('a reload reports each mistake separately, also of an inactive bot', async () => {
  const resting = 'spark-ori-resting'
  await using rig = await startRig({ bots: { [bot]: of(bot), [resting]: of(resting) } })
  assert.ok((await rig.server.bots.stop(resting)).ok)
  const wrong = 'output: {channels: [builds], fallback: none}\n'
  for (const name of [bot, resting]) save(rig, name, `bot: {name: ${name}, owner: spark-ori}\n${wrong}`)
  const { warnings } = await rig.server.reload()
  const at = (name: string, column: number) => `bots/${name}/bot.yaml:2:${column} output.`
  const starts = [
    at(bot, 21),
    at(bot, 40),
    `${bot} keeps its previous settings`,
    at(resting, 21),
    at(resting, 40),
  ]
  assert.deepEqual(
    warnings.map((warning, index) => warning.slice(0, starts[index]?.length)),
    starts,
  )
  assert.ok(warnings.every((warning) => !warning.includes('\n')))
  assert.equal(rig.server.bots.get(resting)?.status, 'invalid')
})

test('while many bots are reread, everybody else gets a turn between two of them', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `spark-ori-bot${index}`)
  await using rig = await startRig({ bots: Object.fromEntries(names.map((name) => [name, of(name)])) })
  let turns = 0
  let reloading = true
  const others = (async () => {
    while (reloading) {
      await setImmediate()
      turns++
    }
  })()
  await rig.server.reload()
  reloading = false
  await others
  assert.ok(turns >= names.length, `${turns}`)
})

test('the handlers of all bots are checked by one process at a reload', async () => {
  const names = Array.from({ length: 5 }, (_, index) => `spark-ori-bot${index}`)
  const files = names.flatMap((name) => [
    [name, of(name)],
    [`${name}/handler.py`, 'async def handle(payload, bot):\n    return "hi"\n'],
  ])
  const broken = [`${names[0]}/handler.py`, 'async def handle(']
  await using rig = await startRig({ bots: Object.fromEntries([...files, broken]) })
  const python = join(rig.home.folder, 'python')
  const calls = join(rig.home.folder, 'calls')
  writeFileSync(python, `#!/bin/sh\necho >> ${calls}\nexec python3 "$@"\n`, { mode: 0o700 })
  process.env['HOOKLINE_PYTHON'] = python
  try {
    const { warnings } = await rig.server.reload()
    assert.match(warnings.join('\n'), /spark-ori-bot0\/handler\.py:1:17: .* was never closed$/)
  } finally {
    delete process.env['HOOKLINE_PYTHON']
  }
  assert.equal(readFileSync(calls, 'utf8'), '\n')
})

test('a bot whose folder is gone can be deleted and created again; the rest of a folder goes to the trash', async () => {
  await using rig = await startRig({ bots: { [bot]: of(bot) } })
  const { bots } = rig.server
  using ann = await Person.join(rig.ircPort, 'ann', { channels: '#builds' })
  rmSync(folderOf(rig, bot), { recursive: true })
  assert.deepEqual(bots.remove(bot), { ok: true, trash: undefined })
  assert.equal(await ann.until(/QUIT/), `:${bot}!bot@spark QUIT Deleted`)
  assert.equal(bots.get(bot), undefined)

  assert.ok(bots.create({ name: 'ci', owner: 'spark-ori' }).ok)
  rmSync(join(folderOf(rig, bot), 'bot.yaml'))
  const removed = bots.remove(bot)
  assert.ok(removed.ok && removed.trash !== undefined && existsSync(removed.trash))
  assert.equal(existsSync(folderOf(rig, bot)), false)
})

test('a bot that was broken at the start begins once mended; a reload starts those added by hand, and no stopped or never started ones', async () => {
  await using rig = await startRig({
    bots: { [bot]: 'bot: {', 'spark-ori-stopped': of('spark-ori-stopped') },
  })
  const { bots } = rig.server
  const statuses = () => bots.list().map(({ name, status }) => `${name} ${status}`)
  assert.ok((await bots.stop('spark-ori-stopped')).ok)
  assert.ok(bots.create({ name: 'made', owner: 'spark-ori' }).ok)
  mkdirSync(folderOf(rig, 'spark-ori-new'))
  save(rig, 'spark-ori-new', of('spark-ori-new'))
  save(rig, bot, of(bot))
  // The watcher reads them first.
  while (bots.get('spark-ori-new') === undefined || bots.get(bot)?.status !== 'active')
    await rig.server.store.deliveries.pending()

  assert.deepEqual((await rig.server.reload()).warnings, [])
  const resting = ['spark-ori-made inactive', 'spark-ori-new active', 'spark-ori-stopped inactive']
  assert.deepEqual(statuses(), [`${bot} active`, ...resting])

  save(rig, 'spark-ori-stopped', 'bot: {')
  assert.match((await rig.server.reload()).warnings.join(), /^bots\/spark-ori-stopped\/bot\.yaml:1:/)
  assert.equal(bots.get('spark-ori-stopped')?.status, 'invalid')
  save(rig, 'spark-ori-stopped', of('spark-ori-stopped'))
  assert.deepEqual((await rig.server.reload()).warnings, [])
  assert.deepEqual(statuses(), [`${bot} active`, ...resting])
})

function save(rig: Rig, name: string, text: string): void {
  writeBots(rig.home, { [name]: text })
}

function folderOf(rig: Rig, name: string): string {
  return join(rig.home.bots, name)
}
