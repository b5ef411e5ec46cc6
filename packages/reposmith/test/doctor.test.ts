import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { done } from '../src/failure.ts'
import { doctor, type Diagnosis } from '../src/verbs/doctor.ts'
import type { Input } from '../src/table/commands.ts'
import { clientFor, hostAt } from './client.ts'
import { asked, hashFor, startHost, writes, type TestHost } from './host.ts'
import { asJson, reposmith, succeed, temporaryFolder } from './rig.ts'

const PINNED = `@${'0123456789'.repeat(4)}`
const PYPI = `pypa/gh-action-pypi-publish${PINNED}`
const GOOD = `on: {push: {tags: ['v*']}}
permissions: {contents: read}
jobs:
  build: {runs-on: x}
  publish:
    environment: {name: index, url: https://x.example}
    permissions: {id-token: write}
    steps:
      - uses: ${PYPI}
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

/** A repository whose actions may run. */
function ready(host: TestHost) {
  const repo = host.seed('octo/widget')
  repo.actions = { enabled: true, allowed_actions: 'all' }
  return repo
}

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
async function examine(path: string, host: TestHost, more: Partial<Input<'doctor'>> = {}) {
  const input = { path, workflow: 'publish.yml', timeout: 30, maxWait: 0, ...more }
  const answer = await doctor(input, {
    host: hostAt(host.url),
    connect: () => Promise.resolve(done(clientFor(host))),
    apply: false,
    execute: () => assert.fail(),
    push: () => assert.fail(),
    stop: new AbortController().signal,
    onStep: () => assert.fail(),
    resume: '',
    hostFlags: '',
    cwd: path,
    stdin: () => process.stdin,
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
  const repo = ready(host)
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
  ready(host).environments.set('2026', only(...policies))
  const workflow = GOOD.replace('{name: index, url: https://x.example}', '2026')
  const ran = await diagnose(workflow.replace("tags: ['v*']", 'tags: [7], branches: 2026'), host)
  assert.deepEqual([ran.code, ran.failed], [0, []])
})

test('an environment that no host can have is not looked for, and an empty name is none', async () => {
  await using host = await startHost()
  ready(host)
  const named = (name: string) => GOOD.replace('name: index', `name: '${name}'`)
  assert.deepEqual((await diagnose(named('..'), host)).failed, ['host-environment'])
  assert.deepEqual((await diagnose(named(''), host)).failed, ['environment'])
  assert.ok(!asked(host).some((request) => request.includes('environments')))
})

test('an excluding tag pattern does not start a release', async () => {
  await using host = await startHost()
  ready(host).environments.set('index', only(VERSIONS))
  assert.deepEqual((await diagnose(GOOD.replace("'v*'", "'v*', '!v*-rc*'"), host)).failed, [])
})

test('a pattern of the workflow is compared by what it means in a policy', async () => {
  await using host = await startHost()
  const repo = ready(host)
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
  ready(host).environments.set('index', { body: {}, policies: [] })
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
  const repo = ready(host)
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
  const repo = ready(host)
  for (const [on, policies, failed] of [
    ['workflow_dispatch', [], ['policy']],
    ['workflow_dispatch', [VERSIONS], ['policy']],
    ['workflow_dispatch', [MAIN], []],
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
  const repo = ready(host)
  const workflow = (release: string, byHand: string) => `on: {release: {}, workflow_dispatch: {}}
jobs:
  pypi: {if: "${release}", environment: index, permissions: {id-token: write}, steps: [{run: uv publish}]}
  testpypi: {if: "${byHand}", environment: testindex, permissions: {id-token: write}, steps: [{run: uv publish --index testpypi}]}
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
  ready(host).environments.set('index', { body: {}, policies: [] })
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
    assert.ok(
      checks.some(({ message }) => message === 'every branch and tag may release to index'),
      name,
    )
  }
})

test('the text output has a hint for each failed check', async () => {
  await using host = await startHost()
  ready(host)
  using folder = checkout(GOOD.replace('id-token: write', 'contents: read'))
  const options = { cwd: folder.path, url: host.url }
  const { stdout } = await reposmith(['doctor', '--repo', 'octo/widget'], options)
  assert.match(
    stdout,
    /^FAIL {2}the job .*\n {6}\.github\/workflows\/publish\.yml:7: add permissions: with id-token: write to the job publish$/m,
  )
  assert.match(
    stdout,
    /^FAIL {2}the host has no .*\n {6}create it: reposmith repo env octo\/widget --workflow publish\.yml --name index --tag 'v\*'$/m,
  )
  const typed = ['doctor', '--repo', 'octo/widget', '--api-url', host.url]
  const named = await reposmith(typed, { ...options, env: { CODEHOST_API_URL: '' } })
  assert.ok(
    named.stdout.includes(` --name index --api-url ${host.url} --tag 'v*'\n`),
    'the command reaches the same host',
  )
  writeFileSync(join(folder.path, '.github/workflows/release.yml'), GOOD)
  const other = await reposmith(['doctor', '--workflow', 'release.yml', '--repo', 'octo/widget'], options)
  assert.match(
    other.stderr,
    /create it: reposmith repo env octo\/widget --workflow release\.yml --name index --tag 'v\*'$/m,
  )
})

test('an environment known only at run time is not a fault, and an undefined alias is not a bug', async () => {
  await using host = await startHost()
  ready(host)
  const later = await diagnose(GOOD.replace('name: index', "name: '${{ inputs.where }}'"), host)
  const about = later.checks.find(({ id }) => id === 'host-environment')
  assert.deepEqual([later.code, about?.severity], [0, 'info'])
  for (const source of ['on: *x\n', `a: &a [x]\nb: [${'*a, '.repeat(200)}]\n`]) {
    const ran = await diagnose(source, host)
    assert.deepEqual([ran.code, ran.failed], [2, ['workflow']])
  }
})

test('an invalid workflow file is reported with line and column', async () => {
  await using host = await startHost()
  for (const [source, says] of [
    ['on: push\njobs:\n  publish: [\n', /^4:1: Flow sequence in block collection/],
    [`${GOOD}---\na: b\n`, /^10:1: Source contains multiple documents$/],
  ] as const) {
    const { code, checks } = await diagnose(source, host)
    const [place = '', why = ''] = checks[0]?.message.split(/(?<=publish\.yml):/) ?? []
    assert.deepEqual([code, checks.length, place], [2, 1, '.github/workflows/publish.yml'])
    assert.match(why, says)
  }
})

test('everything that a trusted release lacks is named', async () => {
  await using host = await startHost()
  ready(host)
  assert.deepEqual((await diagnose(undefined, host)).failed, ['workflow'])
  assert.deepEqual((await diagnose('on: [', host)).failed, ['workflow'])
  assert.deepEqual((await diagnose(GOOD, host)).failed, ['host-environment'])
  assert.deepEqual((await diagnose(GOOD.replace('id-token: write', 'contents: read'), host)).failed, [
    'id-token',
    'host-environment',
  ])
  assert.deepEqual((await diagnose(GOOD.replace(/ {4}environment.*\n/, ''), host)).failed, ['environment'])
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
  ready(host)
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

/** What `diagnose` found of one kind. */
function found({ checks }: Diagnosis, id: string) {
  return checks.filter((check) => check.id === id && !check.passed)
}

test('a release where no action may run is none, and the plan lets only those run that it needs', async () => {
  await using host = await startHost()
  const repo = ready(host)
  repo.environments.set('index', only(VERSIONS))
  assert.deepEqual((await diagnose(GOOD, host)).failed, [])
  for (const [actions, selected, says] of [
    [{ enabled: false }, {}, /^Actions are disabled in octo\/widget: nothing runs/],
    [
      { enabled: true, allowed_actions: 'local_only' },
      {},
      /does not let pypa\/gh-action-pypi-publish@\w+ run \(local_only\)/,
    ],
    [
      { enabled: true, allowed_actions: 'selected' },
      { patterns_allowed: ['octo/*'] },
      /does not let pypa.* run \(selected\)/,
    ],
    [{ enabled: true, allowed_actions: 'all', sha_pinning_required: true }, {}, undefined],
    [{ enabled: true, allowed_actions: 'selected' }, { patterns_allowed: ['pypa/*'] }, undefined],
    [
      { enabled: true, allowed_actions: 'selected' },
      { patterns_allowed: ['PyPA/gh-action-pypi-publish@*'] },
      undefined,
    ],
  ] as const) {
    Object.assign(repo, { actions, selected })
    const { failed, says: said } = await diagnose(GOOD, host)
    assert.deepEqual(failed, says ? ['actions'] : [], JSON.stringify([actions, selected]))
    if (says) assert.match(said.replace('a trusted release would not get through: ', ''), says)
  }
  // Only what is stopped is allowed: the list of the host's own actions is not opened for it.
  Object.assign(repo, {
    actions: { enabled: true, allowed_actions: 'selected' },
    selected: { github_owned_allowed: false, verified_allowed: false, patterns_allowed: ['octo/*'] },
  })
  using folder = checkout(GOOD)
  const fix = ['doctor', '--fix', '--apply', '--json']
  const { plan } = await succeed<Diagnosis>(fix, { url: host.url, cwd: folder.path })
  assert.deepEqual(
    plan?.steps.map(({ id }) => id),
    ['actions:selected'],
  )
  assert.deepEqual(repo.selected, {
    github_owned_allowed: false,
    verified_allowed: false,
    patterns_allowed: ['octo/*', 'pypa/gh-action-pypi-publish@*'],
  })
  Object.assign(repo, { actions: { enabled: true, allowed_actions: 'all', sha_pinning_required: true } })
  const loose = await diagnose(GOOD.replace(PINNED, '@release/v1'), host)
  assert.match(loose.says, /runs only actions that are pinned by their hash, and not pypa.*@release\/v1/)
  host.fail({ on: 'GET /repos/octo/widget/actions/permissions', status: 403 })
  const hidden = await diagnose(GOOD, host)
  assert.deepEqual([hidden.failed, found(hidden, 'actions')[0]?.severity], [[], 'info'])
})

test('started by hand it comes from the default branch: an environment for tags alone refuses that', async () => {
  await using host = await startHost()
  const repo = ready(host)
  repo.data['default_branch'] = 'trunk'
  repo.environments.set('index', only(VERSIONS))
  const byHand = await diagnose(starts('workflow_dispatch'), host)
  assert.deepEqual(byHand.failed, ['policy'])
  assert.match(
    byHand.says,
    /index lets only v\* through, but the release is started by hand, on trunk .* --branch trunk$/,
  )
  // Where a tag starts it as well, that way is open: then it is only said.
  const both = await diagnose(starts("{push: {tags: ['v*']}, workflow_dispatch: }"), host)
  assert.deepEqual([both.failed, found(both, 'default-ref')[0]?.severity], [[], 'warning'])
  repo.environments.set('index', only({ ...MAIN, name: 'trunk' }))
  assert.deepEqual((await diagnose(starts('workflow_dispatch'), host)).failed, [])
})

test('a password in place of a proof is named, with its line', async () => {
  await using host = await startHost()
  ready(host).environments.set('index', only(VERSIONS))
  const step = `      - uses: ${PYPI}\n`
  for (const [given, line] of [
    [`${step}        with:\n          user: __token__\n          password: \${{ secrets.PYPI }}\n`, 12],
    ['      - run: uv publish\n        env:\n          UV_PUBLISH_TOKEN: ${{ secrets.PYPI }}\n', 11],
    ['      - run: twine upload --attestations -p "$PASSWORD" dist/*\n', 9],
    ['      - run: npm publish\n        env: {NODE_AUTH_TOKEN: "${{ secrets.NPM }}"}\n', 10],
  ] as const) {
    const { failed, checks } = await diagnose(GOOD.replace(step, given), host)
    assert.deepEqual(failed, ['password'], given)
    const [check] = checks.filter(({ id }) => id === 'password')
    assert.deepEqual(
      [check?.place, check?.rule],
      [`.github/workflows/publish.yml:${line}`, 'zizmor: use-trusted-publishing'],
    )
  }
})

test('the package is called as the publisher is registered, by repo.yaml or --project', async () => {
  await using host = await startHost()
  ready(host).environments.set('index', only(VERSIONS))
  using folder = checkout(GOOD)
  const put = (name: string, text: string): void => writeFileSync(join(folder.path, name), text)
  put('pyproject.toml', '[build-system]\nrequires = []\n[project]\nname = "Tea_Pot"\n')
  const own = await examine(folder.path, host)
  assert.deepEqual([own.failed, found(own, 'package-name')[0]?.severity], [[], 'warning'])
  assert.match(found(own, 'package-name')[0]?.message ?? '', /is called Tea_Pot, the repository widget$/)
  assert.deepEqual((await examine(folder.path, host, { project: 'tea.pot' })).failed, [])
  const other = await examine(folder.path, host, { project: 'kettle' })
  assert.deepEqual(
    [other.failed, found(other, 'package-name')[0]?.place],
    [['package-name'], 'pyproject.toml:4'],
  )
  const manifest = (more: string): void =>
    put('repo.yaml', `repository: {name: widget}\nenvironments: [{name: index, ${more}}]\n`)
  manifest('project: tea-pot')
  assert.deepEqual((await examine(folder.path, host)).failed, [])
  manifest('project: kettle')
  assert.match((await examine(folder.path, host)).says, /repo\.yaml registers the publisher for kettle/)
  manifest('project: tea-pot, workflow: release.yml')
  assert.match(
    (await examine(folder.path, host)).says,
    /repo\.yaml registers the workflow release\.yml, but publish\.yml publishes/,
  )
  put('repo.yaml', 'repository: {name: widget}\nenvironments: [{name: release, project: tea-pot}]\n')
  assert.match(
    (await examine(folder.path, host)).says,
    /no publisher for the environment index, only for release/,
  )
})

test('an environment that protects nothing is named, and so is what protects it', async () => {
  await using host = await startHost()
  const repo = ready(host)
  repo.environments.set('index', { body: {}, policies: [] })
  const open = await diagnose(GOOD, host)
  const [check] = found(open, 'unprotected')
  assert.deepEqual([open.healthy, check?.severity], [true, 'warning'])
  assert.match(check?.remediation ?? '', / --name index --tag 'v\*' --reviewer WHO$/)
  repo.environments.set('index', { body: { reviewers: [{ type: 'User', id: 1 }] }, policies: [] })
  assert.deepEqual(found(await diagnose(GOOD, host), 'unprotected'), [])
  repo.environments.set('index', only(VERSIONS))
  assert.deepEqual(found(await diagnose(GOOD, host), 'unprotected'), [])
})

test('a job that deploys a page is not taken for the one that publishes', async () => {
  await using host = await startHost()
  const repo = ready(host)
  repo.environments.set('github-pages', { body: {}, policies: [] })
  const page = `  page:
    environment: github-pages
    permissions: {id-token: write, pages: write}
    steps: [{uses: actions/deploy-pages${PINNED}}]
`
  const alone = await diagnose(GOOD.replace(/ {2}publish:[^]*/, page), host)
  assert.deepEqual(alone.failed, ['publishes'])
  assert.match(alone.says, /no step in .*publish\.yml publishes to an index/)
  const both = await diagnose(GOOD + page, host)
  assert.deepEqual(both.failed, ['host-environment'])
  assert.match(both.says, /has no environment index/)
})

test('every usual way to publish is found, and what only looks like one is not', async () => {
  await using host = await startHost()
  ready(host).environments.set('index', only(VERSIONS))
  const publishes = async (step: string): Promise<boolean> => {
    const { checks } = await diagnose(GOOD.replace(`uses: ${PYPI}`, step), host)
    return checks.some(({ id, passed }) => id === 'publishes' && passed)
  }
  for (const step of [
    'uses: PyPA/gh-action-pypi-publish@release/v1',
    'uses: JS-DevTools/npm-publish@v4',
    'run: uv publish --trusted-publishing always',
    'run: python -m twine upload dist/*',
    'run: "cd dist && UV_PUBLISH_URL=https://x.example uv publish"',
    'run: "npm ci\\nnpm --workspace packages/a publish --access public"',
    'run: pnpm publish',
    'run: yarn npm publish',
    'run: uvx twine upload dist/*',
    'run: poetry publish --build',
  ])
    assert.ok(await publishes(step), step)
  for (const step of [
    'run: npm publish --dry-run',
    'run: "# uv publish"',
    'run: echo uv publish',
    'run: npm run publish-docs',
    'run: twine check dist/*',
  ])
    assert.ok(!(await publishes(step)), step)
})

test('a called workflow is followed to its step: its environment, what it may, and who starts it', async () => {
  await using host = await startHost()
  const repo = ready(host)
  repo.environments.set('index', only(VERSIONS))
  using folder = checkout(`on: {push: {tags: ['v*']}}
permissions: {contents: read}
jobs:
  release:
    uses: ./.github/workflows/upload.yml
    permissions: {id-token: write}
    with: {where: index}
`)
  const put = (step: string, permissions = 'id-token: write'): void =>
    writeFileSync(
      join(folder.path, '.github/workflows/upload.yml'),
      `on: {workflow_call: {inputs: {where: {type: string}}}}
permissions: {contents: read}
jobs:
  upload:
    environment: \${{ inputs.where }}
    permissions: {${permissions}}
    steps: [{${step}}]
`,
    )
  put('run: npm publish')
  const npm = await examine(folder.path, host)
  assert.deepEqual(npm.failed, [])
  assert.ok(
    npm.checks.some(({ id, message }) => id === 'policy' && message === 'index lets the release through'),
  )
  put(`uses: ${PYPI}`)
  const pypi = await examine(folder.path, host)
  assert.deepEqual(pypi.failed, ['called'])
  assert.match(
    pypi.says,
    /the job release calls \.github\/workflows\/upload\.yml, which publishes: the index refuses/,
  )
  put('run: npm publish', 'contents: read')
  assert.deepEqual((await examine(folder.path, host)).failed, ['id-token'])
  repo.environments.set('index', only(MAIN))
  put('run: npm publish')
  assert.deepEqual((await examine(folder.path, host)).failed, ['policy'])
})

test('--fix pins what the host knows the hash of, and leaves the rest', async () => {
  await using host = await startHost()
  ready(host).environments.set('index', only(VERSIONS))
  host.seed('actions/setup-node')
  const source = (uses: string): string => `on: {push: {tags: ['v*']}}
permissions: {contents: read}
jobs:
  publish:
    environment: index
    permissions: {id-token: write}
    steps:
      - uses: ${uses}
      - uses: octo/unknown@v1
      - {uses: actions/setup-node@v6}
      - uses: ${PYPI}
`
  using folder = checkout(source('actions/setup-node@v6 # ours'))
  const file = join(folder.path, '.github/workflows/publish.yml')
  const fix = ['doctor', '--fix', '--apply', '--json']
  const { healthy } = await succeed<Diagnosis>(fix, { url: host.url, cwd: folder.path })
  assert.ok(healthy)
  const pinned = `actions/setup-node@${hashFor('actions/setup-node', 'v6')} # v6`
  assert.equal(readFileSync(file, 'utf8'), source(pinned))
  assert.equal(asked(host).filter((each) => each.includes('/commits/')).length, 2)
})

test('a called workflow of another repository is read from the host, with what it calls there itself', async () => {
  await using host = await startHost()
  const repo = ready(host)
  repo.environments.set('index', only(VERSIONS))
  const source = `on: {push: {tags: ['v*']}}
jobs: {publish: {uses: octo/ci/.github/workflows/upload.yml@v1, permissions: {id-token: write}}}
`
  const unread = await diagnose(source, host)
  assert.deepEqual([unread.failed, found(unread, 'called')[0]?.severity], [['publishes'], 'info'])
  const { files } = host.seed('octo/ci')
  files.set(
    '.github/workflows/upload.yml@v1',
    'on: workflow_call\njobs: {go: {uses: ./.github/workflows/npm.yml}}\n',
  )
  files.set(
    '.github/workflows/npm.yml@v1',
    'on: workflow_call\njobs: {npm: {environment: index, steps: [{uses: octo/unpinned@v1}, {run: npm publish}]}}\n',
  )
  const whole = await diagnose(source, host)
  assert.deepEqual(whole.failed, [])
  assert.match(
    whole.checks.find(({ id }) => id === 'publishes')?.message ?? '',
    /^npm publish \(octo\/ci\/\.github\/workflows\/npm\.yml@v1:2\) publishes$/,
  )
  // What is wrong there is mended there; but here it must be permitted to run.
  assert.ok(found(whole, 'pin').every(({ message }) => !message.includes('unpinned')))
  repo.actions = { enabled: true, allowed_actions: 'local_only' }
  assert.deepEqual((await diagnose(source, host)).failed, [])
  files.set(
    '.github/workflows/npm.yml@v1',
    'on: workflow_call\njobs: {npm: {environment: index, steps: [{uses: ada/foreign@v1}, {run: npm publish}]}}\n',
  )
  assert.deepEqual((await diagnose(source, host)).failed, ['actions'])
})

test('what makes a workflow less safe is named with the rule of others, its line and the mend', async () => {
  await using host = await startHost()
  ready(host).environments.set('index', only(VERSIONS, MAIN))
  const { checks, healthy } = await diagnose(
    `on: {push: {tags: ['v*']}, pull_request_target: }
permissions:
  id-token: write
  contents: write
jobs:
  publish:
    environment: index
    steps:
      - uses: actions/checkout@v4
      - run: echo \${{ github.event.issue.title }}
      - run: pip install build
      - uses: ${PYPI}
        with:
          attestations: false
`,
    host,
  )
  const warned = checks.filter(({ passed, severity }) => !passed && severity === 'warning')
  assert.deepEqual(
    warned.map(({ id, place, rule }) => [id, Number(place?.split(':')[1]), rule?.split(';')[0]]),
    [
      ['id-token-scope', 3, 'zizmor: excessive-permissions'],
      ['id-token-scope', 11, 'scorecard: Token-Permissions'],
      ['attestation', 14, 'scorecard: Signed-Releases'],
      ['pin', 9, 'zizmor: unpinned-uses'],
      ['kept-credentials', 9, 'zizmor: artipacked'],
      ['permissions', 4, 'zizmor: excessive-permissions'],
      ['dangerous-trigger', 1, 'zizmor: dangerous-triggers'],
      ['injection', 10, 'zizmor: template-injection'],
    ],
  )
  assert.ok(healthy)
})

test('--fix shows what mends it and changes nothing; with --apply it is mended, and checked again', async () => {
  await using host = await startHost()
  const repo = host.seed('octo/widget')
  const ill = `on: {push: {tags: ['v*']}}
permissions: {contents: read}
jobs:
  # Only this one publishes.
  publish:
    environment: index
    steps:
      - uses: actions/checkout${PINNED}
      - uses: ${PYPI}
        with:
          password: \${{ secrets.PYPI }}
`
  using folder = checkout(ill)
  const file = join(folder.path, '.github/workflows/publish.yml')
  const options = { cwd: folder.path, url: host.url }
  const dry = await reposmith(['doctor', '--fix'], options)
  assert.equal(dry.code, 2)
  assert.match(dry.stdout, /\+ create the environment index/)
  assert.match(dry.stdout, /~ change \.github\/workflows\/publish\.yml\n {6}--- a\//)
  assert.match(dry.stdout, /^ {6}- {10}password: /m)
  assert.deepEqual([readFileSync(file, 'utf8'), writes(host)], [ill, []])

  const applied = await reposmith(['doctor', '--fix', '--apply', '--json'], options)
  assert.equal(applied.code, 0, applied.stderr)
  const { healthy, plan } = asJson<Diagnosis>(applied.stdout)
  assert.ok(healthy && plan?.steps.every(({ status }) => status === 'done'))
  assert.equal(
    readFileSync(file, 'utf8'),
    `on: {push: {tags: ['v*']}}
permissions: {contents: read}
jobs:
  # Only this one publishes.
  publish:
    permissions:
      id-token: write
    environment: index
    steps:
      - uses: actions/checkout${PINNED}
        with:
          persist-credentials: false
      - uses: ${PYPI}
`,
  )
  assert.deepEqual(repo.selected, {
    github_owned_allowed: true,
    verified_allowed: false,
    patterns_allowed: ['pypa/gh-action-pypi-publish@*'],
  })
  assert.deepEqual(
    repo.environments.get('index')?.policies.map(({ name, type }) => [name, type]),
    [['v*', 'tag']],
  )
  const again = await reposmith(['doctor', '--fix'], options)
  assert.match(again.stdout, /There is nothing to apply\.$/m)
  assert.match((await reposmith(['doctor', '--apply'], options)).stderr, /^error: --apply is for --fix/)
})
