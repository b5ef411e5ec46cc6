// Every command that changes something, from the table: nothing is sent or started without --apply.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { flagOf } from '../src/table/command.ts'
import { commands } from '../src/table/commands.ts'
import { asked, endpointPattern, startHost, writes } from './host.ts'
import { asJson, reposmith, succeed, temporaryFolder, writeTool } from './rig.ts'

const MANIFEST = `repository: {name: widget, org: octo}
scaffold: {path: ./made}
environments: [{index: index, branches: [main]}]
`

/** Gets through, from an environment that could be safer. */
const WORKFLOW = `on: {push: {tags: ['v*']}}
permissions: {contents: read}
jobs: {publish: {environment: index, permissions: {id-token: write}, steps: [{run: uv publish}]}}
`

/** What to type for each; a changing command that is missing here fails the test. */
const TYPED: Readonly<Record<string, readonly string[]>> = {
  'repo create': ['repo', 'create', 'widget', '--org', 'octo'],
  'repo scaffold': ['repo', 'scaffold', './made'],
  'repo env': ['repo', 'env', 'octo/widget', '--branch', 'main'],
  'repo bootstrap': ['repo', 'bootstrap', '-f', 'repo.yaml'],
  'repo apply': ['repo', 'apply', 'plan.json'],
  doctor: ['doctor', '--fix', '--repo', 'octo/widget'],
}

const changing = commands.filter(({ changes }) => changes)

test('a command changes something exactly if it has --apply, which is off by default', () => {
  for (const command of commands) {
    const apply = command.options.find((option) => flagOf(option) === '--apply')
    assert.equal(apply !== undefined, command.changes, command.name)
    assert.ok(apply === undefined || (apply.type === 'flag' && !('default' in apply)))
  }
  assert.deepEqual(
    changing.map(({ name }) => name),
    Object.keys(TYPED),
  )
})

/** Of a command for many, each of them is. */
function isDry(printed: string): unknown {
  const { dry_run: dry, results } = asJson<{ dry_run?: unknown; results?: [{ dry_run: unknown }] }>(printed)
  return dry ?? results?.[0].dry_run
}

for (const { name, endpoints } of changing) {
  const typed = TYPED[name] ?? []

  test(`${name}: without --apply no write is sent and no process is started; with it, they are`, async () => {
    await using host = await startHost()
    using folder = temporaryFolder()
    writeFileSync(join(folder.path, 'repo.yaml'), MANIFEST)
    writeTool(join(folder.path, 'cookiecutter'), 'touch started; mkdir -p made; touch made/file')
    const options = { url: host.url, cwd: folder.path, env: { PATH: `${folder.path}:/usr/bin:/bin` } }
    mkdirSync(join(folder.path, '.github/workflows'), { recursive: true })
    writeFileSync(join(folder.path, '.github/workflows/publish.yml'), WORKFLOW)
    if (name === 'repo env' || name === 'doctor') {
      const repo = host.seed('octo/widget')
      repo.actions = { enabled: true, allowed_actions: 'all' }
      if (name === 'doctor') repo.environments.set('index', { body: {}, policies: [] })
    }
    if (name === 'repo apply')
      await succeed(['repo', 'bootstrap', '--plan-out', 'plan.json', '--json'], options)
    const before = readdirSync(folder.path)
    for (const form of [typed, [...typed, '--json'], ['--json', ...typed]]) {
      const dry = await reposmith(form, options)
      assert.equal(dry.code, 0, dry.stderr)
      if (form.includes('--json')) assert.equal(isDry(dry.stdout), true)
    }
    assert.deepEqual(writes(host), [])
    assert.deepEqual(readdirSync(folder.path), before)

    const applied = await reposmith([...typed, '--apply', '--json'], options)
    assert.equal(applied.code, 0, applied.stderr)
    assert.equal(isDry(applied.stdout), false)
    const isNamed = (request: string) => endpoints.some((each) => endpointPattern(each).test(request))
    const unnamed = asked(host).filter((request) => !isNamed(request.split('?')[0] ?? ''))
    assert.deepEqual(unnamed, [], 'the table names every endpoint that is asked')
    assert.ok(
      writes(host).length > 0 || existsSync(join(folder.path, 'started')),
      'the same, with --apply, does something',
    )
  })
}
