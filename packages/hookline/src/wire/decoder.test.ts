import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import type { Incoming } from '../irc/message.ts'
import { LineDecoder } from './decoder.ts'

function decode(...chunks: readonly (Buffer | string)[]): Incoming[] {
  const decoder = new LineDecoder()
  const decoded = chunks.flatMap((chunk) => decoder.push(Buffer.from(chunk)))
  return decoded.filter((line) => !isFault(line, 'empty'))
}

/** Bytes in chunks, split at these places. */
function cutAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b)
  return ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end))
}

const cuts = fc.array(fc.nat(), { maxLength: 12 })
const hostile = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom('PING a', '\r\n', '\n', '\r', '\0', '@a=b ', '@', ' ', ':', '☕', '\xff')
        .map((each) => Buffer.from(each)),
      fc.constantFrom(505, 4_090, 9_000, 17_000).map((length) => Buffer.alloc(length, 'x')),
    ),
    { maxLength: 20 },
  )
  .map((parts) => Buffer.concat(parts))

test('bytes may arrive in any chunks', () => {
  fc.assert(
    fc.property(hostile, cuts, (bytes, at) => {
      // An overlong line is reported as soon as it is known to be one, and an endless one is overlong first.
      const whole = decode(bytes).filter((line) => !isFault(line, 'endless'))
      const pieces = decode(...cutAt(bytes, at)).filter((line) => !isFault(line, 'endless'))
      const [shorter, longer] = [whole, pieces].map((lines) =>
        lines.filter((line) => !isFault(line, 'overlong')),
      )
      assert.deepEqual(longer, shorter)
    }),
    { numRuns: 300 },
  )
})

test('realistic lines decode the same, faults included, in any chunks', () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => Buffer.from(text.replaceAll(/[\r\n]/g, ''))),
    fc
      .constantFrom(
        'x'.repeat(510),
        'x'.repeat(511),
        `@a=${'y'.repeat(4_091)} PING a`,
        `@a=${'y'.repeat(4_092)} PING a`,
      )
      .map((each) => Buffer.from(each)),
    fc.constant(Buffer.from([0x50, 0xff, 0xc3])),
  )
  const stream = fc
    .array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 10 })
    .map((lines) => Buffer.concat(lines.flatMap(([text, end]) => [text, Buffer.from(end)])))
  fc.assert(
    fc.property(stream, cuts, (bytes, at) => assert.deepEqual(decode(...cutAt(bytes, at)), decode(bytes))),
    {
      numRuns: 300,
    },
  )
})

test('lines end with LF, with or without CR; empty ones are ignored', () => {
  assert.deepEqual(decode('a\r\nb\n\r\n\nc\r\r\nd'), ['a', 'b', 'c'])
  assert.deepEqual(decode('a\rb\0c\r\n'), ['abc'])
  assert.deepEqual(decode(`${'x'.repeat(510)}\r`, '\n'), ['x'.repeat(510)])
})

const long = { fault: 'overlong', text: '*' }

test('a body has at most 510 bytes; the rest of a longer one is no line', () => {
  assert.deepEqual(decode(`${'x'.repeat(510)}\r\n`), ['x'.repeat(510)])
  assert.deepEqual(decode(`${'x'.repeat(511)}\r\nb\r\n`), [long, 'b'])
  assert.deepEqual(decode('x'.repeat(600), 'QUIT\r\nb\r\n'), [long, 'b'])
  assert.deepEqual(decode('x'.repeat(600), 'QUIT', ' :x', '\r', '\nb\r\n'), [long, 'b'])
  // Bytes, not characters.
  assert.deepEqual(decode(`${'☕'.repeat(170)}\r\n`), ['☕'.repeat(170)])
  assert.deepEqual(decode(`${'☕'.repeat(171)}\r\n`), [long])
})

test('tags may have 4094 bytes besides the body, and not one more', () => {
  const tagged = (tags: number, body: number) => `@${'t'.repeat(tags)} ${'x'.repeat(body)}`
  assert.deepEqual(decode(`${tagged(4_094, 510)}\r\n`), [tagged(4_094, 510)])
  assert.deepEqual(decode(`${tagged(4_095, 1)}\r\n`), [long])
  const known = { fault: 'overlong', text: `@${'t'.repeat(4_094)} *` }
  assert.deepEqual(decode(`${tagged(4_094, 511)}\r\n`), [known])
  assert.deepEqual(decode(tagged(4_094, 511), 'QUIT\r\nb\r\n'), [known, 'b'])
  assert.deepEqual(decode(`@${'t'.repeat(4_095)}`, ' PING a\r\nb\r\n'), [long, 'b'])
})

test('a label that is answered holds nothing that a line may not hold', () => {
  const overlong = `@label=a\0b\rc PRIVMSG bob :${'x'.repeat(500)}\r\n`
  assert.deepEqual(decode(overlong), [{ fault: 'overlong', text: '@label=abc *' }])
  assert.deepEqual(decode(Buffer.from(`@label=a\0b\rc PRIVMSG bob :\xe9\r\n`, 'latin1')), [
    { fault: 'utf8', text: '@label=abc PRIVMSG bob :\ufffd' },
  ])
})

test('invalid UTF-8 is a fault that includes the readable part', () => {
  assert.deepEqual(decode(Buffer.from([...Buffer.from('PRIVMSG a :'), 0xe9, 10])), [
    { fault: 'utf8', text: 'PRIVMSG a :\ufffd' },
  ])
  assert.deepEqual(decode(Buffer.from([0xe2, 0x98]), Buffer.from([0x95, 10])), ['☕'])
  // A lone surrogate, and an overlong encoding.
  for (const bytes of [
    [0xed, 0xa0, 0x80],
    [0xc0, 0xaf],
  ])
    assert(isFault(decode(Buffer.from([...bytes, 10]))[0], 'utf8'))
})

test('16 KiB without a line end are reported, first as overlong and then as endless', () => {
  const decoder = new LineDecoder()
  const chunk = Buffer.alloc(1_024, 'x')
  const told = Array.from({ length: 16 }, () => decoder.push(chunk)).flat()
  assert.deepEqual(told, [long])
  assert.deepEqual(decoder.push(chunk), [{ fault: 'endless' }])
  assert.deepEqual(decode(Buffer.alloc(16_385, 'x'), '\n'), [long, { fault: 'endless' }])
  assert.deepEqual(decode(`${'x'.repeat(16_385)}\nb\n`), [{ fault: 'endless' }, 'b'])
})

test('10 MiB without a line end cost no memory', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const held = () => {
    collect()
    return process.memoryUsage().arrayBuffers
  }
  const decoder = new LineDecoder()
  const before = held()
  for (let i = 0; i < 160; i++) decoder.push(Buffer.alloc(65_536, 'x'))
  // Freed memory is returned a little later.
  for (let turn = 0; turn < 100 && held() - before > 1 << 20; turn++) await nextTurn()
  assert(held() - before < 1 << 20)
  assert.deepEqual(decoder.push(Buffer.from('\nPING a\n')), ['PING a'])
})

test('empty lines are counted, and so is each KiB; a read that ends no line counts as 128 bytes', () => {
  const decoder = new LineDecoder()
  const read = (text: string): Incoming[] => decoder.charge(text.length, decoder.push(Buffer.from(text)))
  const empty = (lines: number) => ({ fault: 'empty', lines })
  assert.deepEqual(read('\n\r\na\n\r\r\n\0\n\n'), [empty(5), 'a'])
  assert.deepEqual(read('x\n'.repeat(512))[0], empty(1))
  assert.deepEqual(read('\n'.repeat(65_536)), [empty(64), empty(65_536)])
  for (let i = 0; i < 7; i++) assert.deepEqual(read('x'), [], String(i))
  assert.deepEqual(read('x'), [empty(1)])
})

function isFault(line: Incoming | undefined, fault: (Incoming & object)['fault']): boolean {
  return typeof line === 'object' && line.fault === fault
}
