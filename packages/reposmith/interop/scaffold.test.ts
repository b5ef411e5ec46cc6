// The template that ships, as people use it: Debian's cookiecutter renders it, Debian's pip installs it without a network, Debian's pytest runs its tests.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { parse } from 'yaml'
import { readWorkflow } from '../src/resources/workflow.ts'
import { asJson, reposmith, temporaryFolder } from '../test/rig.ts'

const TOOLS = ['/usr/bin/cookiecutter', '/usr/bin/python3']
const missing = TOOLS.filter((file) => !existsSync(file))
const INSTALL = 'apt-get install cookiecutter python3-venv python3-setuptools python3-wheel python3-pytest'

if (missing.length && process.env['CI'] === 'true') {
  test('the tools of Debian are installed', () => assert.fail(`${missing.join(', ')} missing: ${INSTALL}`))
}

const skip = missing.length ? `${missing.join(', ')} missing: ${INSTALL}` : false

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const DESCRIPTION = String.raw`Says "tea", 100% of the time; it's C:\tea & <more> — ☕`

describe('the Python template', { skip }, () => {
  const home = temporaryFolder()
  after(() => home[Symbol.dispose]())
  const folder = join(home.path, 'Tea Pot')
  const bin = join(home.path, 'venv/bin')
  const options = { cwd: home.path, env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' } }
  const scaffold = [
    'repo',
    'scaffold',
    'Tea Pot',
    '--var',
    `description=${DESCRIPTION}`,
    '--var',
    'author=Ada "A" Lovelace',
    '--var',
    'repository_owner=octo',
  ]
  const command = async (...args: string[]): Promise<Ended> =>
    await run(join(bin, 'tea-pot'), args, home.path)

  test('a preview names every file, and writes none', async () => {
    const dry = await reposmith([...scaffold, '--preview', '--json'], options)
    assert.equal(dry.code, 0, dry.stderr)
    const { preview } = asJson<{ preview: readonly { file: string; state: string }[] }>(dry.stdout)
    assert.ok(preview.some(({ file }) => file === 'src/tea_pot/cli.py'))
    assert.ok(preview.every(({ state }) => state === 'new'))
    assert.ok(!existsSync(folder))
  })

  test('--apply renders what the preview named, with nothing of the template left', async () => {
    const applied = await reposmith([...scaffold, '--apply', '--json'], options)
    assert.equal(applied.code, 0, applied.stderr)
    const { scaffold_report: report } = asJson<{ scaffold_report: { written: string[] } }>(applied.stdout)
    assert.deepEqual(report.written, [
      '.github/workflows/publish.yml',
      '.github/workflows/test.yml',
      '.gitignore',
      'LICENSE',
      'README.md',
      'pyproject.toml',
      'src/tea_pot/__init__.py',
      'src/tea_pot/__main__.py',
      'src/tea_pot/cli.py',
      'src/tea_pot/count.py',
      'src/tea_pot/errors.py',
      'src/tea_pot/pages.py',
      'tests/test_cli.py',
    ])
    for (const file of report.written)
      assert.doesNotMatch(readFileSync(join(folder, file), 'utf8'), /cookiecutter|\{%|endraw/, file)
    const again = await reposmith([...scaffold, '--preview', '--json'], options)
    const { preview } = asJson<{ preview: readonly { state: string }[] }>(again.stdout)
    assert.ok(preview.every(({ state }) => state === 'same'))
  })

  test('its workflow lets a trusted release through, into the environments that repo env makes', () => {
    const source = readFileSync(join(folder, '.github/workflows/publish.yml'), 'utf8')
    const releases = readWorkflow(source, 'publish.yml')
    assert.ok(releases.ok)
    assert.deepEqual(
      releases.output.map(({ environment, idToken, branches, tags }) => [
        environment,
        idToken,
        branches,
        tags,
      ]),
      [
        ['index', true, [], ['*']],
        ['testindex', true, ['*'], ['*']],
      ],
    )
    const workflow = parse(source) as Workflow
    assert.deepEqual(workflow.permissions, { contents: 'read' })
    const publishing = Object.entries(workflow.jobs).filter(([, job]) => job.environment !== undefined)
    assert.deepEqual(
      publishing.map(([name, job]) => [name, job.environment, job.permissions]),
      [
        ['pypi', 'index', { 'id-token': 'write' }],
        ['testpypi', 'testindex', { 'id-token': 'write' }],
      ],
    )
    assert.equal(workflow.jobs['build']?.permissions, undefined)
  })

  test('it installs into a venv without the network', async () => {
    const python = '/usr/bin/python3'
    await mustRun(python, ['-m', 'venv', '--system-site-packages', join(home.path, 'venv')], home.path)
    const offline = ['--no-index', '--no-build-isolation', '--no-deps', '--quiet']
    await mustRun(join(bin, 'pip'), ['install', ...offline, '-e', folder], home.path)
    const shown = await mustRun(join(bin, 'pip'), ['show', 'tea-pot'], home.path)
    assert.match(shown.stdout, /^Version: 0\.1\.0$/m)
    assert.ok(shown.stdout.includes(`Summary: ${DESCRIPTION}\n`), shown.stdout)
  })

  test('its own tests pass, with pytest and with unittest alone', async () => {
    const pytest = await mustRun(
      join(bin, 'python'),
      ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'],
      folder,
    )
    assert.match(pytest.stdout, /\b1\d passed/)
    const alone = await mustRun(join(bin, 'python'), ['-m', 'unittest', 'discover', 'tests'], folder)
    assert.match(alone.stderr, /Ran 1\d tests[^]*\nOK/)
  })

  test('its own tests can fail', async () => {
    const file = join(folder, 'src/tea_pot/pages.py')
    const source = readFileSync(file, 'utf8')
    writeFileSync(file, source.replace('"count": f"""', '"other": f"""'))
    const ran = await run(join(bin, 'python'), ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], folder)
    writeFileSync(file, source)
    assert.equal(ran.code, 1, ran.stdout)
  })

  test('its command teaches itself', async () => {
    assert.deepEqual(await command('--version'), { code: 0, stdout: 'tea-pot 0.1.0\n', stderr: '' })
    const learnt = await command('learn')
    assert.ok(learnt.stdout.includes(DESCRIPTION) && learnt.stdout.length > 200)
    const data = asJson<{ purpose: string; tool: string }>((await command('--json', 'learn')).stdout)
    assert.deepEqual([data.tool, data.purpose], ['tea-pot', DESCRIPTION])
    assert.match((await command('explain', 'count')).stdout, /^# tea-pot count\n/)
  })

  test('its command ends with the codes it promises, in text and in JSON', async () => {
    writeFileSync(join(home.path, 'poem'), 'two words\n')
    assert.deepEqual(await command('count', 'poem'), {
      code: 0,
      stdout: '1 lines, 2 words, 10 bytes: poem\n',
      stderr: '',
    })
    const bogus = await command('brew')
    assert.deepEqual([bogus.code, bogus.stdout], [1, ''])
    assert.match(bogus.stderr, /^error: .*brew.*\nhint: see: tea-pot --help\n$/)
    const unknown = await command('explain', 'cuont', '--json')
    assert.equal(unknown.code, 1)
    assert.deepEqual(asJson(unknown.stderr), {
      code: 1,
      message: 'no explain entry for: cuont',
      remediation: 'did you mean: tea-pot explain count',
    })
  })

  test('run again, it adds what was removed and leaves what was changed', async () => {
    unlinkSync(join(folder, 'LICENSE'))
    writeFileSync(join(folder, 'README.md'), 'mine')
    const applied = await reposmith([...scaffold, '--apply', '--json'], options)
    const { scaffold_report: report } = asJson<{ scaffold_report: { written: string[]; kept: string[] } }>(
      applied.stdout,
    )
    assert.deepEqual([report.written, report.kept], [['LICENSE'], ['README.md']])
    assert.equal(readFileSync(join(folder, 'README.md'), 'utf8'), 'mine')
    assert.deepEqual(
      readdirSync(home.path).filter((name) => name.endsWith('.scaffold')),
      [],
    )
  })

  test('names that Python has itself are refused by the template, and nothing is left', async () => {
    for (const name of ['class', 'json']) {
      const ran = await reposmith(['repo', 'scaffold', name, '--apply'], options)
      assert.equal(ran.code, 4, ran.stderr)
      assert.match(ran.stderr, new RegExp(`error: .*module '${name}' is .*set another`))
      assert.ok(!existsSync(join(home.path, name)))
    }
  })

  test('copier is asked for the same variables, under the same names', () => {
    const template = join(import.meta.dirname, '../template/python-cli')
    const forCookiecutter = asJson(readFileSync(join(template, 'cookiecutter.json'), 'utf8'))
    const forCopier = parse(readFileSync(join(template, 'copier.yml'), 'utf8')) as Record<string, unknown>
    const { default: given } = forCopier['cookiecutter'] as { readonly default: string }
    const names = [...given.matchAll(/^(\w+):/gm)].map(([, name]) => name)
    assert.deepEqual(names, Object.keys(forCookiecutter))
    const questions = Object.keys(forCopier).filter((key) => !key.startsWith('_') && key !== 'cookiecutter')
    assert.deepEqual([...questions, 'folder', '_dot'], names)
  })
})

interface Job {
  readonly environment?: string
  readonly permissions?: unknown
}

interface Workflow {
  readonly permissions: unknown
  readonly jobs: Readonly<Record<string, Job>>
}

async function mustRun(file: string, args: readonly string[], cwd: string): Promise<Ended> {
  const ended = await run(file, args, cwd)
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  return ended
}

/** With nothing of whoever runs the tests but the folder. */
function run(file: string, args: readonly string[], cwd: string): Promise<Ended> {
  const env = { PATH: '/usr/bin:/bin', HOME: cwd, LANG: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1' }
  return new Promise((resolve) => {
    execFile(file, args, { cwd, env, timeout: 300_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    )
  })
}
