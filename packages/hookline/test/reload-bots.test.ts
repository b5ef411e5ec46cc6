// What `server reload` and `bot delete` make of the bots' folders as they are now.
import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Person } from './person.ts'
import { post } from './post.ts'
import { type Rig, startRig } from './rig.ts'

const bot = 'spark-ori-ci'
const file = `bot: {name: ${bot}, owner: spark-ori}\noutput: {channels: ["#builds"], template: "{body.text}"}\n`

test('a reload lets go of bots whose files are gone, valid and invalid', async () => {
  await using rig = await startRig({ bots: { [bot]: file, 'spark-ori-bad': 'bot: {' } })
  using ann = await Person.join(rig.ircPort, 'ann')
  ann.type('JOIN #builds')
  await ann.settle()
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

test('a bot whose folder is gone can be deleted, and made again; what is left of a folder goes to the trash', async () => {
  await using rig = await startRig({ bots: { [bot]: file } })
  const { bots } = rig.server
  using ann = await Person.join(rig.ircPort, 'ann')
  ann.type('JOIN #builds')
  await ann.settle()
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

function folderOf(rig: Rig, name: string): string {
  return join(rig.home.bots, name)
}
