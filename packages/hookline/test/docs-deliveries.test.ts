// docs/deliveries.md: its bots are saved and started, its commands are typed in order, and what they print is held against the page.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { TestClock } from './clock.ts'
import { bringBot, playPage, tableOf, typeCommands, withoutDay } from './docs.ts'
import { startRig } from './rig.ts'

const page = 'deliveries'

test('every example of the page does what the page says', async () => {
  // It stands still: however slow the machine is, what comes at once is one burst.
  const clock = new TestClock(Date.now())
  await using rig = await startRig({ clock })
  await playPage(page, {
    async console(block) {
      if (block.lines.some((line) => line.startsWith('$ until '))) clock.moveTo(clock.now() + 10_000)
      await typeCommands(block, rig, withoutMore)
    },
    'yaml bot': (block) => bringBot(rig, block),
  })
})

test('the page lists every status that a webhook test is named by, and no other', () => {
  const cwd = `${import.meta.dirname}/..`
  const tests = globSync(['src/webhooks/*.test.ts', 'test/contract.test.ts'], { cwd })
  const shown = tests.flatMap((file) =>
    [...readFileSync(join(cwd, file), 'utf8').matchAll(/^test\('(\d{3})[: ]/gm)].map(([, status]) => status),
  )
  assert.deepEqual(new Set(tableOf(page, 'status').map(([status]) => status)), new Set(shown))
})

/** Nor ids of messages, and how long it took. */
function withoutMore(text: string): string {
  return withoutDay(text)
    .replaceAll(/ messages in \d+s:/g, ' messages in Ns:')
    .replaceAll(/^message {2}\S+$/gm, 'message  MSGID')
}
