// docs/testing.md: its bots are saved and started, its commands are typed in order, and its job for CI is run.
import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Composed } from '../src/bots/composer.ts'
import { goldenOf } from '../src/bots/golden.ts'
import { type Block, blocksOf, rowsOf } from './docs.ts'
import { type Rig, startRig } from './rig.ts'
import { patternOf, runInShell, stepsOf } from './shell.ts'

const page = 'testing'

test('every example of the page does what the page says', async () => {
  await using rig = await startRig()
  for (const block of blocksOf(page)) {
    if (block.info === 'console') await type(block, rig)
    else if (block.info === 'yaml bot') await bring(block, rig)
    else if (block.info === 'sh ci') await runJob(block, rig)
    else assert.fail(`${page}.md:${block.line}: nobody knows what to do with ${block.info}`)
  }
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

/** The page has one bot, with other settings later on. */
async function bring({ lines }: Block, { home, server }: Rig): Promise<void> {
  const text = `${lines.join('\n')}\n`
  const name = /name: ([\w-]+)/.exec(text)?.[1] ?? assert.fail('a bot without a name')
  mkdirSync(join(home.bots, name), { recursive: true })
  writeFileSync(join(home.bots, name, 'bot.yaml'), text)
  const started = await server.bots.start(name)
  assert.ok(started.ok, JSON.stringify(started))
}

/** The page says the usual address, and ids of another day. */
async function type({ lines, line }: Block, { home, url }: Rig): Promise<void> {
  for (const step of stepsOf(lines, `${page}.md`, line + 1)) {
    const printed = await runInShell(step.command.replaceAll('http://127.0.0.1:7680', url), home.folder)
    const expected = varying(step.expected.join('\n'))
    assert.match(varying(printed), patternOf(expected), `${page}.md:${step.line}\n${printed}`)
  }
}

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

function varying(text: string): string {
  return text.replaceAll(/\bd-[0-9a-z]{17}\b/g, 'd-ID')
}
