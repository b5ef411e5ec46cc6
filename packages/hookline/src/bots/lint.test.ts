import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Composed } from '../message/composed.ts'
import { lintOf, type Trial } from './lint.ts'

test('payloads are counted by outcome per event, the most frequent first', () => {
  const trials = [
    trial('star', { kind: 'skip', composedBy: null, reason: 'filtered: x' }),
    trial('push', said('output.template')),
    trial('push', { kind: 'skip', composedBy: 'handler.py', reason: 'the handler returned nothing' }),
    trial('push', { ...said('preset x: push'), unresolved: ['body.b'] }),
    trial('push', { ...said('fallback json'), unresolved: ['body.a', 'body.b'] }),
    trial('push', { kind: 'skip', composedBy: 'fallback skip', reason: 'x', unresolved: ['body.a'] }),
    trial('push', { kind: 'failed', error: 'x', unresolved: ['body.a'] }),
  ]
  const { events, ...all } = lintOf(trials)
  assert.deepEqual(all, { payloads: 7, resolved: 2, incomplete: 1, filtered: 1, fell_back: 2, failed: 1 })
  assert.deepEqual(
    events.map(({ event, payloads, missing, problems }) => ({ event, payloads, missing, problems })),
    [
      {
        event: 'push',
        payloads: 6,
        missing: [
          { token: 'body.a', in: 3 },
          { token: 'body.b', in: 2 },
        ],
        problems: [],
      },
      { event: 'star', payloads: 1, missing: [], problems: [] },
    ],
  )
})

test('an event without a template is named, unless it is filtered out or covered by a built-in text', () => {
  const { events } = lintOf([
    { ...trial('push', { ...said('fallback json') }), hasTemplate: false },
    { ...trial('star', { kind: 'skip', composedBy: null, reason: 'filtered: x' }), hasTemplate: false },
    trial(null, said('output.template')),
    { ...trial('expect.missed', said('trigger.expect')), hasTemplate: false },
  ])
  assert.deepEqual(
    events.map(({ event, has_template: has }) => [event, has]),
    [
      ['push', false],
      ['star', true],
      [null, true],
      ['expect.missed', true],
    ],
  )
})

test('each failure reason is reported once, with its count and place', () => {
  const failing = (name: string): Trial => ({
    ...trial('push', { kind: 'failed', error: `Traceback of ${name}\nKeyError: 'a'\n` }),
    name,
  })
  const stopped = { ...said('fallback json'), reason: 'output.template: too many steps' }
  assert.deepEqual(lintOf([failing('d-1'), failing('d-2'), trial('push', stopped)]).events[0]?.problems, [
    { problem: "KeyError: 'a'", in: 2, example: 'd-1' },
    { problem: 'output.template: too many steps', in: 1, example: 'push' },
  ])
})

function trial(event: string | null, composed: Composed): Trial {
  return { name: event ?? 'none', event, composed, hasTemplate: true }
}

function said(composedBy: string): Extract<Composed, { kind: 'message' }> {
  return { kind: 'message', text: 'x', unresolved: [], composedBy }
}
