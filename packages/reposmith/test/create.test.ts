import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Failure } from '../src/failure.ts'
import type { RequestStep } from '../src/plan/step.ts'
import type { Created } from '../src/verbs/create.ts'
import { asked, count, planned, startHost, TOKEN, writes } from './host.ts'
import { asJson, reposmith, succeed } from './rig.ts'

const CREATE = ['repo', 'create', 'widget', '--org', 'octo']
const APPLY = [...CREATE, '--json', '--apply']

test('a dry-run sends nothing to the host, needs no token, and has the original keys', async () => {
  await using host = await startHost()
  const args = ['repo', 'create', 'widget', '--private', '--json', '--description', 'x']
  const { success, dry_run, endpoint, would_post } = await succeed<Created>(args, {
    env: { CODEHOST_API_URL: host.url },
  })
  assert.deepEqual([success, dry_run, endpoint], [true, true, '/user/repos'])
  assert.deepEqual(would_post, {
    name: 'widget',
    private: true,
    auto_init: true,
    has_issues: true,
    has_wiki: false,
    has_projects: false,
    description: 'x',
  })
  assert.deepEqual(host.requests, [])
})

test('what looks like another option is taken as the value or name that it is', async () => {
  for (const description of ['-V1 of the thing', '--json', '--version', '-h']) {
    const ran = await succeed<Created>(['repo', 'create', 'widget', '--description', description, '--json'])
    assert.equal(ran.would_post?.['description'], description)
  }
  const named = await succeed<Created>(['--json', 'repo', 'create', 'help'])
  assert.equal(named.would_post?.['name'], 'help')
})

test('--apply sends what the dry-run showed, step by step', async () => {
  await using host = await startHost()
  host.seed('octo/seed')
  const rows = [
    [],
    ['--topic', 'cli', '--topic', 'python', '--homepage', 'https://w.example', '--license', 'mit'],
    ['--visibility', 'internal', '--gitignore', 'Python', '--workflow-token', 'write'],
    ['--template', 'octo/seed', '--homepage', 'https://w.example', '--private'],
    ['--actions', 'selected', '--allow-action', 'octo/*', '--workflow-approve-prs'],
    ['--actions', 'off'],
    ['--actions', 'local_only', '--description', 'naïve “quotes”'],
  ]
  for (const [index, flags] of rows.entries()) {
    const args = ['repo', 'create', `widget-${index}`, '--org', 'octo', ...flags, '--json']
    const shown = await succeed<Created>(args, { url: host.url })
    host.requests.length = 0
    const after = await succeed<Created>([...args, '--apply'], { url: host.url })
    assert.deepEqual(writes(host), planned(shown), flags.join(' '))
    assert.deepEqual(planned(after), planned(shown))
    assert.ok(after.plan.steps.every(({ status, ms }) => status === 'done' && ms !== undefined))
  }
})

test('after --apply the output has the original keys, and the host has what was asked for', async () => {
  await using host = await startHost()
  const output = await succeed<Created>(['repo', 'create', 'widget', '--json', '--apply'], { url: host.url })
  assert.deepEqual([output.success, output.dry_run, output.actions_permissions_set], [true, false, true])
  assert.equal(output.repo_url, 'https://git.example.org/ada/widget')
  assert.equal((output.created as { full_name: string }).full_name, 'ada/widget')
  const repo = host.repos.get('ada/widget')
  assert.deepEqual(repo?.actions, { enabled: true, allowed_actions: 'all' })
  assert.deepEqual(repo?.workflow, {
    default_workflow_permissions: 'read',
    can_approve_pull_request_reviews: false,
  })
})

test('a default that the organization does not permit is left out with a warning; what was asked for is a failure', async () => {
  await using host = await startHost()
  const body = { message: 'Conflict' }
  host.fail({ on: 'PUT /repos/octo/widget/actions/permissions', status: 409, body, times: 3 })
  const output = await succeed<Created>(APPLY, { url: host.url })
  assert.deepEqual([output.success, output.actions_permissions_set], [true, false])
  assert.deepEqual(
    output.plan.steps.map(({ id, status }) => `${id} ${status}`),
    ['repo done', 'actions skipped', 'workflow-token done'],
  )
  assert.deepEqual(output.warnings, [
    {
      code: 'policy',
      message:
        'left out, because a setting of the organization or enterprise does not permit it: let all actions run',
    },
  ])

  // Also if it is the same as the default.
  for (const which of ['local_only', 'all']) {
    const ran = await reposmith([...APPLY, '--actions', which], { url: host.url })
    assert.equal(ran.code, 4)
    assert.equal(asJson<Failure>(ran.stderr).partial?.failed, 'actions')
  }
})

test('of the Actions permissions and the workflow token, only the one that was asked for must be permitted', async () => {
  for (const [wanted, other, flags] of [
    ['workflow-token', 'actions', ['--workflow-token', 'write']],
    ['actions', 'workflow-token', ['--actions', 'local_only']],
  ] as const) {
    await using host = await startHost()
    const base = 'PUT /repos/octo/widget/actions/permissions'
    host.fail({ on: other === 'actions' ? base : `${base}/workflow`, status: 409 })
    const { steps } = (await succeed<Created>([...APPLY, ...flags], { url: host.url })).plan
    const statusOf = (name: string) => steps.find(({ id }) => id === name)?.status
    assert.deepEqual([statusOf(wanted), statusOf(other)], ['done', 'skipped'])
  }
})

test('run again after a failure midway, it finishes what is missing and says what existed', async () => {
  await using host = await startHost()
  host.fail({ on: 'PUT /repos/octo/widget/actions/permissions', status: 422, body: { message: 'no' } })
  const failed = await reposmith(APPLY, { url: host.url })
  assert.equal(failed.code, 4)
  assert.equal(asJson<Created>(failed.stdout).actions_permissions_set, false)
  const { partial } = asJson<Failure>(failed.stderr)
  assert.deepEqual(partial, {
    applied: ['repo'],
    failed: 'actions',
    not_reached: ['workflow-token'],
    resume: `reposmith ${APPLY.join(' ')}`,
  })

  host.requests.length = 0
  const output = await succeed<Created>(APPLY, { url: host.url })
  assert.equal(output.already_existed, true)
  assert.equal((output.repo as { full_name: string }).full_name, 'octo/widget')
  assert.deepEqual(
    writes(host).map(({ method, path }) => `${method} ${path}`),
    ['PUT /repos/octo/widget/actions/permissions', 'PUT /repos/octo/widget/actions/permissions/workflow'],
  )
  assert.deepEqual(host.repos.get('octo/widget')?.actions, { enabled: true, allowed_actions: 'all' })

  host.requests.length = 0
  await succeed(APPLY, { url: host.url })
  assert.deepEqual(writes(host), [])
})

test('an existing repository that differs is left unchanged, with a warning', async () => {
  await using host = await startHost()
  host.seed('octo/widget', { private: true, description: 'theirs', topics: ['old'] })
  const wanted = ['--visibility', 'public', '--description', 'ours', '--topic', 'new']
  const { warnings } = await succeed<Created>([...APPLY, ...wanted], { url: host.url })
  assert.deepEqual(
    warnings.map(({ message }) => message),
    [
      'octo/widget has visibility "private", not "public": it was left unchanged',
      'octo/widget has description "theirs", not "ours": it was left unchanged',
    ],
  )
  const repo = host.repos.get('octo/widget')?.data
  assert.deepEqual(
    [repo?.['private'], repo?.['description'], repo?.['topics']],
    [true, 'theirs', ['old', 'new']],
  )
})

test('a missing homepage is named if it is all that a request sets, without a warning that it was left', async () => {
  await using host = await startHost({ prefix: '/api/v1' })
  host.seed('octo/widget')
  const args = [...APPLY, '--homepage', 'https://w.example']
  const { plan, warnings } = await succeed<Created>(args, { url: host.url })
  assert.equal(plan.steps.find(({ id }) => id === 'settings')?.title, 'set the homepage https://w.example')
  assert.deepEqual(warnings, [])
  assert.equal(host.repos.get('octo/widget')?.data['website'], 'https://w.example')
})

test('topics not included in the repository are requested separately, and kept', async () => {
  for (const prefix of ['/api/v3', '/api/v1']) {
    await using host = await startHost({ prefix, hidesTopics: true })
    host.seed('octo/widget', { topics: ['old'] })
    for (const sent of [1, 0]) {
      host.requests.length = 0
      await succeed([...APPLY, '--topic', 'new'], { url: host.url })
      assert.deepEqual(host.repos.get('octo/widget')?.data['topics'], ['old', 'new'])
      assert.equal(writes(host).filter(({ path }) => path.endsWith('/topics')).length, sent)
    }
  }
})

test('an answer without topics is not taken for none: they would be lost when others are added', async () => {
  await using host = await startHost({ hidesTopics: true })
  host.seed('octo/widget', { topics: ['old'] })
  for (const body of [{}, { message: 'hello' }]) {
    host.fail({ on: 'GET /repos/octo/widget/topics', status: 200, body, isForeign: true })
    const ran = await reposmith([...APPLY, '--topic', 'new'], { url: host.url })
    assert.equal(ran.code, 4, ran.stdout)
    assert.match(asJson<Failure>(ran.stderr).message, /topics: the host does not say which topics it has/)
  }
  assert.deepEqual(writes(host), [])
})

test('--refresh reads, and shows differences; it writes nothing', async () => {
  await using host = await startHost()
  host.seed('octo/widget').actions = { enabled: true, allowed_actions: 'selected' }
  const args = [...CREATE, '--actions', 'all', '--refresh', '--json']
  const { plan, already_existed } = await succeed<Created>(args, { url: host.url })
  assert.equal(already_existed, true)
  assert.equal(plan.state, 'read')
  const step = plan.steps.find(({ id }) => id === 'actions') as RequestStep
  assert.deepEqual(step.diff, [{ at: '/allowed_actions', from: 'selected', to: 'all' }])
  assert.deepEqual(writes(host), [])
})

test('--refresh shows no body where none would be sent', async () => {
  await using host = await startHost()
  const args = [...CREATE, '--refresh', '--json']
  const show = async () => await succeed<Created>(args, { url: host.url })
  assert.equal((await show()).would_post?.['name'], 'widget')
  host.seed('octo/widget')
  const { endpoint, would_post } = await show()
  assert.deepEqual([endpoint, would_post], ['/orgs/octo/repos', null])
})

test('a lost or truncated answer is settled by reading: nothing is created twice', async () => {
  for (const drop of ['after commit', 'in the answer'] as const) {
    await using host = await startHost()
    host.fail({ on: 'POST /orgs/octo/repos', drop })
    const ran = await succeed<Created>(APPLY, { url: host.url })
    assert.equal(count(host, 'POST /orgs/octo/repos'), 1)
    assert.equal(ran.repo_url, 'https://git.example.org/octo/widget')
  }
})

test('a POST that did not take effect is sent again, after a read has shown so', async () => {
  await using host = await startHost()
  host.fail({ on: 'POST /orgs/octo/repos', status: 502 })
  await succeed(APPLY, { url: host.url })
  assert.deepEqual(asked(host).slice(0, 4), [
    'GET /repos/octo/widget',
    'POST /orgs/octo/repos',
    'GET /repos/octo/widget',
    'POST /orgs/octo/repos',
  ])
})

test('what was just created may not be everywhere yet: a 404 for it is tried again', async () => {
  await using host = await startHost()
  const permissions = 'PUT /repos/octo/widget/actions/permissions'
  host.fail({ on: permissions, status: 404 })
  const args = [...CREATE, '--apply']
  const ran = await reposmith(args, { url: host.url })
  assert.equal(ran.code, 0, ran.stderr)
  assert.equal(ran.stderr, 'waiting 1 s: the host does not know yet what was just created\n')

  host.requests.length = 0
  host.fail({ on: permissions, status: 404, times: 9 })
  const again = await reposmith([...args, '--actions', 'off'], { url: host.url })
  assert.equal(again.code, 4)
  assert.equal(count(host, permissions), 1, 'what existed before is known')
})

test('while the host still copies a template, what follows waits', async () => {
  await using host = await startHost()
  host.seed('octo/seed')
  const body = {
    message: 'A previous repository operation is still in progress.',
    documentation_url: 'https://docs.example/repos',
  }
  host.fail({ on: 'PATCH /repos/octo/widget', status: 422, body })
  const args = [...CREATE, '--template', 'octo/seed', '--homepage', 'https://w.example', '--apply']
  const ran = await reposmith(args, { url: host.url })
  assert.equal(ran.code, 0, ran.stderr)
  assert.equal(ran.stderr, 'waiting 1 s: the host does not know yet what was just created\n')
  assert.equal(count(host, 'PATCH /repos/octo/widget'), 2)
})

test('if somebody else was faster: a 422 is settled by reading, not by its text', async () => {
  await using host = await startHost()
  // The read before finds nothing; by the time of the write it exists.
  host.seed('octo/widget')
  host.fail({ on: 'GET /repos/octo/widget', status: 404 })
  const output = await succeed<Created>(APPLY, { url: host.url })
  assert.equal(output.already_existed, true)
  assert.equal(output.plan.steps[0]?.status, 'already')
})

test('a renamed repository is not mistaken for the new one', async () => {
  await using host = await startHost()
  host.seed('octo/gadget')
  const location = `${host.url}/repos/octo/gadget`
  host.fail({ on: 'GET /repos/octo/widget', status: 301, headers: { location } })
  const { already_existed, warnings } = await succeed<Created>(APPLY, { url: host.url })
  assert.equal(already_existed, undefined)
  assert.match(warnings[0]?.message ?? '', /^octo\/widget is what octo\/gadget was called: /)
  assert.ok(host.repos.has('octo/widget'))
})

test('a description of several lines is refused before anything is sent, as the host would refuse it', async () => {
  await using host = await startHost()
  const ran = await reposmith([...APPLY, '--description', 'a thing\nof two lines'], { url: host.url })
  assert.equal(ran.code, 1)
  const { message, remediation } = asJson<Failure>(ran.stderr)
  assert.deepEqual(
    [message, remediation],
    ['the description has a line break or another control character', 'write it in one line'],
  )
  assert.deepEqual(host.requests, [])
})

test('the token appears only in the header', async () => {
  await using host = await startHost()
  host.fail({ on: 'PUT /repos/octo/widget/actions/permissions', status: 403 })
  const ran = await reposmith(APPLY, { url: host.url, env: { REPOSMITH_DEBUG: '1' } })
  assert.equal(ran.code, 3)
  assert.ok(!`${ran.stdout}${ran.stderr}`.includes(TOKEN))
  assert.ok(host.requests.every(({ headers }) => headers.authorization === `Bearer ${TOKEN}`))
})

test('a default is for a new repository: what people hardened is never loosened, nor even looked at', async () => {
  await using host = await startHost()
  for (const actions of [{ enabled: false }, { enabled: true, allowed_actions: 'selected' }]) {
    const repo = host.seed('octo/widget', { has_wiki: true })
    repo.actions = actions
    repo.workflow = { default_workflow_permissions: 'read', can_approve_pull_request_reviews: false }
    host.requests.length = 0
    await succeed(APPLY, { url: host.url })
    assert.deepEqual(asked(host), ['GET /repos/octo/widget'])
    assert.deepEqual(repo.actions, actions)
    // Of what is asked for, only that: the list of selected actions stays.
    await succeed([...APPLY, '--workflow-approve-prs'], { url: host.url })
    assert.deepEqual(writes(host), [
      {
        method: 'PUT',
        path: '/repos/octo/widget/actions/permissions/workflow',
        body: { default_workflow_permissions: 'read', can_approve_pull_request_reviews: true },
      },
    ])
  }
})

test('after a run that was cut off, the next sets all that it would have set, of a template copy too', async () => {
  await using host = await startHost()
  host.seed('octo/seed')
  host.fail({ on: 'PATCH /repos/octo/widget', status: 422, isForeign: true })
  const args = [...APPLY, '--template', 'octo/seed']
  const cut = await reposmith(args, { url: host.url })
  assert.equal(cut.code, 4)
  const repo = host.repos.get('octo/widget')
  assert.ok(repo)
  Object.assign(repo.data, { has_issues: true, has_wiki: true, has_projects: true })
  await succeed(args, { url: host.url })
  assert.deepEqual([repo.data['has_wiki'], repo.data['has_projects']], [false, false])
  assert.deepEqual(repo.actions, { enabled: true, allowed_actions: 'all' })
  // It is finished: what people change then is theirs.
  Object.assign(repo.data, { has_wiki: true })
  host.requests.length = 0
  await succeed(args, { url: host.url })
  assert.deepEqual(writes(host), [])
})

test('a repository that somebody else made later is not the one that a run began', async () => {
  await using host = await startHost()
  host.fail({ on: 'POST /orgs/octo/repos', status: 422, isForeign: true })
  assert.equal((await reposmith(APPLY, { url: host.url })).code, 4)
  host.seed('octo/widget', { created_at: new Date(Date.now() + 3_600_000).toISOString() })
  await succeed(APPLY, { url: host.url })
  assert.deepEqual(
    writes(host).map(({ method }) => method),
    ['POST'],
  )
})

test('the owner may come with the name: an organization, or the token’s own account', async () => {
  await using host = await startHost()
  const dry = await succeed<Created>(['repo', 'create', 'octo/widget', '--json'])
  assert.equal(dry.endpoint, '/orgs/octo/repos')
  assert.match(
    dry.warnings[0]?.message ?? '',
    /^octo is taken for an organization here; if .* POST \/user\/repos$/,
  )
  const options = { url: host.url }
  for (const [name, sent] of [
    ['octo/widget', 'POST /orgs/octo/repos'],
    ['Ada/widget', 'POST /user/repos'],
  ] as const) {
    host.requests.length = 0
    const output = await succeed<Created>(['repo', 'create', name, '--apply', '--json'], options)
    assert.deepEqual([asked(host).find((each) => each.startsWith('POST')), output.warnings], [sent, []])
  }
  assert.ok(host.repos.has('octo/widget') && host.repos.has('ada/widget'))
  const two = await reposmith(['repo', 'create', 'octo/widget', '--org', 'ada'])
  assert.deepEqual(
    [two.code, two.stderr.split('\n')[0]],
    [1, 'error: octo/widget names another owner than --org'],
  )
})
