import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FLAGS, formatModes, isAtLeast, LISTS, type ModeChange, parseChannelModes, RANKS } from './modes.ts'

const param = fc.stringMatching(/^[a-z!@*]{1,8}$/)
const sign = fc.constantFrom('+' as const, '-' as const)
const plain = { noNullPrototype: true }
const withParam = fc.record({ sign, mode: fc.constantFrom(...RANKS, ...LISTS, 'k'), param }, plain)
const changes: fc.Arbitrary<ModeChange[]> = fc.array(
  fc.oneof(
    withParam,
    fc.record({ sign: fc.constant('+' as const), mode: fc.constantFrom('f', 'l'), param }, plain),
    fc.record({ sign: fc.constant('-' as const), mode: fc.constantFrom('f', 'l') }, plain),
    fc.record({ sign, mode: fc.constantFrom(...FLAGS) }, plain),
  ),
  { minLength: 1, maxLength: 20 },
)

test('what formatModes writes, parseChannelModes reads', () => {
  fc.assert(
    fc.property(changes, (each) => {
      const [letters = '', ...params] = formatModes(each)
      assert.deepEqual(parseChannelModes(letters, params), each)
    }),
  )
})

test('no letters make the parser throw, and no parameter is used twice', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.array(param, { maxLength: 5 }), (letters, params) => {
      const used = parseChannelModes(letters, params).flatMap((change) => change.param ?? [])
      assert.deepEqual(used, params.slice(0, used.length))
    }),
  )
})

test('letters and parameters are paired by the kind of the mode', () => {
  assert.deepEqual(parseChannelModes('-l+kb', ['kettle']), [
    { sign: '-', mode: 'l' },
    { sign: '+', mode: 'k', param: 'kettle' },
    { sign: '+', mode: 'b' },
  ])
  assert.deepEqual(
    formatModes([
      { sign: '+', mode: 'n' },
      { sign: '+', mode: 'o', param: 'bob' },
    ]),
    ['+no', 'bob'],
  )
})

test('ranks are in order', () => {
  assert(isAtLeast(['o', 'v'], 'h'))
  assert(isAtLeast(['h'], 'h'))
  assert(!isAtLeast(['v'], 'h'))
  assert(!isAtLeast([], 'v'))
})
