// Every payload that GitHub documents, posted to a bot with `preset: github` that filters none, and the lines that people
// read, in golden/preset-github. `npm run golden` rewrites those.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { presetBot, read, reader } from '../test/presetlines.ts'
import { startRig } from '../test/rig.ts'

interface Event {
  readonly name: string
  readonly examples: readonly { readonly action?: string }[]
}

const events = createRequire(import.meta.url)('@octokit/webhooks-examples') as readonly Event[]

test('GitHub documents 329 payloads of 58 events', () => {
  assert.equal(events.length, 58)
  assert.equal(events.flatMap(({ examples }) => examples).length, 329)
})

for (const { name, examples } of events) {
  test(`${name}: each of ${examples.length} payloads is one to five lines, without JSON or gaps, its URL whole`, async (t) => {
    await using rig = await startRig({ bots: presetBot('github', '{exists: body}') })
    using person = await reader(rig)
    const shown = new Set<string>()
    for (const [index, payload] of examples.entries()) {
      const lines = await read(rig, person, {
        bot: 'spark-ori-github',
        payload,
        headers: {
          'User-Agent': 'GitHub-Hookshot/044aadd',
          'X-GitHub-Event': name,
          'X-GitHub-Delivery': `72d3162e-cc78-11e3-81ab-${String(index).padStart(12, '0')}`,
        },
      })
      assert.notDeepEqual(lines, [])
      // GitHub shows many payloads of an event that differ in nothing people read.
      shown.add([`# ${name} ${payload.action ?? ''}`.trimEnd(), ...lines].join('\n'))
    }
    t.assert.fileSnapshot(
      `${[...shown].join('\n')}\n`,
      `${import.meta.dirname}/golden/preset-github/${name}.txt`,
      { serializers: [String] },
    )
  })
}
