// The workflow that comes with the package, with what it runs run here: the same binary, and a `gh` that keeps the comment.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { parse } from 'yaml'
import { startHost, TOKEN, writes } from './host.ts'
import { bin, succeed, temporaryFolder, writeTool } from './rig.ts'

interface Job {
  readonly permissions: Readonly<Record<string, string>>
  readonly steps: readonly {
    readonly run?: string
    readonly uses?: string
    readonly env?: Readonly<Record<string, string>>
  }[]
}

const source = readFileSync(new URL('../template/workflows/repositories.yml', import.meta.url), 'utf8')
const { jobs, permissions } = parse(source) as { jobs: { plan: Job; apply: Job }; permissions: object }

test('the workflow comments the plan on a pull request, and applies it once that is merged', async () => {
  await using host = await startHost()
  using folder = temporaryFolder()
  mkdirSync(join(folder.path, 'repos'))
  writeFileSync(
    join(folder.path, 'repos', 'widget.yaml'),
    'repository: {name: widget, org: octo}\nvariables: {A: b}\n',
  )
  for (const [name, script] of [
    ['reposmith', `exec '${process.execPath}' '${bin}' "$@"`],
    ['npm', 'test "$*" = "install --global reposmith@0.0.2"'],
    ['gh', 'test "$1 $2 $3 $4" = "pr comment 7 --body-file" && test -n "$GH_TOKEN" && cp "$5" comment.md'],
  ] as const)
    writeTool(join(folder.path, name), script)
  const outputs = join(folder.path, 'outputs')
  const values: Readonly<Record<string, string>> = {
    CODEHOST_TOKEN: TOKEN,
    GH_TOKEN: 'of the job',
    NUMBER: '7',
    CODE: '0',
  }
  const run = async ({ steps }: Job): Promise<void> => {
    for (const { run: script, env = {} } of steps) {
      if (script === undefined) continue
      const own = Object.fromEntries(Object.keys(env).map((name) => [name, values[name] ?? '']))
      const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], {
        cwd: folder.path,
        env: {
          PATH: `${folder.path}:/usr/bin:/bin`,
          HOME: folder.path,
          CODEHOST_API_URL: host.url,
          GITHUB_OUTPUT: outputs,
          ...own,
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
      assert.equal(code, 0, `${script}\n${said}`)
    }
  }
  await run(jobs.plan)
  assert.deepEqual(writes(host), [])
  const comment = readFileSync(join(folder.path, 'comment.md'), 'utf8')
  assert.match(comment, /^````text\nocto\/widget on .*\+ create the variable A\n.*````\n$/s)
  assert.equal(readFileSync(outputs, 'utf8'), 'code=0\n')

  await run(jobs.apply)
  assert.equal(host.repos.get('octo/widget')?.variables.get('A'), 'b')
})

test('it has no more rights than it needs, and its actions are pinned', async () => {
  assert.deepEqual(permissions, {})
  assert.deepEqual(jobs.plan.permissions, { contents: 'read', 'pull-requests': 'write' })
  assert.deepEqual(jobs.apply.permissions, { contents: 'read' })
  for (const { uses } of [...jobs.plan.steps, ...jobs.apply.steps])
    if (uses) assert.match(uses, /@[\da-f]{40}$/)
  const { markdown } = await succeed<{ markdown: string }>(['explain', 'pull-requests', '--json'])
  assert.ok(markdown.replaceAll(/^ {4}/gm, '').includes(source.trimEnd()))
})
