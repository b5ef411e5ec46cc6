import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { character } from '../../test/character.ts'
import {
  completeMask,
  fold,
  isMask,
  isNick,
  isValidChannelName,
  matchesMask,
  splitUserhost,
} from './names.ts'

test('folding is idempotent, and folds only A-Z', () => {
  fc.assert(
    fc.property(fc.string({ unit: character }), (text) => {
      const folded = fold(text)
      assert.equal(fold(folded), folded)
      assert.equal(folded.length, text.length)
      for (let i = 0; i < text.length; i++) {
        const unit = text[i] ?? ''
        assert.equal(folded[i], /[A-Z]/.test(unit) ? unit.toLowerCase() : unit)
      }
    }),
  )
  assert.equal(fold('[Ä]İK'), '[Ä]İk')
})

const scrap = fc.array(fc.constantFrom('a', '🍵', '*', '?'), { maxLength: 8 })
const plain = fc.array(fc.constantFrom('a', '🍵'), { maxLength: 8 })

test('a mask matches as its definition says', () => {
  fc.assert(
    fc.property(scrap, plain, (mask, text) =>
      assert.equal(matchesMask(mask.join(''), text.join('')), means(mask, text)),
    ),
    { numRuns: 3_000 },
  )
})

/** The definition in characters, written without regard for speed. */
function means([first, ...mask]: readonly string[], text: readonly string[]): boolean {
  if (first === undefined) return text.length === 0
  const rest = text.slice(1)
  if (first === '*') return means(mask, text) || (text.length > 0 && means([first, ...mask], rest))
  return text.length > 0 && (first === '?' || first === text[0]) && means(mask, rest)
}

test('a mask made to be slow still ends', () => {
  const text = 'a'.repeat(20_000)
  // Mask × text is tens of ms; the naive way would take longer than the universe has.
  assert.equal(matchesMask(`${'*a'.repeat(1_000)}b`, text), false)
  assert.equal(matchesMask('*a'.repeat(1_000), text), true)
})

test('a partial mask is completed, and a complete one stays the same', () => {
  const whole = [
    ['bob', 'bob!*@*'],
    ['bob!x', 'bob!x@*'],
    ['*@host', '*!*@host'],
    ['@host', '*!*@host'],
    ['bob@', '*!bob@*'],
    ['bob!', 'bob!*@*'],
    ['!x', '*!x@*'],
    ['!@', '*!*@*'],
    ['a!b@c', 'a!b@c'],
  ] as const
  for (const [mask, expected] of whole) assert.equal(completeMask(mask), expected)
  const masks = fc.string({ unit: fc.constantFrom('a', '*', '!', '@') }).filter((mask) => mask !== '')
  fc.assert(fc.property(masks, (mask) => assert.equal(completeMask(completeMask(mask)), completeMask(mask))))
})

test('valid nicks, channel names and masks are told from invalid ones', () => {
  for (const nick of ['a', 'Ann', '[a]\\`_^{|}-9']) assert(isNick(nick, 32), nick)
  for (const nick of ['', '9a', '-a', 'a b', 'a!b', 'é', '#a', 'a\n']) assert(!isNick(nick, 32), nick)
  assert(isNick('x'.repeat(32), 32))
  assert(!isNick('x'.repeat(33), 32))
  for (const name of ['#a', '##', '#é', '#a:b']) assert(isValidChannelName(name, 64), name)
  for (const name of ['#', 'a', '#a b', '#a,b', '#a\x07', '&a', '#\x7f', '#a\n'])
    assert(!isValidChannelName(name, 64), JSON.stringify(name))
  // Bidi marks, C1, spaces, and what is not seen; what joins an emoji or letters can be seen.
  const unseen = [
    '\u202e',
    '\u0085',
    '\u00a0',
    '\u2003',
    '\u3000',
    '\u200b',
    '\u2060',
    '\ufeff',
    '\u00ad',
    '\u2800',
  ]
  for (const char of [...unseen, '\u3164', '\u034f', '\u200c', '\u200d', '\ufe0f', '\u{e0061}'])
    for (const name of [`#a${char}`, `#${char}a`]) assert(!isValidChannelName(name, 64), JSON.stringify(name))
  for (const name of [
    '#\u{1f469}\u200d\u{1f373}',
    '#\u2764\ufe0f',
    '#\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
  ])
    assert(isValidChannelName(name, 64), JSON.stringify(name))
  assert(isMask('a*') && isMask('?') && !isMask('a'))
})

test('a source splits into its original parts', () => {
  const part = fc.stringMatching(/^[a-z0-9~.:-]{0,10}$/)
  const some = fc.record(
    { nick: part, user: part, host: part },
    { requiredKeys: ['nick'], noNullPrototype: true },
  )
  fc.assert(
    fc.property(some, (parts) => {
      const { nick, user, host } = parts
      const source = nick + (user === undefined ? '' : `!${user}`) + (host === undefined ? '' : `@${host}`)
      assert.deepEqual(splitUserhost(source), parts)
    }),
  )
})
