// docs/messages.md: its bots are started, its conversations are played and its commands typed, and all is held against the page.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { replyTags } from '../src/store/threads.ts'
import { play } from './conversation.ts'
import { type Block, blocksOf, rowsOf } from './docs.ts'
import { type Rig, startRig } from './rig.ts'
import { patternOf, runInShell, stepsOf } from './shell.ts'

const page = 'messages'

test('every example of the page does what the page says', async () => {
  await using rig = await startRig()
  let bot: readonly string[] = []
  for (const block of blocksOf(page)) {
    const [language, ...words] = block.info.split(' ')
    if (language === 'yaml' && words.join(' ') === 'bot') await bring((bot = block.lines), rig)
    else if (language === 'console' && words.length === 0) await type(block, rig)
    else if (language === 'irc') await play(scriptOf(block, { bot, caps: words }))
    else assert.fail(`${page}.md:${block.line}: nobody knows what to do with ${block.info}`)
  }
})

test('the table names the tags that are sent', () => {
  const named = rowsOf(page).map(([tags = '']) => tags.replaceAll('`', ''))
  assert.deepEqual(named, [
    'msgid',
    'bot',
    'hookline/delivery',
    replyTags('x')
      .map(([tag]) => tag)
      .join(', '),
  ])
})

async function bring(lines: readonly string[], { home, server }: Rig): Promise<void> {
  const name = nameIn(lines)
  mkdirSync(join(home.bots, name))
  writeFileSync(join(home.bots, name, 'bot.yaml'), `${lines.join('\n')}\n`)
  const started = await server.bots.start(name)
  assert.ok(started.ok, JSON.stringify(started))
}

/** With the bot that stands above it; ann is in its channel already. */
function scriptOf(
  { lines }: Block,
  { bot, caps }: { bot: readonly string[]; caps: readonly string[] },
): string {
  const entered = [`ann + ${caps.join(' ')}`, 'ann > JOIN #builds', 'ann ~']
  return [
    '# from the page',
    `@ ${nameIn(bot)}`,
    ...bot.map((line) => `  ${line}`),
    ...entered,
    ...lines.map((line) => varying(line, { message: '{msgid}', delivery: '{delivery}' })),
  ].join('\n')
}

/** The page says the usual address, and ids of another day. */
async function type({ lines, line }: Block, { home, url }: Rig): Promise<void> {
  const ids = { message: 'MSGID', delivery: 'd-ID' }
  for (const step of stepsOf(lines, `${page}.md`, line + 1)) {
    const command = step.command.replaceAll('http://127.0.0.1:7680', url)
    const printed = varying(await runInShell(command, home.folder), ids)
    assert.match(
      printed,
      patternOf(varying(step.expected.join('\n'), ids)),
      `${page}.md:${step.line}\n${printed}`,
    )
  }
}

function varying(text: string, { message, delivery }: { message: string; delivery: string }): string {
  return text.replaceAll(/\bd-[0-9a-z]{17}\b/g, delivery).replaceAll(/\b[0-9a-z]{26}\b/g, message)
}

function nameIn(lines: readonly string[]): string {
  return /name: ([\w-]+)/.exec(lines.join('\n'))?.[1] ?? assert.fail('a bot without a name')
}
