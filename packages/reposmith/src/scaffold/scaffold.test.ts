// The tool here is a small script of the test; the real cookiecutter is in interop/scaffold.test.ts.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder, writeTool } from '../../test/rig.ts'
import { runPlan } from '../plan/run.ts'
import type { RunStep } from '../plan/step.ts'
import { compare } from './compare.ts'
import type { Report } from './fill.ts'
import {
  filling,
  madeElsewhere,
  planScaffold,
  scaffoldStep,
  type ScaffoldInput,
  type ScaffoldPlan,
} from './scaffold.ts'
import { runTool } from './tools.ts'

/** Creates three files, one of them executable, and a link. */
const MAKER = `mkdir -p "$1/src" && cd "$1" || exit
echo readme > README.md; echo code > src/main; chmod 755 src/main; ln -s src/main run; echo made
`

function rig(script = MAKER) {
  const folder = temporaryFolder()
  const root = folder.path
  for (const name of ['bin', 'work']) mkdirSync(join(root, name))
  for (const name of ['maker', 'cookiecutter']) writeTool(join(root, 'bin', name), script)
  const env = { PATH: `${root}/bin:/usr/bin:/bin` }
  const cwd = join(root, 'work')
  const input: ScaffoldInput = { path: 'widget', lang: 'python', with: 'maker', cwd, env }
  return {
    ...folder,
    root,
    input,
    tools: {
      stop: new AbortController().signal,
      now: () => 0,
      onStep: () => undefined,
      execute: async (step: RunStep) => await runTool(step, env, undefined),
    },
  }
}

function planned(input: ScaffoldInput) {
  const plan = planScaffold(input)
  assert.ok(plan.ok, JSON.stringify(plan))
  return plan.output
}

async function apply({ tools }: ReturnType<typeof rig>, plan: ScaffoldPlan, { overwrite = false } = {}) {
  const place = { folder: plan.target, staging: plan.staging, overwrite }
  const applied = await runPlan(plan, { ...tools, execute: filling(place, tools.execute) }, 'again')
  return { ...applied, report: applied.replies.get('scaffold') as Report | undefined }
}

function argvOf(plan: { readonly steps: readonly unknown[] }): readonly string[] {
  return (plan.steps[0] as RunStep).argv
}

test('a plan names the command and starts nothing; the tool itself writes into a new folder', async () => {
  using at = rig()
  const plan = planned(at.input)
  assert.deepEqual(argvOf(plan), [join(at.root, 'bin/maker'), join(at.root, 'work/widget')])
  assert.deepEqual([plan.summary.run, plan.staging], [1, null])
  assert.deepEqual(readdirSync(join(at.root, 'work')), [])

  const { report, failure, plan: after } = await apply(at, plan)
  assert.equal(failure, undefined)
  assert.equal(after.steps[0]?.status, 'done')
  assert.deepEqual(report, {
    out: join(at.root, 'work/widget'),
    written_count: 3,
    written: ['README.md', 'run', 'src/main'],
    kept: [],
    unchanged: [],
    output: 'made\n',
  })
})

test('what a tool writes into a new folder is counted to the last file', async () => {
  using at = rig('mkdir -p "$1/a" && cd "$1/a" && touch $(seq 10001)')
  const { report } = await apply(at, planned(at.input))
  assert.equal(report?.written_count, 10_001)
})

test('in a folder with files new ones are added and different ones kept; with overwrite they are replaced', async () => {
  using at = rig()
  const folder = join(at.root, 'work/widget')
  mkdirSync(join(folder, 'src'), { recursive: true })
  writeFileSync(join(folder, 'README.md'), 'mine\n')
  const plan = planned(at.input)
  assert.equal(plan.staging, join(at.root, 'work/.widget.scaffold'))
  assert.equal(argvOf(plan).at(-1), join(at.root, 'work/.widget.scaffold/widget'))

  const first = await apply(at, plan)
  assert.deepEqual([first.report?.written, first.report?.kept], [['run', 'src/main'], ['README.md']])
  assert.equal(readFileSync(join(folder, 'README.md'), 'utf8'), 'mine\n')
  assert.equal(statSync(join(folder, 'src/main')).mode & 0o777, 0o755)
  assert.equal(readlinkSync(join(folder, 'run')), 'src/main')

  const second = await apply(at, plan, { overwrite: true })
  assert.deepEqual([second.report?.written, second.report?.unchanged], [['README.md'], ['run', 'src/main']])
  assert.equal(readFileSync(join(folder, 'README.md'), 'utf8'), 'readme\n')
  assert.deepEqual(readdirSync(join(at.root, 'work')), ['widget'], 'nothing is left beside it')
})

test('a failing tool leaves a folder with files unchanged', async () => {
  using at = rig(`${MAKER}exit 3\n`)
  mkdirSync(join(at.root, 'work/widget'))
  writeFileSync(join(at.root, 'work/widget/mine'), '')
  const { failure, report, plan } = await apply(at, planned(at.input))
  assert.deepEqual([failure?.code, failure?.kind, report], [4, 'scaffolder', undefined])
  assert.equal(plan.steps[0]?.status, 'failed')
  assert.deepEqual(readdirSync(join(at.root, 'work/widget')), ['mine'])
  assert.deepEqual(readdirSync(join(at.root, 'work')), ['widget'])
})

test('a link out of the folder stops everything', async () => {
  using at = rig()
  const folder = join(at.root, 'work/widget')
  mkdirSync(folder)
  mkdirSync(join(at.root, 'elsewhere'))
  symlinkSync(join(at.root, 'elsewhere'), join(folder, 'src'))
  const { failure } = await apply(at, planned(at.input), { overwrite: true })
  assert.deepEqual([failure?.code, failure?.kind], [1, 'conflict'])
  assert.match(failure?.message ?? '', /src is a link that leads out/)
  assert.deepEqual(readdirSync(join(at.root, 'elsewhere')), [])
  assert.deepEqual(readdirSync(folder), ['src'])
})

test('a folder that another run is filling, or left incomplete, is not touched', async () => {
  using at = rig()
  mkdirSync(join(at.root, 'work/widget'))
  writeFileSync(join(at.root, 'work/widget/mine'), '')
  const plan = planned(at.input)
  mkdirSync(plan.staging ?? '')
  writeFileSync(join(plan.staging ?? '', 'theirs'), '')
  const { failure } = await apply(at, plan)
  assert.match(failure?.message ?? '', /exists: another run is in progress/)
  assert.ok(existsSync(join(plan.staging ?? '', 'theirs')))
})

test('when a plan is run again, a non-empty folder counts as filled, and needs no tool', () => {
  using at = rig()
  const first = scaffoldStep(at.input)
  assert.ok(first.ok && first.output.kind === 'run')
  mkdirSync(join(at.root, 'work/widget'))
  const empty = scaffoldStep(at.input)
  assert.ok(empty.ok && empty.output.kind === 'run')
  writeFileSync(join(at.root, 'work/widget/x'), '')
  const again = scaffoldStep({ ...at.input, env: {} })
  assert.ok(again.ok)
  assert.deepEqual(Object.keys(again.output), ['kind', 'id', 'title'], 'it holds no command')
})

test('the incomplete scaffold of a failed tool is removed, so that the next run does not take it for complete', async () => {
  using at = rig(`${MAKER}exit 3\n`)
  const folder = join(at.root, 'work/widget')
  for (const wasThere of [false, true]) {
    if (wasThere) mkdirSync(folder)
    const step = scaffoldStep(at.input)
    assert.ok(step.ok && step.output.kind === 'run')
    const fills = filling({ folder, staging: null, overwrite: false }, at.tools.execute)
    const ran = await fills(step.output)
    assert.ok(!ran.ok && ran.error.code === 4)
    assert.equal(existsSync(folder), wasThere)
  }
  assert.deepEqual(readdirSync(folder), [])
})

test('what a tool leaves in folders without write permission is removed too, and what cannot be is marked', async () => {
  // A shell goes back to the user who started the test.
  const give = 'chown -R 65534 "$1" 2>/dev/null'
  const locked = `mkdir -p "$1/pkg/mod"; echo x > "$1/pkg/mod/x"; chmod 555 "$1/pkg/mod" "$1/pkg"; ${give}`
  for (const [script, code, left] of [
    [`${locked}; exit 3`, 4, []],
    [`${locked}; true`, undefined, ['widget']],
    [`mkdir -p "$1/x"; chmod 000 "$1/x"; ${give}; true`, 2, ['.widget.scaffold', 'widget']],
  ] as const) {
    using at = rig(script)
    const work = join(at.root, 'work')
    const plan = planned(at.input)
    const { failure } = await asNobody(at.root, async () => await apply(at, plan))
    assert.deepEqual([failure?.code, readdirSync(work)], [code, left])
    if (left.length === 2) continue
    if (left.length === 0) mkdirSync(join(work, 'widget'))
    writeFileSync(join(work, 'widget/mine'), '')
    const staged = planned(at.input)
    const second = await asNobody(at.root, async () => await apply(at, staged))
    assert.deepEqual([second.failure?.code, readdirSync(work)], [code, ['widget']])
  }
})

test('a preview also removes folders without write permission', async () => {
  using at = rig(
    'mkdir -p "$4/widget/mod"; echo x > "$4/widget/mod/x"; chmod 555 "$4/widget/mod"; chown -R 65534 "$4"; true',
  )
  const made: string[] = []
  const preview = await asNobody(at.root, async () =>
    madeElsewhere(
      { ...at.input, with: 'cookiecutter' },
      async (step) => {
        made.push(step.argv[3] ?? '')
        return await at.tools.execute(step)
      },
      compare,
    ),
  )
  assert.deepEqual(preview, {
    ok: true,
    output: [
      { file: '.reposmith-answers.json', state: 'new' },
      { file: 'mod/x', state: 'new' },
    ],
  })
  assert.ok(!existsSync(made[0] ?? ''))
})

/** Permissions do not stop root. */
async function asNobody<T>(root: string, act: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return await act()
  execFileSync('chown', ['-R', '65534', root])
  process.seteuid?.(65534)
  try {
    return await act()
  } finally {
    process.seteuid?.(0)
  }
}

test('files that appear after planning are not given to the tool, nor removed when it fails', async () => {
  using at = rig(`${MAKER}exit 3\n`)
  const plan = planned(at.input)
  const folder = join(at.root, 'work/widget')
  mkdirSync(folder)
  writeFileSync(join(folder, 'mine'), '')
  const { failure } = await apply(at, plan)
  assert.deepEqual([failure?.code, failure?.kind], [1, 'conflict'])
  assert.match(failure?.message ?? '', /widget was empty, but has files now$/)
  assert.deepEqual(readdirSync(folder), ['mine'])
  assert.deepEqual(readdirSync(join(at.root, 'work')), ['widget'])
})

test('a tool that removes the folder, or replaces it with a file, changes nothing', async () => {
  for (const script of ['rm -rf "$1"; exit 1', 'rm -rf "$1"; echo x > "$1"']) {
    using at = rig(script)
    const work = join(at.root, 'work')
    const folder = join(work, 'widget')
    for (const before of ['absent', 'empty', 'filled']) {
      if (before === 'empty') mkdirSync(folder)
      if (before === 'filled') writeFileSync(join(folder, 'mine'), '')
      const { failure } = await apply(at, planned(at.input))
      assert.deepEqual([failure?.code, failure?.kind], [4, 'scaffolder'], before)
      assert.deepEqual(readdirSync(work), before === 'absent' ? [] : ['widget'])
      if (before !== 'absent') assert.deepEqual(readdirSync(folder), before === 'filled' ? ['mine'] : [])
    }
  }
})

test('a missing tool is a setup error, before anything is done', () => {
  using at = rig()
  for (const name of ['cookiecutter', 'copier', 'uv', 'other']) {
    const plan = planScaffold({ ...at.input, with: name, env: { PATH: at.root } })
    assert.ok(!plan.ok)
    assert.deepEqual([plan.error.code, plan.error.message], [2, `${name} is not installed`])
    assert.match(plan.error.remediation, new RegExp(`install.*${name}`))
  }
})

test('an existing path that is not a folder is refused', () => {
  using at = rig()
  writeFileSync(join(at.root, 'work/file'), '')
  symlinkSync('nowhere', join(at.root, 'work/link'))
  for (const path of ['file', 'link', '/']) {
    const plan = planScaffold({ ...at.input, path })
    assert.ok(!plan.ok && plan.error.code === 1, path)
  }
})

test('a preview renders elsewhere, compares, and leaves nothing behind', async () => {
  // The script takes its folder from cookiecutter's own arguments: --output-dir and folder=.
  const script = `echo "$4" > "$(dirname "$0")/at"; mkdir -p "$4/widget/src" && cd "$4/widget" && echo 1 > a; echo 1 > b; echo 1 > src/c
`
  using at = rig(script)
  const folder = join(at.root, 'work/widget')
  mkdirSync(folder)
  writeFileSync(join(folder, 'a'), '1\n')
  writeFileSync(join(folder, 'b'), '2\n')
  const preview = await madeElsewhere(
    { ...at.input, with: 'cookiecutter' },
    async (step) => await runTool(step, at.input.env, undefined),
    compare,
  )
  assert.deepEqual(preview, {
    ok: true,
    output: [
      { file: '.reposmith-answers.json', state: 'new' },
      { file: 'a', state: 'same' },
      { file: 'b', state: 'changed' },
      { file: 'src/c', state: 'new' },
    ],
  })
  assert.deepEqual(readdirSync(folder), ['a', 'b'])
  const wrote = readFileSync(join(at.root, 'bin/at'), 'utf8').trim()
  assert.ok(!wrote.startsWith(at.root) && !existsSync(wrote), wrote)
})
