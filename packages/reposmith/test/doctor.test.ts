import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { done } from '../src/failure.ts'
import { doctor, type Diagnosis } from '../src/verbs/doctor.ts'
import { clientFor, hostAt } from './client.ts'
import { startHost, type TestHost } from './host.ts'
import { asJson, reposmith, temporaryFolder } from './rig.ts'

const GOOD = `on: {push: {tags: ['v*']}}
jobs:
  build: {runs-on: x}
  publish:
    environment: {name: index, url: https://x.example}
    permissions: {id-token: write}
`
const MAIN = { id: 1, name: 'main', type: 'branch' }
const VERSIONS = { id: 2, name: 'v*', type: 'tag' }

function starts(on: string, workflow = GOOD): string {
  return workflow.replace(/^on: .*/, `on: ${on}`)
}

/** An environment that lets these alone release. */
function only(...policies: { id: number; name: string; type: string }[]) {
  const mode = { protected_branches: false, custom_branch_policies: true }
  return { body: { deployment_branch_policy: mode }, policies }
}

const AS_ADA = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']

/** A folder with that workflow, whose origin has these URLs. */
function checkout(workflow: string | undefined, urls = '\turl = git@host.example:octo/widget.git\n') {
  const folder = temporaryFolder()
  mkdirSync(join(folder.path, '.github/workflows'), { recursive: true })
  mkdirSync(join(folder.path, '.git'))
  writeFileSync(join(folder.path, '.git/config'), `[remote "origin"]\n${urls}`)
  if (workflow !== undefined) writeFileSync(join(folder.path, '.github/workflows/publish.yml'), workflow)
  return folder
}

async function diagnose(workflow: string | undefined, host: TestHost, urls?: string) {
  using folder = checkout(workflow, urls)
  return await examine(folder.path, host)
}

/** Without the command line: a process for each of so many workflows would take most of a minute. */
async function examine(path: string, host: TestHost) {
  const input = { path, workflow: 'publish.yml', timeout: 30, maxWait: 0 }
  const answer = await doctor(input, {
    host: hostAt(host.url),
    connect: () => Promise.resolve(done(clientFor(host))),
    apply: false,
    execute: () => assert.fail(),
    stop: new AbortController().signal,
    onStep: () => assert.fail(),
    resume: '',
    hostFlags: '',
    cwd: path,
    env: {},
  })
  assert(answer.ok)
  const { output, failure } = answer.output
  const failed = output.checks
    .filter(({ passed, severity }) => !passed && severity === 'error')
    .map(({ id }) => id)
  const says = failure ? `${failure.message} ${failure.remediation}` : ''
  return { ...output, code: failure?.code ?? 0, failed, says }
}

test('a release that gets through is healthy, and one whose tag the policy blocks is not', async () => {
  await using host = await startHost()
  const repo = host.seed('octo/widget')
  using folder = checkout(GOOD)
  const run = async () => {
    const { code, stdout, stderr } = await reposmith(['doctor', '--json'], {
      cwd: folder.path,
      url: host.url,
    })
    return { code, stderr, ...asJson<Diagnosis>(stdout) }
  }
  repo.environments.set('index', { body: {}, policies: [] })
  const open = await run()
  assert.deepEqual([open.code, open.healthy, open.stderr], [0, true, ''])

  repo.environments.set('index', only(MAIN))
  const closed = await run()
  const failed = closed.checks.filter(({ passed }) => !passed).map(({ id }) => id)
  assert.deepEqual([closed.code, closed.healthy, failed], [2, false, ['policy']])
  assert.match(closed.stderr, /--tag 'v\*'/)

  repo.environments.set('index', only(VERSIONS))
  assert.equal((await run()).healthy, true)
})

test('an environment, a branch and a tag may be called like a number', async () => {
  await using host = await startHost()
  const policies = [
    { ...MAIN, name: '2026' },
    { ...VERSIONS, name: '7' },
  ]
  host.seed('octo/widget').environments.set('2026', only(...policies))
  const workflow = GOOD.replace('{name: index, url: https://x.example}', '2026')
  const ran = await diagnose(workflow.replace("tags: ['v*']", 'tags: [7], branches: 2026'), host)
  assert.deepEqual([ran.code, ran.failed], [0, []])
})

test('an environment that no host can have is not looked for, and an empty name is none', async () => {
  await using host = await startHost()
  host.seed('octo/widget')
  const named = (name: string) => GOOD.replace('name: index', `name: '${name}'`)
  assert.deepEqual((await diagnose(named('..'), host)).failed, ['host-environment'])
  assert.deepEqual((await diagnose(named(''), host)).failed, ['environment'])
  assert.deepEqual(host.requests, [])
})

test('an excluding tag pattern does not start a release', async () => {
  await using host = await startHost()
  host.seed('octo/widget').environments.set('index', only(VERSIONS))
  assert.deepEqual((await diagnose(GOOD.replace("'v*'", "'v*', '!v*-rc*'"), host)).failed, [])
})

test('a pattern of the workflow is compared by what it means in a policy', async () => {
  await using host = await startHost()
  const repo = host.seed('octo/widget')
  for (const [tag, policy, missing] of [
    ['v[0-9]+.[0-9]+', 'v[0-9]+.[0-9]+', "'v[0-9]*.[0-9]*'"],
    ['v[0-9]+.[0-9]+', 'v[0-9]*.[0-9]*', undefined],
    ['v[0-9]+.[0-9]+', 'v*', undefined],
    ['v1.0?', 'v1.0?', "'v1.*'"],
    ['v*', 'v?', "'v*'"],
    ['v1', 'v?', undefined],
    ['v1/rc', 'v1/**', undefined],
    ['v1/rc/2', 'v1/**', 'v1/rc/2'],
    ['v1/rc/2', 'v1/**/*', undefined],
    ['v1/rc', 'v1/**/*', undefined],
    ['v1/**', 'v1/**', "'v1/**/*'"],
    ['v1/**', 'v1/**/*', undefined],
    ['v*\\+*', 'v*+*', undefined],
    ['v1.0', 'v[0-9].[0-9]', undefined],
    ['va', 'v[!0-9]', undefined],
    ['v1', 'v[!0-9]', 'v1'],
    ['v*', 'v[!0-9]', "'v*'"],
    ['v1', 'v[9-0]', 'v1'],
  ] as const) {
    repo.environments.set('index', only({ id: 1, name: policy, type: 'tag' }))
    const { failed, says } = await diagnose(GOOD.replace('v*', tag), host)
    assert.deepEqual(failed, missing === undefined ? [] : ['policy'], `${tag} and ${policy}`)
    if (missing !== undefined) assert.ok(says.endsWith(` --tag ${missing}`), says)
  }
})

test('the origin is looked up only at its own host, by its fetch URL', async () => {
  await using host = await startHost()
  host.seed('octo/widget').environments.set('index', { body: {}, policies: [] })
  const elsewhere = '\turl = https://git.elsewhere.example/octo/widget.git\n'
  const foreign = await diagnose(GOOD, host, elsewhere)
  assert.deepEqual([foreign.checks.at(-1)?.severity, host.requests.length], ['info', 0])
  for (const local of [
    '\turl = /srv/git/octo/widget.git\n',
    '\turl = ../octo/widget\n',
    '\turl = file:///srv/git/octo/widget\n',
    '\tfetch = +refs/heads/*:refs/remotes/origin/*\n[remote "upstream"]\n\turl = git@host.example:octo/widget\n',
  ]) {
    const { checks } = await diagnose(GOOD, host, local)
    assert.equal(checks.at(-1)?.message, 'cannot tell which repository this is', local)
  }
  const both = '\tpushurl = git@host.example:other/fork.git\n\turl = git@host.example:octo/widget.git\n'
  assert.equal((await diagnose(GOOD, host, both)).healthy, true)
})

test('if any ref starts the workflow, a policy that allows some of them lets a release through', async () => {
  await using host = await startHost()
  const repo = host.seed('octo/widget')
  repo.environments.set('index', only(VERSIONS))
  for (const on of ['{release: {types: [published]}}', 'push', "{push: {tags: ['**']}}"])
    assert.deepEqual((await diagnose(starts(on), host)).failed, [], on)
  assert.deepEqual((await diagnose(starts('{push: {branches: [main]}}'), host)).failed, ['policy'])
  repo.environments.set('index', only(MAIN))
  assert.deepEqual((await diagnose(starts('push'), host)).failed, [])
  const tagged = await diagnose(starts('release'), host)
  assert.deepEqual(tagged.failed, ['policy'])
  assert.match(tagged.says, /reposmith repo env octo\/widget --workflow publish\.yml --name index --tag '\*'/)
  repo.environments.set('index', {
    body: { deployment_branch_policy: { protected_branches: true, custom_branch_policies: false } },
    policies: [],
  })
  assert.deepEqual((await diagnose(starts('push'), host)).failed, [])
  const unprotected = await diagnose(starts('{push: {branches: [main], tags: ["v*"]}}'), host)
  assert.deepEqual(unprotected.failed, ['policy'])
  assert.match(
    unprotected.says,
    /reviewers and --wait-minutes .*--name index --branch main --tag 'v\*' --reset/,
  )
})

test('a workflow started manually or by schedule also needs a ref that the policy allows', async () => {
  await using host = await startHost()
  const repo = host.seed('octo/widget')
  for (const [on, policies, failed] of [
    ['workflow_dispatch', [], ['policy']],
    ['workflow_dispatch', [VERSIONS], []],
    ['create', [VERSIONS], []],
    ['{schedule: [{cron: "0 0 * * *"}]}', [VERSIONS], ['policy']],
    ['{push: {branches-ignore: [dev]}}', [VERSIONS], ['policy']],
    ['{push: {tags-ignore: [dev]}}', [VERSIONS], []],
    ['[]', [VERSIONS], ['trigger']],
  ] as const) {
    repo.environments.set('index', only(...policies))
    assert.deepEqual((await diagnose(starts(on), host)).failed, failed, `${on} ${JSON.stringify(policies)}`)
  }
})

test('every publishing job is checked, with the refs that its own condition allows', async () => {
  await using host = await startHost()
  const repo = host.seed('octo/widget')
  const workflow = (release: string, byHand: string) => `on: {release: {}, workflow_dispatch: {}}
jobs:
  pypi: {if: "${release}", environment: index, permissions: {id-token: write}}
  testpypi: {if: "${byHand}", environment: testindex, permissions: {id-token: write}}
`
  const usual = workflow("github.event_name == 'release'", "github.event_name == 'workflow_dispatch'")
  repo.environments.set('index', only(VERSIONS))
  assert.deepEqual((await diagnose(usual, host)).failed, ['host-environment:testpypi'])
  repo.environments.set('testindex', only(MAIN))
  assert.deepEqual((await diagnose(usual, host)).failed, [])
  repo.environments.set('index', only(MAIN))
  assert.deepEqual((await diagnose(usual, host)).failed, ['policy:pypi'])
  for (const condition of [
    "startsWith(github.ref, 'refs/tags/v')",
    "startsWith( github.ref,'refs/tags' ) && true",
    "${{ github.ref_type == 'tag' }}",
  ]) {
    const push = starts('push', workflow(condition, condition))
    assert.deepEqual((await diagnose(push, host)).failed, ['policy:pypi', 'policy:testpypi'], condition)
  }
  repo.environments.set('index', only(MAIN))
  for (const condition of [
    "github.ref == 'refs/heads/main'",
    "startsWith(github.ref, 'refs/heads/')",
    "github.ref_type == 'branch'",
  ]) {
    const push = starts("{push: {branches: [main], tags: ['v*']}}", workflow(condition, condition))
    assert.deepEqual((await diagnose(push, host)).failed, [], condition)
  }
  // Of all these branches, the job runs on main alone.
  const onMain = workflow("github.ref == 'refs/heads/main'", "github.ref == 'refs/heads/dev'")
  for (const on of ['{push: {branches: [main, dev]}}', 'push'])
    assert.deepEqual((await diagnose(starts(on, onMain), host)).failed, ['policy:testpypi'])
  const never = await diagnose(starts('release', usual), host)
  assert.match(never.says, /nothing starts the job testpypi/)
  // In a called workflow, the event is the caller's.
  const called = starts('[workflow_call, workflow_dispatch]', usual)
  assert.deepEqual((await diagnose(called, host)).failed, [])
  const unclear = workflow("github.event_name == 'release' || inputs.index", '!cancelled()')
  assert.deepEqual((await diagnose(unclear, host)).failed, ['policy:pypi', 'policy:testpypi'])
  // By hand a tag may start what no push does.
  const tagged = workflow("github.ref_type == 'tag'", "github.ref == 'refs/heads/main'")
  const on = '{push: {branches: [main]}, workflow_dispatch: {}}'
  repo.environments.set('index', only(VERSIONS))
  assert.deepEqual((await diagnose(starts(on, tagged), host)).failed, [])
})

test('the origin of a worktree, and of a submodule, is that of its repository', async () => {
  await using host = await startHost()
  host.seed('octo/widget').environments.set('index', { body: {}, policies: [] })
  using folder = temporaryFolder()
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder.path })
  git('init', '-q', 'main')
  git('-C', 'main', 'remote', 'add', 'origin', 'git@host.example:octo/widget.git')
  git('-C', 'main', ...AS_ADA, 'commit', '-q', '--allow-empty', '-m', 'first')
  git('-C', 'main', 'worktree', 'add', '-q', '../other')
  git('-C', 'main', 'worktree', 'add', '-q', '--detach', '../main/below')
  git('init', '-q', '--separate-git-dir', 'kept', 'apart')
  git('-C', 'apart', 'remote', 'add', 'origin', 'git@host.example:octo/widget.git')
  for (const name of ['main', 'other', 'main/below', 'apart']) {
    const path = join(folder.path, name, '.github/workflows')
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, 'publish.yml'), GOOD)
    const { checks } = await examine(join(folder.path, name), host)
    assert.equal(checks.at(-1)?.message, 'every branch and tag may release to index', name)
  }
})

test('the text output has a hint for each failed check', async () => {
  await using host = await startHost()
  host.seed('octo/widget')
  using folder = checkout(GOOD.replace('id-token: write', 'contents: read'))
  const options = { cwd: folder.path, url: host.url }
  const { stdout } = await reposmith(['doctor', '--repo', 'octo/widget'], options)
  assert.match(stdout, /^FAIL {2}the job .*\n {6}add permissions: with id-token: write to that job$/m)
  assert.match(
    stdout,
    /^FAIL {2}the host has no .*\n {6}create it: reposmith repo env octo\/widget --workflow publish\.yml --name index$/m,
  )
  const typed = ['doctor', '--repo', 'octo/widget', '--api-url', host.url]
  const named = await reposmith(typed, { ...options, env: { CODEHOST_API_URL: '' } })
  assert.ok(
    named.stdout.includes(` --name index --api-url ${host.url}\n`),
    'the command reaches the same host',
  )
  writeFileSync(join(folder.path, '.github/workflows/release.yml'), GOOD)
  const other = await reposmith(['doctor', '--workflow', 'release.yml', '--repo', 'octo/widget'], options)
  assert.match(
    other.stderr,
    /create it: reposmith repo env octo\/widget --workflow release\.yml --name index$/m,
  )
})

test('an environment known only at run time is not a fault, and an undefined alias is not a bug', async () => {
  await using host = await startHost()
  const later = await diagnose(GOOD.replace('name: index', "name: '${{ inputs.where }}'"), host)
  assert.deepEqual([later.code, later.checks.at(-1)?.severity, host.requests.length], [0, 'info', 0])
  for (const source of ['on: *x\n', `a: &a [x]\nb: [${'*a, '.repeat(200)}]\n`]) {
    const ran = await diagnose(source, host)
    assert.deepEqual([ran.code, ran.failed], [2, ['workflow']])
  }
})

test('an invalid workflow file is reported with line and column', async () => {
  await using host = await startHost()
  for (const [source, says] of [
    ['on: push\njobs:\n  publish: [\n', /^4:1: Flow sequence in block collection/],
    [`${GOOD}---\na: b\n`, /^7:1: Source contains multiple documents$/],
  ] as const) {
    const { code, checks } = await diagnose(source, host)
    const [place = '', why = ''] = checks[0]?.message.split(/(?<=publish\.yml):/) ?? []
    assert.deepEqual([code, checks.length, place], [2, 1, '.github/workflows/publish.yml'])
    assert.match(why, says)
  }
})

test('everything that a trusted release lacks is named', async () => {
  await using host = await startHost()
  host.seed('octo/widget')
  assert.deepEqual((await diagnose(undefined, host)).failed, ['workflow'])
  assert.deepEqual((await diagnose('on: [', host)).failed, ['workflow'])
  assert.deepEqual((await diagnose(GOOD, host)).failed, ['host-environment'])
  assert.deepEqual((await diagnose(GOOD.replace('id-token: write', 'contents: read'), host)).failed, [
    'id-token',
    'host-environment',
  ])
  assert.deepEqual((await diagnose(GOOD.replace(/ {4}environment.*\n/, ''), host)).failed, ['environment'])
})

test('a job that calls another workflow is sent to that one, as it cannot have an environment', async () => {
  await using host = await startHost()
  const calling = (uses: string): string =>
    `on: {push: {tags: ['v*']}}\njobs: {publish: {uses: ${uses}, permissions: {id-token: write}}}\n`
  const local = await diagnose(calling('./.github/workflows/upload.yml'), host)
  assert.deepEqual(local.failed, ['environment'])
  const [, check] = local.checks
  assert.match(check?.message ?? '', /the job publish calls another workflow$/)
  // Of the same folder and repository.
  assert.match(check?.remediation ?? '', /, or check the called one: --workflow upload\.yml$/)
  const [, foreign] = (await diagnose(calling('octo/ci/.github/workflows/upload.yml@v1'), host)).checks
  assert.match(foreign?.remediation ?? '', /^publish in a job of .*publish\.yml itself/)
  assert.doesNotMatch(foreign?.remediation ?? '', /--workflow/)
})

test('a missing or renamed repository is reported before its environments', async () => {
  await using host = await startHost()
  const absent = await diagnose(GOOD, host)
  assert.deepEqual(absent.failed, ['repository'])
  assert.match(absent.says, /no repository octo\/widget, or the token may not see it/)
  host.seed('octo/gadget').environments.set('index', { body: {}, policies: [] })
  const location = `${host.url}/repos/octo/gadget`
  host.fail({ on: 'GET /repos/octo/widget', status: 301, headers: { location } })
  const renamed = await diagnose(GOOD, host)
  assert.deepEqual(renamed.failed, ['repository'])
  assert.match(renamed.says, /octo\/widget is called octo\/gadget now.*--repo octo\/gadget/)
})

test('a refusal by the host does not hide the results for the folder', async () => {
  await using host = await startHost()
  host.seed('octo/widget')
  host.fail({ on: 'GET /repos/octo/widget/environments/index', status: 401 })
  const { code, healthy, failed, checks } = await diagnose(GOOD, host)
  assert.deepEqual([code, healthy, failed], [3, false, ['host']])
  assert.ok(checks.some(({ id, passed }) => id === 'id-token' && passed))
})

test('that the host was not asked is no failure, and why is said: no token, an invalid one, or one of another host', async () => {
  using folder = checkout(GOOD)
  const args = ['doctor', '--repo', 'octo/widget', '--host', 'git.example.org']
  for (const [env, says] of [
    [{}, /^skip {2}the host was not asked: there is no token$/m],
    [{ CODEHOST_TOKEN: 'two\nlines' }, /not asked: CODEHOST_TOKEN is not a token: it has more than one line/],
    [{ GH_TOKEN: 'token' }, /not asked: there is no token for git.example.org: GH_TOKEN belongs to another/],
  ] as const) {
    const ran = await reposmith(args, { cwd: folder.path, env })
    assert.equal(ran.code, 0, ran.stderr)
    assert.match(ran.stdout, says)
  }
})
