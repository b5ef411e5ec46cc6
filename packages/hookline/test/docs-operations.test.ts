// docs/operations.md: its commands are typed in order beside a running server, and what they print is held against the page.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { playPage, typeCommands } from './docs.ts'
import { startRig } from './rig.ts'
import { UNIT } from './unit.ts'

const bot = 'bot: {name: spark-ori-ci, owner: spark-ori}\noutput: {channels: ["#builds"]}\n'

test('every example of the page does what the page says', async () => {
  await using rig = await startRig({ bots: { 'spark-ori-ci': bot } })
  await playPage('operations', {
    ini: ({ lines }) => assert.equal(`${lines.join('\n')}\n`, readFileSync(UNIT, 'utf8')),
    console: (block) => typeCommands(block, rig, withoutDay),
  })
})

/** Sizes, and times of another day. */
function withoutDay(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d[.-]\d{3}Z/g, '{any}')
    .replaceAll(/\([\d.]+ [KM]iB\)/g, '({any})')
}
