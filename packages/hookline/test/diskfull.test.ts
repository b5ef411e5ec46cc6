// A disk that is really full: a small file system in a mount namespace of the server's own.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { hookline } from './command.ts'
import { cannotMount } from './mounts.ts'
import { Person } from './person.ts'
import { post } from './post.ts'
import { PATIENT, temporaryHome, UNLIMITED, writeBots } from './rig.ts'
import { fill, seenFromHere, startOnSmallDisk } from './smalldisk.ts'

const bot = 'spark-ori-ci'

test(
  'on a full disk senders get only 503 and chat goes on; with space again deliveries resume; nothing acknowledged is lost',
  { skip: cannotMount, timeout: 300_000 },
  async (t) => {
    const home = temporaryHome(t)
    mkdirSync(home.data)
    const file = `bot: {name: ${bot}, owner: spark-ori}\noutput: {channels: ["#log"], template: "{body.marker}"}\n`
    writeBots(home, { [bot]: file })
    writeFileSync(home.config, UNLIMITED)
    await using server = await startOnSmallDisk(home)
    const { url, ircPort } = server
    const disk = seenFromHere(server, home)
    const acknowledged: string[] = []
    const send = async (marker: string): Promise<number> => {
      const { status } = await post(`${url}/${bot}`, { marker, pad: randomBytes(1_500).toString('base64') })
      if (status === 200) acknowledged.push(marker)
      return status
    }
    using ann = await Person.join(ircPort, 'ann')
    using bob = await Person.join(ircPort, 'bob')
    for (const person of [ann, bob]) person.type('JOIN #tea')
    await Promise.all([ann.settle(), bob.settle()])
    assert.equal(await send('before'), 200)

    const ballast = join(disk, 'ballast')
    fill(ballast)
    const refused: number[] = []
    for (let n = 0; refused.length < 50; n++) {
      const status = await send(`full ${n}`)
      // The remaining space of the log file may still take some.
      if (status !== 200) refused.push(status)
      assert.ok(n < 500, 'the disk never became full')
    }
    assert.deepEqual([...new Set(refused)], [503])
    ann.type('PRIVMSG #tea :we can still talk')
    assert.match(await bob.until(/PRIVMSG/), /:we can still talk$/)

    for (const words of [
      ['ban', 'add', '192.0.2.1'],
      ['history', 'erase', '#tea', '--yes'],
      ['bot', 'edit', bot, '--description', 'what does not fit'],
    ]) {
      const { code, stderr } = await hookline(home, ...words)
      assert.equal(code, 2, stderr)
      assert.match(
        stderr,
        /(?:could not be saved|disk is full|ENOSPC.*)\nhint: (?:check that the disk has|make) room/,
      )
    }

    const status = async () => (await hookline(home, 'server', 'status')).stdout
    assert.match(await status(), /^storage +nothing can be written: database or disk is full$/m)

    rmSync(ballast)
    const asked = performance.now()
    while ((await send('after')) !== 200) assert.ok(performance.now() - asked < 60_000, 'no recovery')
    assert.doesNotMatch(await status(), /^storage/m)
    // SQLite asks for the real path, which is the namespace's own: so it reads a copy, made while nothing is written.
    for (const name of ['hookline.db', 'hookline.db-wal'])
      copyFileSync(join(disk, name), join(home.folder, name))
    const database = new DatabaseSync(join(home.folder, 'hookline.db'))
    const rows = database.prepare('SELECT text, count(*) AS times FROM history GROUP BY text').all()
    const times = new Map(rows.map((row) => [String(row['text']), Number(row['times'])]))
    for (const marker of acknowledged) assert.equal(times.get(marker), 1, marker)
    database.close()
    await server.stop()
  },
)

test(
  'a handler that returns while the disk is full: its state is saved and its message posted once there is room',
  { skip: cannotMount, timeout: 300_000 },
  async (t) => {
    const home = temporaryHome(t)
    const plain = 'spark-ori-plain'
    const file = (name: string) => `bot: {name: ${name}, owner: spark-ori}\noutput: {channels: ["#log"]}\n`
    mkdirSync(home.data)
    const handler = `import asyncio, os
async def handle(payload, bot):
    bot.state["n"] = bot.state.get("n", 0) + 1
    open("${home.folder}/entered", "w").close()
    while not os.path.exists("${home.folder}/full"): await asyncio.sleep(0.01)
    open("${home.folder}/left", "w").close()
    return f"call {bot.state['n']}"
`
    writeBots(home, { [bot]: file(bot), [`${bot}/handler.py`]: handler, [plain]: file(plain) })
    writeFileSync(home.config, `logging: {level: error}\n${PATIENT}`)
    await using server = await startOnSmallDisk(home)
    const { url } = server
    const disk = seenFromHere(server, home)
    const first = post(`${url}/${bot}`, {})
    await untilThere(join(home.folder, 'entered'))
    const ballast = join(disk, 'ballast')
    fill(ballast)
    writeFileSync(join(home.folder, 'full'), '')
    await untilThere(join(home.folder, 'left'))
    for (let refused = 0, n = 0; refused < 20; n++) {
      const { status } = await post(`${url}/${plain}`, { pad: randomBytes(1_500).toString('base64') })
      if (status === 503) refused++
      assert.ok(n < 500, 'the disk never became full')
    }
    rmSync(ballast)
    assert.equal((await first).json['message'], 'call 1')
    await server.stop()
  },
)

async function untilThere(path: string): Promise<void> {
  while (!existsSync(path)) await setImmediate()
}
