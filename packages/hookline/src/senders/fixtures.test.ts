import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventOf } from './eventof.ts'
import { findFixture, fixtureNames } from './fixtures.ts'
import { payloadOf } from '../../test/rigs/bots.ts'

test('a fixture names its event in its service’s header, also for bots without a preset', () => {
  const events = [
    'github/push',
    'gitea/issues.opened',
    'gitlab/merge_request-open',
    'gitlab/build-failed',
    'gitlab/member-added',
    'linear/Issue.create',
    'circleci/workflow-completed',
    'sentry/issue.created',
    'bitbucket/repo__push-many',
  ]
  assert.deepEqual(events.map(eventIn), [
    'push',
    'issues',
    'merge_request',
    'job',
    'member',
    'Issue',
    'workflow-completed',
    'issue',
    'repo:push',
  ])
  assert.equal(eventIn('stripe/invoice.paid'), null)
})

test('every fixture is a JSON object, and names match exactly', () => {
  for (const name of fixtureNames())
    assert.doesNotThrow(() => payloadOf(findFixture(name)?.payload ?? ''), name)
  for (const name of [
    '',
    'github',
    'github/',
    'github/pus',
    '../fixtures/github/push',
    'github/push.json',
    '__proto__',
  ])
    assert.equal(findFixture(name), undefined, name)
})

function eventIn(name: string): string | null {
  const fixture = findFixture(name)
  assert.ok(fixture, name)
  return eventOf(fixture.headers, payloadOf(fixture.payload))
}
