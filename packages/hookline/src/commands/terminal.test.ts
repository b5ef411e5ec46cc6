import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { character } from '../../test/character.ts'
import { stripControls } from '../text/controlchars.ts'
import { asCalled, nameByNpx } from './called.ts'
import { fields, table } from './table.ts'
import { toJson } from './terminal.ts'

test('control sequences are removed from what people said', () => {
  assert.equal(stripControls('a\u001b[2Jb\u0007c\u009bd\re'), 'a[2Jbcde')
  assert.equal(stripControls('abc\u202edef\u2066\u061c'), 'abcdef')
  assert.equal(stripControls('one\n\ttwo — ✓ é'), 'one\n\ttwo — ✓ é')
})

test('of a colour no number remains, and text after it does', () => {
  assert.equal(
    stripControls('\u000304FIRING\u0003 \u00034,12x\u0003,\u00033\u0002\u000210 of 12'),
    'FIRING x,10 of 12',
  )
  assert.equal(stripControls('\u0004ff8800,000000tea\u0004 \u00021\u001d2'), 'tea 12')
})

test('JSON is the same without terminal control characters', () => {
  const text = 'a\u001b[2J\u007fb\u009bd\u202e\u061c \n✓ é'
  const json = toJson({ text })
  assert.equal(json, '{"text":"a\\u001b[2J\\u007fb\\u009bd\\u202e\\u061c \\n✓ é"}')
  assert.deepEqual(JSON.parse(json), { text })
})

test('no control character remains, and text without any is unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: character }), (text) => {
      const stripped = stripControls(text)
      assert.ok(
        Array.from(stripped).every((letter) => letter === '\n' || letter === '\t' || !/\p{Cc}/u.test(letter)),
      )
      assert.equal(stripControls(stripped), stripped)
    }),
  )
})

test('columns are as wide as their widest cell on a terminal', () => {
  const rows = [
    ['a', 'bbb'],
    ['aaaa', ''],
  ]
  assert.equal(table(['N', 'M'], rows), 'N     M\na     bbb\naaaa')
  assert.equal(
    table(
      ['N'],
      Array.from({ length: 200_000 }, () => ['a']),
    ).length,
    400_001,
  )
  assert.equal(
    fields([
      ['a', '1'],
      ['long', '2\n3'],
    ]),
    'a     1\nlong  2\n      3',
  )
  const wide = [
    ['お茶', 'tea'],
    ['🫖', 'pot'],
    ['cafe\u0301', 'coffee'],
  ]
  assert.equal(table(['What', 'Is'], wide), 'What  Is\nお茶  tea\n🫖    pot\ncafe\u0301  coffee')
})

test('called by npx, hints name commands so, and nothing else', () => {
  const text = 'if hookline was updated: npx hookline bot list, or hookline bot start; see: hookline --help'
  assert.equal(asCalled(text), text)
  nameByNpx(['bot', '--help'])
  assert.equal(asCalled(text), text.replace('or hook', 'or npx hook').replace('see: ', 'see: npx '))
})
