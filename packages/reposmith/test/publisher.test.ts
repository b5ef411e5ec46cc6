// Where a trusted publisher is registered: the index's own JSON says whether the project is there.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ManualStep, Plan } from '../src/plan/step.ts'
import { startHost } from './host.ts'
import { listen } from './listen.ts'
import { asJson, reposmith, temporaryFolder, writeTool } from './rig.ts'

const ENV = ['repo', 'env', 'octo/widget', '--index', 'testindex']

/** Has one project. */
async function startIndex(status = 200) {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    response.writeHead(url === '/pypi/widget/json' ? status : 404).end('{}')
  })
  return { ...(await listen(server)), asked }
}

function manual(stdout: string): ManualStep | undefined {
  return asJson<{ plan: Plan }>(stdout).plan.steps.find((step) => step.kind === 'manual')
}

test('an old project has a page of its own, a new one gets a pending publisher, and an index that fails changes nothing', async () => {
  await using host = await startHost()
  host.seed('octo/widget')
  const PAGE = 'https://test.pypi.org/manage/account/publishing/'
  for (const [status, project, url, title] of [
    [
      200,
      'widget',
      'https://test.pypi.org/manage/project/widget/settings/publishing/',
      /register the trusted publisher/,
    ],
    [200, 'gadget', PAGE, /register a pending publisher, as the project is new, at testindex/],
    [503, 'widget', PAGE, /register the trusted publisher/],
  ] as const) {
    await using index = await startIndex(status)
    const env = { REPOSMITH_TESTINDEX_URL: index.url }
    const ran = await reposmith([...ENV, '--project', project, '--apply', '--json'], { url: host.url, env })
    assert.equal(ran.code, 0, ran.stderr)
    const step = manual(ran.stdout)
    assert.equal(step?.url, url)
    assert.match(step?.title ?? '', title)
    assert.deepEqual(index.asked, [`/pypi/${project}/json`])
  }
  // A dry-run asks nobody.
  await using index = await startIndex()
  const dry = await reposmith([...ENV, '--json'], {
    url: host.url,
    env: { REPOSMITH_TESTINDEX_URL: index.url },
  })
  assert.deepEqual([manual(dry.stdout)?.url, index.asked], [PAGE, []])
})

test('for npm the command is printed, filled in, and what it needs first', async () => {
  const ran = await reposmith(['repo', 'env', 'octo/widget', '--index', 'npm', '--project', '@octo/widget'])
  assert.equal(ran.code, 0, ran.stderr)
  const command =
    'npm trust github @octo/widget --file publish.yml --repo octo/widget --env npm --allow-publish'
  assert.match(
    ran.stdout,
    new RegExp(
      `^ {6}${RegExp.escape(command)}\\n {6}first: npm 11\\.15, a second factor .*, and the package`,
      'm',
    ),
  )
})

test('--open opens the page, once it is applied', async () => {
  await using host = await startHost()
  host.seed('octo/widget')
  using folder = temporaryFolder()
  writeTool(join(folder.path, 'browser'), 'echo "$*" >> opened')
  const env = { BROWSER: join(folder.path, 'browser') }
  const options = { url: host.url, cwd: folder.path, env }
  const ran = await reposmith([...ENV, '--open', '--apply'], options)
  assert.equal(ran.code, 0, ran.stderr)
  const opened = (): string => readFileSync(join(folder.path, 'opened'), 'utf8')
  assert.equal(opened(), 'https://test.pypi.org/manage/account/publishing/\n')
  const none = await reposmith([...ENV, '--open', '--apply'], { ...options, env: { PATH: folder.path } })
  assert.deepEqual([none.code, opened().split('\n').length], [0, 2])
  assert.match(none.stderr, /^warning: no browser was found/)
})
