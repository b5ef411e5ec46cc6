// Every fixture of every preset, posted as its service would, and the lines that people read: golden/presets.
// `npm run golden` rewrites those.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findFixture, fixtureNames } from '../src/senders/fixtures.ts'
import { findPreset, presetNames } from '../src/senders/presets.ts'
import { plain, presetBot, read, reader } from './presetlines.ts'
import type { Person } from './person.ts'
import { type Rig, startRig } from './rig.ts'

const presets = [...new Set(fixtureNames().map((name) => name.split('/')[0] ?? ''))]
const relays: ReadonlySet<string> = new Set(['slack', 'discord'])
let rig: Rig
let person: Person

before(async () => {
  rig = await startRig({ bots: Object.assign({}, ...presets.map((preset) => presetBot(preset))) })
  person = await reader(rig)
})

after(async () => {
  person[Symbol.dispose]()
  await rig[Symbol.asyncDispose]()
})

test('at least thirty services have fixtures for their usual events', () => {
  assert.ok(presets.length >= 30, presets.join(' '))
  assert.ok(fixtureNames().length >= 95)
  assert.ok(fixtureNames('github').length >= 20)
})

for (const preset of presets) {
  test(`${preset}: every fixture as people read it`, async (t) => {
    for (const name of fixtureNames(preset)) {
      const fixture = findFixture(name)
      assert(fixture)
      const { payload, headers } = fixture
      assert.ok(Buffer.byteLength(payload) < 4096, `${name} is no small example`)
      const lines = await read(rig, person, { bot: `spark-ori-${preset}`, payload, headers })
      assert.notDeepEqual(lines, [], name)
      // What a sender wrote itself may be as short as it likes.
      if (!relays.has(preset)) assert.ok(plain(lines[0] ?? '').split(' ').length >= 3, `${name}: ${lines[0]}`)
      t.assert.fileSnapshot(`${lines.join('\n')}\n`, `${import.meta.dirname}/golden/presets/${name}.txt`, {
        serializers: [String],
      })
    }
  })
}

test('what each preset suggests to try it with is a message of its service', async (t) => {
  const shown: string[] = []
  for (const preset of presetNames()) {
    const sample = findPreset(preset)?.sample
    assert(sample)
    const { headers, body } = sample
    const lines = await read(rig, person, { bot: `spark-ori-${preset}`, payload: body, headers })
    shown.push(`# ${preset}`, ...lines)
  }
  t.assert.fileSnapshot(`${shown.join('\n')}\n`, `${import.meta.dirname}/golden/presets/samples.txt`, {
    serializers: [String],
  })
})

const kettle = { repository: { full_name: 'acme/kettle', html_url: 'https://github.com/acme/kettle' } }
const queue = { ...kettle, merge_group: { base_ref: 'refs/heads/main', head_commit: { message: 'Boil' } } }
const changedMember = {
  action: 'edited',
  member: { login: 'alan' },
  changes: { permission: { from: 'read', to: 'write' } },
}

/** What one field of a payload changes in the line. */
const variants: readonly (readonly [fixture: string, change: object, said: RegExp, event?: string])[] = [
  [
    'github/issues.opened',
    { action: 'closed', issue: { state_reason: 'not_planned' } },
    / closed issue #7 as not planned: /,
  ],
  [
    'github/pull_request.opened',
    { action: 'dequeued', reason: 'CI_FAILURE' },
    / dequeued PR #12 \(ci failure\): /,
  ],
  [
    'github/star.created',
    { ...queue, action: 'checks_requested' },
    /: checks requested \(Boil\) - https/,
    'merge_group',
  ],
  [
    'github/star.created',
    { ...queue, action: 'destroyed', reason: 'merged' },
    / main: merged \(Boil\) - https/,
    'merge_group',
  ],
  [
    'github/star.created',
    { ...queue, action: 'destroyed', reason: 'dequeued' },
    / main: destroyed, dequeued \(Boil\) - https/,
    'merge_group',
  ],
  [
    'github/star.created',
    changedMember,
    / edited collaborator alan \(permission: read → write\) - https/,
    'member',
  ],
  ['gitlab/note', { object_attributes: { internal: true } }, / ada commented internally on MR !12 /],
  ['gitlab/note', { object_attributes: { action: 'update' } }, / ada edited a comment on MR !12 /],
  [
    'gitlab/build-failed',
    { build_allow_failure: true },
    /: failed in 42s \(script failure\), allowed to fail by grace - https/,
  ],
  ['alertmanager/firing', { truncatedAlerts: 3 }, / \(\+3 more\)/],
  ['grafana/firing', { truncatedAlerts: 2 }, / \(\+2 more\)/],
  ['stripe/checkout.session.completed', { data: { object: { payment_status: 'unpaid' } } }, /, unpaid/],
]

test('a change of one field shows in the line', async () => {
  for (const [name, change, said, event] of variants) {
    const fixture = findFixture(name)
    assert(fixture, name)
    const payload = changed(JSON.parse(fixture.payload) as Fields, change as Fields)
    const headers = { ...fixture.headers, ...(event === undefined ? {} : { 'x-github-event': event }) }
    const [line = ''] = await read(rig, person, { bot: `spark-ori-${name.split('/')[0]}`, payload, headers })
    assert.match(plain(line), said)
  }
})

type Fields = Readonly<Record<string, unknown>>

/** `before` with the fields of `change`, at every depth. */
function changed(before: Fields, change: Fields): Fields {
  const after = { ...before }
  for (const [name, value] of Object.entries(change)) {
    const old = before[name]
    const isDeep = typeof value === 'object' && typeof old === 'object' && value !== null && old !== null
    after[name] = isDeep ? changed(old as Fields, value as Fields) : value
  }
  return after
}

test('jenkins: a phase that repeats another is skipped', async () => {
  const finalized = findFixture('jenkins/finalized')?.payload ?? ''
  for (const phase of ['QUEUED', 'COMPLETED']) {
    const payload = finalized.replace('FINALIZED', phase)
    assert.notEqual(payload, finalized)
    assert.deepEqual(await read(rig, person, { bot: 'spark-ori-jenkins', payload }), [])
  }
})

test('github: what another event tells too, and stages of a run, are skipped', async () => {
  const sent = { ...kettle, sender: { login: 'alan' } }
  const cases: readonly (readonly [event: string, payload: object, isTold: boolean])[] = [
    ['watch', { ...sent, action: 'started' }, false],
    ['star', { ...sent, action: 'created' }, true],
    ['release', { ...sent, action: 'created', release: { tag_name: 'v2', draft: false } }, false],
    ['release', { ...sent, action: 'created', release: { tag_name: 'v2', draft: true } }, true],
    ['release', { ...sent, action: 'published', release: { tag_name: 'v2', draft: false } }, true],
    ['release', { ...sent, action: 'released', release: { tag_name: 'v2', draft: false } }, false],
    ['workflow_run', { ...sent, action: 'in_progress', workflow_run: { name: 'CI', run_number: 3 } }, false],
    ['workflow_run', { ...sent, action: 'completed', workflow_run: { name: 'CI', run_number: 3 } }, true],
  ]
  for (const [event, payload, isTold] of cases) {
    const headers = { 'x-github-event': event }
    const lines = await read(rig, person, { bot: 'spark-ori-github', payload, headers })
    assert.equal(lines.length > 0, isTold, JSON.stringify([event, payload]))
  }
})

test('github: the branches of a merge queue come and go in silence', async () => {
  const sent = { ...kettle, sender: { login: 'github-merge-queue[bot]' } }
  const branch = 'gh-readonly-queue/main/pr-12-1f3a9c2e5b7d4f60819a2b3c4d5e6f7081920a1b'
  const cases: readonly (readonly [event: string, ref: string, isTold: boolean])[] = [
    ['push', `refs/heads/${branch}`, false],
    ['create', branch, false],
    ['delete', branch, false],
    ['delete', 'steam', true],
  ]
  for (const [event, ref, isTold] of cases) {
    const payload = { ...sent, ref, ref_type: 'branch', commits: [] }
    const headers = { 'x-github-event': event }
    const lines = await read(rig, person, { bot: 'spark-ori-github', payload, headers })
    assert.equal(lines.length > 0, isTold, `${event} ${ref}`)
  }
})

test('github: a title can neither colour text, wake anybody, forge a line nor fill the channel', async () => {
  const title = `\x0304red\x02 @ann \u202Eback\r\n:ann QUIT\r\n${'long '.repeat(200)}`
  const { payload = '{}', headers } = findFixture('github/issues.opened') ?? {}
  const { issue, ...rest } = JSON.parse(payload) as { issue: object }
  const sent = { ...rest, issue: { ...issue, title } }
  const lines = await read(rig, person, { bot: 'spark-ori-github', payload: sent, headers: headers ?? {} })
  assert.deepEqual(lines, [
    '[⟦b⟧acme/kettle⟦b⟧] alan ⟦green⟧⟦b⟧opened⟦b⟧⟦/⟧ issue #7: 04red @\u200bann back - https://github.com/acme/kettle/issues/7',
  ])
  const long = { ...rest, issue: { ...issue, title: 'ключ '.repeat(200) } }
  const [only = '', ...more] = await read(rig, person, {
    bot: 'spark-ori-github',
    payload: long,
    headers: headers ?? {},
  })
  assert.deepEqual(more, [])
  assert.match(only, /ключ… - https:\/\/github\.com\/acme\/kettle\/issues\/7$/)
})
