// Few files, and somebody who takes as many as a listener gives: the others still have theirs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeFileSync } from 'node:fs'
import { hookline, inShell, startBy } from './command.ts'
import { Person } from './person.ts'
import { post } from './post.ts'
import { temporaryHome, writeBots } from './rig.ts'
import { isServed, openSilent } from './silent.ts'

const BOT = 'spark-ori-ci'

for (const files of [64, 256, 1_024]) {
  test(`with ${files} files, connections that flood one listener keep nobody from the others`, async (t) => {
    const home = temporaryHome(t)
    writeBots(home, { [BOT]: `bot: {name: ${BOT}, owner: spark-ori}\noutput: {channels: ["#tea"]}\n` })
    writeFileSync(home.config, 'listeners: [{port: 0}, {port: 0}]\n')
    await using server = await startBy(inShell(`ulimit -n ${files}; exec "$@"`), home)
    const webhooks = `${server.url}/${BOT}`
    const { code, stdout } = await hookline(home, 'server', 'status', '--json')
    assert.equal(code, 0)
    const { listeners } = JSON.parse(stdout) as { listeners: readonly string[] }
    const [plain, other] = listeners.map((address) => Number(address.split(':')[1])) as [number, number]

    for (const flooded of [plain, Number(new URL(webhooks).port)]) {
      using flood = await openSilent(2 * files, flooded)
      assert.equal((await hookline(home, 'server', 'status')).code, 0)
      {
        using ann = await Person.join(other, 'ann', { channels: '#tea' })
        if (flooded === plain) {
          assert.equal((await post(webhooks, { flooded })).status, 200)
          await ann.until(/PRIVMSG #tea :.*flooded/)
        }
      }
      flood.hangUp()
      // It recovers by itself.
      while (!(await isServed(plain)));
      assert.equal((await post(webhooks, { flooded })).status, 200)
    }
    assert.doesNotMatch(await server.stop(), /too many open files/)
  })
}
