import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CAPS } from '../../irc/caps.ts'
import { type Message, parse } from '../../irc/message.ts'
import { Batch } from './batch.ts'
import { Line, type Telling } from './line.ts'
import { MessageTelling } from './multiline.ts'
import { labelOf, mayBeLabelled, Response } from './response.ts'

/** Tellings in tellings, each batch with a name of its own. */
type Make = (ref: () => string) => Telling
const text = fc.stringMatching(/^[a-z :☕-]{0,30}$/)
const line: fc.Arbitrary<Make> = text.map(
  (each) => () =>
    new Line({ source: 'ann!a@host', command: 'PRIVMSG', params: ['#tea', each], at: 1, id: 'id1' }),
)
const long: fc.Arbitrary<Make> = fc
  .array(fc.record({ text, isJoined: fc.boolean() }), { minLength: 2, maxLength: 4 })
  .filter((lines) => lines.some((each) => each.text !== ''))
  .map(
    (lines) => (ref) =>
      new MessageTelling('ann!a@host', { command: 'PRIVMSG', target: '#tea', lines, id: 'id2' }, ref()),
  )
const { telling } = fc.letrec<{ telling: Make; batch: Make }>((tie) => ({
  telling: fc.oneof({ maxDepth: 3 }, line, long, tie('batch')),
  batch: fc.array(tie('telling'), { maxLength: 3 }).map(
    (inner) => (ref) =>
      new Batch({
        source: 'spark',
        ref: ref(),
        type: 'chathistory',
        lines: inner.map((each) => each(ref)),
      }),
  ),
}))
const answers = fc.array(telling, { maxLength: 4 })
const label = fc.stringMatching(/^[a-z0-9; \\☕]{1,16}$/)
const labelled = CAPS['labeled-response'] | CAPS.batch
const others = fc
  .subarray([CAPS['message-tags'], CAPS['server-time'], CAPS['draft/multiline']])
  .map((some) => some.reduce((sum, bit) => sum | bit, labelled))

test('a label comes back exactly once, on the first line; every batch is closed within its parent', () => {
  fc.assert(
    fc.property(answers, label, others, (makers, name, caps) => {
      const response = new Response(name, 'outer')
      const ref = counter()
      for (const make of makers) response.add(make(ref), caps)
      const messages = read(response.write('spark', caps))
      assert.equal(messages[0]?.tags.get('label'), name)
      assert.equal(messages.filter(({ tags }) => tags.has('label')).length, 1)
      expectNested(messages)
    }),
    { numRuns: 500 },
  )
})

test('an answer is ACK, one labelled line or batch, or one batch of everything', () => {
  fc.assert(
    fc.property(answers, others, (makers, caps) => {
      const response = new Response('x', 'outer')
      const ref = counter()
      for (const make of makers) response.add(make(ref), caps)
      const [first, ...rest] = read(response.write('spark', caps))
      if (makers.length === 0) assert.deepEqual([first?.command, rest], ['ACK', []])
      if (makers.length > 1) assert.deepEqual(first?.params, ['+outer', 'labeled-response'])
      if (makers.length === 1) assert.notEqual(first?.params[0], '+outer')
    }),
  )
})

test('an answer sent in parts is one batch, in order', () => {
  fc.assert(
    fc.property(fc.array(answers, { minLength: 1, maxLength: 4 }), others, (parts, caps) => {
      const response = new Response('x', 'outer')
      const ref = counter()
      response.hold()
      const written = parts.map((makers, part) => {
        for (const make of makers) response.add(make(ref), caps)
        if (part === parts.length - 1) response.release()
        return response.write('spark', caps)
      })
      const messages = read(written.join(''))
      expectNested(messages)
      const whole = new Response('x', 'outer')
      const again = counter()
      for (const make of parts.flat()) whole.add(make(again), caps)
      const inside = (all: readonly Message[]) => all.filter(({ tags }) => tags.get('batch') === 'outer')
      if (parts.length > 1 && parts.flat().length > 1)
        assert.deepEqual(inside(messages), inside(read(whole.write('spark', caps))))
    }),
  )
})

test('a client without batch gets the same lines without batches', () => {
  fc.assert(
    fc.property(telling, (make) => {
      const texts = (caps: number) =>
        read(make(counter()).form(caps))
          .filter(({ command, params }) => command === 'PRIVMSG' && params[1] !== '')
          .map(({ params }) => params[1])
      const plain = read(make(counter()).form(0))
      assert.ok(plain.every(({ command, tags }) => command !== 'BATCH' && tags.size === 0))
      assert.deepEqual(texts(CAPS.batch | CAPS['draft/multiline']), texts(0))
    }),
  )
})

test('a label has at most 64 bytes, and needs both capabilities', () => {
  const tags = (value: string) => new Map([['label', value]])
  assert.equal(labelOf(labelled, tags('x'.repeat(64))), 'x'.repeat(64))
  assert.equal(labelOf(labelled, tags('x'.repeat(65))), undefined)
  assert.equal(labelOf(labelled, tags('☕'.repeat(22))), undefined)
  for (const caps of [0, CAPS.batch, CAPS['labeled-response']])
    assert.equal(labelOf(caps, tags('x')), undefined)
  assert.ok(mayBeLabelled(labelled))
})

/** Batches close in the order they opened, each inside the one it says it is in; lines stand in batches that are open. */
function expectNested(messages: readonly Message[]): void {
  const open: string[] = []
  for (const { command, params, tags } of messages) {
    const [ref = ''] = params
    if (command === 'BATCH' && ref.startsWith('-')) assert.equal(open.pop(), ref.slice(1))
    const around = tags.get('batch')
    if (around !== undefined) assert.equal(around, open.at(-1))
    else assert.equal(open.length, 0)
    if (command === 'BATCH' && ref.startsWith('+')) open.push(ref.slice(1))
  }
  assert.deepEqual(open, [])
}

function read(text: string): Message[] {
  return text
    .split('\r\n')
    .slice(0, -1)
    .map((each) => parse(each) ?? assert.fail(each))
}

function counter(): () => string {
  let count = 0
  return () => `b${++count}`
}
