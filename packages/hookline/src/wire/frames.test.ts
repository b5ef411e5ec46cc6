import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { framesOf } from './frames.ts'

const encoder = new TextEncoder()

test('each line is one message without its line end, short or long', () => {
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

test('a frame for many receivers is built once', () => {
  const bytes = encoder.encode('PING a\r\n')
  assert.equal(framesOf(bytes, 'text'), framesOf(bytes, 'text'))
  assert.notEqual(framesOf(bytes, 'text'), framesOf(bytes, 'binary'))
})

test('any lines are framed one each', () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }).map((each) => each.replaceAll(/[\r\n\0]/g, '')),
    fc.constantFrom(124, 125, 126, 127, 510, 8_700).map((length) => 'x'.repeat(length)),
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
      const bytes = encoder.encode(lines.map((each) => `${each}\r\n`).join(''))
      assert.deepEqual(messagesIn(Buffer.from(framesOf(bytes, 'text'))), lines)
    }),
  )
})

/** Parsed as in RFC 6455 5.2. */
function messagesIn(frames: Buffer): string[] {
  const messages: string[] = []
  for (let at = 0; at < frames.length;) {
    assert.equal(frames[at], 0x81)
    const short = frames.readUInt8(at + 1)
    const [length, head] = short === 126 ? [frames.readUInt16BE(at + 2), 4] : [short, 2]
    messages.push(frames.toString('utf8', at + head, at + head + length))
    at += head + length
  }
  return messages
}
