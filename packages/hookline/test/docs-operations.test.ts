// docs/operations.md: its commands are typed in order beside a running server, and what they print is held against the page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Block, playPage, typeCommands } from './docs.ts'
import { startRig } from './rig.ts'

const bot = 'bot: {name: spark-ori-ci, owner: spark-ori}\noutput: {channels: ["#builds"]}\n'

test('every example of the page does what the page says', async () => {
  await using rig = await startRig({ bots: { 'spark-ori-ci': bot } })
  await playPage('operations', {
    ini: expectCommands,
    console: (block) => typeCommands(block, rig, withoutDay),
  })
})

/** What a unit of systemd runs is ours. */
function expectCommands({ lines }: Block): void {
  const run = lines.flatMap((line) => /^Exec\w+=\S+\/hookline (\w+ \w+)/.exec(line)?.[1] ?? [])
  assert.deepEqual(run, ['server start', 'server reload'])
}

/** Sizes, and times of another day. */
function withoutDay(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d[.-]\d{3}Z/g, '{any}')
    .replaceAll(/\([\d.]+ [KM]iB\)/g, '({any})')
}
