import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { roomFor } from '../chat/output/line.ts'
import { lateMark, mentionLine, toLines } from './message.ts'

const fit = { room: 100, maxLines: 10, delivery: 'd-1' }

test('a short message is one line; blank lines are left out', () => {
  assert.deepEqual(toLines('hello', fit), { lines: ['hello'], isCut: false })
  assert.deepEqual(toLines('a\n\n \r\nb\n', fit).lines, ['a', 'b'])
  assert.deepEqual(toLines('\n', fit).lines, [])
})

test('ten lines are shown in full; of eleven, nine and the number of the rest', () => {
  const text = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}`).join('\n')
  assert.equal(toLines(text(10), fit).lines.length, 10)
  assert.equal(toLines(text(10), fit).isCut, false)
  const { lines, isCut } = toLines(text(11), fit)
  assert.equal(isCut, true)
  assert.equal(lines.length, 10)
  assert.deepEqual(lines.slice(8), ['line 8', '… (+2 lines, delivery d-1)'])
})

test('a message limited to one line shows its beginning and the number of further lines', () => {
  assert.deepEqual(toLines('a\nb\nc', { ...fit, maxLines: 1 }).lines, ['a … (+2 lines, delivery d-1)'])
  const mark = ' … (+2 lines, delivery d-1)'
  assert.deepEqual(toLines('x'.repeat(250), { ...fit, maxLines: 1 }).lines, [
    `${'x'.repeat(100 - Buffer.byteLength(mark))}${mark}`,
  ])
})

test('a long line becomes several, and those cut are counted', () => {
  assert.deepEqual(
    toLines('x'.repeat(250), fit).lines.map((line) => line.length),
    [100, 100, 50],
  )
  assert.equal(toLines('x'.repeat(1_000_000), fit).lines.at(-1), '… (+9991 lines, delivery d-1)')
  assert.equal(
    toLines(`${'x'.repeat(5_000)}\n`.repeat(200), fit).lines.at(-1),
    '… (+9991 lines, delivery d-1)',
  )
})

test('whatever the text, every line fits, none is blank or contains a line break, and every loss is stated', () => {
  const text = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '👩‍👩‍👧', '\n', '\r', '漢'), maxLength: 600 })
  fc.assert(
    fc.property(
      text,
      fc.integer({ min: 40, max: 80 }),
      fc.integer({ min: 1, max: 12 }),
      (said, room, maxLines) => {
        const { lines, isCut } = toLines(said, { room, maxLines, delivery: 'd-1' })
        assert.ok(lines.length <= maxLines)
        for (const line of lines) {
          assert.ok(Buffer.byteLength(line) <= room, line)
          assert.ok(!/[\r\n]/.test(line))
          assert.notEqual(line, '')
        }
        const inked = said.split(/[\r\n]+/).filter((line) => line.trim() !== '')
        if (!isCut) assert.equal(lines.join(''), inked.join(''))
      },
    ),
  )
})

test('a mention is one line that fits', () => {
  assert.equal(
    mentionLine('spark-ci', '#builds', '@amy it\nbroke', 400),
    'spark-ci mentioned you in #builds: @amy it broke',
  )
  for (const text of ['x'.repeat(10_000), 'é'.repeat(400), '👩‍👩‍👧'.repeat(100)]) {
    const room = roomFor('irc.example', 'NOTICE', 'amy')
    const line = mentionLine('spark-ci', '#builds', text, room)
    assert.ok(Buffer.byteLength(`:irc.example NOTICE amy :${line}\r\n`) <= 512)
    assert.ok(line.endsWith('…'))
    assert.ok(line.isWellFormed())
  }
})

test('a late message has its original time', () => {
  assert.equal(lateMark(Date.UTC(2026, 3, 3, 9, 15, 59)), '[2026-04-03 09:15 UTC] ')
})
