// docs/presets.md: every command is typed, every bot gets the sample payloads beside it, and the table is what there is.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findFixture } from '../src/bots/fixtures.ts'
import { findPreset, presetNames } from '../src/bots/presets.ts'
import { type Block, blocksOf, rowsOf } from './docs.ts'
import { post } from './post.ts'
import { plain, visible } from './presetlines.ts'
import { type Rig, startRig } from './rig.ts'
import { patternOf, runInShell, stepsOf } from './shell.ts'

const page = 'presets'
const bot = 'spark-ori-bot'

test('every example of the page does what the page says', async () => {
  await using rig = await startRig()
  const blocks = blocksOf(page)
  assert.ok(blocks.length > 15)
  for (const block of blocks) {
    const [language, ...words] = block.info.split(' ')
    const name = words.at(-1) ?? ''
    if (language === 'console' && words.length === 0) await type(rig, block)
    else if (language === 'yaml' && name === 'bot') await bring(rig, block.lines.join('\n'))
    else if (language === 'text' && name.includes('/')) await send(rig, block, name)
    else assert.fail(`${page}.md:${block.line}: nobody knows what to do with ${block.info}`)
  }
})

test('the table has every preset, with its auth and the place of its event', () => {
  const rows = rowsOf(page)
  assert.deepEqual(
    rows.map(([name = '', , auth = '', event = '']) => ({ name, auth, event })),
    presetNames().map((name) => {
      const { auth, event } = findPreset(name) ?? {}
      return { name: code(name), auth: code(auth), event: code(event?.text) }
    }),
  )
  for (const [name, says = ''] of rows) assert.ok(says.length > 15, name)
})

function code(text: string | undefined): string {
  return text === undefined ? '' : `\`${text}\``
}

async function bring(rig: Rig, yaml: string): Promise<void> {
  mkdirSync(join(rig.home.bots, bot), { recursive: true })
  writeFileSync(join(rig.home.bots, bot, 'bot.yaml'), `bot: {name: ${bot}, owner: spark-ori}\n${yaml}\n`)
  const started = await rig.server.bots.start(bot)
  assert.ok(started.ok, JSON.stringify(started))
}

/** What the block says is the message, or why there is none. */
async function send(rig: Rig, { info, line, lines }: Block, name: string): Promise<void> {
  const [preset = ''] = name.split('/')
  // Where the page shows what another service says, its preset speaks.
  if (rig.server.bots.get(bot)?.settings?.output.preset !== preset)
    await bring(rig, `output: {preset: ${preset}}`)
  const fixture = findFixture(name)
  assert.ok(fixture, `${page}.md:${line}: there is no fixture ${name}`)
  const { json } = await post(`${rig.url}/${bot}`, fixture.payload, fixture.headers)
  const row = await rig.server.store.deliveries.get(String(json['id']))
  const said = info.includes('skipped') ? row?.reason : plain(visible(String(json['message'])))
  assert.equal(said, lines.join('\n'), `${page}.md:${line}`)
}

/** The page says the usual address; the server of the test has another. */
async function type({ home, url }: Rig, { lines, line }: Block): Promise<void> {
  for (const step of stepsOf(lines, `${page}.md`, line + 1)) {
    const printed = (await runInShell(step.command, home.folder)).replaceAll(url, 'http://127.0.0.1:7680')
    assert.match(printed, patternOf(step.expected.join('\n')), `${page}.md:${step.line}\n${printed}`)
  }
}
