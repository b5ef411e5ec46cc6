// `repo scaffold --update`: a template of two versions, and people who changed their files in between.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { AS_ADA, asJson, reposmith, temporaryFolder, writeTool } from './rig.ts'

const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']

/** Makes the folder that cookiecutter's arguments name: files of this version of the template. */
function version(files: Readonly<Record<string, string>>): string {
  const writes = Object.entries(files).map(
    ([name, text]) =>
      `mkdir -p "$(dirname "$to/${name}")"; printf '${text.replaceAll('\n', '\\n')}' > "$to/${name}"`,
  )
  return [
    'for word; do case "$before" in --output-dir) out="$word";; esac; case "$word" in folder=*) to="$out/${word#folder=}";; esac; before="$word"; done',
    'mkdir -p "$to"; for word; do echo "$word"; done | grep "^author=" > "$to/author"',
    ...writes,
  ].join('\n')
}

const text = (change: Readonly<Record<string, string>> = {}): string =>
  `${LINES.map((line) => change[line] ?? line).join('\n')}\n`

const OLD = version({ plain: 'old\n', kept: 'old\n', gone: 'old\n', both: text(), torn: 'old\n' })
const NEW = version({
  plain: 'new\n',
  kept: 'old\n',
  gone: 'new\n',
  both: text({ eight: 'EIGHT' }),
  torn: 'new\n',
  'more/added': 'new\n',
})

async function filled(git: boolean) {
  const folder = temporaryFolder()
  const tool = join(folder.path, 'cookiecutter')
  const widget = join(folder.path, 'widget')
  const options = { cwd: folder.path, env: { PATH: `${folder.path}:/usr/bin:/bin` } }
  writeTool(tool, OLD)
  const made = await reposmith(['repo', 'scaffold', 'widget', '--var', 'author=Ada', '--apply'], options)
  assert.equal(made.code, 0, made.stderr)
  const run = (...args: string[]) =>
    execFileSync('git', args, { cwd: widget, env: { ...process.env, ...AS_ADA }, encoding: 'utf8' })
  if (git) {
    run('init', '--quiet')
    run('add', '--all')
    run('commit', '--quiet', '-m', 'as it was made')
  }
  const put = (name: string, content: string): void => writeFileSync(join(widget, name), content)
  const read = (name: string): string => readFileSync(join(widget, name), 'utf8')
  put('kept', 'mine\n')
  put('both', text({ one: 'ONE' }))
  put('torn', 'mine\n')
  unlinkSync(join(widget, 'gone'))
  writeTool(tool, NEW)
  return { ...folder, widget, options, read, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

const UPDATE = ['repo', 'scaffold', 'widget', '--update']

test('a newer template is merged into what people have changed, three-way, and their files stay theirs', async () => {
  using at = await filled(true)
  const dry = await reposmith(UPDATE, at.options)
  assert.equal(dry.code, 0, dry.stderr)
  assert.match(
    dry.stdout,
    /~ change plain\n {6}--- a\/plain\n {6}\+\+\+ b\/plain\n {6}@@ -1,1 \+1,1 @@\n {6}-old\n {6}\+new/,
  )
  assert.match(dry.stdout, /! merge torn: you and the template have both changed it/)
  assert.equal(at.read('plain'), 'old\n')

  const applied = await reposmith([...UPDATE, '--apply', '--json'], at.options)
  assert.equal(applied.code, 0, applied.stderr)
  assert.equal(asJson(applied.stdout)['dry_run'], false)
  assert.deepEqual(['plain', 'kept', 'torn', 'more/added', 'author', 'both'].map(at.read), [
    'new\n',
    'mine\n',
    'mine\n',
    'new\n',
    'author=Ada\n',
    text({ one: 'ONE', eight: 'EIGHT' }),
  ])
  assert.ok(!existsSync(join(at.widget, 'gone')), 'what people removed stays so')
  const again = await reposmith(UPDATE, at.options)
  assert.match(again.stdout, /There is nothing to apply\.$/m)
})

test('without a history there is no ancestor: the patch is for a person, and git applies it', async () => {
  using at = await filled(false)
  const { stdout } = await reposmith([...UPDATE, '--apply', '--json'], at.options)
  const { plan } = asJson<{ plan: { steps: { id: string; status: string; fields?: { patch: string } }[] } }>(
    stdout,
  )
  const manual = plan.steps.filter(({ status }) => status === 'manual')
  assert.deepEqual(
    manual.map(({ id }) => id),
    ['file:both', 'file:torn'],
  )
  execFileSync('git', ['apply', '-'], { cwd: at.widget, input: manual[1]?.fields?.patch })
  assert.deepEqual([at.read('torn'), at.read('both')], ['new\n', text({ one: 'ONE' })])
})

test('a folder that copier has filled is left to copier, and one that nobody has filled is refused', async () => {
  using folder = temporaryFolder()
  const widget = join(folder.path, 'widget')
  mkdirSync(widget)
  const options = { cwd: folder.path, env: { PATH: `${folder.path}:/usr/bin:/bin` } }
  const refused = await reposmith(UPDATE, options)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /widget has no \.reposmith-answers\.json/)
  writeFileSync(join(widget, '.copier-answers.yml'), '_commit: v1\n')
  assert.match((await reposmith(UPDATE, options)).stderr, /copier is not installed/)
  writeTool(join(folder.path, 'copier'), 'echo "$PWD $*" > ../ran')
  const ran = await reposmith([...UPDATE, '--apply'], options)
  assert.equal(ran.code, 0, ran.stderr)
  assert.equal(readFileSync(join(folder.path, 'ran'), 'utf8'), `${widget} update --defaults\n`)
})
