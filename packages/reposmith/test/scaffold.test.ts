// `repo scaffold` with the real binary. The tool is a script of the test, whose folder is first on PATH.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startHost, writes } from './host.ts'
import {
  asJson,
  bin,
  reposmith,
  reposmithProcess,
  succeed,
  temporaryFolder,
  writeTool,
  type RunOptions,
} from './rig.ts'

interface Report {
  readonly written: readonly string[]
  readonly kept: readonly string[]
}

interface Scaffolded {
  readonly would_run: readonly string[]
  readonly scaffold_report: Report | null
  readonly plan: { readonly steps: readonly { readonly kind: string; readonly status?: string }[] }
}

/** A home with one tool in it, and a folder to work in. */
function workshop(tool: string, script: string) {
  const folder = temporaryFolder()
  const work = join(folder.path, 'work')
  mkdirSync(work)
  const file = join(folder.path, tool)
  writeTool(file, script)
  const options: RunOptions = { cwd: work, env: { PATH: `${folder.path}:/usr/bin:/bin`, HOME: folder.path } }
  return { work, file, options, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

const MAKE = 'mkdir -p "$1" && echo new > "$1/a" && echo new > "$1/b" && echo said >&2'

test('a dry-run shows the command and starts nothing; --apply runs it', async () => {
  using shop = workshop('maker', MAKE)
  const args = ['repo', 'scaffold', './widget', '--with', "maker {path} 'two words'", '--json']
  const output = await succeed(args, shop.options)
  assert.deepEqual(
    [output['success'], output['dry_run'], output['would_run'], typeof output['note']],
    [true, true, [shop.file, join(shop.work, 'widget'), 'two words'], 'string'],
  )
  assert.deepEqual(readdirSync(shop.work), [])

  const { scaffold_report: report, plan } = await succeed<Scaffolded>([...args, '--apply'], shop.options)
  assert.deepEqual(report?.written, ['a', 'b'])
  assert.deepEqual([plan.steps[0]?.kind, plan.steps[0]?.status], ['run', 'done'])
})

test('the second run adds what is missing, names what differs, and replaces it only with --overwrite', async () => {
  using shop = workshop('maker', MAKE)
  const args = ['repo', 'scaffold', 'widget', '--with', 'maker', '--apply']
  mkdirSync(join(shop.work, 'widget'))
  writeFileSync(join(shop.work, 'widget/a'), 'mine')
  const first = await reposmith(args, shop.options)
  assert.equal(first.code, 0, first.stderr)
  assert.match(first.stdout, /1 written, 0 the same\.\ndifferent, and left: a \(--overwrite replaces it\)/)
  assert.equal(first.stderr, '[maker] said\n')
  assert.equal(readFileSync(join(shop.work, 'widget/a'), 'utf8'), 'mine')
  const again = [...args, '--overwrite', '--json']
  const { scaffold_report: report } = await succeed<Scaffolded>(again, shop.options)
  assert.deepEqual([report?.written, report?.kept], [['a'], []])
  assert.equal(readFileSync(join(shop.work, 'widget/a'), 'utf8'), 'new\n')
})

test('if a file cannot be written the folder stays as it was, also with --overwrite', () => {
  // Hard-linked, so that the tool itself does not exceed the limit.
  using shop = workshop('maker', 'mkdir -p "$1/src" && echo new > "$1/src/a" && ln ../large "$1/b"')
  writeFileSync(join(shop.work, '../large'), 'x'.repeat(100_000))
  mkdirSync(join(shop.work, 'widget'))
  writeFileSync(join(shop.work, 'widget/b'), 'mine')
  const args = ['repo', 'scaffold', 'widget', '--with', 'maker', '--overwrite', '--apply']
  const limited = ['-c', 'ulimit -f 64 && exec "$@"', 'sh', process.execPath, bin, ...args]
  const env = { ...shop.options.env, NODE_DISABLE_COMPILE_CACHE: '1' }
  const ran = spawnSync('/bin/sh', limited, { cwd: shop.work, env, encoding: 'utf8' })
  assert.equal(ran.status, 2, ran.stderr)
  assert.match(ran.stderr, /^error: cannot write: EFBIG/)
  assert.deepEqual(readdirSync(shop.work), ['widget'])
  assert.deepEqual(readdirSync(join(shop.work, 'widget')), ['b'])
  assert.equal(readFileSync(join(shop.work, 'widget/b'), 'utf8'), 'mine')
})

test('no secret reaches the tool, under any name', async () => {
  using shop = workshop('maker', 'mkdir -p "$1"; env > "$1/env"')
  const secrets = {
    CODEHOST_TOKEN: 'secret-0001',
    CH_TOKEN: 'secret-0002',
    GITHUB_TOKEN: 'secret-0003',
    GH_TOKEN: 'secret-0004',
    MODEL_API_KEY: 'secret-0005',
    AWS_ACCESS_KEY_ID: 'secret-0006',
    GOOGLE_CREDENTIALS: 'secret-0007',
    ITS_COPY: 'Bearer secret-0001',
  }
  const env = { ...shop.options.env, ...secrets, SEEN: 'yes' }
  const ran = await reposmith(['repo', 'scaffold', 'x', '--with', 'maker', '--apply'], {
    ...shop.options,
    env,
  })
  assert.equal(ran.code, 0, ran.stderr)
  const seen = readFileSync(join(shop.work, 'x/env'), 'utf8')
  assert.match(seen, /SEEN=yes/)
  assert.doesNotMatch(seen, /secret-000|ITS_COPY/)
})

test('a failing tool ends with 4 and kind scaffolder, a missing one with 2, also in a dry-run', async () => {
  using shop = workshop('maker', 'echo "no such template" >&2; exit 9')
  const args = ['repo', 'scaffold', 'x', '--with', 'maker', '--apply']
  const text = await reposmith(args, shop.options)
  assert.equal(text.code, 4)
  assert.match(
    text.stderr,
    /^\[maker\] no such template\nerror: maker ended with 9: no such template\nhint: /,
  )
  const json = await reposmith([...args, '--json'], shop.options)
  const error = asJson(json.stderr)
  assert.deepEqual([json.code, error['code'], error['kind']], [4, 4, 'scaffolder'])
  assert.equal(asJson<Scaffolded>(json.stdout).scaffold_report, null)

  const absent = await reposmith(['repo', 'scaffold', 'x', '--with', 'copier', '--json'], shop.options)
  assert.deepEqual([absent.code, absent.stdout, asJson(absent.stderr)['kind']], [2, '', 'setup'])
  assert.match(String(asJson(absent.stderr)['remediation']), /pipx install copier/)
})

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  test(`${signal} ends the tool and everything it started, and leaves the folder unchanged`, async () => {
    using shop = workshop('maker', 'mkdir -p "$1"; touch "$1/half"; echo ready >&2; sleep 60 & wait')
    mkdirSync(join(shop.work, 'widget'))
    writeFileSync(join(shop.work, 'widget/mine'), '')
    for (const folder of ['widget', 'absent']) {
      const ran = await reposmithProcess(['repo', 'scaffold', folder, '--with', 'maker', '--apply'], {
        ...shop.options,
        onStart: (child) => child.stderr?.once('data', () => child.kill(signal)),
      })
      assert.equal(ran.code, 130, ran.stderr)
      assert.match(ran.stderr, /error: stopped; maker was ended\nhint: /)
    }
    assert.deepEqual(readdirSync(join(shop.work, 'widget')), ['mine'])
    assert.deepEqual(readdirSync(shop.work), ['widget'])
  })
}

test('--var keeps its spaces and commas; invalid values are refused before the tool is looked for', async () => {
  using shop = workshop('cookiecutter', 'exit 1')
  const author = 'author=Ada, Countess of L.'
  const args = ['repo', 'scaffold', 'x', '--var', author, '--json']
  assert.ok((await succeed<Scaffolded>(args, shop.options)).would_run.includes(author))
  for (const [args, says] of [
    [['--var', 'module=../x'], /takes lowercase letters/],
    [['--var', 'author'], /takes name=value/],
    [['--with', 'a | b'], /only a shell understands/],
    [['--preview', '--apply'], /--preview is for a dry-run/],
  ] as const) {
    const refused = await reposmith(['repo', 'scaffold', 'x', ...args], shop.options)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, says)
  }
})

test('a tool that creates nothing where it should is reported', async () => {
  using shop = workshop('maker', 'echo "written elsewhere" > elsewhere')
  mkdirSync(join(shop.work, 'filled'))
  writeFileSync(join(shop.work, 'filled/a'), 'mine')
  for (const folder of ['absent', 'filled']) {
    const args = ['repo', 'scaffold', folder, '--with', 'maker', '--apply']
    const ran = await reposmith(args, shop.options)
    assert.equal(ran.code, 0, ran.stderr)
    assert.match(ran.stderr, /^warning: the tool reported success, but created no file in .*\{path\}/)
  }
})

test('a failing tool leaves no folders above its own, except what others use by now', async () => {
  using shop = workshop('maker', 'mkdir "${1%/*/*}/theirs" 2>/dev/null; exit 1')
  const args = ['repo', 'scaffold', 'a/b/c/d', '--with', 'maker', '--apply']
  assert.equal((await reposmith(args, shop.options)).code, 4)
  const left = readdirSync(shop.work, { recursive: true, encoding: 'utf8' })
  assert.deepEqual(left.toSorted(), ['a', 'a/b', 'a/b/theirs'])
  rmSync(join(shop.work, 'a'), { recursive: true })
  writeTool(shop.file, 'exit 1')
  assert.equal((await reposmith(args, shop.options)).code, 4)
  assert.deepEqual(readdirSync(shop.work), [])
})

test('an incomplete scaffold left by a kill is not taken for complete until its mark is removed', async () => {
  using shop = workshop('cookiecutter', 'mkdir -p widget && echo half > widget/a && kill -9 $PPID')
  const mark = join(shop.work, '.widget.scaffold')
  const scaffold = ['repo', 'scaffold', 'widget', '--apply']
  assert.equal((await reposmithProcess(scaffold, shop.options)).code, null)
  assert.deepEqual(readdirSync(shop.work).toSorted(), ['.widget.scaffold', 'widget'])

  await using host = await startHost()
  writeFileSync(
    join(shop.work, 'repo.yaml'),
    'repository: {name: widget, org: octo}\nscaffold: {path: widget}\n',
  )
  const commands = [scaffold, ['repo', 'scaffold', 'widget'], ['repo', 'bootstrap', '--apply']]
  const refuseAll = async (): Promise<void> => {
    for (const args of commands) {
      const again = await reposmith(args, { ...shop.options, url: host.url })
      assert.equal(again.code, 1, again.stdout)
      assert.match(again.stderr, /\.widget\.scaffold exists: .* an incomplete scaffold/)
    }
  }
  await refuseAll()
  writeTool(shop.file, 'mkdir -p widget && echo whole > widget/a')
  rmSync(join(shop.work, 'widget'), { recursive: true })
  await refuseAll()
  // Nothing is left half done: the repository is not created either.
  assert.deepEqual(writes(host), [])
  rmSync(mark, { recursive: true })
  assert.equal((await reposmith(scaffold, shop.options)).code, 0)
  assert.ok(!existsSync(mark))
})

test('an invalid host address does not keep it from filling a folder', async () => {
  using shop = workshop('maker', MAKE)
  const env = { ...shop.options.env, CODEHOST_API_URL: 'git.example.org' }
  const ran = await reposmith(['repo', 'scaffold', 'x', '--with', 'maker', '--apply'], {
    ...shop.options,
    env,
  })
  assert.equal(ran.code, 0, ran.stderr)
})

test('only cookiecutter is previewed; for another tool the command is shown, and the reason', async () => {
  using shop = workshop('maker', MAKE)
  const dry = await reposmith(['repo', 'scaffold', 'x', '--with', 'maker', '--preview'], shop.options)
  assert.equal(dry.code, 0)
  assert.match(dry.stderr, /^warning: no preview was made: only cookiecutter/)
  assert.ok(!existsSync(join(shop.work, 'x')))
})

test('a preview that cannot create its temporary folder says so', async () => {
  using shop = workshop('cookiecutter', 'exit 0')
  const env = { ...shop.options.env, TMPDIR: join(shop.work, 'absent') }
  const ran = await reposmith(['repo', 'scaffold', 'x', '--preview'], { ...shop.options, env })
  assert.equal(ran.code, 2, ran.stderr)
  assert.match(ran.stderr, /^error: cannot make a temporary folder: ENOENT.*\nhint: set TMPDIR /)
})
