import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { character } from '../../test/character.ts'
import { cleanAuthorText, cleanHandlerText, cleanPayloadText } from './clean.ts'

test('an author may write formatting codes, but nothing that cannot be sent', () => {
  assert.equal(cleanAuthorText('a\r\0\x02b'), 'a\x02b')
})

test('a handler may format, unless the payload brought codes of its own', () => {
  assert.equal(cleanHandlerText('\x02a\x02\x07 @bob', '{"a":"b"}'), '\x02a\x02 @\u200bbob')
  for (const code of '\x02\x03\x0f\x11\x16\x1d\x1e\x1f') {
    assert.equal(cleanHandlerText(`${code}a`, '{}'), `${code}a`)
    assert.equal(cleanHandlerText('\x02a\x02', JSON.stringify({ a: code })), 'a')
  }
})

test('cleaning twice changes only the marks after @', () => {
  fc.assert(
    fc.property(fc.string({ unit: character }), (text) => {
      const once = cleanPayloadText(text)
      assert.equal(cleanPayloadText(once).replaceAll('\u200b', ''), once.replaceAll('\u200b', ''))
    }),
  )
})
