import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { character } from '../../test/character.ts'
import type { Composed } from '../message/composed.ts'
import { goldenOf } from './golden.ts'
import { diffLines } from './linediff.ts'

test('a message is written line by line, with invisible characters escaped', () => {
  assert.equal(
    goldenOf(message('\x02bold\x02 \x0304red\x03 C:\\tmp\n#7 is open \n@\u200bann 👩\u200d🚒')),
    '\\x02bold\\x02 \\x0304red\\x03 C:\\\\tmp\n\\#7 is open\\x20\n@\\u{200b}ann 👩\u200d🚒\n',
  )
})

test('a fallback, missing values, another channel, a skip and a failure get one line each', () => {
  assert.equal(
    goldenOf({ ...message('{}'), composedBy: 'fallback json', unresolved: ['body.a', 'b|short'] }),
    '{}\n# fallback json\n# no value for {body.a}\n# no value for {b|short}\n',
  )
  assert.equal(
    goldenOf({ ...message('down'), destination: { channels: ['#ops', '#all'], mention: null } }),
    'down\n# in #ops #all, waking nobody\n',
  )
  assert.equal(goldenOf({ ...message('up'), thread: 'api\x02' }), 'up\n# its thread: api\\x02\n')
  assert.equal(
    goldenOf({
      kind: 'skip',
      composedBy: null,
      reason: 'filtered: trigger.filter.events: star is not among them',
    }),
    '# skipped: filtered: trigger.filter.events: star is not among them\n',
  )
  assert.equal(
    goldenOf({ kind: 'failed', error: 'Traceback\n  File "/home/x/handler.py", line 7\nKeyError: who\n' }),
    '# failed: KeyError: who\n',
  )
  assert.equal(
    goldenOf({ kind: 'failed', error: 'TypeError: no who\n    at handle (file:///home/x/handler.mjs:3:32)' }),
    '# failed: TypeError: no who\n',
  )
})

test('any message can be read back from the golden text', () => {
  const texts = fc.string({
    unit: fc.oneof(character, fc.constantFrom('#', '\\', ' ', '\n', '\x02', 'x', '{', '2')),
  })
  fc.assert(
    fc.property(texts, (text) => {
      const said = text.toWellFormed()
      assert.equal(readBack(goldenOf({ ...message(said), unresolved: ['x'] })), said)
    }),
  )
})

test('a diff shows removed and added lines, and nothing else', () => {
  assert.deepEqual(diffLines('a\nb\nc\n', 'a\nc\nd\n'), ['  a', '- b', '  c', '+ d'])
  assert.deepEqual(diffLines('', 'a\n'), ['+ a'])
  const long = 'a\n'.repeat(1_001)
  assert.deepEqual([...new Set(diffLines(long, long))], ['- a', '+ a'], 'too long to be compared')
  const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 })
  fc.assert(
    fc.property(lines, lines, (from, to) => {
      const diff = diffLines(from.join('\n'), to.join('\n'))
      const side = (sign: string) => diff.filter((line) => line[0] !== sign).map((line) => line.slice(2))
      assert.deepEqual(side('+'), from)
      assert.deepEqual(side('-'), to)
    }),
  )
})

function message(text: string): Extract<Composed, { kind: 'message' }> {
  return { kind: 'message', text, unresolved: [], composedBy: 'output.template' }
}

function readBack(golden: string): string {
  return golden
    .split('\n')
    .slice(0, -1)
    .filter((line) => !line.startsWith('# '))
    .map((line) =>
      line.replaceAll(/\\(?:x([0-9a-f]{2})|u\{([0-9a-f]+)\}|([\\#]))/g, (_, short, long, itself) =>
        itself === undefined
          ? String.fromCodePoint(Number.parseInt(String(short ?? long), 16))
          : String(itself),
      ),
    )
    .join('\n')
}
