// docs/deliveries.md: its bots are saved and started, its commands are typed in order, and what they print is held against the page.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { TestClock } from './clock.ts'
import { bringBot, playPage, tableOf, typeCommands, withoutDay } from './docs.ts'
import { type Rig, startRig } from './rig.ts'

const page = 'deliveries'
const counted = /^3 more messages/

test('every example of the page does what the page says', async () => {
  // It stands still while a command runs: however slow the machine is, what comes at once is one burst.
  const clock = new TestClock(Date.now())
  await using rig = await startRig({ clock })
  await playPage(page, {
    async console({ lines, line }) {
      const starts = [...lines.keys()].filter((at) => lines[at]?.startsWith('$ '))
      for (const [n, at] of starts.entries()) {
        clock.moveTo(Math.max(clock.now(), Date.now()))
        // It asks over and over.
        if (lines[at]?.startsWith('$ until '))
          while (!rig.spoken.some(({ text }) => counted.test(text))) await wait(20)
        await typeCommands({ line: line + at, lines: lines.slice(at, starts[n + 1]) }, rig, withoutMore)
      }
    },
    async 'yaml bot'(block) {
      await reread(rig, await bringBot(rig, block))
    },
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

/** The saved file is noticed and read once more, unless the start was late: with other settings a burst begins anew. */
async function reread({ server: { bots } }: Rig, name: string): Promise<void> {
  const { settings } = bots.get(name) ?? assert.fail(name)
  const late = performance.now() + 2_000
  while (bots.get(name)?.settings === settings && performance.now() < late) await wait(10)
}

/** Nor ids of messages, and how long it took. */
function withoutMore(text: string): string {
  return withoutDay(text)
    .replaceAll(/ messages in \d+s:/g, ' messages in Ns:')
    .replaceAll(/^message {2}\S+$/gm, 'message  MSGID')
}
