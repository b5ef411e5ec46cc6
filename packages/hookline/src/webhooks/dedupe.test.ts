import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BotAuth } from '../senders/authschema.ts'
import { payloadOf } from '../../test/rigs/bots.ts'
import { identify } from './dedupe.ts'

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

test('where a service promises that its id is unique, a retry may differ in all else; elsewhere the body counts, too', () => {
  const decides = (headers: Record<string, string>, type?: BotAuth['type'], body = '{}', proven?: string) =>
    identify(headers, payloadOf(body), type && { type, secrets: [] }, proven).isKeyEnough
  const byHeader: Readonly<Record<string, BotAuth['type'] | undefined>> = {
    'x-github-delivery': 'github',
    'webhook-id': 'gitlab-signing',
    'x-gitea-delivery': 'gitea',
    'x-forgejo-delivery': 'forgejo',
    'linear-delivery': 'linear',
    'x-atlassian-webhook-identifier': 'jira',
    'x-request-uuid': 'bitbucket',
    'x-amz-sns-message-id': undefined,
  }
  for (const [header, type] of Object.entries(byHeader)) assert.ok(decides({ [header]: 'one' }, type), header)
  assert.ok(decides({ 'webhook-id': 'one' }, 'standard', '{}', 'webhook-id'))
  for (const type of ['stripe', 'circleci'] as const) assert.ok(decides({}, type, '{"id":"one"}'), type)
  assert.ok(decides({}, 'slack', '{"event_id":"one"}'))
  assert.ok(decides({ 'ce-id': 'one', 'ce-source': '/a' }))
  assert.ok(decides({}, undefined, '{"specversion":"1.0","id":"one","source":"/a"}'))

  for (const header of ['idempotency-key', 'webhook-id', 'svix-id', 'x-github-delivery'])
    assert.ok(!decides({ [header]: 'one' }), header)
  assert.ok(!decides({ 'idempotency-key': 'one', 'x-gitlab-event-uuid': 'one' }, 'gitlab'))
  assert.ok(!decides({ 'request-id': 'one' }, 'sentry'))
  assert.ok(!decides({ 'x-webhook-id': 'one' }, 'pagerduty'))
  assert.ok(!decides({ 'x-mine': 'one' }, 'hmac', '{}', 'x-mine'))
  for (const half of [{ 'ce-id': 'one' }, { 'ce-source': '/a' }]) assert.ok(!decides(half))
  assert.ok(!decides({}, undefined, '{"id":"one","source":"/a"}'))
})

test('the same id of another source is another event', () => {
  const keys = ['/a', '/b'].map((source) => key({ 'ce-id': 'one', 'ce-source': source }))
  assert.deepEqual(keys, ['/a one', '/b one'])
})

function key(headers: Record<string, string>, auth?: BotAuth, body = '{}'): string | null {
  return identify(headers, payloadOf(body), auth, auth?.id?.toLowerCase()).key
}
