// The template that ships, as people use it: Debian's cookiecutter renders it, Debian's pip installs it without a network, Debian's pytest runs its tests.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { parse } from 'yaml'
import { hygieneFindings } from '../src/workflow/hygiene.ts'
import { findPublishing } from '../src/workflow/publishing.ts'
import { readWorkflow } from '../src/workflow/workflow.ts'
import { asJson, reposmith, temporaryFolder } from '../test/rig.ts'
import { noRuff, ruffSays } from './ruff.ts'

const TOOLS = ['/usr/bin/cookiecutter', '/usr/bin/python3', '/usr/bin/hatchling']
const missing = TOOLS.filter((file) => !existsSync(file))
const INSTALL = 'apt-get install cookiecutter python3-venv python3-build python3-hatchling python3-pytest'

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
    'repository=https://git.example.org/octo/tea-pot',
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
      '.github/dependabot.yml',
      '.github/workflows/publish.yml',
      '.github/workflows/test.yml',
      '.gitignore',
      '.reposmith-answers.json',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'pyproject.toml',
      'src/tea_pot/__init__.py',
      'src/tea_pot/__main__.py',
      'src/tea_pot/cli.py',
      'src/tea_pot/count.py',
      'src/tea_pot/errors.py',
      'src/tea_pot/pages.py',
      'src/tea_pot/py.typed',
      'tests/test_cli.py',
    ])
    for (const file of report.written)
      assert.doesNotMatch(readFileSync(join(folder, file), 'utf8'), /cookiecutter|\{%|endraw/, file)
    const again = await reposmith([...scaffold, '--preview', '--json'], options)
    const { preview } = asJson<{ preview: readonly { state: string }[] }>(again.stdout)
    assert.ok(preview.every(({ state }) => state === 'same'))
  })

  test('its workflow lets a trusted release through, into the environments that repo env makes', async () => {
    const source = readFileSync(join(folder, '.github/workflows/publish.yml'), 'utf8')
    const read = readWorkflow(source, '.github/workflows/publish.yml')
    assert.ok(read.ok)
    const { publishing } = await findPublishing(read.output, ({ file }) =>
      Promise.resolve(readWorkflow(readFileSync(join(folder, file), 'utf8'), file)),
    )
    assert.deepEqual(
      publishing.map(({ environment, idToken, isTest }) => [environment, idToken, isTest]),
      [
        ['testindex', true, true],
        ['index', true, false],
      ],
    )
    const workflow = parse(source) as Workflow
    assert.deepEqual(workflow.permissions, {})
    const jobs = Object.entries(workflow.jobs).filter(([, job]) => job.environment !== undefined)
    assert.deepEqual(
      jobs.map(([name, job]) => [name, job.environment, job.permissions]),
      [
        ['testindex', 'testindex', { 'id-token': 'write' }],
        ['index', 'index', { 'id-token': 'write' }],
      ],
    )
    assert.deepEqual(workflow.jobs['build']?.permissions, { contents: 'read' })
  })

  test('ruff finds nothing in it, by its defaults', { skip: noRuff }, async () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.py'),
    )
    assert.equal(files.length, 7)
    for (const file of files)
      assert.deepEqual(await ruffSays(readFileSync(join(folder, file), 'utf8')), [], file)
    assert.notDeepEqual(await ruffSays('import os\nx = { }\n'), [])
  })

  test('its workflows break none of the rules of zizmor and Scorecard that doctor knows, and updates keep the pins fresh', () => {
    const names = readdirSync(join(folder, '.github/workflows'))
    const workflows = names.map((name) => {
      const read = readWorkflow(readFileSync(join(folder, '.github/workflows', name), 'utf8'), name)
      assert.ok(read.ok)
      return read.output
    })
    assert.deepEqual(
      hygieneFindings(workflows).filter(({ passed }) => !passed),
      [],
    )
    const updates = parse(readFileSync(join(folder, '.github/dependabot.yml'), 'utf8')) as {
      readonly updates: readonly { readonly 'package-ecosystem': string; readonly cooldown: object }[]
    }
    assert.deepEqual(
      updates.updates.map((each) => [each['package-ecosystem'], each.cooldown]),
      [['github-actions', { 'default-days': 7 }]],
    )
  })

  test('~/.cookiecutterrc does not leak into it', async () => {
    const rc = join(home.path, '.cookiecutterrc')
    writeFileSync(rc, 'default_context: {author: Mallory, license: Apache-2.0, email: m@x.example}\n')
    const applied = await reposmith(['repo', 'scaffold', 'other', '--apply'], {
      ...options,
      env: { ...options.env, HOME: home.path },
    })
    unlinkSync(rc)
    assert.equal(applied.code, 0, applied.stderr)
    const project = readFileSync(join(home.path, 'other/pyproject.toml'), 'utf8')
    assert.match(project, /license = "MIT"/)
    assert.doesNotMatch(project, /Mallory|m@x/)
  })

  test('it is built by python3 -m build, with its license and its types, and installs without the network', async () => {
    const python = '/usr/bin/python3'
    // Debian's hatchling is older than the template asks for; it builds it all the same.
    await mustRun(python, ['-m', 'build', '--no-isolation', '--skip-dependency-check'], folder)
    await mustRun(python, ['-m', 'venv', '--system-site-packages', join(home.path, 'venv')], home.path)
    const wheel = join(folder, 'dist/tea_pot-0.1.0-py3-none-any.whl')
    await mustRun(join(bin, 'pip'), ['install', '--no-index', '--no-deps', '--quiet', wheel], home.path)
    const shown = await mustRun(join(bin, 'pip'), ['show', '--files', 'tea-pot'], home.path)
    assert.match(shown.stdout, /^Version: 0\.1\.0$/m)
    assert.ok(shown.stdout.includes(`Summary: ${DESCRIPTION}\n`), shown.stdout)
    assert.match(shown.stdout, /tea_pot\/py\.typed/)
    const about = `import importlib.metadata as m; print(m.metadata('tea-pot')['License-Expression'])`
    assert.equal((await mustRun(join(bin, 'python'), ['-c', about], home.path)).stdout, 'MIT\n')
    rmSync(join(folder, 'dist'), { recursive: true })
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
