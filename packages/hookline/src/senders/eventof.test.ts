import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventOf } from './eventof.ts'
import { pathOf } from '../message/path.ts'
import { payloadOf } from '../../test/rigs/bots.ts'

test('the event comes from a well-known header, or from the bot’s path', () => {
  const payload = payloadOf('{"type":"invoice.paid","n":1,"o":{}}')
  const cases: [Record<string, string>, string | undefined, string | null][] = [
    [{ 'x-github-event': 'push' }, undefined, 'push'],
    [{ 'x-github-event': 'push', 'x-gitea-event': 'repository' }, undefined, 'repository'],
    [{ 'x-gitlab-event': 'Merge Request Hook' }, undefined, 'merge_request'],
    [{ 'x-gitlab-event': 'Tag Push Hook' }, undefined, 'tag_push'],
    [{ 'x-event-key': 'repo:push' }, undefined, 'repo:push'],
    [{ 'sentry-hook-resource': 'issue' }, undefined, 'issue'],
    [{ 'x-other': 'a' }, undefined, null],
    [{ 'x-gitea-event': '', 'x-github-event': 'push' }, undefined, 'push'],
    [{ 'x-event-key': 'x'.repeat(300) }, undefined, 'x'.repeat(200)],
    [{ 'x-github-event': 'push' }, 'body.type', 'invoice.paid'],
    [{ 'x-other': 'A\u0002 b' }, 'headers.X-Other', 'A b'],
    [{ 'x-github-event': 'push' }, 'body.nope', null],
    [{}, 'n', '1'],
    [{}, 'o', null],
  ]
  for (const [headers, path, event] of cases)
    assert.equal(
      eventOf(headers, payload, path === undefined ? undefined : pathOf(path)),
      event,
      JSON.stringify(headers),
    )
})
