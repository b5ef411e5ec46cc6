import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { character } from '../../test/character.ts'
import { byteLength, cutText, splitText } from './split.ts'

const pieces = fc.constantFrom('a', ' ', 'é', '☕', '👍', '👨‍👩‍👧‍👦', 'é', '🇨🇭', 'word', '\ud83d', '한')
const texts = fc.oneof(
  fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join('')),
  fc.string({ unit: character, maxLength: 80 }),
)
const rooms = fc.integer({ min: 4, max: 60 })
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

test('length in bytes counts UTF-8', () => {
  fc.assert(fc.property(texts, (text) => assert.equal(byteLength(text), Buffer.byteLength(text))))
})

test('the pieces add up to the text, each fits, and only an empty text gives an empty one', () => {
  fc.assert(
    fc.property(texts, rooms, (text, room) => {
      const parts = splitText(text, room)
      assert.equal(parts.join(''), text)
      for (const part of parts) assert(Buffer.byteLength(part) <= room, JSON.stringify(part))
      if (text !== '') assert(!parts.includes(''))
    }),
    { numRuns: 500 },
  )
})

test('no piece ends inside a character, or inside a grapheme that would have fitted', () => {
  fc.assert(
    fc.property(texts, rooms, (text, room) => {
      const ends = new Set<number>()
      let at = 0
      for (const part of splitText(text, room)) ends.add((at += part.length))
      for (const end of ends) assert(!isInsidePair(text, end))
      for (const { segment, index } of graphemes.segment(text)) {
        if (Buffer.byteLength(segment) > room) continue
        for (let inside = index + 1; inside < index + segment.length; inside++) assert(!ends.has(inside))
      }
    }),
    { numRuns: 500 },
  )
})

test('a truncated text fits, is a prefix, and could not hold one more grapheme', () => {
  fc.assert(
    fc.property(texts, rooms, (text, room) => {
      const cut = cutText(text, room)
      assert(text.startsWith(cut))
      assert(Buffer.byteLength(cut) <= room)
      assert(!isInsidePair(text, cut.length))
      const [next] = graphemes.segment(text.slice(cut.length))
      if (next !== undefined && Buffer.byteLength(next.segment) <= room)
        assert(Buffer.byteLength(cut + next.segment) > room)
    }),
    { numRuns: 500 },
  )
})

test('a text is cut after a space where there is one', () => {
  assert.deepEqual(splitText('one two three', 9), ['one two ', 'three'])
  assert.deepEqual(splitText('unbreakable', 6), ['unbrea', 'kable'])
  // What is carried over may leave too little room for what follows.
  assert.deepEqual(splitText('a a🇨🇭', 8), ['a ', 'a', '🇨🇭'])
  assert.throws(() => splitText('x', 3), /no character may fit/)
})

test('a word that fits in a line is never cut, however little precedes it', () => {
  assert.deepEqual(splitText('a - https://a.example/12345', 24), ['a - ', 'https://a.example/12345'])
  assert.deepEqual(splitText('a - https://a.example/12345 b', 23), ['a - ', 'https://a.example/12345', ' b'])
  assert.deepEqual(splitText('a - https://a.example/12345', 22), ['a - https://a.example/', '12345'])
  fc.assert(
    fc.property(texts, rooms, (text, room) => {
      const [...spaces] = text.matchAll(/ /g)
      const starts = [0, ...spaces.map(({ index }) => index + 1)]
      const ends = [...spaces.map(({ index }) => index), text.length]
      const cuts = new Set<number>()
      let at = 0
      for (const part of splitText(text, room)) cuts.add((at += part.length))
      for (const [n, start] of starts.entries()) {
        const end = ends[n] ?? start
        if (Buffer.byteLength(text.slice(start, end)) > room) continue
        for (let inside = start + 1; inside < end; inside++) assert(!cuts.has(inside), JSON.stringify(text))
      }
    }),
    { numRuns: 500 },
  )
})

test('a letter with a megabyte of combining marks is cut', () => {
  // Examined again for each piece, it would take hours.
  const parts = splitText(`e${'\u0301'.repeat(500_000)}`, 400)
  assert.equal(
    parts.reduce((sum, part) => sum + part.length, 0),
    500_001,
  )
})

function isInsidePair(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)]
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000
}
