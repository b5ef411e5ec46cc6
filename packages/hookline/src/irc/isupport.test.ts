import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CAP, capNames, isCap } from './caps.ts'
import { isupportLines } from './isupport.ts'

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

test('a line of ISUPPORT has 13 tokens and 340 bytes at most, each token one word', () => {
  const lines = isupportLines({ ...offer, icon: `https://example.org/${'x'.repeat(180)}` })
  assert(lines.flat().some((token) => token.startsWith('draft/ICON=')))
  for (const tokens of lines) {
    assert(tokens.length <= 13 && tokens.join(' ').length <= 340)
    for (const token of tokens) assert.match(token, /^(draft\/)?[A-Z0-9]+(=[\x21-\x7e]*)?$/)
  }
  assert(lines.flat().includes('NETWORK=Tea___Rooms'))
  assert(isupportLines(offer).flat().includes('draft/ICON=https://example.org/icon?of\\x3Dtea'))
  assert(!lines.flat().includes('draft/ACCOUNTREQUIRED'))
  assert(
    isupportLines({ ...offer, isAccountRequired: true })
      .flat()
      .includes('draft/ACCOUNTREQUIRED'),
  )
  assert.equal(new Set(lines.flat().map((token) => token.split('=')[0])).size, lines.flat().length)
})

test('every capability has a bit of its own, and every name its capability', () => {
  assert.equal(new Set(Object.values(CAP)).size, Object.keys(CAP).length)
  const all = Object.values(CAP).reduce((sum, bit) => sum | bit, 0)
  assert.equal(capNames(all).length, Object.keys(CAP).length)
  assert.deepEqual(capNames(CAP.batch | CAP.setname), ['batch', 'setname'])
  assert(isCap('batch') && !isCap('toString') && !isCap('Batch'))
})
