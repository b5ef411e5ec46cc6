// docs/testing.md: its bots are saved and started, its commands are typed in order, and its job for CI is run.
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Composed } from '../src/message/composed.ts'
import { goldenOf } from '../src/bots/golden.ts'
import { type Block, bringBot, playPage, rowsOf, typeCommands, withoutDay } from './docs.ts'
import { type Rig, startRig } from './rig.ts'
import { runInShell } from './shell.ts'

const page = 'testing'

test('every example of the page does what the page says', async () => {
  await using rig = await startRig()
  await playPage(page, {
    console: (block) => typeCommands(block, rig, withoutDay),
    // The page has one bot, with other settings later on.
    'yaml bot': (block) => bringBot(rig, block),
    'sh ci': (block) => runJob(block, rig),
  })
})

test('the table of golden lines shows lines as they are written', () => {
  const composed: readonly Composed[] = [
    {
      kind: 'message',
      text: 'x',
      unresolved: ['body.action'],
      composedBy: 'fallback json',
      destination: { channels: ['#ops'], mention: 'ada' },
      thread: 'ada/kettle#7',
    },
    { kind: 'skip', composedBy: null, reason: 'filtered: …' },
    { kind: 'failed', error: "KeyError: 'who'" },
  ]
  const written = composed.flatMap((each) =>
    goldenOf(each)
      .split('\n')
      .filter((line) => line.startsWith('# ')),
  )
  assert.deepEqual(new Set(rowsOf(page).map(([line]) => line?.slice(1, -1))), new Set(written))
})

/** At first it writes what is not there yet; then it passes; when a bot says something else, it does not. */
async function runJob({ lines }: Block, { home }: Rig): Promise<void> {
  const golden = join(home.bots, 'spark-ori-shop', 'golden')
  const job = `(${lines.join('\n')}\n) 2>&1`
  assert.match(await runInShell(job, home.folder), / written; this is now the expected output$/)
  assert.doesNotMatch(await runInShell(job, home.folder), /written|different|\[1\]/)
  writeFileSync(join(golden, 'github', 'push.txt'), 'something else\n')
  assert.match(await runInShell(job, home.folder), /different {2}github\/push\n[^]*\[1\]$/)
  rmSync(golden, { recursive: true })
}
