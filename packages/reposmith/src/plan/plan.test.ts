import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Answer } from '../failure.ts'
import { differences } from './diff.ts'
import { makePlan, refuseBlocked } from './plan.ts'
import { runPlan } from './run.ts'
import { settle, type Wire } from './settle.ts'
import type { RequestStep, Step } from './step.ts'

const STEP: RequestStep = {
  kind: 'request',
  id: 'repo',
  title: 'create it',
  op: 'create',
  method: 'POST',
  path: '/user/repos',
  body: { name: 'x' },
  proof: { path: '/repos/o/x', match: { full_name: 'o/x' }, ignoresCase: true },
  asked: true,
}

test('only wanted fields are compared, and lists ignore order', () => {
  assert.deepEqual(differences({ a: 1, b: 2 }, { a: 1 }), [])
  assert.deepEqual(differences({ a: ['x', 'y'] }, { a: ['y', 'x'] }), [])
  assert.deepEqual(
    differences({ a: [{ x: 1, y: { p: 2, q: 3 } }] }, { a: [{ y: { q: 3, p: 2 }, x: 1 }] }),
    [],
  )
  assert.deepEqual(differences({ a: undefined }, { a: null }), [])
  assert.deepEqual(differences({ a: 1 }, { a: 2, b: null, c: [] }), [
    { at: '/a', from: 1, to: 2 },
    { at: '/c', from: null, to: [] },
  ])
})

test('a body never differs from itself', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) =>
      assert.deepEqual(differences(body, body), []),
    ),
  )
})

test('a blocked step that was asked for refuses the whole plan; one from a default does not', () => {
  const facts = { host: 'h', target: 'o/x', state: 'read' } as const
  const blocked = { kind: 'blocked', id: 'env', title: 'set it', reason: 'it has none' } as const
  assert.ok(refuseBlocked(makePlan(facts, [STEP, { ...blocked, asked: false }])).ok)
  const refused = refuseBlocked(makePlan(facts, [STEP, { ...blocked, asked: true }]))
  assert.ok(!refused.ok)
  assert.equal(refused.error.message, 'set it: it has none')
})

test('a POST is never sent twice without a read in between that finds nothing', async () => {
  const answers = fc.constantFrom('ok', 'lost', 'taken', 'refused')
  const reads = fc.constantFrom('there', 'absent', 'broken')
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(answers, reads), { minLength: 5, maxLength: 5 }), async (script) => {
      const log: string[] = []
      await settle(STEP, wireFor(script, log))
      for (const [index, entry] of log.entries()) {
        if (entry === 'send' && index > 0) assert.equal(log[index - 1], 'absent')
      }
    }),
  )
})

test('after a failure no further step is started, and the plan says how far it got', async () => {
  const steps: Step[] = [
    { ...STEP, id: 'a' },
    { ...STEP, id: 'b', path: '/refused' },
    { ...STEP, id: 'c' },
    { kind: 'blocked', id: 'd', title: 'set it', reason: 'it has none', asked: false },
  ]
  const plan = makePlan({ host: 'h', target: 'o/x', state: 'read' }, steps)
  const wire: Wire = {
    ...wireFor([], []),
    send: (_, path) =>
      Promise.resolve(path === '/refused' ? refusal('auth') : { ok: true, output: { status: 201, data: 1 } }),
  }
  const tools = { wire, stop: new AbortController().signal, now: () => 0, onStep: () => undefined }
  const applied = await runPlan(plan, tools, 'again')
  assert.deepEqual(
    applied.plan.steps.map(({ status }) => status),
    ['done', 'failed', 'not_reached', 'skipped'],
  )
  assert.deepEqual(applied.failure?.partial, {
    applied: ['a'],
    failed: 'b',
    not_reached: ['c'],
    resume: 'again',
  })
})

/** Answers as the script says, one pair for each try. */
function wireFor(script: readonly (readonly [string, string])[], log: string[]): Wire {
  let tries = -1
  return {
    send: () => {
      tries++
      log.push('send')
      const [answer] = script[tries] ?? ['refused']
      if (answer === 'ok') return Promise.resolve({ ok: true, output: { status: 201, data: {} } })
      return Promise.resolve(
        refusal(answer === 'lost' ? 'network' : answer === 'taken' ? 'conflict' : 'auth'),
      )
    },
    read: () => {
      const [, found] = script[tries] ?? ['', 'broken']
      log.push(found)
      if (found === 'broken') return Promise.resolve(refusal('network'))
      return Promise.resolve({ ok: true, output: found === 'there' ? { full_name: 'O/x' } : undefined })
    },
    list: () => Promise.resolve(refusal('network')),
    pause: () => Promise.resolve(true),
  }
}

function refusal(kind: 'auth' | 'network' | 'conflict'): Answer<never> {
  return { ok: false, error: { code: 4, message: kind, remediation: '', kind } }
}
