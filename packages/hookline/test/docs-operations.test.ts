// docs/operations.md: its commands are typed in order beside a running server, and what they print is held against the page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocksOf } from './docs.ts'
import { startRig } from './rig.ts'
import { patternOf, runInShell, stepsOf } from './shell.ts'

const page = 'operations'
const bot = 'bot: {name: spark-ori-ci, owner: spark-ori}\noutput: {channels: ["#builds"]}\n'

test('every example of the page does what the page says', async () => {
  await using rig = await startRig({ bots: { 'spark-ori-ci': bot } })
  for (const { info, line, lines } of blocksOf(page)) {
    if (info === 'ini') {
      expectCommands(lines)
      continue
    }
    assert.equal(info, 'console', `${page}.md:${line}: nobody knows what to do with ${info}`)
    for (const step of stepsOf(lines, `${page}.md`, line + 1)) {
      const printed = varying(await runInShell(step.command, rig.home.folder))
      assert.match(
        printed,
        patternOf(varying(step.expected.join('\n'))),
        `${page}.md:${step.line}\n${printed}`,
      )
    }
  }
})

/** What a unit of systemd runs is ours. */
function expectCommands(lines: readonly string[]): void {
  const run = lines.flatMap((line) => /^Exec\w+=\S+\/hookline (\w+ \w+)/.exec(line)?.[1] ?? [])
  assert.deepEqual(run, ['server start', 'server reload'])
}

/** Sizes, and times of another day. */
function varying(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d[.-]\d{3}Z/g, '{any}')
    .replaceAll(/\([\d.]+ [KM]iB\)/g, '({any})')
}
