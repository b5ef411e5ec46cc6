import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { character } from '../../test/character.ts'
import { echoed, format, formatBody, type Message, parse } from './message.ts'
import { formatTags, parseTags } from './tags.ts'

/** Text that a line can hold. */
const text = fc.string({ unit: 'grapheme' }).map((each) => each.replaceAll(/[\r\n\0]/g, ''))
const word = text.map((each) => each.replaceAll(' ', '').replace(/^[:@]+/, '')).filter((each) => each !== '')
const tags = fc
  .array(
    fc.tuple(
      fc.stringMatching(/^\+?[a-z0-9./-]{1,12}$/),
      fc.string({ unit: fc.constantFrom('a', ';', ':', '\\', ' ', '=', '\r', '\n', 'é', 's') }),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => new Map(pairs))
const messages: fc.Arbitrary<Message> = fc
  .record(
    {
      tags,
      source: word,
      command: word,
      params: fc.tuple(fc.array(word, { maxLength: 5 }), fc.array(text, { maxLength: 1 })),
    },
    { requiredKeys: ['tags', 'command', 'params'] },
  )
  .map(({ params, ...rest }) => ({ ...rest, params: params.flat() }))

test('what we format parses back', () => {
  fc.assert(fc.property(messages, (message) => assert.deepEqual(parse(format(message)), message)))
})

test('what we format is one line', () => {
  fc.assert(fc.property(messages, (message) => assert.doesNotMatch(format(message), /[\r\n\0]/)))
})

test('tags come back as they were, whatever their values hold', () => {
  const values = fc.string({ unit: character })
  fc.assert(fc.property(tags, (each) => assert.deepEqual(parseTags(formatTags(each)), each)))
  fc.assert(fc.property(values, (v) => assert.equal(parseTags(formatTags(new Map([['a', v]]))).get('a'), v)))
})

test('no string makes the parser throw, and its results are valid messages', () => {
  const lines = fc.oneof(
    fc.string({ unit: character }),
    fc.string({ unit: fc.constantFrom('@', ':', ' ', ';', '=', '\\', 'a', '\0', '\r') }),
  )
  fc.assert(
    fc.property(lines, (line) => {
      const message = parse(line)
      if (message === undefined) return
      assert.notEqual(message.command, '')
      assert.doesNotMatch(message.command, / /)
      for (const param of message.params.slice(0, -1)) assert.match(param, /^[^ :][^ ]*$/s)
    }),
    { numRuns: 2_000 },
  )
})

test('formatting something that would not parse back is a bug, and throws', () => {
  assert.throws(() => formatBody('a', 'X', ['two words', 'b']), /parameter 1 of 2/)
  assert.throws(() => formatBody('a', 'X', ['', 'b']), /parameter 1 of 2/)
  assert.throws(() => formatBody('a', 'X', [':b', 'b']), /parameter 1 of 2/)
  for (const bad of ['a\r', 'a\nb', '\0']) assert.throws(() => formatBody('a', 'X', [bad]), /CR, LF or NUL/)
})

test('echoed user input is always a valid middle parameter', () => {
  fc.assert(
    fc.property(text, (typed) => {
      const line = formatBody('a', 'X', [echoed(typed), 'b c'])
      assert.equal(parse(line)?.params.length, 2)
      assert(Buffer.byteLength(echoed(typed)) <= 200)
    }),
  )
  assert.equal(echoed('#tea'), '#tea')
  assert.equal(echoed('a b'), '*')
  // A tag may hold any character.
  for (const unsendable of ['a\r', 'a\nb', '\0']) assert.equal(echoed(unsendable), '*')
  assert.equal(echoed('x'.repeat(300)), 'x'.repeat(200))
})
