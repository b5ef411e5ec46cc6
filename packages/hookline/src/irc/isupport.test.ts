import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CAP, capNames, isCap } from './caps.ts'
import { isupportLines } from './isupport.ts'

const offer = {
  network: 'Tea = Rooms',
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
}

test('a line of ISUPPORT has 13 tokens at most, each one word', () => {
  const lines = isupportLines(offer)
  for (const tokens of lines) {
    assert(tokens.length <= 13)
    for (const token of tokens) assert.match(token, /^[A-Z0-9]+(=[\x21-\x7e]*)?$/)
  }
  assert(lines.flat().includes('NETWORK=Tea___Rooms'))
  assert.equal(new Set(lines.flat().map((token) => token.split('=')[0])).size, lines.flat().length)
})

test('every capability has a bit of its own', () => {
  const all = Object.values(CAP).reduce((sum, bit) => sum | bit, 0)
  assert.equal(capNames(all).length, Object.keys(CAP).length)
  assert.deepEqual(capNames(CAP.batch | CAP.setname), ['batch', 'setname'])
  assert(isCap('batch') && !isCap('toString') && !isCap('Batch'))
})
