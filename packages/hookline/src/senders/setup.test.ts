// Each preset's sender has a line that says where to enter the URL and the secret.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPreset, presetNames } from './presets.ts'
import { setupAt } from './setup.ts'

test('of each preset, the lines name the sender, the URL and the secret', () => {
  for (const preset of presetNames()) {
    const type = findPreset(preset)?.auth
    assert(type, preset)
    const url = 'https://chat.example.com/spark-ori-bot'
    const [first = '', ...rest] = setupAt(type, { url, secret: 's3cret', header: undefined, preset })
    assert.match(first, /^At \S/, preset)
    const text = rest.join('\n')
    assert.ok(text.includes(url) && text.includes('s3cret'), `${preset}: ${text}`)
  }
})

test('a header of its own is no setting of the sender', () => {
  const url = 'https://chat.example.com/spark-ori-bot'
  const lines = setupAt('token', { url, secret: 's3cret', header: 'X-Key', preset: 'harbor' })
  assert.deepEqual(lines, [`  Post to  ${url}`, '  with     X-Key: s3cret'])
})
