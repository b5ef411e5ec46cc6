// docs/presets.md: every command is typed, every bot gets the sample payloads beside it, and the table is what there is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFixture } from '../src/senders/fixtures.ts'
import { findPreset, presetNames } from '../src/senders/presets.ts'
import { type Block, bringBot, playPage, rowsOf, typeCommands } from './docs.ts'
import { post } from './post.ts'
import { plain, visible } from './presetlines.ts'
import { type Rig, startRig } from './rig.ts'

const page = 'presets'
const bot = 'spark-ori-bot'

test('every example of the page does what the page says', async () => {
  await using rig = await startRig()
  await playPage(page, {
    console: (block) => typeCommands(block, rig),
    'yaml bot': ({ lines }) => bring(rig, lines),
    'text …': (block) => send(rig, block),
  })
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

/** The page shows only what the preset is about. */
async function bring(rig: Rig, lines: readonly string[]): Promise<void> {
  await bringBot(rig, { lines: [`bot: {name: ${bot}, owner: spark-ori}`, ...lines] })
}

/** What the block says is the message, or why there is none. */
async function send(rig: Rig, { info, lines }: Block): Promise<void> {
  const name = info.split(' ').at(-1) ?? ''
  const [preset = ''] = name.split('/')
  // Where the page shows what another service says, its preset speaks.
  if (rig.server.bots.get(bot)?.settings?.output.preset !== preset)
    await bring(rig, [`output: {preset: ${preset}}`])
  const fixture = findFixture(name)
  assert.ok(fixture, `there is no fixture ${name}`)
  const { json } = await post(`${rig.url}/${bot}`, fixture.payload, fixture.headers)
  const row = await rig.server.store.deliveries.get(String(json['id']))
  const said = info.includes('skipped') ? row?.reason : plain(visible(String(json['message'])))
  assert.equal(said, lines.join('\n'))
}
