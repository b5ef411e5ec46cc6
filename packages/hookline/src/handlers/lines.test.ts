import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { heldBytes } from '../../test/heap.ts'
import { PipeLines } from './lines.ts'

test('lines are reassembled from any chunks, and the beginning of a long one is kept', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'é', '☕', '\n') })
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const whole = Buffer.from(pieces.join(''))
      const expected = whole.toString('latin1').split('\n').filter(Boolean).map(firstTen)
      assert.deepEqual(linesOf([whole]), expected)
      assert.deepEqual(linesOf(pieces.map((each) => Buffer.from(each))), expected)
      assert.deepEqual(linesOf([...whole].map((byte) => Buffer.of(byte))), expected)
    }),
  )
})

test('a line in one-byte chunks takes no more memory than a whole one', () => {
  const lines = new PipeLines(1 << 20)
  const before = heldBytes()
  for (let at = 0; at < 200_000; at++) lines.push(Buffer.allocUnsafeSlow(1).fill('x'))
  const taken = heldBytes() - before
  assert.equal(lines.end()[0]?.length, 200_000)
  assert(taken < 4 << 20, `${taken} bytes`)
})

function linesOf(chunks: readonly Buffer[]): readonly string[] {
  const lines = new PipeLines(10)
  return [...chunks.flatMap((chunk) => lines.push(chunk)), ...lines.end()]
}

/** For a line of one-byte characters. */
function firstTen(line: string): string {
  return Buffer.from(line.slice(0, 10), 'latin1').toString()
}
