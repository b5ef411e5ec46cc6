import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Gathered, Outbox } from './outbox.ts'
import { Flusher } from './flusher.ts'
import { wireTo } from '../../../test/rigs/wires.ts'

const text = fc.constantFrom('a', 'b', 'a\r\n', '☕', 'PING x\r\n', '')
/** Who is told what, and where a turn ends. */
const steps = fc.array(fc.oneof(fc.tuple(fc.nat(4), text), fc.constant('turn' as const)), { maxLength: 80 })

test('collected output is what was said, in order, whoever else received it', () => {
  fc.assert(
    fc.property(steps, (each) => {
      const { outboxes, written, flusher } = five(1 << 20)
      const expected = outboxes.map(() => '')
      for (const step of each) {
        if (step === 'turn') {
          flusher.flush()
          continue
        }
        const [who, said] = step
        outboxes[who]?.push(said)
        expected[who] += said
      }
      flusher.flush()
      assert.deepEqual(
        written.map((chunks) => Buffer.concat(chunks).toString()),
        expected,
      )
    }),
    { numRuns: 300 },
  )
})

test('equal sequences share one node of the tree, and its bytes are made once', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 20 }), fc.array(text, { maxLength: 20 }), (one, other) => {
      const root = new Gathered()
      const walk = (texts: readonly string[]) => texts.reduce((at, each) => at.append(each), root)
      const [first, second] = [walk(one), walk(other)]
      assert.equal(first === second, one.length === other.length && one.every((each, i) => each === other[i]))
      assert.equal(walk(one), first)
      assert.equal(first.bytes(), walk(one).bytes())
      assert.equal(Buffer.from(first.bytes()).toString(), one.join(''))
      assert.equal(first.size, one.join('').length)
    }),
  )
})

test('a reader beyond its queue limit is reported once, gets nothing more, and is cut off rather than closed', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 60 }), fc.nat(40), (said, limit) => {
      let overflows = 0
      const written: Uint8Array[] = []
      const ends: string[] = []
      const flusher = new Flusher(() => undefined)
      const wire = {
        ...wireTo((bytes) => void written.push(bytes)),
        end: () => ends.push('ended'),
        cut: () => ends.push('cut'),
      }
      const outbox = new Outbox(wire, flusher, { limit, owner: { overflow: () => overflows++ } })
      for (const each of said) outbox.push(each)
      flusher.flush()
      const all = said.join('')
      const told = Buffer.concat(written).toString()
      if (all.length <= limit) assert.deepEqual([told, overflows], [all, 0])
      assert.ok(all.startsWith(told) && overflows <= 1)
      outbox.finish('last words')
      assert.equal(Buffer.concat(written).toString(), overflows === 1 ? told : `${told}last words`)
      assert.deepEqual(ends, [overflows === 1 ? 'cut' : 'ended'])
    }),
  )
})

test('ten thousand readers are written to over several turns, each once, and those with output of their own come first', () => {
  const turns: (() => void)[] = []
  const flusher = new Flusher((flush) => void turns.push(flush))
  const order: number[] = []
  const written = Array.from({ length: 10_000 }, () => '')
  const outboxes = written.map((_, who) => {
    const write = (bytes: Uint8Array) => {
      order.push(who)
      written[who] += Buffer.from(bytes).toString()
    }
    return new Outbox(wireTo(write), flusher, {
      limit: 1 << 20,
      owner: { overflow: () => assert.fail() },
    })
  })
  const turn = () => turns.shift()?.() ?? undefined
  for (const outbox of outboxes) outbox.push('hello')
  outboxes[9_998]?.push('pong')
  turn()
  assert.equal(order[0], 9_998)
  assert.ok(order.length < 2_000, `${order.length} in one turn`)
  outboxes[9_999]?.push('pong')
  outboxes[0]?.push('later')
  const before = order.length
  turn()
  assert.deepEqual(order.slice(before, before + 2), [9_999, 0])
  while (turns.length > 0) turn()
  assert.deepEqual(
    [written[0], written[1], written[9_998], written[9_999]],
    ['hellolater', 'hello', 'hellopong', 'hellopong'],
  )
  assert.equal(order.length, 10_001)
})

function five(bytes: number) {
  const flusher = new Flusher(() => undefined)
  const written = Array.from({ length: 5 }, (): Uint8Array[] => [])
  const overflow = () => assert.fail('nothing is too much here')
  const outboxes = written.map(
    (chunks) =>
      new Outbox(
        wireTo((each) => void chunks.push(each)),
        flusher,
        { limit: bytes, owner: { overflow } },
      ),
  )
  return { flusher, written, outboxes }
}
