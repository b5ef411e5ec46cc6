// docs/messages.md: its bots are started, its conversations are played and its commands typed, and all is held against the page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replyTags } from '../src/store/threads.ts'
import { play } from './conversation.ts'
import { type Block, bringBot, nameIn, playPage, rowsOf, typeCommands } from './docs.ts'
import { startRig } from './rig.ts'

const page = 'messages'

test('every example of the page does what the page says', async () => {
  await using rig = await startRig()
  let bot: readonly string[] = []
  await playPage(page, {
    'yaml bot': async (block) => {
      await bringBot(rig, block)
      bot = block.lines
    },
    console: (block) =>
      typeCommands(block, rig, (text) => withIds(text, { message: 'MSGID', delivery: 'd-ID' })),
    'irc …': (block) => play(scriptOf(block, bot)),
  })
})

test('the table names the tags that are sent', () => {
  const named = rowsOf(page).map(([tags = '']) => tags.replaceAll('`', ''))
  assert.deepEqual(named, [
    'msgid',
    'bot',
    'hookline.internal/delivery',
    replyTags('x')
      .map(([tag]) => tag)
      .join(', '),
  ])
})

/** With the bot that stands above it; ann is in its channel already. */
function scriptOf({ info, lines }: Block, bot: readonly string[]): string {
  const entered = [info.replace('irc', 'ann +'), 'ann > JOIN #builds', 'ann ~']
  return [
    '# from the page',
    `@ ${nameIn(bot)}`,
    ...bot.map((line) => `  ${line}`),
    ...entered,
    ...lines.map((line) => withIds(line, { message: '{msgid}', delivery: '{delivery}' })),
  ].join('\n')
}

/** The page has those of another day. */
function withIds(text: string, { message, delivery }: { message: string; delivery: string }): string {
  return text.replaceAll(/\bd-[0-9a-z]{17}\b/g, delivery).replaceAll(/\b[0-9a-z]{26}\b/g, message)
}
