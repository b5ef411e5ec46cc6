// docs/history.md: its conversations are played, its settings are read, its commands are typed, and all is held against the page.
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { loadConfig } from '../src/config/config.ts'
import { play } from './conversation.ts'
import { type Block, blocksOf } from './docs.ts'
import { type Rig, startRig, temporaryHome } from './rig.ts'
import { patternOf, runInShell, stepsOf } from './shell.ts'

const page = 'history'

test('every example of the page does what the page says', async () => {
  await using rig = await startRig()
  for (const block of blocksOf(page)) {
    const [language, ...words] = block.info.split(' ')
    if (language === 'irc') await play([`ann + ${words.join(' ')}`, ...block.lines].join('\n'))
    else if (block.info === 'yaml server.yaml') read(block)
    else if (block.info === 'console') await type(block, rig)
    else assert.fail(`${page}.md:${block.line}: nobody knows what to do with ${block.info}`)
  }
})

function read({ lines, line }: Block): void {
  const home = temporaryHome()
  try {
    writeFileSync(home.config, `${lines.join('\n')}\n`)
    const settings = loadConfig({ home, flags: {}, env: {} })
    assert.ok(
      settings.ok && settings.warnings.length === 0,
      `${page}.md:${line}: ${JSON.stringify(settings)}`,
    )
  } finally {
    rmSync(home.folder, { recursive: true })
  }
}

async function type({ lines, line }: Block, { home }: Rig): Promise<void> {
  for (const step of stepsOf(lines, `${page}.md`, line + 1)) {
    const printed = varying(await runInShell(step.command, home.folder))
    assert.match(printed, patternOf(varying(step.expected.join('\n'))), `${page}.md:${step.line}\n${printed}`)
  }
}

function varying(text: string): string {
  return text
    .replaceAll(/\b20\d\d-\d\d-\d\d[T ][\d:.]+Z?/g, 'TIME')
    .replaceAll(/^\d\d:\d\d(:\d\d)?/gm, 'TIME')
}
