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

test('jenkins: a phase that repeats another is skipped', async () => {
  await using rig = await startRig({ bots: presetBot('jenkins') })
  using person = await reader(rig)
  const finalized = findFixture('jenkins/finalized')?.payload ?? ''
  for (const phase of ['QUEUED', 'COMPLETED']) {
    const payload = finalized.replace('FINALIZED', phase)
    assert.notEqual(payload, finalized)
    assert.deepEqual(await read(rig, person, { bot: 'spark-ori-jenkins', payload }), [])
  }
})

test('github: a title can neither colour, wake, forge a line nor fill the channel', async () => {
  await using rig = await startRig({ bots: presetBot('github') })
  using person = await reader(rig)
  const title = `\x0304red\x02 @ann \u202Eback\r\n:ann QUIT\r\n${'long '.repeat(200)}`
  const { payload = '{}', headers } = findFixture('github/issues.opened') ?? {}
  const { issue, ...rest } = JSON.parse(payload) as { issue: object }
  const sent = { ...rest, issue: { ...issue, title } }
  const lines = await read(rig, person, { bot: 'spark-ori-github', payload: sent, headers: headers ?? {} })
  assert.deepEqual(lines, [
    '[⟦b⟧acme/kettle⟦b⟧] alan ⟦green⟧⟦b⟧opened⟦b⟧⟦/⟧ issue #7: 04red @\u200bann back - https://github.com/acme/kettle/issues/7',
  ])
  const long = { ...rest, issue: { ...issue, title: 'ключ '.repeat(200) } }
  const [only = '', ...more] = await read(rig, person, {
    bot: 'spark-ori-github',
    payload: long,
    headers: headers ?? {},
  })
  assert.deepEqual(more, [])
  assert.match(only, /ключ… - https:\/\/github\.com\/acme\/kettle\/issues\/7$/)
})
