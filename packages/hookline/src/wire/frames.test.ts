import assert from 'node:assert/strict'
import { test } from 'node:test'
import { framesOf } from './frames.ts'

const encoder = new TextEncoder()

test('each line is a message without its end, short or long', () => {
  const long = 'x'.repeat(126)
  const longest = 'é'.repeat(4_000)
  const frames = Buffer.from(framesOf(encoder.encode(`PING a\r\n${long}\r\n\r\n${longest}\r\n`), 'text'))
  const wanted = [
    Buffer.from([0x81, 6]),
    Buffer.from('PING a'),
    Buffer.from([0x81, 126, 0, 126]),
    Buffer.from(long),
    Buffer.from([0x81, 0]),
    Buffer.from([0x81, 126, 8_000 >> 8, 8_000 & 255]),
    Buffer.from(longest),
  ]
  assert.deepEqual(frames, Buffer.concat(wanted))
  assert.deepEqual([...framesOf(encoder.encode('a\r\n'), 'binary')], [0x82, 1, 97])
})

test('what many are sent is written once', () => {
  const bytes = encoder.encode('PING a\r\n')
  assert.equal(framesOf(bytes, 'text'), framesOf(bytes, 'text'))
  assert.notEqual(framesOf(bytes, 'text'), framesOf(bytes, 'binary'))
})
