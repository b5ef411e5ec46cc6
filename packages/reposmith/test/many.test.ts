// Many repositories: import and drift of generated ones, and many manifests at once with one rate limit and a kill.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Failure } from '../src/failure.ts'
import { bootstrap } from '../src/verbs/bootstrap.ts'
import type { Context } from '../src/verbs/context.ts'
import { drift, type Drifted } from '../src/verbs/drift.ts'
import { importRepository } from '../src/verbs/import.ts'
import type { Many } from '../src/verbs/many.ts'
import type { Bootstrapped } from '../src/verbs/prepared.ts'
import { clientFor, hostAt } from './client.ts'
import { testClock } from './clock.ts'
import { asked, startHost, TOKEN, writes, type TestHost } from './host.ts'
import { asJson, reposmith, succeed, temporaryFolder } from './rig.ts'

/** `npm run interop` has 1,000; while exchanges are recorded for it a few show all there is. */
const RUNS = process.env['REPOSMITH_EXCHANGES'] ? 10 : Number(process.env['REPOSMITH_REPOSITORIES'] ?? 40)

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/)
const line = fc
  .string({ unit: 'grapheme', maxLength: 30 })
  .filter((text) => !/\p{Cc}/u.test(text) && text === text.trim())
const capital = fc.stringMatching(/^[A-Z][A-Z0-9_]{0,12}$/).filter((name) => !name.startsWith('GITHUB_'))
const named = <T>(entry: fc.Arbitrary<T>) =>
  fc.uniqueArray(fc.tuple(word, entry), { maxLength: 3, selector: ([name]) => name })
const environment = fc.record({
  minutes: fc.nat(100),
  reviewers: fc.uniqueArray(fc.tuple(fc.constantFrom('User', 'Team'), fc.integer({ min: 1, max: 40 })), {
    maxLength: 3,
    selector: String,
  }),
  prevents: fc.boolean(),
  bypass: fc.boolean(),
  mode: fc.constantFrom('any', 'protected', 'custom'),
  policies: fc.uniqueArray(fc.tuple(fc.constantFrom('branch', 'tag'), word), {
    maxLength: 3,
    selector: String,
  }),
})
const ruleset = fc.record({
  target: fc.constantFrom('branch', 'tag'),
  enforcement: fc.constantFrom('active', 'disabled', 'evaluate'),
  include: fc.uniqueArray(
    fc.constantFrom('~ALL', '~DEFAULT_BRANCH', 'refs/heads/main', 'refs/tags/v*', 'refs/heads/refs/x'),
    { maxLength: 3 },
  ),
  rules: fc.uniqueArray(fc.constantFrom('deletion', 'update', 'pull_request', 'non_fast_forward'), {
    maxLength: 3,
  }),
  count: fc.nat(6),
  bypass: fc.boolean(),
})
const state = fc.record({
  visibility: fc.constantFrom('public', 'private', 'internal'),
  description: fc.option(line),
  homepage: fc.option(fc.webUrl()),
  topics: fc.uniqueArray(word, { maxLength: 4 }),
  actions: fc.constantFrom('all', 'local_only', 'selected', 'off'),
  patterns: fc.uniqueArray(word, { maxLength: 3 }),
  flags: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
  labels: named(fc.tuple(fc.stringMatching(/^[0-9a-f]{6}$/), fc.option(line))),
  variables: fc.dictionary(capital, line, { maxKeys: 3 }),
  secrets: fc.uniqueArray(capital, { maxLength: 2 }),
  environments: named(environment),
  rulesets: named(ruleset),
})
type State = typeof state extends fc.Arbitrary<infer T> ? T : never

test(`of ${RUNS} generated repositories each is as the manifest that import writes of it`, async () => {
  await using host = await startHost()
  using folder = temporaryFolder()
  const context = contextFor(host, folder.path)
  let runs = 0
  await fc.assert(
    fc.asyncProperty(state, async (given) => {
      const name = `r${runs++}`
      put(host, `octo/${name}`, given)
      const imported = await importRepository({ repo: `octo/${name}`, timeout: 30, maxWait: 0 }, context)
      assert.ok(imported.ok)
      writeFileSync(join(folder.path, `${name}.yaml`), imported.output.output.yaml)
      const file = [`${name}.yaml`]
      const drifted = await drift({ file, timeout: 30, maxWait: 0 }, context)
      assert.ok(drifted.ok)
      assert.deepEqual((drifted.output.output as Drifted).drift, [], imported.output.output.yaml)
      assert.equal(drifted.output.exit, undefined)
      host.repos.delete(`octo/${name}`)
    }),
    { numRuns: RUNS },
  )
  assert.deepEqual(writes(host), [])
})

test('the manifests of generated repositories make others alike: apply, then drift is clean, and apply again sends nothing', async () => {
  await using host = await startHost()
  using folder = temporaryFolder()
  const context = { ...contextFor(host, folder.path), apply: true }
  let runs = 0
  await fc.assert(
    fc.asyncProperty(state, async (given) => {
      const [from, to] = [`r${runs}`, `copy-${runs++}`]
      put(host, `octo/${from}`, given)
      const imported = await importRepository({ repo: `octo/${from}`, timeout: 30, maxWait: 0 }, context)
      assert.ok(imported.ok)
      const yaml = imported.output.output.yaml.replace(`name: ${from}`, `name: ${to}`)
      writeFileSync(join(folder.path, 'repo.yaml'), yaml)
      const input = { enforce: true, timeout: 30, maxWait: 0 }
      const first = await bootstrap(input, context)
      assert.ok(first.ok && !first.output.failure, JSON.stringify(first))
      const drifted = await drift(input, context)
      assert.ok(drifted.ok)
      assert.deepEqual((drifted.output.output as Drifted).drift, [], yaml)
      host.requests.length = 0
      const again = await bootstrap(input, context)
      assert.ok(again.ok)
      assert.deepEqual(writes(host), [])
      host.repos.clear()
    }),
    { numRuns: Math.ceil(RUNS / 4) },
  )
})

/** The host has all of them. */
const PULL_REQUEST = {
  dismiss_stale_reviews_on_push: false,
  require_code_owner_review: true,
  require_last_push_approval: false,
  required_review_thread_resolution: false,
}

/** Puts a repository on the host as people may have made it. */
function put(host: TestHost, full: string, given: State): void {
  const [commit, squash, rebase, auto, update, remove, owned, verified, write, approve] = given.flags
  const repo = host.seed(full, {
    visibility: given.visibility,
    private: given.visibility !== 'public',
    description: given.description,
    homepage: given.homepage,
    topics: given.topics,
    allow_merge_commit: commit,
    allow_squash_merge: squash,
    allow_rebase_merge: rebase,
    allow_auto_merge: auto,
    allow_update_branch: update,
    delete_branch_on_merge: remove,
  })
  repo.actions =
    given.actions === 'off' ? { enabled: false } : { enabled: true, allowed_actions: given.actions }
  repo.selected = {
    github_owned_allowed: owned,
    verified_allowed: verified,
    patterns_allowed: given.patterns,
  }
  repo.workflow = {
    default_workflow_permissions: write ? 'write' : 'read',
    can_approve_pull_request_reviews: approve,
  }
  for (const [name, [color, description]] of given.labels) repo.labels.set(name, { name, color, description })
  for (const [name, value] of Object.entries(given.variables)) repo.variables.set(name, value)
  for (const name of given.secrets) repo.secrets.set(name, {})
  let ids = 1
  for (const [name, { minutes, reviewers, prevents, bypass, mode, policies }] of given.environments) {
    const custom = mode === 'custom'
    repo.environments.set(name, {
      body: {
        wait_timer: minutes,
        reviewers: reviewers.map(([type, id]) => ({ type, id })),
        prevent_self_review: prevents,
        can_admins_bypass: bypass,
        deployment_branch_policy:
          mode === 'any' ? null : { protected_branches: !custom, custom_branch_policies: custom },
      },
      policies: custom ? policies.map(([type, pattern]) => ({ id: ids++, name: pattern, type })) : [],
    })
  }
  for (const [name, { target, enforcement, include, rules, count, bypass }] of given.rulesets) {
    const id = ids++
    repo.rulesets.set(String(id), {
      id,
      name,
      target,
      enforcement,
      source_type: 'Repository',
      conditions: { ref_name: { include, exclude: [] } },
      rules: rules.map((type) =>
        type === 'pull_request'
          ? { type, parameters: { ...PULL_REQUEST, required_approving_review_count: count } }
          : { type },
      ),
      bypass_actors: bypass ? [{ actor_id: 5, actor_type: 'RepositoryRole', bypass_mode: 'always' }] : [],
    })
  }
}

function contextFor(host: TestHost, folder: string): Context {
  const client = clientFor(host, { clock: testClock() })
  return {
    host: hostAt(host.url),
    apply: false,
    connect: () => Promise.resolve({ ok: true, output: client }),
    execute: () => Promise.reject(new Error('there is no tool')),
    push: () => Promise.reject(new Error('there is no git')),
    stop: new AbortController().signal,
    onStep: () => undefined,
    resume: 'again',
    hostFlags: '',
    cwd: folder,
    stdin: () => process.stdin,
    // Any name is the variable of a secret.
    env: new Proxy({ XDG_STATE_HOME: folder }, { get: (own, key) => Reflect.get(own, key) ?? 'secret' }),
  }
}

/** Fifty manifests, of which each wants a repository with three settings of its own. */
function fifty(folder: string): readonly string[] {
  mkdirSync(join(folder, 'repos'))
  writeFileSync(
    join(folder, 'base.yaml'),
    'repository: {org: octo, topics: [cli]}\nactions: {workflow_token: read}\n',
  )
  return Array.from({ length: 50 }, (_, index) => {
    const name = `w${String(index).padStart(2, '0')}`
    writeFileSync(
      join(folder, 'repos', `${name}.yaml`),
      `extends: ../base.yaml\nrepository: {name: ${name}}\nvariables: {STAGE: test}\nlabels: [{name: bug}]\n`,
    )
    return name
  })
}

const OWN_CLOCK = `
import { bootstrap } from '${new URL('../src/verbs/bootstrap.ts', import.meta.url).href}'
import { createClient } from '${new URL('../src/host/client.ts', import.meta.url).href}'
import { findHost } from '${new URL('../src/host/host.ts', import.meta.url).href}'
const [url, cwd] = process.argv.slice(1)
const host = findHost({ apiUrl: url }, {}).output
const never = new AbortController().signal
let now = 0
const clock = { now: () => now, sleep: async (ms) => { now += ms } }
const client = createClient({ host, token: { text: '${TOKEN}', variable: 'X' }, version: '0', timeoutSeconds: 30, maxWaitSeconds: 60, stop: never, abandon: never, onWait: () => undefined, clock })
const outcome = await bootstrap({ file: ['repos/*.yaml'] }, { host, apply: true, connect: async () => ({ ok: true, output: client }), stop: never, onStep: () => undefined, resume: '', hostFlags: '', cwd, env: { XDG_STATE_HOME: cwd } })
console.log(JSON.stringify(outcome.output))
process.exitCode = outcome.output.failure ? 1 : 0
`

test('of 50 manifests at once, killed half-way with -9 and run again, nothing is sent twice', async () => {
  await using host = await startHost()
  using folder = temporaryFolder()
  const names = fifty(folder.path)
  const run = (onStart?: (kill: () => void) => void) =>
    new Promise<number | null>((resolve) => {
      const args = ['--input-type=module', '-e', OWN_CLOCK, host.url, folder.path]
      const child = spawn(process.execPath, args, { stdio: 'ignore', timeout: 100_000 })
      onStart?.(() => child.kill('SIGKILL'))
      child.once('close', resolve)
    })
  const half = await run((kill) => {
    const [on] = ['PUT /repos/octo/w24/topics']
    host.fail({ on, until: new Promise(() => undefined), reached: kill })
  })
  assert.equal(half, null, 'it was killed')
  const before = writes(host).map(({ method, path }) => `${method} ${path}`)
  assert.ok(before.length > 50 && before.length < 250, String(before.length))
  assert.equal(await run(), 0)
  const sent = writes(host).map(({ method, path, body }) => `${method} ${path} ${JSON.stringify(body)}`)
  const twice = sent.filter((each, index) => sent.indexOf(each) !== index)
  // Its answer never came, and it was not done.
  assert.deepEqual(
    twice.filter((each) => !each.startsWith('PUT /repos/octo/w24/topics ')),
    [],
  )
  for (const name of names) {
    const repo = host.repos.get(`octo/${name}`)
    assert.deepEqual(repo?.data['topics'], ['cli'], name)
    assert.deepEqual([repo.variables.get('STAGE'), repo.labels.size], ['test', 1], name)
    assert.deepEqual(repo.actions, { enabled: true, allowed_actions: 'all' }, name)
    assert.equal(repo.workflow['default_workflow_permissions'], 'read')
  }
  host.requests.length = 0
  assert.equal(await run(), 0)
  assert.deepEqual(writes(host), [])
})

test('many requests wait together for one rate limit, and eight are under way at most', async () => {
  await using host = await startHost()
  using folder = temporaryFolder()
  for (const name of fifty(folder.path)) host.seed(`octo/${name}`, { topics: ['cli'] })
  // All eight are answered at once, and then all wait, until it is later.
  const arrived = Promise.withResolvers<void>()
  const asleep = Promise.withResolvers<void>()
  let [now, asking, sleeping] = [0, 0, 0]
  const clock = {
    now: () => now,
    async sleep(ms: number) {
      const until = now + ms
      if (++sleeping === 8) asleep.resolve()
      await asleep.promise
      now = Math.max(now, until)
    },
  }
  const reached = (): void => {
    if (++asking === 8) arrived.resolve()
  }
  const waits: number[] = []
  const onWait = (seconds: number): void => void waits.push(seconds)
  const client = clientFor(host, { clock, maxWaitSeconds: 60, onWait })
  const connect = (): ReturnType<Context['connect']> => Promise.resolve({ ok: true, output: client })
  const context = { ...contextFor(host, folder.path), connect }
  const headers = { 'retry-after': '40' }
  const on = 'GET /repos/{owner}/{repo}'
  host.fail({ on, status: 429, headers, times: 8, reached, until: arrived.promise })
  const outcome = await drift({ file: ['repos/*.yaml'], timeout: 30, maxWait: 60 }, context)
  assert.ok(outcome.ok && outcome.output.failure === undefined, JSON.stringify(outcome))
  const output = outcome.output.output as Many<Drifted>
  assert.equal(output.results.length, 50)
  assert.ok(output.results.every(({ in_sync: same }) => same === false))
  assert.deepEqual(waits, [40], 'it is waited for once')
  assert.equal(output.requests, host.requests.length)
})

test('many manifests: a table, a result for each, and the exit code of the first that fails', async () => {
  await using host = await startHost()
  using folder = temporaryFolder()
  mkdirSync(join(folder.path, 'repos'))
  const write = (name: string, source: string) =>
    writeFileSync(join(folder.path, 'repos', `${name}.yaml`), source)
  write('a', 'repository: {name: a, org: octo}\n')
  write('b', 'repository: {nmae: b}\n')
  const options = { url: host.url, cwd: folder.path }
  const args = ['repo', 'bootstrap', '-f', 'repos/*.yaml', '--apply']
  const ran = await reposmith(args, options)
  assert.equal(ran.code, 1)
  assert.match(
    ran.stdout,
    /\n\nocto\/a {8}3 done, 0 already so\nrepos\/b\.yaml {2}failed\n\d+ requests were sent\.\n$/,
  )
  assert.match(ran.stderr, /^repos\/b\.yaml: .*is invalid\nerror: 1 of 2 failed; the first: /)
  write('b', 'repository: {name: A, org: octo}\n')
  const twice = await reposmith([...args, '--json'], options)
  assert.match(
    asJson<Failure>(twice.stderr).message,
    /repos\/[ab]\.yaml and repos\/[ab]\.yaml are both for octo\/a/i,
  )
  write('b', 'repository: {name: b, org: octo}\n')
  const { results } = await succeed<Many<Bootstrapped>>([...args, '--json'], options)
  assert.deepEqual(
    results.map(({ file, success }) => [file, success]),
    [
      ['repos/a.yaml', true],
      ['repos/b.yaml', true],
    ],
  )
  const none = await reposmith(['repo', 'drift', '-f', 'none/*.yaml'], options)
  assert.deepEqual([none.code, none.stderr.split('\n')[0]], [2, 'error: no file is like none/*.yaml'])
})

test('a saved plan is applied as it was shown, refused if the host changed since, and goes on after a kill', async () => {
  await using host = await startHost()
  using folder = temporaryFolder()
  const options = { url: host.url, cwd: folder.path }
  writeFileSync(
    join(folder.path, 'repo.yaml'),
    'repository: {name: widget, org: octo, description: Ours}\nvariables: {A: b, C: d}\n',
  )
  const repo = host.seed('octo/widget', { description: 'theirs' })
  const plan = ['repo', 'bootstrap', '--enforce', '--plan-out', 'plan.json']
  const apply = ['repo', 'apply', 'plan.json', '--apply', '--json']
  await reposmith(plan, options)
  assert.match(readFileSync(join(folder.path, 'plan.json'), 'utf8'), /"schema": "plans\/1"/)
  assert.deepEqual(writes(host), [])
  repo.data['description'] = 'changed since'
  const refused = await reposmith(apply, options)
  const { kind, message, details } = asJson<Failure>(refused.stderr)
  assert.deepEqual([refused.code, kind], [1, 'conflict'])
  assert.match(message, /^the host has changed since the plan was made/)
  assert.deepEqual(details, ['octo/widget: settings: set the description Ours'])
  assert.deepEqual(writes(host), [])

  repo.data['description'] = 'theirs'
  host.fail({ on: 'POST /repos/octo/widget/actions/variables', status: 403 })
  assert.equal((await reposmith(apply, options)).code, 3)
  assert.equal(repo.data['description'], 'Ours')
  await succeed(apply, options)
  assert.deepEqual(
    [...repo.variables],
    [
      ['A', 'b'],
      ['C', 'd'],
    ],
  )
  assert.equal(asked(host).filter((each) => each.startsWith('PATCH')).length, 1)

  writeFileSync(join(folder.path, 'plan.json'), '{}')
  assert.match((await reposmith(apply, options)).stderr, /holds no plan/)
  const both = await reposmith([...plan, '--apply'], options)
  assert.match(both.stderr, /--plan-out is for a dry-run/)
})
