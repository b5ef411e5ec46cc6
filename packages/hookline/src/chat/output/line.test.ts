import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CAPS } from '../../irc/caps.ts'
import { parse } from '../../irc/message.ts'
import { Line, type LineFields } from './line.ts'

const word = fc.stringMatching(/^[a-z#~@é☕-]{1,40}$/)
const text = fc.string({ unit: 'grapheme', maxLength: 700 }).map((each) => each.replaceAll(/[\r\n\0]/g, ''))
/** What a client may send in its own tags: 4,094 bytes as they were sent. */
const clientTags = fc.array(fc.tuple(fc.stringMatching(/^\+[a-z]{1,20}$/), fc.string({ maxLength: 300 })), {
  maxLength: 3,
})
const fields: fc.Arbitrary<LineFields> = fc.record({
  source: word.map((nick) => `${nick}!user@host.example`),
  command: fc.constantFrom('PRIVMSG', 'TOPIC', 'QUIT', 'TAGMSG', '332'),
  params: fc.tuple(word, text),
  extendedParams: fc.tuple(word, word, text),
  at: fc.nat(4_102_444_800_000),
  account: fc.option(word, { nil: null }),
  id: fc.constant('01m7ze0czd0009v5zb9mqg74v6'),
  isBot: fc.boolean(),
  delivery: fc.option(fc.constant('d-1m7ze0czd'), { nil: undefined }),
  relayedBy: fc.option(word, { nil: undefined }),
  clientTags,
})
const bits = Object.values(CAPS)
const caps = fc.subarray(bits).map((some) => some.reduce((sum, bit) => sum | bit, 0))

test('every line fits, whatever it holds and whoever reads it, and parses back', () => {
  fc.assert(
    fc.property(fields, caps, (each, set) => {
      const form = new Line(each).form(set)
      assert.match(form, /\r\n$/)
      const tags = form.startsWith('@') ? form.indexOf(' ') + 1 : 0
      assert.ok(Buffer.byteLength(form.slice(tags)) <= 512)
      assert.ok(Buffer.byteLength(form.slice(0, tags)) <= 8191)
      const message = parse(form.slice(0, -2))
      const isExtended = (set & CAPS['extended-join']) !== 0
      const wanted = isExtended ? each.extendedParams : each.params
      assert.deepEqual([message?.source, message?.command], [each.source, each.command])
      assert.deepEqual(message?.params.slice(0, -1), wanted?.slice(0, -1))
      // Cut at its end if necessary.
      assert.ok(wanted?.at(-1)?.startsWith(message?.params.at(-1) ?? ''))
    }),
    { numRuns: 500 },
  )
})

test('it has the requested tags, unchanged, and no others', () => {
  fc.assert(
    fc.property(fields, caps, (each, set) => {
      const { tags } = parse(new Line(each).form(set).slice(0, -2)) ?? { tags: new Map() }
      const has = (name: keyof typeof CAPS) => (set & CAPS[name]) !== 0
      assert.equal(tags.get('time'), has('server-time') ? new Date(each.at ?? 0).toISOString() : undefined)
      assert.equal(tags.get('account'), has('account-tag') ? (each.account ?? undefined) : undefined)
      assert.equal(tags.get('msgid'), has('message-tags') ? each.id : undefined)
      assert.equal(tags.has('bot'), has('message-tags') && each.isBot === true)
      const own = new Map(has('message-tags') ? each.clientTags : [])
      assert.deepEqual(new Map([...tags].filter(([name]) => name.startsWith('+'))), own)
    }),
    { numRuns: 500 },
  )
})

test('equal capabilities get equal text, and irrelevant ones do not change it', () => {
  fc.assert(
    fc.property(fields, fc.array(caps, { minLength: 1, maxLength: 6 }), (each, sets) => {
      const line = new Line(each)
      for (const set of [...sets, ...sets]) assert.equal(line.form(set), new Line(each).form(set))
    }),
  )
})
