// Every fixture of every preset, posted as its service would, and the lines that people read: golden/presets.
// `npm run golden` rewrites those.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFixture, fixtureNames } from '../src/bots/fixtures.ts'
import { presetBot, read, reader } from './presetlines.ts'
import { startRig } from './rig.ts'

const presets = [...new Set(fixtureNames().map((name) => name.split('/')[0] ?? ''))]

test('fifteen services and more have fixtures, the usual events of each', () => {
  assert.ok(presets.length >= 15, presets.join(' '))
  assert.ok(fixtureNames().length >= 95)
  assert.ok(fixtureNames('github').length >= 20)
})

for (const preset of presets) {
  test(`${preset}: every fixture as people read it`, async (t) => {
    await using rig = await startRig({ bots: presetBot(preset) })
    using person = await reader(rig)
    for (const name of fixtureNames(preset)) {
      const fixture = findFixture(name)
      assert(fixture)
      const { payload, headers } = fixture
      assert.ok(Buffer.byteLength(payload) < 4096, `${name} is no small example`)
      const lines = await read(rig, person, { bot: `spark-ori-${preset}`, payload, headers })
      assert.notDeepEqual(lines, [], name)
      t.assert.fileSnapshot(`${lines.join('\n')}\n`, `${import.meta.dirname}/golden/presets/${name}.txt`, {
        serializers: [String],
      })
    }
  })
}
