// Every request that our tests make Reposmith send, and every answer of our host, against the host's official description.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpointPattern, type Exchange } from '../test/host.ts'
import { asJson, reposmith } from '../test/rig.ts'
import { recordExchanges } from './exchanges.ts'
import { judge, type Judged } from './judge.ts'
import { endpoints, readDescription } from './openapi.ts'
import { startPrism } from './prism.ts'

const GOOD: Exchange = {
  api: '',
  method: 'PUT',
  path: '/repos/octo/widget/actions/permissions',
  accept: 'application/vnd.github+json, application/json;q=0.9',
  type: 'application/json; charset=utf-8',
  body: '{"enabled":true,"allowed_actions":"all"}',
  reply: { status: 204 },
}

test('what our tests send and what our host answers is as described, for the public host and for an enterprise one', async (t) => {
  const exchanges = await recordExchanges()
  const asked = exchanges.map(({ method, path }) => `${method} ${path.split('?')[0]}`)
  const unasked = endpoints().filter(
    (endpoint) => !asked.some((each) => endpointPattern(endpoint).test(each)),
  )
  assert.deepEqual(unasked, [], 'every endpoint that the table names is among them')

  t.diagnostic(`${exchanges.length} different exchanges`)
  const open = exchanges.filter((each) => !isInternal(each))
  assert.deepEqual(wrongs(await judge(readDescription('api.github.com'), open)), [])
  assert.deepEqual(wrongs(await judge(readDescription('ghes-3.19'), exchanges)), [])
  // The public host has internal repositories for enterprises alone, and describes them there.
  const internal = exchanges.filter(isInternal)
  assert.ok(internal.length > 0)
  assert.deepEqual(wrongs(await judge(readDescription('ghec'), internal)), [])
})

test('a request or an answer that is not as described is noticed', async () => {
  const environment = { ...GOOD, path: '/repos/octo/widget/environments/index', reply: null }
  const policies = `${environment.path}/deployment-branch-policies`
  const rows: readonly (readonly [Exchange, ...string[]])[] = [
    [GOOD],
    [{ ...GOOD, body: '{"enabled":"yes"}' }, 'request/body/enabled'],
    [{ ...GOOD, body: '{"enabled":true,"allowed_actions":"some"}' }, 'request/body/allowed_actions'],
    [{ ...GOOD, body: '{}' }, 'request/body'],
    [{ ...environment, body: '{"wait_timer":"0"}' }, 'request/body/wait_timer'],
    [{ ...environment, body: '{"waittimer":0}' }, 'request/body'],
    [{ ...environment, method: 'POST', path: '/user/repos', body: '{"private":true}' }, 'request/body'],
    [
      { ...environment, method: 'POST', path: policies, body: '{"name":"v*","type":"sha"}' },
      'request/body/type',
    ],
    [
      { ...GOOD, method: 'GET', body: '', reply: { status: 200, data: { enabled: 'yes' } } },
      'response/body/enabled',
    ],
    [
      {
        ...GOOD,
        method: 'GET',
        path: policies,
        body: '',
        reply: { status: 200, data: { branch_policies: {} } },
      },
      'response/body/branch_policies',
    ],
  ]
  const judged = await judge(
    readDescription('api.github.com'),
    rows.map(([exchange]) => exchange),
  )
  for (const [index, [exchange, ...expected]] of rows.entries()) {
    const { violations = [] } = judged[index] ?? {}
    const found = violations.filter(({ severity }) => severity === 'Error')
    const places = [...new Set(found.map(({ location }) => location.join('/')))]
    assert.deepEqual(places, expected, `${exchange.method} ${exchange.path} ${exchange.body}`)
  }
})

for (const edition of ['api.github.com', 'ghes-3.19'] as const) {
  test(`${edition}: Reposmith understands the examples of the description, and is understood`, async () => {
    await using prism = await startPrism(readDescription(edition))
    const run = async (...args: string[]) => {
      const ran = await reposmith([...args, '--json'], { url: prism.url })
      assert.equal(ran.code, 0, ran.stderr)
      return asJson(ran.stdout)
    }
    assert.equal((await run('whoami'))['login'], 'octocat')
    const flags = ['--private', '--topic', 'cli', '--homepage', 'https://w.example', '--license', 'mit']
    const actions = ['--actions', 'selected', '--allow-action', 'octo/*', '--workflow-approve-prs']
    const created = await run('repo', 'create', 'widget', '--org', 'octo', ...flags, ...actions, '--apply')
    assert.equal(created['actions_permissions_set'], true)
    const policies = ['--branch', 'main', '--tag', 'v*', '--reviewer', 'grace', '--wait-minutes', '5']
    // Whichever is asked for, the description's example of a repository has this name.
    const env = await run('repo', 'env', 'octocat/Hello-World', ...policies, '--apply')
    assert.ok(env['environment'])
  })
}

function isInternal({ body }: Exchange): boolean {
  return body.includes('"visibility":"internal"')
}

/** `PUT /repos/…: request/body/enabled must be boolean` */
function wrongs(judged: readonly Judged[]): readonly string[] {
  return judged.flatMap(({ exchange, violations }) =>
    violations
      // A status that the description does not list is a warning: it lists neither rate limits nor a host in trouble.
      .filter(
        ({ severity, message }) => severity === 'Error' && !isOfExample(message) && message !== UNDOCUMENTED,
      )
      .map(
        ({ location, message }) => `${exchange.method} ${exchange.path}: ${location.join('/')} ${message}`,
      ),
  )
}

/** The host returns this key, and takes it, but its description has it nowhere: google/go-github#2725. */
const UNDOCUMENTED = "Request body must NOT have additional properties; found 'can_admins_bypass'"

/** Keys that the description demands, and that its own examples of a repository and an organization lack. */
function isOfExample(message: string): boolean {
  return /^Response body .*must have required property '(has_discussions|language|archived_at)'$/.test(
    message,
  )
}
