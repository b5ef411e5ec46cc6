// docs/deliveries.md: its bots are saved and started, its commands are typed in order, and what they print is held against the page.
import assert from 'node:assert/strict'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Block, blocksOf, tableOf } from './docs.ts'
import { type Rig, startRig } from './rig.ts'
import { patternOf, runInShell, stepsOf } from './shell.ts'

const page = 'deliveries'

test('every example of the page does what the page says', async () => {
  await using rig = await startRig()
  for (const block of blocksOf(page)) {
    if (block.info === 'console') await type(block, rig)
    else if (block.info === 'yaml bot') await bring(block, rig)
    else assert.fail(`${page}.md:${block.line}: nobody knows what to do with ${block.info}`)
  }
})

test('the page lists every status that a webhook test is named by, and no other', () => {
  const cwd = `${import.meta.dirname}/..`
  const tests = globSync(['src/webhooks/*.test.ts', 'test/contract.test.ts'], { cwd })
  const shown = tests.flatMap((file) =>
    [...readFileSync(join(cwd, file), 'utf8').matchAll(/^test\('(\d{3})[: ]/gm)].map(([, status]) => status),
  )
  assert.deepEqual(new Set(tableOf(page, 'status').map(([status]) => status)), new Set(shown))
})

async function bring({ lines }: Block, { home, server }: Rig): Promise<void> {
  const text = `${lines.join('\n')}\n`
  const name = /name: ([\w-]+)/.exec(text)?.[1] ?? assert.fail('a bot without a name')
  mkdirSync(join(home.bots, name))
  writeFileSync(join(home.bots, name, 'bot.yaml'), text)
  const started = await server.bots.start(name)
  assert.ok(started.ok, JSON.stringify(started))
}

/** The page says the usual address, and ids and times of another day. */
async function type({ lines, line }: Block, { home, url }: Rig): Promise<void> {
  const usual = 'http://127.0.0.1:7680'
  for (const step of stepsOf(lines, `${page}.md`, line + 1)) {
    const printed = (await runInShell(step.command.replaceAll(usual, url), home.folder)).replaceAll(
      url,
      usual,
    )
    const expected = varying(step.expected.join('\n'))
    assert.match(varying(printed), patternOf(expected), `${page}.md:${step.line}\n${printed}`)
  }
}

function varying(text: string): string {
  return text
    .replaceAll(/\bd-[0-9a-z]{17}\b/g, 'd-ID')
    .replaceAll(/\b20\d\d-\d\d-\d\d[T ][\d:.]+Z?/g, 'TIME')
    .replaceAll(/ messages in \d+s:/g, ' messages in Ns:')
    .replaceAll(/^message {2}\S+$/gm, 'message  MSGID')
}
