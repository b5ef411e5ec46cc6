import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptHeaders } from './headers.ts'

test('headers naming the event and the sender are kept; authentication and connection headers never are', () => {
  const kept = {
    'user-agent': 'GitHub-Hookshot/1',
    'x-github-event': 'push',
    'content-type': 'application/json',
  }
  const left = {
    host: 'localhost',
    'content-length': '2',
    authorization: 'Bearer made-up',
    cookie: 'a=b',
    'x-hub-signature-256': 'sha256=00',
    'x-gitlab-token': 'made-up',
    'x-api-key': 'made-up',
    'proxy-authorization': 'made-up',
    // A signature that the bot does not ask for, and tokens that Cloudflare, Google and Amazon add on the way.
    'x-shopify-hmac-sha256': 'made-up',
    'paypal-transmission-sig': 'made-up',
    'cf-access-jwt-assertion': 'made-up',
    'x-goog-iap-jwt-assertion': 'made-up',
    'x-amzn-oidc-data': 'made-up',
    'x-empty': '',
  }
  assert.deepEqual(keptHeaders({ ...left, ...kept }), kept)
})

test('a header that a bot authenticates by is not kept, whatever its name', () => {
  const headers = { 'x-plain-name': 'made-up', 'x-at': '1', 'x-event': 'push' }
  assert.deepEqual(keptHeaders(headers, { type: 'token', secrets: [], header: 'X-Plain-Name' }), {
    'x-at': '1',
    'x-event': 'push',
  })
  assert.deepEqual(keptHeaders(headers, { type: 'hmac', secrets: [], header: 'X-At' }), {
    'x-plain-name': 'made-up',
    'x-event': 'push',
  })
})

test('if the URL is the secret, no header that reveals it is kept', () => {
  const kept = { referer: 'http://127.0.0.1:7680/health', 'x-event': 'push', 'x-odd': '100%' }
  const told = {
    'x-original-url': '/spark-ori-hub/made up',
    'x-forwarded-uri': '/spark-ori-hub/made%20up',
    'x-rewrite-url': '/spark-ori-hub/m%61de%20up?a=%2F',
  }
  assert.deepEqual(keptHeaders({ ...told, ...kept }, { type: 'url', secrets: [] }, 'made up'), kept)
})

test('a value in UTF-8 is kept as its sender wrote it, any other as Node reads it', () => {
  const sent = { 'x-city': 'Köln', 'x-event': 'gelöscht 🎉', 'x-region': 'eu' }
  const received = Object.fromEntries(
    Object.entries(sent).map(([name, text]) => [name, Buffer.from(text).toString('latin1')]),
  )
  assert.deepEqual(keptHeaders(received), sent)
  assert.deepEqual(keptHeaders({ 'x-city': 'K\xf6ln' }), { 'x-city': 'Köln' })
})

test('at most 40 headers and 8 KiB are kept, the shortest first: a long one of a proxy hides no event', () => {
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`x-number-${n}`, 'value']))
  const kept = keptHeaders({ ...many, 'x-event': 'push' })
  assert.equal(Object.keys(kept).length, 40)
  assert.equal(kept['x-event'], 'push')
  const long = { 'x-1': 'a'.repeat(8_000), 'x-2': 'b'.repeat(8_100), 'x-event': 'push' }
  assert.deepEqual(Object.keys(keptHeaders(long)), ['x-1', 'x-event'])
})
