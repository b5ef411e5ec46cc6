// docs/history.md: its conversations are played, its settings are read, its commands are typed, and all is held against the page.
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { loadConfig } from '../src/config/config.ts'
import { play } from './conversation.ts'
import { type Block, playPage, typeCommands } from './docs.ts'
import { startRig, temporaryHome } from './rig.ts'

const page = 'history'

test('every example of the page does what the page says', async () => {
  await using rig = await startRig()
  await playPage(page, {
    'irc …': ({ info, lines }) => play([info.replace('irc', 'ann +'), ...lines].join('\n')),
    'yaml server.yaml': read,
    console: (block) => typeCommands(block, rig, withoutDay),
  })
})

function read({ lines }: Block): void {
  const home = temporaryHome()
  try {
    writeFileSync(home.config, `${lines.join('\n')}\n`)
    const settings = loadConfig({ home, flags: {}, env: {} })
    assert.ok(settings.ok && settings.warnings.length === 0, JSON.stringify(settings))
  } finally {
    rmSync(home.folder, { recursive: true })
  }
}

function withoutDay(text: string): string {
  return text
    .replaceAll(/\b20\d\d-\d\d-\d\d[T ][\d:.]+Z?/g, 'TIME')
    .replaceAll(/^\d\d:\d\d(:\d\d)?/gm, 'TIME')
}
