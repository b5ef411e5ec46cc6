// How long a run waits for a host that needs a while: by a clock for which nobody waits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '../src/verbs/create.ts'
import type { Context } from '../src/verbs/context.ts'
import { clientFor, hostAt } from './client.ts'
import { testClock } from './clock.ts'
import { startHost, writes, type HostOptions } from './host.ts'
import { temporaryFolder } from './rig.ts'

const ALL = { timeout: 30, maxWait: 60, homepage: 'https://w.example' }

for (const [title, options, flags] of [
  ['the copy of a template that takes 30 s', { busySeconds: 30 }, { template: 'octo/seed' }],
  ['the copy of a template that takes 59 s', { busySeconds: 59 }, { template: 'octo/seed' }],
  ['a new repository that is not known for 10 s', { hiddenSeconds: 10 }, {}],
] as const) {
  test(`${title} is waited for`, async () => {
    const { answer, host } = await createAt(options, { ...ALL, ...flags })
    await using _ = host
    assert.ok(answer.ok)
    assert.equal(answer.output.failure, undefined)
    assert.deepEqual(host.repos.get('octo/widget')?.actions, { enabled: true, allowed_actions: 'all' })
    assert.equal(writes(host).filter(({ method }) => method === 'POST').length, 1)
  })
}

test('one that takes longer than --max-wait is a failure, and the next run goes on', async () => {
  const { answer, host, again } = await createAt({ busySeconds: 100 }, { ...ALL, template: 'octo/seed' })
  await using _ = host
  assert.ok(answer.ok)
  assert.match(answer.output.failure?.message ?? '', /still in progress/)
  assert.deepEqual(answer.output.failure?.partial?.applied, ['repo'])
  const next = await again()
  assert.ok(next.ok && next.output.failure === undefined)
  assert.equal(host.repos.get('octo/widget')?.data['has_wiki'], false)
})

async function createAt(options: HostOptions, input: typeof ALL & { readonly template?: string }) {
  const clock = testClock()
  const host = await startHost({ ...options, clock })
  host.seed('octo/seed')
  const state = temporaryFolder()
  const again = async () => await create({ name: 'widget', org: 'octo', ...input }, contextAt())
  const contextAt = (): Context => ({
    host: hostAt(host.url),
    apply: true,
    connect: () => Promise.resolve({ ok: true, output: clientFor(host, { clock, maxWaitSeconds: 60 }) }),
    execute: () => Promise.reject(new Error('there is no tool')),
    push: () => Promise.reject(new Error('there is no git')),
    stop: new AbortController().signal,
    onStep: () => undefined,
    resume: 'again',
    hostFlags: '',
    cwd: state.path,
    stdin: () => process.stdin,
    env: { XDG_STATE_HOME: state.path },
  })
  return { answer: await again(), host, again }
}
