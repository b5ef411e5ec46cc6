// Plays test/transcripts/*.txt and the blocks of README.md. See test/transcripts/README.md.
import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { noRuff, ruffSays } from '../interop/ruff.ts'
import { commands } from '../src/table/commands.ts'
import { startHost } from './host.ts'
import { temporaryFolder, writeTool } from './rig.ts'
import { parseSteps, patternOf, type, type Step } from './shell.ts'

const folder = new URL('transcripts/', import.meta.url)
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

for (const file of readdirSync(folder).filter((name) => name.endsWith('.txt'))) {
  const [first = '', ...lines] = readFileSync(new URL(file, folder), 'utf8').trimEnd().split('\n')
  test(`${file}: ${first.slice(2)}`, async () => {
    assert.ok(first.startsWith('# '), 'a transcript begins with a title: # what it shows')
    await play(parseSteps(lines, file, 2), file)
  })
}

test('the tour in README.md prints what it says it prints', async () => {
  const steps = blocksOf('console')
  assert.ok(steps.length >= 5)
  await play(steps, 'README.md')
})

/** The steps of all blocks of README.md in that language. */
function blocksOf(language: string): readonly Step[] {
  return [...readme.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].flatMap((block) => {
    const line = readme.slice(0, block.index).split('\n').length + 1
    return parseSteps((block[1] ?? '').split('\n'), 'README.md', line)
  })
}

const NEEDED = ['/usr/bin/cookiecutter', '/usr/bin/hatchling', '/usr/bin/pyproject-build', '/usr/bin/git']
const missing = NEEDED.filter((file) => !existsSync(file))
const skip =
  missing.length > 0 &&
  `${missing.join(', ')} missing: apt-get install cookiecutter python3-build python3-hatchling git`

test(
  'from an empty folder to a first release, as README.md says; ruff finds nothing in what was pushed',
  { skip },
  async (t) => {
    const steps = blocksOf('console from-nothing')
    await play(steps, 'README.md', async (home) => {
      const files = globSync('fresh/**/*.py', { cwd: home })
      assert.equal(files.length, 7)
      if (noRuff) return t.diagnostic(`without ruff: ${noRuff}`)
      for (const file of files)
        assert.deepEqual(await ruffSays(readFileSync(join(home, file), 'utf8')), [], file)
    })
  },
)

test('README.md names every command', () => {
  for (const { name } of commands)
    assert.ok(readme.includes(`\`${name}\``) || readme.includes(`reposmith ${name}`), name)
})

test('a malformed transcript is an error', () => {
  assert.throws(() => parseSteps(['hello'], 'x.txt', 2), /x.txt:2: output before any command/)
  assert.throws(() => parseSteps([], 'x.txt', 2), /no command/)
  assert.doesNotMatch('abc', patternOf('ab'))
  assert.match('port 4711 is open', patternOf('port {any} is open'))
  assert.doesNotMatch('one\ntwo', patternOf('{any}'), '{any} stays on its line')
})

/** One host and one folder for all steps. The folder is first on PATH, and has a scaffolding tool called `maker`. */
async function play(
  steps: readonly Step[],
  name: string,
  after?: (home: string) => Promise<void>,
): Promise<void> {
  await using host = await startHost({ prefix: '/api/v3' })
  using home = temporaryFolder()
  writeTool(
    join(home.path, 'maker'),
    'mkdir -p "$1" && echo "made $1" && if [ $# -gt 1 ]; then touch "$1/$2"; fi',
  )
  for (const { line, command, expected } of steps) {
    const printed = await type(command, home.path, host)
    const wanted = expected.join('\n')
    const shown = `${name}:${line}: $ ${command}\n${printed}`
    assert.match(printed, patternOf(wanted), `${shown}\nshould have been:\n${wanted}`)
  }
  await after?.(home.path)
}
