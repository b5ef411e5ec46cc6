import assert from 'node:assert/strict'
import { test } from 'node:test'
import { destinationOf } from './destination.ts'
import { parsePayload } from './payload.ts'
import { required, settingsIn } from './rig.test.ts'

test('with here a message goes to the channel that the payload names, if the bot speaks there', () => {
  const bot = 'trigger: {type: event, on: message}\noutput: {channels: ["#a", "#C"], here: true}\n'
  const settings = settingsIn(`${required}${bot}`)
  const where = (value: object) => {
    const parsed = parsePayload(Buffer.from(JSON.stringify(value)))
    assert(parsed.ok)
    return destinationOf(settings, parsed.payload, { event: 'chat.message', headers: {} }, (name) => name)
  }
  assert.deepEqual(where({ channel: '#c' }), { channels: ['#C'] })
  for (const elsewhere of [{ channel: '#b' }, { channel: ['#a'] }, {}])
    assert.equal(where(elsewhere), undefined)
})
