// `repo bootstrap --apply` to the first commit: the fake host with real bare repositories, and git itself.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Failure } from '../src/failure.ts'
import type { Bootstrapped } from '../src/verbs/prepared.ts'
import { startHost, TOKEN, writes, type TestHost } from './host.ts'
import { AS_ADA, asJson, reposmith, temporaryFolder, writeTool, type RunOptions } from './rig.ts'

const MANIFEST = `repository: {name: widget, org: octo, description: Counts, license: apache-2.0, homepage: "https://w.example"}
scaffold: {path: ./widget, author: Ada Lovelace, email: ada@example.org, python_version: "3.12"}
environments:
  - {index: testindex, tags: ["v*"], project: Tea_Pot}
  - {index: index, name: release, tags: ["v*"], project: tea.pot}
`

/** A folder with a manifest, and a cookiecutter that writes down what it is given. */
function workshop(manifest = MANIFEST, script = MAKES) {
  const folder = temporaryFolder()
  writeFileSync(join(folder.path, 'repo.yaml'), manifest)
  mkdirSync(join(folder.path, 'bin'))
  writeTool(join(folder.path, 'bin/cookiecutter'), script)
  return { ...folder, widget: join(folder.path, 'widget'), [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

const MAKES = `mkdir -p widget/src
printf '[project]\\nname = "tea-pot"\\n' > widget/pyproject.toml
for word; do echo "$word"; done > widget/src/given`

type Shop = ReturnType<typeof workshop>

function optionsFor(shop: Shop, host: TestHost, env = {}): RunOptions {
  return { url: host.url, cwd: shop.path, env: { PATH: `${shop.path}/bin:${process.env['PATH']}`, ...env } }
}

async function bootstrap(shop: Shop, host: TestHost, more: readonly string[] = [], env = {}) {
  const ran = await reposmith(
    ['repo', 'bootstrap', '--apply', '--json', ...more],
    optionsFor(shop, host, env),
  )
  const failure = ran.stderr.startsWith('{') ? asJson<Failure>(ran.stderr) : undefined
  return { ...ran, failure, ...(ran.stdout ? asJson<Bootstrapped>(ran.stdout) : {}) }
}

function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-C', folder, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...AS_ADA },
  }).trim()
}

function outcomes({ plan }: Partial<Bootstrapped>, ...ids: readonly string[]) {
  return plan?.steps.filter(({ id }) => ids.includes(id)).map(({ id, status }) => `${id} ${status}`)
}

test('the scaffold is the first commit on the default branch, pushed with the token that nothing shows', async () => {
  await using host = await startHost()
  using shop = workshop()
  const trace = join(shop.path, 'trace')
  const first = await bootstrap(shop, host, [], {
    GIT_TRACE: trace,
    GIT_TRACE_SETUP: trace,
    GIT_TRACE_CURL: trace,
  })
  assert.equal(first.code, 0, first.stderr)
  const bare = join(host.git, 'octo/widget.git')
  assert.equal(git(bare, 'log', '--format=%an %s', 'main'), 'Ada Begin widget from a template')
  assert.equal(
    git(bare, 'ls-tree', '-r', '--name-only', 'main'),
    '.reposmith-answers.json\npyproject.toml\nsrc/given',
  )
  const created = writes(host).find(({ path }) => path === '/orgs/octo/repos')
  assert.deepEqual(
    ['auto_init', 'license_template'].map(
      (key) => (created?.body as Record<string, unknown> | undefined)?.[key],
    ),
    [false, undefined],
  )
  assert.equal(git(shop.widget, 'status', '--porcelain', '--branch'), '## main...origin/main')
  const shown = [
    first.stdout,
    first.stderr,
    readFileSync(trace, 'utf8'),
    readFileSync(join(shop.widget, '.git/config'), 'utf8'),
  ]
  const secrets = [TOKEN, Buffer.from(`x-access-token:${TOKEN}`).toString('base64')]
  for (const text of shown) for (const secret of secrets) assert.ok(!text.includes(secret), text)
  assert.match(shown[2] ?? '', /git.* push /)

  const again = await bootstrap(shop, host)
  assert.equal(again.code, 0, again.stderr)
  assert.deepEqual(outcomes(again, 'scaffold', 'commit', 'push'), ['scaffold already', 'push already'])
  assert.equal(git(bare, 'rev-list', '--count', 'main'), '1')
})

test('the manifest reaches the template: name, license, author, addresses, Python, and who publishes', async () => {
  await using host = await startHost()
  using shop = workshop()
  assert.equal((await bootstrap(shop, host)).code, 0)
  const given = readFileSync(join(shop.widget, 'src/given'), 'utf8').split('\n')
  for (const line of [
    'project_name=widget',
    'project_slug=tea-pot',
    'description=Counts',
    'author=Ada Lovelace',
    'email=ada@example.org',
    'license=Apache-2.0',
    'python_version=3.12',
    'homepage=https://w.example',
    `repository=${host.url}/octo/widget`,
    'environment=release',
    'test_environment=testindex',
  ])
    assert.ok(given.includes(line), line)
})

test('where publisher and package do not agree, the plan stops before anything is sent', async () => {
  await using host = await startHost()
  for (const [manifest, says] of [
    [
      MANIFEST.replace('Tea_Pot', 'kettle'),
      /it is called kettle, but the publisher is registered for tea\.pot/,
    ],
    [
      MANIFEST.replace('scaffold: {', 'scaffold: {var: [project_slug=pot], '),
      /it is called pot, but the publisher is registered for Tea_Pot/,
    ],
    [
      MANIFEST.replace('project: tea.pot', 'project: tea.pot, workflow: release.yml'),
      /its workflow is publish\.yml, but .* for release\.yml/,
    ],
    [`${MANIFEST}  - {index: npm}\n`, /it is a Python package, which npm does not take/],
  ] as const) {
    using shop = workshop(manifest)
    const { code, failure } = await bootstrap(shop, host)
    assert.deepEqual([code, failure?.kind], [1, 'blocked'], manifest)
    assert.match(failure?.message ?? '', says)
    assert.ok(!existsSync(shop.widget))
  }
  // A tool of one's own says only afterwards what it has made; a license may be one that the template has not.
  using own = workshop(
    MANIFEST.replace('path: ./widget, ', 'path: ./widget, with: "cookiecutter {path}", '),
    'mkdir "$1"; printf "[project]\\nname = \\"pot\\"\\n" > "$1/pyproject.toml"',
  )
  const stopped = await bootstrap(own, host)
  assert.deepEqual(
    [stopped.code, outcomes(stopped, 'scaffold', 'push')],
    [1, ['scaffold failed', 'push not_reached']],
  )
  using odd = workshop(MANIFEST.replace('apache-2.0', 'gpl-3.0'))
  assert.match(
    (await bootstrap(odd, host)).failure?.message ?? '',
    /license "gpl-3.0" takes MIT, Apache-2.0, BSD-3-Clause/,
  )
})

test('a run that ended in between is continued, and what people have changed since is theirs to commit', async () => {
  await using host = await startHost()
  using shop = workshop()
  const refuses = (path: string) => host.fail({ on: path, status: 500, times: 9 })
  refuses('PUT /repos/octo/widget/environments/testindex')
  writeTool(join(shop.path, 'bin/git'), `case "$*" in *commit*) exit 9;; esac; exec /usr/bin/git "$@"`)
  const cut = await bootstrap(shop, host, ['--max-wait', '0'])
  assert.deepEqual(
    [cut.code, outcomes(cut, 'add', 'commit', 'push')],
    [4, ['add done', 'commit failed', 'push not_reached']],
  )
  rmSync(join(shop.path, 'bin/git'))
  // In the index, but not committed, and with something that the scaffold did not bring.
  writeFileSync(join(shop.widget, 'mine'), 'mine')
  const unsure = await bootstrap(shop, host)
  assert.deepEqual([unsure.code, unsure.failure?.kind], [1, 'conflict'])
  assert.match(unsure.failure?.message ?? '', /widget has files, but no commit/)
  rmSync(join(shop.widget, 'mine'))
  const rest = await bootstrap(shop, host, ['--max-wait', '0'])
  assert.deepEqual(outcomes(rest, 'scaffold', 'commit', 'push'), [
    'scaffold already',
    'commit done',
    'push done',
  ])
})

test('an existing working tree must be clean; its own history is what is pushed, and never by force', async () => {
  await using host = await startHost()
  using shop = workshop()
  mkdirSync(shop.widget)
  git(shop.widget, 'init', '--quiet', '--initial-branch=work')
  writeFileSync(join(shop.widget, 'pyproject.toml'), '[project]\nname = "tea-pot"\n')
  git(shop.widget, 'add', '--all')
  git(shop.widget, 'commit', '--quiet', '-m', 'mine')
  writeFileSync(join(shop.widget, 'more'), 'x')
  const dirty = await bootstrap(shop, host)
  assert.match(dirty.failure?.message ?? '', /\.\/widget has changes that are not committed/)
  assert.deepEqual(writes(host), [])
  rmSync(join(shop.widget, 'more'))
  git(shop.widget, 'remote', 'add', 'origin', 'https://elsewhere.example/octo/widget.git')
  assert.match(
    (await bootstrap(shop, host)).failure?.message ?? '',
    /the origin of \.\/widget is https:\/\/elsewhere/,
  )
  git(shop.widget, 'remote', 'remove', 'origin')
  const clean = await bootstrap(shop, host)
  assert.equal(clean.code, 0, clean.stderr)
  assert.equal(git(join(host.git, 'octo/widget.git'), 'log', '--format=%s', 'main'), 'mine')
  // Somebody else was faster: what they pushed stays.
  const other = workshop()
  using _ = other
  host.repos.clear()
  const bare = join(host.git, 'octo/widget.git')
  const before = git(bare, 'rev-parse', 'main')
  const late = await bootstrap(other, host)
  assert.deepEqual([late.code, late.failure?.kind, outcomes(late, 'push')], [4, 'conflict', ['push failed']])
  assert.equal(git(bare, 'rev-parse', 'main'), before)
})

test('a repository that has commits gets no second first one', async () => {
  await using host = await startHost()
  host.seed('octo/widget')
  using shop = workshop()
  const { code, plan } = await bootstrap(shop, host)
  assert.equal(code, 0)
  assert.match(
    plan?.steps.find(({ id }) => id === 'push')?.title ?? '',
    /^main has commits already: nothing is pushed$/,
  )
  assert.ok(!existsSync(join(shop.widget, '.git')))
})

test('an existing repository that is empty gets its first commit on the branch that it begins with', async () => {
  await using host = await startHost()
  using shop = workshop()
  host.seed('octo/widget', { auto_init: false, default_branch: 'trunk' })
  const ran = await bootstrap(shop, host)
  assert.equal(ran.code, 0, ran.stderr)
  assert.equal(git(join(host.git, 'octo/widget.git'), 'rev-list', '--count', 'trunk'), '1')
  assert.match(readFileSync(join(shop.widget, 'src/given'), 'utf8'), /^default_branch=trunk$/m)
})

test('with --ssh no token is used: git goes to the host by its own name', async () => {
  await using host = await startHost()
  using shop = workshop()
  const bare = join(shop.path, 'ssh/octo/widget.git')
  mkdirSync(bare, { recursive: true })
  git(bare, 'init', '--quiet', '--bare', '--initial-branch=main')
  // What sshd would do, without one.
  writeTool(
    join(shop.path, 'bin/ssh'),
    `echo "$*" > ${shop.path}/asked; env > ${shop.path}/env; cd ${shop.path}/ssh && eval "$(printf '%s\\n' "$@" | grep git-receive-pack)"`,
  )
  const ran = await bootstrap(shop, host, ['--ssh'], {
    GIT_SSH: join(shop.path, 'bin/ssh'),
    GIT_SSH_VARIANT: 'simple',
  })
  assert.equal(ran.code, 0, ran.stderr)
  assert.equal(git(bare, 'log', '--format=%s', 'main'), 'Begin widget from a template')
  assert.match(readFileSync(join(shop.path, 'asked'), 'utf8'), /^git@127\.0\.0\.1/)
  assert.ok(!readFileSync(join(shop.path, 'env'), 'utf8').includes(TOKEN))
})

test('what gh is logged in with pushes as well, and is said once', async () => {
  await using host = await startHost()
  using shop = workshop()
  writeTool(join(shop.path, 'bin/gh'), `echo '${TOKEN}'`)
  const { stderr, code } = await reposmith(
    ['repo', 'bootstrap', '--apply'],
    optionsFor(shop, host, { CODEHOST_TOKEN: '' }),
  )
  assert.equal(code, 0, stderr)
  assert.equal(stderr.split('gh auth token').length, 2, stderr)
  assert.equal(git(join(host.git, 'octo/widget.git'), 'rev-list', '--count', 'main'), '1')
})

test('who commits must be known before anything is sent', async () => {
  await using host = await startHost()
  using shop = workshop()
  const none = { GIT_AUTHOR_NAME: '', GIT_AUTHOR_EMAIL: '', GIT_COMMITTER_NAME: '', GIT_COMMITTER_EMAIL: '' }
  const { code, failure } = await bootstrap(shop, host, [], none)
  assert.deepEqual([code, failure?.message], [2, 'git does not know who commits'])
  assert.deepEqual(writes(host), [])
})

test('a push that the host refuses says why: no such token, or one without the scope for workflows', async () => {
  await using host = await startHost()
  for (const [says, kind, mend] of [
    ['fatal: Authentication failed for https://git.example.org/', 'auth', /allowed to push: scope repo/],
    [
      '! [remote rejected] main (refusing to allow a Personal Access Token to update x.yml without `workflow` scope)',
      'scope',
      /scope workflow/,
    ],
  ] as const) {
    using shop = workshop()
    const script = `case "$1" in push) echo '${says}' >&2; echo "error: $REPOSMITH_PUSH_PASSWORD" >&2; exit 1;; esac`
    writeTool(join(shop.path, 'bin/git'), `${script}; exec /usr/bin/git "$@"`)
    const { code, stderr, failure } = await bootstrap(shop, host)
    assert.deepEqual([code, failure?.kind], [3, kind], stderr)
    assert.match(failure?.remediation ?? '', mend)
    assert.ok(!stderr.includes(TOKEN) && failure?.message.endsWith('***'), stderr)
    host.repos.clear()
  }
})

test('a tool that makes nothing leaves nothing to push', async () => {
  await using host = await startHost()
  using shop = workshop(MANIFEST, 'exit 0')
  const { code, failure } = await bootstrap(shop, host)
  assert.deepEqual([code, failure?.kind, failure?.partial?.failed], [4, 'scaffolder', 'scaffold'])
})
