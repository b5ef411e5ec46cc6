import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BotAuth } from '../bots/authschema.ts'
import { payloadOf } from '../../test/rigs/bots.ts'
import { dedupeKey } from './dedupe.ts'

test('the delivery id of the bot’s own sender takes precedence over all others', () => {
  const headers = {
    'idempotency-key': 'of a proxy',
    'linear-delivery': 'linear',
    'x-mine': 'mine',
    'request-id': 'r',
  }
  assert.equal(key(headers, { type: 'linear', secrets: [] }), 'linear')
  assert.equal(key(headers, { type: 'hmac', secrets: [], id: 'X-Mine' }), 'mine')
  assert.equal(key(headers, { type: 'sentry', secrets: [] }), 'r')
  assert.equal(key(headers), 'of a proxy')
  assert.equal(key(headers, { type: 'stripe', secrets: [] }, '{"id":"evt_1"}'), 'evt_1')
  assert.equal(key(headers, { type: 'stripe', secrets: [] }, '{"id":1}'), 'of a proxy')
})

test('a header with other meanings elsewhere is not an id: two equal bodies may be two events', () => {
  assert.equal(key({ 'request-id': 'r', 'x-webhook-id': 'w' }), null)
  assert.equal(key({ 'webhook-id': '' }, { type: 'grafana', secrets: [] }, '{"id":"x"}'), null)
})

test('an id of any length becomes a key of at most 200 characters, and different ones stay different', () => {
  const [one, two] = ['a', 'b'].map((end) => key({ 'webhook-id': 'x'.repeat(500) + end }))
  assert.equal(one?.length, 64)
  assert.notEqual(one, two)
})

function key(headers: Record<string, string>, auth?: BotAuth, body = '{}'): string | null {
  return dedupeKey(headers, payloadOf(body), auth, auth?.id?.toLowerCase())
}
