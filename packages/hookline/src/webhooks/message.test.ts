import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { linesOf } from '../chat/saidlines.ts'
import { roomFor } from '../chat/output/line.ts'
import { fitText, lateMark, mentionLine } from './message.ts'

const fit = { room: 100, maxLines: 10, delivery: 'd-1' }

test('a short message is one line; blank lines are left out', () => {
  assert.deepEqual(fitText('hello', fit), { text: 'hello', isCut: false })
  assert.equal(fitText('a\n\n \r\nb\n', fit).text, 'a\nb')
  assert.equal(fitText('\n', fit).text, '')
})

test('ten lines are shown in full; of eleven, nine and the number of the rest', () => {
  const text = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}`).join('\n')
  assert.deepEqual(fitText(text(10), fit), { text: text(10), isCut: false })
  assert.deepEqual(fitText(text(11), fit), { text: `${text(9)}\n… (+2 lines, delivery d-1)`, isCut: true })
})

test('a message limited to one line shows its beginning and the number of further lines', () => {
  assert.equal(fitText('a\nb\nc', { ...fit, maxLines: 1 }).text, 'a … (+2 lines, delivery d-1)')
  const mark = ' … (+2 lines, delivery d-1)'
  assert.equal(
    fitText('x'.repeat(250), { ...fit, maxLines: 1 }).text,
    `${'x'.repeat(100 - Buffer.byteLength(mark))}${mark}`,
  )
})

test('a long line stays one line of the text, and counts as those it is sent in', () => {
  const long = 'x'.repeat(250)
  assert.deepEqual(fitText(long, { ...fit, maxLines: 3 }), { text: long, isCut: false })
  const mark = '… (+9991 lines, delivery d-1)'
  const cut = { text: `${'x'.repeat(900)}\n${mark}`, isCut: true }
  assert.deepEqual(fitText('x'.repeat(1_000_000), fit), cut)
  assert.deepEqual(fitText(`${'x'.repeat(5_000)}\n`.repeat(200), fit), cut)
})

test('whatever the text, every line that is sent fits, none is blank, and every loss is stated', () => {
  const text = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '👩‍👩‍👧', '\n', '\r', '漢'), maxLength: 600 })
  fc.assert(
    fc.property(
      text,
      fc.integer({ min: 40, max: 80 }),
      fc.integer({ min: 1, max: 12 }),
      (said, room, maxLines) => {
        const fitting = fitText(said, { room, maxLines, delivery: 'd-1' })
        const inked = said.split(/[\r\n]+/).filter((line) => line.trim() !== '')
        if (!fitting.isCut) assert.equal(fitting.text, inked.join('\n'))
        if (fitting.text === '') return
        const lines = linesOf(fitting.text, room)
        assert.ok(lines.length <= maxLines)
        for (const line of lines) {
          assert.ok(Buffer.byteLength(line.text) <= room, line.text)
          assert.notEqual(line.text, '')
        }
      },
    ),
    { numRuns: 1_000 },
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
