import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isupportLines, type Offer } from './isupport.ts'
import { formatBody, parse } from './message.ts'

const offer = {
  network: 'Tea = Rooms',
  icon: 'https://example.org/icon?of=tea',
  isAccountRequired: false,
  nickLength: 32,
  channelLength: 64,
  topicLength: 390,
  kickLength: 390,
  awayLength: 200,
  realnameLength: 150,
  usernameLength: 18,
  channelListModes: 60,
  channelsPerUser: 100,
  monitorTargets: 100,
  historyLimit: 100,
}

test('a line of ISUPPORT has at most 13 tokens and 340 bytes; each token is one word and appears once', () => {
  const lines = isupportLines({ ...offer, icon: `https://example.org/${'x'.repeat(180)}` })
  assert(lines.flat().some((token) => token.startsWith('draft/ICON=')))
  for (const tokens of lines) {
    assert(tokens.length <= 13 && tokens.join(' ').length <= 340)
    for (const token of tokens) assert.match(token, /^(draft\/)?[A-Z0-9]+(=[\x21-\x7e]*)?$/)
  }
  assert.equal(new Set(lines.flat().map((token) => token.split('=')[0])).size, lines.flat().length)
})

test('a value may hold anything, and a token appears only if it applies', () => {
  const tokens = isupportLines(offer).flat()
  assert(tokens.includes('NETWORK=Tea\\x20\\x3D\\x20Rooms'))
  assert(tokens.includes('draft/ICON=https://example.org/icon?of\\x3Dtea'))
  assert(!tokens.includes('draft/ACCOUNTREQUIRED'))
  const strict = isupportLines({ ...offer, isAccountRequired: true })
  assert(strict.flat().includes('draft/ACCOUNTREQUIRED'))
})

test('a line of 005 fits in 512 bytes, whatever the settings say', () => {
  const length = fc.integer({ min: 1, max: 10_000 })
  const offers = fc.record({
    ...Object.fromEntries(Object.keys(offer).map((name) => [name, length])),
    network: fc.string({ unit: 'grapheme', maxLength: 100 }),
    icon: fc.option(fc.stringMatching(/^https:[a-z.%?=&/]{0,190}$/), { nil: undefined }),
    historyLimit: fc.option(length, { nil: undefined }),
    isAccountRequired: fc.boolean(),
  }) as fc.Arbitrary<Offer>
  fc.assert(
    fc.property(offers, (each) => {
      for (const tokens of isupportLines(each)) {
        const line = formatBody('x'.repeat(63), '005', [
          'n'.repeat(64),
          ...tokens,
          'are supported by this server',
        ])
        assert.ok(Buffer.byteLength(line) <= 510)
        assert.deepEqual(parse(line)?.params.slice(1, -1), tokens)
        assert.ok(tokens.length <= 13)
      }
    }),
  )
})
