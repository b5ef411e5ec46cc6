// docs/history.md: its conversations are played, its settings are read, its commands are typed, and all is held against the page.
import { test } from 'node:test'
import { play } from './conversation.ts'
import { expectSettings, playPage, typeCommands, withoutDay } from './docs.ts'
import { startRig } from './rig.ts'

const page = 'history'

test('every example of the page does what the page says', async () => {
  await using rig = await startRig()
  await playPage(page, {
    'irc …': ({ info, lines }) => play([info.replace('irc', 'ann +'), ...lines].join('\n')),
    'yaml server.yaml': expectSettings,
    console: (block) =>
      typeCommands(block, rig, (text) => withoutDay(text).replaceAll(/^\d\d:\d\d(:\d\d)?/gm, 'TIME')),
  })
})
