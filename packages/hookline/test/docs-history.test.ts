// docs/history.md: its conversations are played, its settings are read, its commands are typed, and all is held against the page.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { loadConfig } from '../src/config/config.ts'
import { play } from './conversation.ts'
import { type Block, playPage, typeCommands, withoutDay } from './docs.ts'
import { startRig, temporaryHome } from './rig.ts'

const page = 'history'

test('every example of the page does what the page says', async (t) => {
  await using rig = await startRig()
  await playPage(page, {
    'irc …': ({ info, lines }) => play([info.replace('irc', 'ann +'), ...lines].join('\n')),
    'yaml server.yaml': (block) => read(block, t),
    console: (block) =>
      typeCommands(block, rig, (text) => withoutDay(text).replaceAll(/^\d\d:\d\d(:\d\d)?/gm, 'TIME')),
  })
})

function read({ lines }: Block, t: TestContext): void {
  const home = temporaryHome(t)
  writeFileSync(home.config, `${lines.join('\n')}\n`)
  const settings = loadConfig({ home, flags: {}, env: {} })
  assert.ok(settings.ok && settings.warnings.length === 0, JSON.stringify(settings))
}
