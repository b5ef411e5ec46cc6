import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Failure } from '../src/failure.ts'
import type { EnvironmentSet } from '../src/verbs/env.ts'
import { asked, count, planned, startHost, writes } from './host.ts'
import { asJson, reposmith, succeed } from './rig.ts'

const ENV = ['repo', 'env', 'octo/widget', '--json']
const CUSTOM = { protected_branches: false, custom_branch_policies: true }

test('a dry-run with an owner asks nothing, needs no token, and has the original keys', async () => {
  await using host = await startHost()
  const args = ['repo', 'env', 'widget', '--owner', 'octo', '--branch', 'main', '--json']
  const output = await succeed<EnvironmentSet>(args, { env: { CODEHOST_API_URL: host.url } })
  assert.deepEqual([output.success, output.dry_run], [true, true])
  assert.equal(output.endpoint, 'PUT /repos/octo/widget/environments/index')
  assert.deepEqual(output.would_put, { deployment_branch_policy: CUSTOM })
  assert.deepEqual(output.branch_policies, ['main'])
  assert.equal(
    output.note,
    'the trusted publisher itself is registered on the page of the package index, by hand',
  )
  assert.deepEqual(host.requests, [])
})

test('a dry-run without an owner asks whose the token is, and nothing else', async () => {
  await using host = await startHost()
  const { endpoint } = await succeed<EnvironmentSet>(['repo', 'env', 'widget', '--json'], { url: host.url })
  assert.equal(endpoint, 'PUT /repos/ada/widget/environments/index')
  assert.deepEqual(asked(host), ['GET /user'])
})

test('the environment is named after the index, and the fields are for that index’s page', async () => {
  const rows = [
    [[], 'index', 'https://pypi.org/manage/account/publishing/'],
    [['--index', 'index'], 'index', 'https://pypi.org/manage/account/publishing/'],
    [['--index', 'testindex'], 'testindex', 'https://test.pypi.org/manage/account/publishing/'],
    [['--index', 'pypi'], 'pypi', 'https://pypi.org/manage/account/publishing/'],
    [['--index', 'testpypi'], 'testpypi', 'https://test.pypi.org/manage/account/publishing/'],
    [['--index', 'npm', '--project', '@octo/w'], 'npm', 'https://www.npmjs.com/package/%40octo%2Fw/access'],
    [['--name', 'testindex'], 'testindex', 'https://test.pypi.org/manage/account/publishing/'],
    [
      ['--index', 'testindex', '--name', 'a b/c'],
      'a b/c',
      'https://test.pypi.org/manage/account/publishing/',
    ],
  ] as const
  for (const [flags, name, url] of rows) {
    const { publisher, plan, endpoint } = await succeed<EnvironmentSet>([...ENV, ...flags])
    assert.equal(publisher.environment, name)
    assert.equal(endpoint, `PUT /repos/octo/widget/environments/${encodeURIComponent(name)}`)
    const manual = plan.steps.find(({ kind }) => kind === 'manual')
    assert.ok(manual?.kind === 'manual')
    assert.equal(manual.url, url)
    assert.deepEqual(Object.keys(manual.fields), [
      'project',
      'owner',
      'repository',
      'workflow',
      'environment',
    ])
  }
})

test('--apply creates the environment and its policies, and sends what the dry-run showed', async () => {
  await using host = await startHost()
  const repo = host.seed('octo/widget')
  const flags = ['--branch', 'main', '--tag', 'v*', '--wait-minutes', '5']
  const shown = await succeed<EnvironmentSet>([...ENV, ...flags])
  const output = await succeed<EnvironmentSet>([...ENV, ...flags, '--apply'], { url: host.url })
  assert.deepEqual(writes(host), planned(shown))
  assert.deepEqual(
    repo.environments.get('index')?.policies.map(({ name, type }) => [name, type]),
    [
      ['main', 'branch'],
      ['v*', 'tag'],
    ],
  )
  assert.equal((output.environment as { name: string }).name, 'index')
  assert.match(output.environment_url, /\/octo\/widget\/settings\/environments$/)
  assert.deepEqual(
    output.plan.steps.map(({ status }) => status),
    ['done', 'done', 'done', 'manual'],
  )
})

test('reviewers, timers and policies that people set by hand stay', async () => {
  await using host = await startHost()
  const repo = host.seed('octo/widget')
  const byHand = {
    wait_timer: 30,
    prevent_self_review: true,
    can_admins_bypass: false,
    reviewers: [{ type: 'Team', id: 9 }],
  }
  const policies = [{ id: 1, name: 'release/*', type: 'branch' }]
  repo.environments.set('index', { body: { ...byHand, deployment_branch_policy: CUSTOM }, policies })
  await succeed([...ENV, '--tag', 'v*', '--reviewer', 'grace', '--apply'], { url: host.url })
  assert.deepEqual(repo.environments.get('index')?.body, {
    ...byHand,
    reviewers: [
      { type: 'Team', id: 9 },
      { type: 'User', id: 41 },
    ],
    deployment_branch_policy: CUSTOM,
  })
  assert.deepEqual(
    repo.environments.get('index')?.policies.map(({ name }) => name),
    ['release/*', 'v*'],
  )

  host.requests.length = 0
  await succeed([...ENV, '--tag', 'v*', '--reviewer', 'grace', '--apply'], { url: host.url })
  assert.deepEqual(writes(host), [], 'a second run has nothing to send')
})

test('a dry-run that reads shows no body where none would be sent', async () => {
  await using host = await startHost()
  const body = { deployment_branch_policy: CUSTOM }
  const environments = host.seed('octo/widget').environments
  for (const flag of ['--refresh', '--reset']) {
    environments.delete('index')
    const show = async () => await succeed<EnvironmentSet>([...ENV, '--tag', 'v*', flag], { url: host.url })
    assert.deepEqual((await show()).would_put, body)
    environments.set('index', { body, policies: [] })
    const { endpoint, would_put, plan } = await show()
    assert.deepEqual([endpoint, would_put], ['PUT /repos/octo/widget/environments/index', null])
    assert.equal(plan.summary.create, 1, 'the policy is missing still')
  }
})

test('--reset removes what is not named', async () => {
  await using host = await startHost()
  const repo = host.seed('octo/widget')
  const policies = [
    { id: 1, name: 'release/*', type: 'branch' },
    { id: 2, name: 'main', type: 'branch' },
  ]
  const reviewers = [{ type: 'User', id: 9 }]
  const body = {
    wait_timer: 30,
    prevent_self_review: true,
    can_admins_bypass: false,
    reviewers,
    deployment_branch_policy: CUSTOM,
  }
  repo.environments.set('index', { body, policies })
  const opened = await succeed<EnvironmentSet>([...ENV, '--reset'], { url: host.url })
  const named = /every branch and tag may release then, not only branches release\/\*, branches main$/
  assert.match(opened.plan.steps[0]?.title ?? '', named)
  const args = [...ENV, '--branch', 'main', '--reset']
  const shown = await succeed<EnvironmentSet>(args, { url: host.url })
  assert.deepEqual(writes(host), [])
  await succeed([...args, '--apply'], { url: host.url })
  assert.deepEqual(writes(host), planned(shown), 'the dry-run shows what is removed')
  assert.deepEqual(repo.environments.get('index'), {
    body: {
      wait_timer: 0,
      prevent_self_review: false,
      can_admins_bypass: true,
      reviewers: null,
      deployment_branch_policy: CUSTOM,
    },
    policies: [{ id: 2, name: 'main', type: 'branch' }],
  })
})

test('policies over several pages are all read', async () => {
  await using host = await startHost()
  host.pageSize = 2
  const policies = ['a', 'b', 'c', 'd', 'main'].map((name, id) => ({ id, name, type: 'branch' }))
  const body = { wait_timer: 0, reviewers: null, deployment_branch_policy: CUSTOM }
  host.seed('octo/widget').environments.set('index', { body, policies })
  await succeed([...ENV, '--branch', 'main', '--apply'], { url: host.url })
  assert.deepEqual(writes(host), [])
})

test('a 303 says that a policy exists already: it is not followed, and counts once a read has shown it', async () => {
  const policies = ['dev', 'main'].map((name, id) => ({ id, name, type: 'branch' }))
  for (const there of [policies, []]) {
    await using host = await startHost()
    // It may be on any page.
    host.pageSize = 1
    const environment = { body: { deployment_branch_policy: CUSTOM }, policies: there }
    host.seed('octo/widget').environments.set('index', environment)
    host.fail({ on: 'GET /repos/octo/widget/environments/index', status: 404 })
    const on = 'POST /repos/octo/widget/environments/index/deployment-branch-policies'
    host.fail({ on, status: 303, headers: { location: `${host.url}/elsewhere` }, isForeign: true })
    const ran = await reposmith([...ENV, '--branch', 'main', '--apply'], { url: host.url })
    const policy = asJson<EnvironmentSet>(ran.stdout).plan.steps[1]
    assert.deepEqual([ran.code, policy?.status], there.length > 0 ? [0, 'already'] : [4, 'failed'])
    assert.ok(host.requests.every(({ path }) => path !== '/elsewhere'))
  }
})

test('a policy whose request fails is a failure, reported with what was applied', async () => {
  await using host = await startHost()
  host.seed('octo/widget')
  const on = 'POST /repos/octo/widget/environments/index/deployment-branch-policies'
  host.fail({ on, status: 404, times: 9 })
  const args = [...ENV, '--branch', 'main', '--apply', '--max-wait', '3']
  const ran = await reposmith(args, { url: host.url })
  assert.equal(ran.code, 4)
  assert.equal(count(host, on), 3, 'it is tried as long as --max-wait allows')
  const { partial } = asJson<{ partial: { applied: string[]; failed: string } }>(ran.stderr)
  assert.deepEqual([partial.applied, partial.failed], [['env:index'], 'env:index/policy:branch:main'])
})

test('a lost policy is sent again if the host does not know its environment everywhere yet', async () => {
  await using host = await startHost()
  host.seed('octo/widget')
  const policies = '/repos/octo/widget/environments/index/deployment-branch-policies'
  host.fail({ on: `POST ${policies}`, status: 502 })
  host.fail({ on: `GET ${policies}`, status: 404 })
  await succeed([...ENV, '--branch', 'main', '--apply'], { url: host.url })
})

test('a policy that differs only in case is not mistaken for one whose answer was lost', async () => {
  await using host = await startHost()
  const repo = host.seed('octo/widget')
  const policies = [{ id: 1, name: 'v*', type: 'tag' }]
  repo.environments.set('index', { body: { deployment_branch_policy: CUSTOM }, policies })
  host.fail({ on: 'POST /repos/octo/widget/environments/index/deployment-branch-policies', status: 502 })
  await succeed([...ENV, '--tag', 'V*', '--apply'], { url: host.url })
  const there = repo.environments.get('index')?.policies.map(({ name }) => name)
  assert.deepEqual(there, ['v*', 'V*'])
})

test('if only protected branches may release, a pattern is refused before anything is sent', async () => {
  await using host = await startHost()
  const mode = { protected_branches: true, custom_branch_policies: false }
  host
    .seed('octo/widget')
    .environments.set('index', { body: { deployment_branch_policy: mode }, policies: [] })
  const args = ['repo', 'env', 'octo/widget', '--branch', 'main']
  const dry = await reposmith([...args, '--refresh'], { url: host.url })
  assert.match(dry.stdout, /1 not possible\.\nWith --apply all of it would be refused: leave out what is not/)
  const ran = await reposmith([...args, '--apply'], { url: host.url })
  assert.equal(ran.code, 1)
  assert.match(ran.stderr, /--reset replaces that/)
  assert.deepEqual(writes(host), [])
})

test('the owner may be given twice, in whatever case, but not two owners', async () => {
  const same = await reposmith(['repo', 'env', 'octo/widget', '--owner', 'Octo'])
  assert.equal(same.code, 0, same.stderr)
  assert.match(same.stdout, /PUT \/repos\/octo\/widget\/environments\/index/)
  const two = await reposmith(['repo', 'env', 'octo/widget', '--owner', 'ada'])
  assert.equal(two.code, 1)
  assert.match(two.stderr, /octo\/widget names another owner than --owner/)
})

test('a renamed repository is reported with its new name: the index would accept no release from the old one', async () => {
  await using host = await startHost()
  host.seed('octo/widget')
  host.rename('octo/widget', 'octo/gadget')
  for (const flag of ['--apply', '--refresh']) {
    const ran = await reposmith([...ENV, flag], { url: host.url })
    assert.deepEqual([ran.code, ran.stdout], [1, ''])
    assert.match(ran.stderr, /octo\/widget is called octo\/gadget now/)
  }
  assert.deepEqual(writes(host), [])
})

test('whatever reads stops at a missing repository, and names the missing scope that may hide it', async () => {
  await using host = await startHost()
  const hint = 'check the owner and the name, or create it: reposmith repo create'
  const failure = async (flag: string) => {
    const { code, stderr } = await reposmith([...ENV, flag], { url: host.url })
    const { kind, message, remediation } = asJson<Failure>(stderr)
    return [code, kind, message, remediation]
  }
  for (const flag of ['--refresh', '--reset', '--apply']) {
    const message = 'the host has no repository octo/widget, or the token may not see it'
    assert.deepEqual(await failure(flag), [4, 'not_found', message, hint])
  }
  const headers = { 'x-oauth-scopes': 'public_repo', 'x-accepted-oauth-scopes': 'repo' }
  host.fail({ on: 'GET /repos/octo/widget', status: 404, headers })
  assert.match(String((await failure('--refresh'))[3]), /also lacks the scope repo \(it has public_repo\)/)
  assert.deepEqual(writes(host), [])
})

test('a reviewer whose account is gone is left out, as the host takes no one without an id', async () => {
  await using host = await startHost()
  host.seed('octo/widget')
  const reviewers = [
    { type: 'User', reviewer: null },
    { type: 'User', reviewer: { id: 9 } },
  ]
  const body = { name: 'index', protection_rules: [{ type: 'required_reviewers', reviewers }] }
  host.fail({ on: 'GET /repos/octo/widget/environments/index', status: 200, body, isForeign: true })
  await succeed([...ENV, '--wait-minutes', '5', '--apply'], { url: host.url })
  const sent = host.repos.get('octo/widget')?.environments.get('index')?.body
  assert.deepEqual(sent?.['reviewers'], [{ type: 'User', id: 9 }])
})

test('a policy to be removed that is gone already, or of a host without tag policies, is no trouble', async () => {
  await using host = await startHost()
  const policies = [{ id: 1, name: 'v1', type: 'branch' }]
  const repo = host.seed('octo/widget')
  repo.environments.set('index', { body: { deployment_branch_policy: CUSTOM }, policies })
  const path = '/repos/octo/widget/environments/index/deployment-branch-policies'
  const untyped = {
    total_count: 2,
    branch_policies: [
      { id: 1, name: 'v1' },
      { id: 2, name: 'main' },
    ],
  }
  host.fail({ on: `GET ${path}`, status: 200, body: untyped, isForeign: true })
  host.fail({ on: `DELETE ${path}/{id}`, status: 404 })
  const ran = await succeed<EnvironmentSet>([...ENV, '--branch', 'main', '--reset', '--apply'], {
    url: host.url,
  })
  assert.deepEqual(ran.plan.steps.map(({ title, status }) => [title, status]).slice(1, 3), [
    ['branches main may release already', 'already'],
    ['no longer let branches v1 release', 'already'],
  ])
})

test('a name from the host adds no line to a plan', async () => {
  await using host = await startHost()
  const policies = [{ id: 1, name: 'main\n  = nothing else', type: 'branch' }]
  const body = { deployment_branch_policy: CUSTOM }
  host.seed('octo/widget').environments.set('index', { body, policies })
  const args = ['repo', 'env', 'octo/widget', '--branch', 'v1', '--reset', '--refresh']
  const ran = await reposmith(args, { url: host.url })
  assert.match(ran.stdout, /\n  - "no longer let branches main\\n  = nothing else release"\n/)
})

test('an environment may be called like the placeholder of an owner', async () => {
  await using host = await startHost()
  host.seed('octo/widget')
  await succeed([...ENV, '--name', '{owner}', '--apply'], { url: host.url })
  assert.equal(host.requests.at(-1)?.path, '/repos/octo/widget/environments/%7Bowner%7D')
})

test('an environment without rules may have null for them', async () => {
  await using host = await startHost()
  host.seed('octo/widget')
  const body = { name: 'index', protection_rules: null }
  host.fail({ on: 'GET /repos/octo/widget/environments/index', status: 200, body, isForeign: true })
  const ran = await succeed<EnvironmentSet>([...ENV, '--apply'], { url: host.url })
  assert.equal(ran.plan.steps[0]?.status, 'already')
})

test('an answer that names no environment is not taken for one without rules: those of people would be lost', async () => {
  await using host = await startHost()
  const environment = { body: { wait_timer: 30, reviewers: [{ type: 'User', id: 9 }] }, policies: [] }
  host.seed('octo/widget').environments.set('index', environment)
  host.fail({ on: 'GET /repos/octo/widget/environments/index', status: 200, body: {}, isForeign: true })
  const ran = await reposmith([...ENV, '--tag', 'v*', '--apply'], { url: host.url })
  assert.equal(ran.code, 4, ran.stdout)
  assert.match(ran.stderr, /environments\/index: the host does not say which environment that is/)
  assert.deepEqual(writes(host), [])
})

test('a team that must approve is written org/team', async () => {
  await using host = await startHost()
  const repo = host.seed('octo/widget')
  await succeed([...ENV, '--reviewer', 'octo/brewers', '--apply'], { url: host.url })
  assert.deepEqual(repo.environments.get('index')?.body['reviewers'], [{ type: 'Team', id: 42 }])
  assert.ok(asked(host).includes('GET /orgs/octo/teams/brewers'))
})

test('an id too large for JavaScript keeps all its digits', async () => {
  await using host = await startHost()
  host.seed('octo/widget')
  // The backslash makes it pass where an escaped token is looked for.
  const body = '{"login":"grace","name":"\\u0047","type":"User","id":12345678901234567890}'
  for (const on of ['GET /user', 'GET /users/grace'])
    host.fail({ on, status: 200, body, times: 9, isForeign: true })
  const rules =
    '[{"type":"required_reviewers","reviewers":[{"type":"User","reviewer":{"id":12345678901234567891}}]}]'
  const environment = `{"name":"index","protection_rules":${rules}}`
  host.fail({
    on: 'GET /repos/octo/widget/environments/index',
    status: 200,
    body: environment,
    times: 9,
    isForeign: true,
  })
  const shown = await reposmith(['repo', 'env', 'octo/widget', '--reviewer', 'grace', '--refresh'], {
    url: host.url,
  })
  assert.match(shown.stdout, /"id":12345678901234567891}\] -> .*"id":12345678901234567890}\]\n/)
  assert.match(
    (await reposmith(['whoami', '--json'], { url: host.url })).stdout,
    /"id":12345678901234567890}\n$/,
  )
})

test('an unknown reviewer is named', async () => {
  await using host = await startHost()
  host.seed('octo/widget')
  const ran = await reposmith([...ENV, '--reviewer', 'nobody', '--apply'], { url: host.url })
  assert.equal(ran.code, 1)
  assert.match(ran.stderr, /there is no reviewer nobody/)

  // The host says 404 also to a token that may not see the team.
  host.fail({ on: 'GET /orgs/octo/teams/release', status: 404 })
  const team = await reposmith([...ENV, '--reviewer', 'octo/release', '--apply'], { url: host.url })
  assert.equal(team.code, 1)
  const { message, remediation } = asJson<Failure>(team.stderr)
  assert.equal(message, 'there is no reviewer octo/release, or the token may not see it')
  assert.equal(remediation, 'check the team as org/team; to see it, a token needs the scope admin:org')
})

test('an organization cannot review, and that is said before anything is sent', async () => {
  await using host = await startHost()
  host.seed('octo/widget')
  const ran = await reposmith([...ENV, '--reviewer', 'octo', '--apply'], { url: host.url })
  assert.equal(ran.code, 1)
  assert.match(ran.stderr, /octo is an organization.*name one of its teams, as octo\/team/)
  assert.deepEqual(writes(host), [])
})

test('no rule is sent that is neither asked for nor there: a plan without rules would refuse its key', async () => {
  await using host = await startHost({ plan: 'free' })
  const repo = host.seed('octo/widget', { private: true })
  await succeed([...ENV, '--apply'], { url: host.url })
  await succeed([...ENV, '--reset', '--apply'], { url: host.url })
  assert.deepEqual(repo.environments.get('index')?.body, {})

  const ran = await reposmith([...ENV, '--name', 'other', '--wait-minutes', '5', '--apply'], {
    url: host.url,
  })
  const { kind, message, remediation } = asJson<Failure>(ran.stderr)
  assert.deepEqual([ran.code, kind], [4, 'plan'])
  assert.match(message, /ensure the billing plan supports/)
  assert.match(
    remediation,
    /^the plan of its owner does not include this .*: without reviewers, wait time, .* works there; or make it public/,
  )
})

test('strong values can be asked for, with --reset as well', async () => {
  await using host = await startHost()
  const repo = host.seed('octo/widget')
  const strong = ['--protected-branches', '--prevent-self-review', '--forbid-bypass', '--reviewer', 'grace']
  const wanted = {
    prevent_self_review: true,
    can_admins_bypass: false,
    reviewers: [{ type: 'User', id: 41 }],
    deployment_branch_policy: { protected_branches: true, custom_branch_policies: false },
  }
  for (const flags of [[], ['--reset']]) {
    repo.environments.clear()
    await succeed([...ENV, ...strong, ...flags, '--apply'], { url: host.url })
    assert.deepEqual(repo.environments.get('index')?.body, wanted)
    // Weak ones are not sent where strong ones are there, unless --reset asks for that.
    await succeed([...ENV, '--wait-minutes', '5', '--apply'], { url: host.url })
    assert.deepEqual(repo.environments.get('index')?.body, { wait_timer: 5, ...wanted })
  }
  await succeed([...ENV, ...strong, '--reset', '--apply'], { url: host.url })
  assert.deepEqual(repo.environments.get('index')?.body, { wait_timer: 0, ...wanted })

  const both = await reposmith([...ENV, '--protected-branches', '--tag', 'v*'])
  assert.match(asJson<Failure>(both.stderr).message, /either protected branches or patterns/)
  const nobody = await reposmith([...ENV, '--name', 'other', '--prevent-self-review', '--apply'], {
    url: host.url,
  })
  assert.deepEqual([nobody.code, asJson<Failure>(nobody.stderr).kind], [1, 'blocked'])
})

test('a reviewer whose account is gone is said, and not sent', async () => {
  await using host = await startHost()
  const repo = host.seed('octo/widget')
  const reviewers = [
    { type: 'User', id: 8 },
    { type: 'User', id: 9 },
  ]
  repo.environments.set('index', { body: { reviewers }, policies: [] })
  host.gone.add(8)
  const args = [...ENV, '--wait-minutes', '5', '--apply']
  const { warnings } = await succeed<EnvironmentSet>(args, { url: host.url })
  assert.deepEqual(
    warnings.map(({ message }) => message),
    [
      'a reviewer of the environment index cannot approve any more: its account is gone; an update leaves them out',
    ],
  )
  assert.deepEqual(repo.environments.get('index')?.body['reviewers'], [{ type: 'User', id: 9 }])
})
