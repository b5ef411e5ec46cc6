// Reposmith against an emulator that keeps state: what it creates there, what it finds there, what it does not do twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Failure } from '../src/failure.ts'
import type { Created } from '../src/verbs/create.ts'
import { clientFor } from '../test/client.ts'
import { asJson, reposmith, succeed } from '../test/rig.ts'
import { startEmulator, type Emulator } from './emulator.ts'

const CREATE = ['repo', 'create', 'widget', '--private', '--description', 'A small thing', '--topic', 'cli']
const APPLY = [...CREATE, '--apply', '--json']
const PERMISSIONS = '/repos/ada/widget/actions/permissions'

test('whoami: the host says who it is', async () => {
  await using emulator = await startEmulator()
  const ran = await reposmith(['whoami', '--json'], { url: emulator.url })
  assert.deepEqual([ran.code, asJson(ran.stdout)['login']], [0, 'ada'])
})

test('create makes the repository that was asked for; run again, it finds it so, and sends nothing', async () => {
  await using emulator = await startEmulator()
  const { repo_url: url, actions_permissions_set: set } = await succeed<Created>(APPLY, { url: emulator.url })
  const is = (await emulator.ask('GET', '/repos/ada/widget')) as Record<string, unknown>
  assert.deepEqual([is['html_url'], is['private'], is['description']], [url, true, 'A small thing'])
  assert.deepEqual([is['topics'], is['has_wiki'], set], [['cli'], false, true])

  const before = writes(emulator).length
  const { already_existed: existed, warnings } = await succeed<Created>(APPLY, { url: emulator.url })
  assert.deepEqual([existed, warnings, writes(emulator).length], [true, [], before])
})

test('after a failure midway, the next run sets the permissions, and says that the repository existed', async () => {
  await using emulator = await startEmulator()
  emulator.intercept = ({ method, path }) =>
    method === 'PUT' && path === PERMISSIONS ? { status: 502 } : undefined
  const failed = await reposmith([...APPLY, '--max-wait', '0'], { url: emulator.url })
  assert.equal(failed.code, 4)
  const { partial } = asJson<Failure>(failed.stderr)
  assert.deepEqual([partial?.applied, partial?.failed], [['repo', 'topics'], 'actions'])
  assert.equal(emulator.ours.repos.get('ada/widget')?.actions['enabled'], false)

  emulator.intercept = () => undefined
  const before = writes(emulator).length
  const { already_existed: existed, actions_permissions_set: set } = await succeed<Created>(APPLY, {
    url: emulator.url,
  })
  assert.deepEqual([existed, set], [true, true])
  const { actions, workflow } = emulator.ours.repos.get('ada/widget') ?? {}
  assert.deepEqual(actions, { enabled: true, allowed_actions: 'all' })
  assert.equal(workflow?.['default_workflow_permissions'], 'read')
  assert.deepEqual(writes(emulator).slice(before), [`PUT ${PERMISSIONS}`, `PUT ${PERMISSIONS}/workflow`])
})

test('if the answer to a creation is lost, the repository is found, and not created twice', async () => {
  await using emulator = await startEmulator()
  emulator.intercept = ({ method }, to) => (method === 'POST' ? { to, loseAnswer: true } : undefined)
  const ran = await succeed<Created>(APPLY, { url: emulator.url })
  assert.equal(writes(emulator).filter((each) => each.startsWith('POST')).length, 1)
  assert.equal(ran.actions_permissions_set, true)
})

test('if somebody else was faster, the refusal is settled by reading', async () => {
  await using emulator = await startEmulator()
  await emulator.ask('POST', '/user/repos', { name: 'widget', private: true })
  let reads = 0
  emulator.intercept = ({ method, path }) =>
    method === 'GET' && path === '/repos/ada/widget' && reads++ === 0 ? { status: 404 } : undefined
  const ran = await succeed<Created>(APPLY, { url: emulator.url })
  assert.equal(ran.already_existed, true)
})

test('topics that people set stay, and differences are reported', async () => {
  await using emulator = await startEmulator()
  await emulator.ask('POST', '/user/repos', { name: 'widget', description: 'theirs' })
  await emulator.ask('PUT', '/repos/ada/widget/topics', { names: ['old'] })
  const ran = await succeed<Created>(APPLY, { url: emulator.url })
  assert.deepEqual(await emulator.ask('GET', '/repos/ada/widget/topics'), { names: ['old', 'cli'] })
  const warnings = ran.warnings.map(({ message }) => message)
  assert.deepEqual(warnings, [
    'ada/widget has visibility "public", not "private": it was left unchanged',
    'ada/widget has description "theirs", not "A small thing": it was left unchanged',
  ])
})

test('a reviewer is found by login, and the environment gets their id', async () => {
  await using emulator = await startEmulator()
  await emulator.ask('POST', '/user/repos', { name: 'widget' })
  const { id } = (await emulator.ask('GET', '/users/ada')) as { id: number }
  const args = ['repo', 'env', 'ada/widget', '--tag', 'v*', '--reviewer', 'ada', '--apply']
  const ran = await reposmith(args, { url: emulator.url })
  assert.equal(ran.code, 0, ran.stderr)
  const made = emulator.ours.repos.get('ada/widget')?.environments.get('index')
  assert.deepEqual(made?.body['reviewers'], [{ type: 'User', id }])
  const nobody = await reposmith([...args, '--reviewer', 'grace'], { url: emulator.url })
  assert.equal(nobody.code, 1)
  assert.match(nobody.stderr, /there is no reviewer grace/)
})

test('a list of several pages is read to its end', async () => {
  await using emulator = await startEmulator()
  await emulator.ask('POST', '/user/repos', { name: 'widget' })
  const names = Array.from({ length: 130 }, (_, index) => `label-${index}`)
  for (const name of names) await emulator.ask('POST', '/repos/ada/widget/labels', { name, color: 'ffffff' })
  const listed = await clientFor(emulator).list('/repos/ada/widget/labels')
  assert.ok(listed.ok)
  const found = (listed.output as readonly { name: string }[]).map(({ name }) => name)
  assert.deepEqual(found.toSorted(), names.toSorted())
  const pages = emulator.passed.filter(({ path }) => path.startsWith('/repos/ada/widget/labels?'))
  assert.equal(pages.length, 2)
})

test('401, 403 and 404 are understood from a host that we did not write', async () => {
  await using emulator = await startEmulator()
  const rows = [
    [3, 'auth', ['whoami'], true],
    [3, 'scope', ['repo', 'create', 'widget', '--org', 'octo', '--apply'], false],
    [4, 'not_found', ['repo', 'create', 'widget', '--org', 'nowhere', '--apply'], false],
    [4, 'not_found', ['repo', 'create', 'widget', '--template', 'ada/absent', '--apply'], false],
  ] as const
  for (const [code, kind, args, isNobody] of rows) {
    emulator.intercept = ({ headers }) => {
      if (isNobody) headers.delete('authorization')
      return undefined
    }
    const ran = await reposmith([...args, '--json'], { url: emulator.url })
    assert.equal(ran.code, code, ran.stderr)
    assert.equal(asJson<Failure>(ran.stderr).kind, kind)
  }
})

function writes({ passed }: Emulator): readonly string[] {
  return passed.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)
}
