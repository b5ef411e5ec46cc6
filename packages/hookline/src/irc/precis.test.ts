import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import fc from 'fast-check'
import { character } from '../../test/character.ts'
import { fold, isNick, nickKey, useCasemapping } from './names.ts'

beforeEach(() => useCasemapping('rfc8265'))
afterEach(() => useCasemapping('ascii'))

test('nicks may use any script, but no character that only stands for another', () => {
  for (const nick of ['ann', 'Işıl', 'Жук', 'straße', '日本語', 'שלום', 'مرحبا', 'é9', 'ＡＢＣ', '한글'])
    assert(isNick(nick, 32), nick)
  const refused = [
    ['a mark first', '\u0301a'],
    ['a digit first', '٣a'],
    ['a ligature', 'ﬁn'],
    ['a roman numeral', 'Ⅷ'],
    ['raised letters', 'ᵃnn'],
    ['nothing to see', 'x\u200by'],
    ['a filler', 'x\u3164'],
    ['a picture', '😀'],
    ['two directions', 'שaלום'],
    ['both kinds of digits', 'س٣۳'],
    ['a mask', '＊é'],
    ['a line', 'é!x'],
  ] as const
  for (const [why, nick] of refused) assert(!isNick(nick, 32), why)
})

test('NICKLEN counts bytes', () => {
  assert(isNick('é'.repeat(16), 32))
  assert(!isNick('é'.repeat(17), 32))
})

test('case, width and composition do not matter', () => {
  assert.equal(nickKey('IŞIL'), nickKey('işil'))
  assert.equal(nickKey('ＡＢＣé'), nickKey('abce\u0301'))
  assert.notEqual(nickKey('e'), nickKey('é'))
})

test('folding is idempotent, and never turns a name into a mask or a list', () => {
  fc.assert(
    fc.property(fc.string({ unit: character }), (text) => {
      const folded = fold(text)
      assert.equal(fold(folded), folded)
      for (const special of '*?!@,# ') assert.equal(folded.includes(special), text.includes(special))
    }),
  )
})

test('ASCII is unchanged', () => {
  for (const nick of ['', '9a', '-a', 'a b', 'a!b', '#a', 'a\n']) assert(!isNick(nick, 32), nick)
  assert.equal(fold('[Ann]'), '[ann]')
})
