// docs/migrating.md: its commands are typed in order, and its handler is the one of spark-ori-kiln.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { outputOf } from './control.ts'
import { playPage, typeCommands } from './docs.ts'
import { startRig } from './rig.ts'

test('every example of the page does what the page says', async () => {
  await using rig = await startRig()
  await playPage('migrating', {
    console: (block) => typeCommands(block, rig),
    'js handler': async ({ lines }) => {
      const kiln = { name: 'kiln', owner: 'spark-ori', channels: ['#builds'], start: true }
      await outputOf(rig.home, 'bot create', kiln)
      writeFileSync(join(rig.home.bots, 'spark-ori-kiln', 'handler.mjs'), lines.join('\n'))
    },
  })
})
