// Each exit code from the real binary, as text and as JSON, with both streams separate.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { test } from 'node:test'
import type { Failure } from '../src/failure.ts'
import { startHost, TOKEN, type Fault } from './host.ts'
import { asJson, bin, reposmith, reposmithProcess, temporaryFolder } from './rig.ts'

interface Row {
  readonly code: number
  readonly kind: string
  readonly args: readonly string[]
  readonly fault?: Fault
  readonly env?: Readonly<Record<string, string>>
  readonly message: RegExp
  readonly hint: RegExp
}

const rows: readonly Row[] = [
  {
    code: 1,
    kind: 'usage',
    args: ['repo', 'create', 'a/b/c'],
    message: /cannot be the name/,
    hint: /owner\/name, or the name alone and --org/,
  },
  {
    code: 1,
    kind: 'usage',
    args: ['repo', 'env', 'a/b/c'],
    message: /cannot be the name/,
    hint: /owner\/name, or the name alone and --owner/,
  },
  {
    code: 1,
    kind: 'usage',
    args: ['repo', 'env', 'octo/widget', '--name', ''],
    message: /"" cannot be the name of an environment/,
    hint: /choose another/,
  },
  {
    code: 1,
    kind: 'usage',
    args: ['repo', 'env', 'octo/widget.git'],
    message: /"octo\/widget\.git" cannot be the name of a repository/,
    hint: /leave out \.git/,
  },
  {
    code: 1,
    kind: 'usage',
    args: ['doctor', '--repo', 'octo/widget.git'],
    message: /is not a repository/,
    hint: /without \.git/,
  },
  {
    code: 1,
    kind: 'usage',
    args: ['repo', 'env', 'x', '--wait-minutes', '43201'],
    message: /from 0 to 43200/,
    hint: /--help/,
  },
  {
    code: 1,
    kind: 'usage',
    args: ['whoami', '--timeout', '301'],
    message: /from 1 to 300/,
    hint: /--help/,
  },
  {
    code: 1,
    kind: 'not_found',
    args: ['explain', 'repo', 'evn'],
    message: /no explain entry for: repo evn/,
    hint: /explain repo env/,
  },
  {
    code: 1,
    kind: 'usage',
    args: ['repo', 'env', 'octo/widget', '--branch', '', '--reviewer', ' , '],
    message: /--branch is empty/,
    hint: /--help/,
  },
  {
    code: 1,
    kind: 'usage',
    args: ['repo', 'env', 'octo/widget', '--branch', 'main', '--branch', ''],
    message: /--branch is empty/,
    hint: /--help/,
  },
  {
    code: 1,
    kind: 'usage',
    args: ['repo', 'env', 'octo/widget', '--workflow', '.github/workflows/publish.yml'],
    message: /is not the file name of a workflow/,
    hint: /without its folder/,
  },
  {
    code: 1,
    kind: 'usage',
    args: ['repo', 'create', 'x', '--license', ''],
    message: /--license is empty/,
    hint: /--help/,
  },
  {
    code: 1,
    kind: 'usage',
    args: ['doctor', '--workflow', ''],
    message: /"" is not the file name of a workflow/,
    hint: /publish\.yml/,
  },
  {
    code: 1,
    kind: 'usage',
    args: ['repo', 'create', 'x', '--allow-action', 'octo/*'],
    message: /a list of allowed actions needs actions set to selected/,
    hint: /--actions selected/,
  },
  {
    code: 1,
    kind: 'usage',
    args: ['repo', 'create', 'x', '--org', 'octo', '--template', 'octo/seed', '--visibility', 'internal'],
    message: /the host cannot create an internal repository from a template/,
    hint: /private/,
  },
  {
    code: 2,
    kind: 'no_token',
    args: ['whoami'],
    env: { CODEHOST_TOKEN: 'first-line\nsecond-line' },
    message: /CODEHOST_TOKEN is not a token: it has more than one line/,
    hint: /alone/,
  },
  {
    code: 1,
    kind: 'usage',
    args: ['whoami', '--api-url', 'https://:hidden-word@git.example.org/api/v3'],
    message: /is not the address of an API/,
    hint: /https/,
  },
  {
    code: 4,
    kind: 'validation',
    args: ['repo', 'create', 'x', '--org', 'octo', '--apply'],
    fault: {
      on: 'POST /orgs/octo/repos',
      status: 422,
      body: { message: 'no', errors: [null] },
      isForeign: true,
    },
    message: /answered 422: no/,
    hint: /fix them/,
  },
  {
    code: 2,
    kind: 'setup',
    args: ['whoami'],
    env: { CODEHOST_API_URL: 'git.example.org' },
    message: /CODEHOST_API_URL is not the address of an API/,
    hint: /https:/,
  },
  {
    code: 1,
    kind: 'usage',
    args: ['whoami', '--host', 'https://git.example.org'],
    message: /--host is not the name of a host/,
    hint: /such as git\.example\.org$/,
  },
  {
    code: 1,
    kind: 'usage',
    args: ['whoami', '--api-url', 'http://git.example.org'],
    message: /not encrypted/,
    hint: /https/,
  },
  {
    code: 2,
    kind: 'no_token',
    args: ['whoami'],
    env: { CODEHOST_TOKEN: '' },
    message: /there is no token/,
    hint: /repo and admin:repo_hook/,
  },
  {
    code: 2,
    kind: 'setup',
    args: ['repo', 'bootstrap', '-f', 'absent.yaml'],
    message: /cannot read .*absent\.yaml: there is no such file/,
    hint: /create it \(see: reposmith explain repo\.yaml\), or name another with -f/,
  },
  {
    code: 3,
    kind: 'auth',
    args: ['whoami'],
    env: { CODEHOST_TOKEN: 'wrong' },
    message: /answered 401: Bad credentials/,
    hint: /set it to a new one/,
  },
  {
    code: 3,
    kind: 'scope',
    args: ['repo', 'create', 'x', '--org', 'octo', '--apply'],
    fault: {
      on: 'POST /orgs/octo/repos',
      status: 403,
      headers: { 'x-oauth-scopes': 'gist, read:org', 'x-accepted-oauth-scopes': 'public_repo, repo' },
    },
    message: /answered 403/,
    hint: /lacks the scope public_repo or repo \(it has gist, read:org\)/,
  },
  {
    code: 4,
    kind: 'rate_limited',
    args: ['whoami'],
    fault: {
      on: 'GET /user',
      status: 403,
      body: { message: 'You have exceeded a secondary rate limit' },
      headers: { 'retry-after': '3600' },
    },
    message: /secondary rate limit/,
    hint: /run it again in 3600 s, or let it wait: --max-wait 3600/,
  },
  {
    code: 4,
    kind: 'rate_limited',
    args: ['whoami', '--max-wait', '0'],
    fault: {
      on: 'GET /user',
      status: 403,
      body: { message: 'You have exceeded a secondary rate limit' },
      // The reset is that of the primary limit, of which something is left.
      headers: { 'x-ratelimit-remaining': '4000', 'x-ratelimit-reset': '9999999999' },
    },
    message: /secondary rate limit/,
    hint: /^run it again in 60 s, or let it wait: --max-wait 60$/,
  },
  {
    code: 4,
    kind: 'rate_limited',
    args: ['whoami'],
    fault: { on: 'GET /user', status: 429, headers: { 'retry-after': '3601' } },
    message: /answered 429/,
    // --max-wait takes 3600 at most.
    hint: /run it again in 3601 s$/,
  },
  {
    code: 4,
    kind: 'upstream',
    args: ['whoami'],
    fault: { on: 'GET /user', status: 302, headers: { location: '/user' }, times: 9, isForeign: true },
    message: /answered 302, and leads to \/user/,
    hint: /check --api-url/,
  },
  {
    code: 4,
    kind: 'upstream',
    args: ['whoami'],
    // Of a firewall: it says nothing about the token.
    fault: {
      on: 'GET /user',
      status: 403,
      body: '<html>Request forbidden by administrative rules</html>',
      headers: { 'content-type': 'text/html' },
      isForeign: true,
    },
    message: /answered 403 with a page/,
    hint: /check --api-url, and whether a proxy/,
  },
  {
    code: 4,
    kind: 'upstream',
    args: ['whoami'],
    fault: { on: 'GET /user', status: 405, isForeign: true },
    message: /answered 405: as asked/,
    hint: /would answer the same again/,
  },
  {
    code: 4,
    kind: 'conflict',
    args: ['repo', 'create', 'x', '--org', 'octo', '--apply'],
    fault: {
      on: 'POST /orgs/octo/repos',
      status: 403,
      body: { message: 'Repository was archived so is read-only.' },
    },
    message: /archived/,
    hint: /unarchive it first/,
  },
  {
    code: 3,
    kind: 'scope',
    args: ['whoami'],
    fault: {
      on: 'GET /user',
      status: 403,
      body: { message: 'the octo organization has an IP allow list enabled' },
    },
    message: /allow list/,
    hint: /another token or scope would not help/,
  },
  {
    code: 4,
    kind: 'rate_limited',
    args: ['whoami'],
    fault: { on: 'GET /user', status: 429 },
    message: /answered 429/,
    hint: /wait a while/,
  },
  {
    code: 4,
    kind: 'rate_limited',
    args: ['whoami'],
    fault: { on: 'GET /user', status: 429, body: '<title>Slow down</title>', isForeign: true },
    message: /answered 429 with a page/,
    hint: /wait a while/,
  },
  {
    code: 1,
    kind: 'usage',
    args: ['repo', 'create', 'widget', '--org', '-octo'],
    message: /"-octo" cannot own/,
    hint: /letters, digits, - _ and \., and begin with/,
  },
  {
    code: 4,
    kind: 'not_found',
    args: ['repo', 'env', 'octo/widget', '--apply'],
    fault: {
      on: 'PUT /repos/octo/widget/environments/index',
      status: 404,
      headers: { 'x-oauth-scopes': 'gist, public_repo', 'x-accepted-oauth-scopes': 'repo' },
    },
    message: /answered 404/,
    hint: /also lacks the scope repo \(it has gist, public_repo\)/,
  },
  {
    code: 4,
    kind: 'not_found',
    args: ['repo', 'env', 'octo/widget', '--apply'],
    fault: { on: 'PUT /repos/octo/widget/environments/index', status: 404 },
    message: /answered 404/,
    hint: /the token may not change this/,
  },
  {
    code: 4,
    kind: 'not_found',
    args: ['repo', 'create', 'x', '--org', 'ada', '--apply'],
    fault: { on: 'POST /orgs/ada/repos', status: 404 },
    message: /answered 404/,
    hint: /for your own account leave it out/,
  },
  {
    code: 4,
    kind: 'upstream',
    args: ['whoami', '--max-wait', '0'],
    fault: { on: 'GET /user', status: 502, times: 9 },
    message: /502/,
    hint: /run it again later/,
  },
  {
    code: 4,
    kind: 'network',
    args: ['whoami', '--max-wait', '0'],
    fault: { on: 'GET /user', drop: 'in the answer', times: 9 },
    message: /: 127\.0\.0\.1:\d+ hung up before its answer was whole/,
    hint: /check the network.* behind a proxy.*: reposmith explain hosts/,
  },
]

for (const row of rows) {
  test(`exit ${row.code}, ${row.kind}: reposmith ${row.args.join(' ')}`, async () => {
    const failure = asJson<Failure>(await failing(row, '--json'))
    assert.deepEqual(Object.keys(failure).slice(0, 4), ['code', 'message', 'remediation', 'kind'])
    assert.deepEqual([failure.code, failure.kind], [row.code, row.kind])
    assert.match(failure.message, row.message)
    assert.match(failure.remediation, row.hint)
  })
}

for (const [row] of Map.groupBy(rows, ({ kind }) => kind).values()) {
  assert(row)
  test(`exit ${row.code}, ${row.kind}, as text`, async () => {
    const stderr = await failing(row)
    const [first = '', ...rest] = stderr.trimEnd().split('\n')
    assert.match(first, /^error: /)
    assert.match(first, row.message)
    assert.match(rest.filter((line) => line.startsWith('hint: ')).join('\n'), row.hint)
    assert.ok(!/^\s+at /m.test(stderr), 'no stack trace')
  })
}

/** What a row prints on stderr. */
async function failing({ args, code, env = {}, fault }: Row, ...flags: string[]): Promise<string> {
  await using host = await startHost()
  host.seed('octo/widget')
  if (fault) host.fail(fault)
  const { stdout, stderr, ...ran } = await reposmith([...args, ...flags], { url: host.url, env })
  assert.equal(ran.code, code, stderr)
  assert.ok(!`${stdout}${stderr}`.includes(TOKEN))
  // Only a started plan says on stdout how far it got.
  assert.equal(stdout !== '', args.includes('--apply'), stdout)
  return stderr
}

test('the host’s messages about single values are printed as they are: objects, texts, or one text', async () => {
  const rows: readonly (readonly [unknown, string])[] = [
    [[{ resource: 'Repository', field: 'name', code: 'invalid' }], 'Repository.name: invalid'],
    [['no such license', { message: 'nor such a page' }], 'no such license\n  nor such a page'],
    ['forbidden by the organization', 'forbidden by the organization'],
  ]
  for (const [errors, lines] of rows) {
    await using host = await startHost()
    const body = { message: 'no', errors }
    host.fail({ on: 'POST /orgs/octo/repos', status: 422, body, isForeign: true })
    const ran = await reposmith(['repo', 'create', 'x', '--org', 'octo', '--apply'], { url: host.url })
    assert.match(ran.stderr, /answered 422: no\n/)
    assert.ok(ran.stderr.includes(`\n  ${lines}\n`), ran.stderr)
  }
})

test('exit 0: results on stdout, nothing on stderr', async () => {
  await using host = await startHost()
  const text = await reposmith(['whoami'], { url: host.url })
  assert.deepEqual(text, { code: 0, stdout: 'login  ada\nid     7\ntype   User\nname   Ada\n', stderr: '' })
  const json = await reposmith(['--json', 'whoami'], { url: host.url })
  assert.deepEqual(asJson(json.stdout), { login: 'ada', id: 7, type: 'User', name: 'Ada' })
  assert.deepEqual([json.code, json.stderr], [0, ''])
})

test('a closed stderr does not make it stop half-way', async () => {
  await using host = await startHost()
  host.fail({ on: 'PUT /repos/octo/widget/actions/permissions', status: 502 })
  const ran = await reposmithProcess(['repo', 'create', 'widget', '--org', 'octo', '--apply', '--json'], {
    url: host.url,
    isDeaf: true,
  })
  assert.deepEqual([ran.code, asJson(ran.stdout)['success']], [0, true])
  assert.deepEqual(host.repos.get('octo/widget')?.actions, { enabled: true, allowed_actions: 'all' })
})

test('a result that cannot be written is exit 2, in one line', () => {
  const full = openSync('/dev/full', 'w')
  const ran = spawnSync(process.execPath, [bin, 'learn'], { stdio: ['ignore', full, 'pipe'] })
  closeSync(full)
  assert.equal(ran.status, 2)
  assert.match(String(ran.stderr), /^error: the result cannot be written: ENOSPC.*\nhint: .*\n$/)
})

test('in a removed folder it says so', () => {
  using folder = temporaryFolder()
  const line = 'rmdir "$PWD" && exec "$@"'
  const ran = spawnSync('/bin/sh', ['-c', line, 'sh', process.execPath, bin, 'repo', 'create', 'x'], {
    cwd: folder.path,
  })
  assert.equal(ran.status, 2, String(ran.stderr))
  assert.match(String(ran.stderr), /^error: the current folder has been removed\n/)
})
