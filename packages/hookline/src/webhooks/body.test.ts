import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import fc from 'fast-check'
import { heldBytes } from '../../test/heap.ts'
import { readBody } from './body.ts'

test('a body may come in any chunks, and one over the limit is refused', async () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(chunks, async (parts) => {
      const whole = Buffer.concat(parts)
      const read = (limit: number) => readBody(Readable.from(parts.map((part) => Buffer.from(part))), limit)
      const body = await read(whole.length)
      assert(body.kind === 'whole')
      assert.deepEqual(Buffer.from(body.bytes), whole)
      assert.equal(body.bytes.buffer.byteLength, whole.length)
      if (whole.length > 0) assert.equal((await read(whole.length - 1)).kind, 'too large')
    }),
  )
})

test('a body in one-byte chunks takes no more memory than a whole one', async () => {
  const before = heldBytes()
  let taken = Infinity
  function* bytes() {
    for (let at = 0; at < 200_000; at++) yield Buffer.allocUnsafeSlow(1)
    taken = heldBytes() - before
  }
  assert.equal((await readBody(Readable.from(bytes()), 1 << 20)).kind, 'whole')
  assert(taken < 4 << 20, `${taken} bytes`)
})
