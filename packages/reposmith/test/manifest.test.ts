import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import sodium from 'libsodium-wrappers'
import type { Failure } from '../src/failure.ts'
import { parseManifest, readManifest } from '../src/manifest.ts'
import { checkManifest } from '../src/resources/wanted.ts'
import type { Bootstrapped } from '../src/verbs/prepared.ts'
import type { Drifted } from '../src/verbs/drift.ts'
import { asked, planned, SEALING_KEY, SEALING_SECRET, startHost, TOKEN, writes } from './host.ts'
import { asJson, reposmith, succeed, temporaryFolder, writeTool } from './rig.ts'

const MANIFEST = `repository:
  name: widget
  org: octo
  visibility: private
  description: A small thing
  topics: [cli]
actions:
  workflow_token: write
scaffold:
  path: ./widget
environments:
  - index: testindex
  - index: index
    name: release
    branches: [main, main]
    tags: ["v*"]
    reviewers: [grace]
    wait_minutes: 10
`

const DRIFT = ['repo', 'drift', '--exit-zero', '--json']

/** A folder with that manifest. */
function folderWith(source: string) {
  const folder = temporaryFolder()
  writeFileSync(join(folder.path, 'repo.yaml'), source)
  return folder
}

test('the line break at the end of a YAML block is no part of the description', () => {
  const read = parseManifest('repository:\n  name: x\n  description: >\n    A small\n    thing\n', 'f')
  assert(read.ok)
  assert.equal(read.output.repository.description, 'A small thing')
})

test('mistakes in a manifest are reported with line and column, and the nearest key', () => {
  const rows = [
    [
      'repository:\n  nmae: x\n',
      ['f:1:1 repository.name: is required', 'f:2:3 repository.nmae: unknown key: did you mean name?'],
    ],
    [
      'repository: {name: x}\nactions:\n  allowed: some\n',
      ['f:3:3 actions.allowed: must be one of all, local_only, selected, off'],
    ],
    [
      'repository: {name: x}\nenvironments:\n  - wait_minutes: 99999\n',
      ['f:3:5 environments.0.wait_minutes: takes at most 43200 minutes'],
    ],
    [
      'repository: {name: x}\nenvironments:\n  - wait_minutes: -1\n',
      ['f:3:5 environments.0.wait_minutes: takes at least 0 minutes'],
    ],
    [
      'repository: {name: x}\nenvironments:\n  - branch: main\n',
      ['f:3:5 environments.0.branch: unknown key: did you mean branches?'],
    ],
    [
      'repository: {name: x}\nenvironments:\n  - project: "\\ud800"\n',
      ['f:3:5 environments.0.project: has half a surrogate pair'],
    ],
    ['repository: [\n', [/^f:2:1: /]],
    ['repository: {name: x}\n---\na: b\n', ['f:2:1: Source contains multiple documents']],
    ['repository: {name: 5}\n', ['f:1:14 repository.name: must be text']],
    ['a: &x b\nrepository: *x\n', [/aliases are not allowed/]],
  ] as const
  for (const [source, expected] of rows) {
    const read = parseManifest(source, 'f')
    assert.ok(!read.ok, source)
    const details = (read.error.details ?? []).toSorted()
    for (const [index, line] of [...expected].entries()) {
      if (typeof line === 'string') assert.equal(details[index], line)
      else assert.match(details.join('\n'), line)
    }
  }
})

test('a placeholder that was not filled in is reported in one line, and the library prints nothing', async () => {
  using folder = folderWith('repository:\n  name: {{ name }}\n')
  const ran = await reposmith(['repo', 'drift', '--json'], { cwd: folder.path })
  assert.equal(ran.code, 1)
  const { details = [] } = asJson<Failure>(ran.stderr)
  assert.match(details.join('\n'), /^.*repo\.yaml:2:3 repository\.name: must be text$/)
})

test('a file that is not UTF-8 is refused: the host would get other letters', async () => {
  using folder = temporaryFolder()
  const file = join(folder.path, 'repo.yaml')
  const source = 'repository: {name: widget, description: Café}\n'
  for (const encoding of ['latin1', 'utf16le'] as const) {
    writeFileSync(file, source, encoding)
    const read = await readManifest(file, { cwd: '/' })
    assert.ok(!read.ok, encoding)
    const { code, message, remediation } = read.error
    assert.deepEqual([code, message, remediation], [1, `${file} is not UTF-8`, 'save it as UTF-8'])
  }
  writeFileSync(file, source)
  assert.ok((await readManifest(file, { cwd: '/' })).ok)
})

test('a file that is too long is read only far enough to know', async () => {
  const read = await readManifest('/dev/zero', { cwd: '/' })
  assert.ok(!read.ok)
  assert.deepEqual(read.error.details, ['/dev/zero: is longer than 1024 KiB: shorten it'])
})

test('a manifest may not ask for what `repo create` refuses, nor for two environments of one name', async () => {
  const rows = [
    [
      'repository: {name: w}\nactions: {allow: ["octo/*"]}',
      /a list of allowed actions needs actions set to selected/,
    ],
    ['repository: {name: w, org: o, template: o/seed, license: mit}', /a template brings its own files/],
    ['repository: {name: w, visibility: internal}', /needs an organization/],
    ['repository: {name: o/w}', /or with org: in repo\.yaml/],
    [
      'repository: {name: w}\nenvironments: [{reviewers: ["a b"]}]',
      /"a b" is not a valid reviewer; write a login, or a team as org\/team$/,
    ],
    [
      'repository: {name: w}\nenvironments: [{index: index}, {name: index}]',
      /two environments are called index/,
    ],
    ['repository: {name: w}\nenvironments: [{index: index}, {name: Index}]', /two environments are called/],
    ['repository: {name: w}\nenvironments: [{workflow: a/b.yml}]', /is not the file name of a workflow/],
  ] as const
  for (const [source, says] of rows) {
    const read = parseManifest(source, 'f')
    assert.ok(read.ok, source)
    const checked = checkManifest(read.output)
    assert.ok(!checked.ok, source)
    assert.equal(checked.error.code, 1)
    assert.match(`${checked.error.message}; ${checked.error.remediation}`, says)
  }
  await using host = await startHost()
  using folder = folderWith(rows[0][0])
  for (const args of [['drift'], ['bootstrap', '--apply']]) {
    const ran = await reposmith(['repo', ...args], { url: host.url, cwd: folder.path })
    assert.equal(ran.code, 1, ran.stdout)
    assert.match(ran.stderr, rows[0][1])
  }
  assert.deepEqual(host.requests, [])
})

test('bootstrap does everything as one plan, continues after a failure, and then drift finds nothing', async () => {
  await using host = await startHost()
  using folder = folderWith(MANIFEST)
  const options = { url: host.url, cwd: folder.path, env: { PATH: `${folder.path}:/usr/bin:/bin` } }
  writeTool(join(folder.path, 'cookiecutter'), 'mkdir widget && touch widget/pyproject.toml')
  const apply = ['repo', 'bootstrap', '-f', 'repo.yaml', '--apply', '--json']

  host.fail({ on: 'PUT /repos/octo/widget/environments/release', status: 422 })
  const failed = await reposmith(apply, options)
  assert.equal(failed.code, 4)
  const { partial } = asJson<Failure>(failed.stderr)
  assert.deepEqual(partial?.applied, [
    'repo',
    'topics',
    'actions',
    'workflow-token',
    'scaffold',
    'init',
    'add',
    'commit',
    'remote',
    'push',
    'env:testindex',
  ])
  assert.equal(partial?.failed, 'env:release')

  const { in_sync, drift } = await succeed<Drifted>(DRIFT, options)
  assert.equal(in_sync, false)
  assert.deepEqual([...new Set(drift.map(({ at }) => at.split('/')[0]))], ['env:release'])

  const { plan, repo_url } = await succeed<Bootstrapped>(apply, options)
  assert.equal(repo_url, 'https://git.example.org/octo/widget')
  assert.equal(new Set(plan.steps.map(({ id }) => id)).size, plan.steps.length, 'main is asked for once')
  assert.deepEqual(
    plan.steps.filter(({ status }) => status === 'done').map(({ id }) => id),
    ['env:release', 'env:release/policy:branch:main', 'env:release/policy:tag:v*'],
  )

  const clean = await succeed<Drifted>(DRIFT, options)
  assert.deepEqual(clean, {
    success: true,
    in_sync: true,
    target: 'octo/widget',
    drift: [],
  })
})

test('an environment of the manifest that is called like an index is for that index, as with `repo env`', async () => {
  await using host = await startHost()
  using folder = folderWith(
    'repository: {name: widget, org: octo}\nenvironments: [{name: testindex}, {name: release}]\n',
  )
  const options = { url: host.url, cwd: folder.path }
  const { plan } = await succeed<Bootstrapped>(['repo', 'bootstrap', '--json'], options)
  const urls = plan.steps.flatMap((step) => (step.kind === 'manual' ? step.url : []))
  const page = 'https://test.pypi.org/manage/account/publishing/'
  assert.deepEqual(urls, [page, page.replace('test.', '')])
})

test('drift compares what the manifest names, and nothing else', async () => {
  await using host = await startHost()
  host.seed('octo/widget', { private: true, description: 'theirs', topics: ['old'] })
  const drift = async (source: string) => {
    using folder = folderWith(source)
    return await succeed<Drifted>(DRIFT, { url: host.url, cwd: folder.path })
  }
  assert.deepEqual((await drift('repository: {name: widget, org: octo}\n')).drift, [])
  assert.deepEqual((await drift('repository: {name: widget, org: octo}\nactions: {}\n')).drift, [])
  // They may be hidden from a token that may read the rest.
  assert.ok(!asked(host).includes('GET /repos/octo/widget/actions/permissions'))
  assert.deepEqual((await drift('repository: {name: widget, org: octo, visibility: public}\n')).drift, [
    { at: 'repository/visibility', from: 'private', to: 'public' },
  ])
  assert.deepEqual(
    (await drift('repository: {name: widget, org: octo}\nactions: {approve_prs: true}\n')).drift,
    [{ at: 'workflow-token/can_approve_pull_request_reviews', from: false, to: true }],
  )
  assert.deepEqual((await drift('repository: {name: gadget, org: octo}\n')).drift, [
    { at: 'repository', from: null, to: 'octo/gadget' },
  ])
  const selected = 'repository: {name: widget, org: octo}\nactions: {allowed: selected, allow: ["octo/*"]}\n'
  assert.deepEqual((await drift(selected)).drift, [
    { at: 'actions/enabled', from: false, to: true },
    { at: 'actions/allowed_actions', from: null, to: 'selected' },
    {
      at: 'actions:selected',
      from: null,
      to: { github_owned_allowed: true, verified_allowed: false, patterns_allowed: ['octo/*'] },
    },
  ])
  using hidden = folderWith(selected)
  host.fail({ on: 'GET /repos/octo/widget/actions/permissions', status: 404 })
  const unseen = await reposmith(['repo', 'drift', '--json'], { url: host.url, cwd: hidden.path })
  const { kind, message } = asJson<Failure>(unseen.stderr)
  assert.deepEqual([unseen.code, kind], [3, 'scope'])
  assert.match(message, /does not show this token the Actions permissions of octo\/widget$/)
  host.seed('octo/gadget')
  host.repos.delete('octo/widget')
  host.rename('octo/gadget', 'octo/widget')
  const renamed = await drift('repository: {name: gadget, org: octo}\n')
  assert.deepEqual(renamed.drift, [{ at: 'repository', from: 'octo/widget', to: 'octo/gadget' }])
  assert.equal(renamed.remediation, undefined)
  using folder = folderWith('repository: {name: gadget, org: octo}\n')
  const ran = await reposmith(['repo', 'bootstrap', '--apply'], { url: host.url, cwd: folder.path })
  assert.equal(ran.code, 1)
  assert.match(
    ran.stderr,
    /^error: octo\/gadget is called octo\/widget now\nhint: write that name in the manifest/,
  )
  assert.deepEqual(writes(host), [])
})

test('drift lists whom an environment lets release or approve besides, and leaves them to people', async () => {
  await using host = await startHost()
  const repo = host.seed('octo/widget')
  const policies = [
    { id: 1, name: 'main', type: 'branch' },
    { id: 2, name: '*', type: 'tag' },
  ]
  const reviewers = [{ type: 'User', id: 9 }]
  const mode = { protected_branches: false, custom_branch_policies: true }
  repo.environments.set('index', { body: { reviewers, deployment_branch_policy: mode }, policies })
  const drift = async (environment: string) => {
    using folder = folderWith(`repository: {name: widget, org: octo}\nenvironments: [${environment}]\n`)
    return await succeed<Drifted>(DRIFT, { url: host.url, cwd: folder.path })
  }
  assert.deepEqual((await drift('{index: index}')).drift, [])
  assert.deepEqual(await drift('{index: index, branches: [main], tags: [], reviewers: []}'), {
    success: true,
    in_sync: false,
    target: 'octo/widget',
    drift: [
      { at: 'env:index/reviewers', from: [{ type: 'User', id: 9 }], to: null },
      { at: 'env:index/policy:tag:*', from: '*', to: null },
    ],
    remediation: 'reposmith repo bootstrap -f repo.yaml --enforce --apply',
  })
})

test('too many together with the existing ones is refused before anything is sent', async () => {
  await using host = await startHost()
  const topics = Array.from({ length: 19 }, (_, index) => `topic-${index}`)
  const repo = host.seed('octo/widget', { topics })
  const reviewers = Array.from({ length: 6 }, (_, id) => ({ type: 'User', id }))
  repo.environments.set('index', { body: { reviewers }, policies: [] })
  for (const [rest, says] of [
    [', topics: [a, b]}', /add topics: with the present ones it would have 21, and at most 20 are allowed/],
    ['}\nenvironments: [{reviewers: [grace]}]', /index: with the present ones it would have 7 reviewers/],
  ] as const) {
    using folder = folderWith(`repository: {name: widget, org: octo${rest}`)
    const ran = await reposmith(['repo', 'bootstrap', '--apply'], { url: host.url, cwd: folder.path })
    assert.equal(ran.code, 1, ran.stdout)
    assert.match(ran.stderr, says)
  }
  assert.deepEqual(writes(host), [])
})

test('the command that drift suggests reaches the same host, and is given only if it fixes something', async () => {
  await using host = await startHost()
  const repo = host.seed('octo/widget', { private: true })
  const mode = { protected_branches: true, custom_branch_policies: false }
  repo.environments.set('index', { body: { deployment_branch_policy: mode }, policies: [] })
  const drift = async (rest: string) => {
    using folder = folderWith(`repository: {name: widget, org: octo${rest}`)
    const args = [...DRIFT, '--api-url', host.url]
    return await succeed<Drifted>(args, { cwd: folder.path, env: { CODEHOST_TOKEN: TOKEN } })
  }
  const topics = await drift(', topics: [cli]}')
  assert.equal(topics.remediation, `reposmith repo bootstrap -f repo.yaml --api-url ${host.url} --apply`)
  const left = await drift(', visibility: public}')
  assert.match(left.remediation ?? '', / --enforce --allow-public --apply$/, 'bootstrap alone leaves it')
  const refused = await drift('}\nenvironments: [{prevent_self_review: true}]')
  assert.deepEqual([refused.in_sync, refused.remediation], [false, undefined], 'bootstrap refuses it')
  assert.match(String(refused.drift.at(-1)?.from), /^nobody reviews it/)
})

test('a missing homepage is what bootstrap sets on Gitea: drift suggests it', async () => {
  await using host = await startHost({ prefix: '/api/v1' })
  using folder = folderWith('repository: {name: widget, org: octo, homepage: "https://w.example"}\n')
  host.seed('octo/widget')
  const options = { url: host.url, cwd: folder.path }
  const drift = async () => await succeed<Drifted>(DRIFT, options)
  const before = await drift()
  assert.deepEqual(
    [before.drift.map(({ at }) => at), before.remediation],
    [['repository/homepage'], 'reposmith repo bootstrap -f repo.yaml --apply'],
  )
  const ran = await reposmith(['repo', 'bootstrap', '--apply'], options)
  assert.equal(ran.code, 0, ran.stderr)
  assert.equal((await drift()).in_sync, true)
})

test('features that the host lacks count as drift', async () => {
  await using host = await startHost({ prefix: '/api/v1' })
  host.seed('octo/widget')
  using wanted = folderWith(
    'repository: {name: widget, org: octo}\nactions: {workflow_token: read}\nenvironments: [{reviewers: [nobody]}]\n',
  )
  const args = DRIFT
  const { in_sync, drift } = await succeed<Drifted>(args, { url: host.url, cwd: wanted.path })
  assert.deepEqual([in_sync, drift.map(({ at }) => at)], [false, ['actions', 'env:index']])
  using unasked = folderWith('repository: {name: widget, org: octo}\nactions: {}\n')
  const none = await reposmith(['repo', 'drift'], { url: host.url, cwd: unasked.path })
  assert.equal(none.stdout, 'octo/widget is as the manifest says.\n')

  host.repos.clear()
  const absent = async (cwd: string) => await succeed<Drifted>(args, { url: host.url, cwd })
  assert.equal((await absent(wanted.path)).remediation, undefined, 'bootstrap refuses it')
  assert.match(String((await absent(unasked.path)).remediation), /^reposmith repo bootstrap /)
})

test('drift says that a repository is missing, also where bootstrap would be refused for a reviewer', async () => {
  await using host = await startHost()
  using folder = folderWith('repository: {name: widget, org: octo}\nenvironments: [{reviewers: [nobody]}]\n')
  const options = { url: host.url, cwd: folder.path }
  const { drift, remediation } = await succeed<Drifted>(DRIFT, options)
  assert.deepEqual(drift, [{ at: 'repository', from: null, to: 'octo/widget' }])
  assert.equal(remediation, undefined)
})

test('the manifest that explain shows can be used as it stands', async () => {
  await using host = await startHost()
  const { markdown } = await succeed<{ markdown: string }>(['explain', 'repo.yaml', '--json'])
  const example = markdown.match(/^ {4}.*$/gm) ?? []
  using folder = folderWith(example.map((line) => line.slice(4)).join('\n'))
  writeTool(join(folder.path, 'cookiecutter'), 'exit 1')
  const options = { url: host.url, cwd: folder.path, env: { PATH: `${folder.path}:/usr/bin:/bin` } }
  const { plan } = await succeed<Bootstrapped>(['repo', 'bootstrap', '--json'], options)
  assert.ok(plan.steps.some(({ id }) => id === 'publisher:release'))
})

const REST = `merge: {squash: true, commit: false, delete_branch: true}
labels: [{name: bug, color: d73a4a, description: It is broken}, {name: idea}]
variables: {STAGE: test}
secrets: {INDEX_TOKEN: MY_TOKEN}
rulesets:
  - {name: tags, target: tag, include: ["v*"], rules: [deletion, update]}
  - {name: main, include: [~DEFAULT_BRANCH], rules: [non_fast_forward, {type: pull_request, parameters: {required_approving_review_count: 1}}]}
`

test('labels, merge settings, variables, secrets and rulesets are planned, applied and compared like the rest', async () => {
  await using host = await startHost()
  using folder = folderWith(`repository: {name: widget, org: octo}\n${REST}`)
  const options = { url: host.url, cwd: folder.path, env: { MY_TOKEN: 'hunter2-hunter2' } }
  const shown = await reposmith(['repo', 'bootstrap', '--json'], options)
  const { plan } = asJson<Bootstrapped>(shown.stdout)
  assert.deepEqual(writes(host), [])
  const ran = await reposmith(['repo', 'bootstrap', '--apply', '--json'], options)
  assert.equal(ran.code, 0, ran.stderr)
  assert.ok(!`${shown.stdout}${ran.stdout}`.includes('hunter2'))
  const sent = writes(host).filter(({ path }) => !path.includes('/secrets/'))
  assert.deepEqual(
    sent,
    planned({ plan }).filter(({ path }) => !path.includes('/secrets/')),
  )

  const repo = host.repos.get('octo/widget')
  assert.ok(repo)
  assert.deepEqual([repo.data['allow_merge_commit'], repo.variables.get('STAGE')], [false, 'test'])
  const sealed = Buffer.from(String(repo.secrets.get('INDEX_TOKEN')?.['encrypted_value']), 'base64')
  await sodium.ready
  const [key, secret] = [SEALING_KEY, SEALING_SECRET].map((half) => Buffer.from(half, 'base64'))
  assert.ok(key && secret)
  assert.equal(sodium.to_string(sodium.crypto_box_seal_open(sealed, key, secret)), 'hunter2-hunter2')

  host.requests.length = 0
  const { in_sync } = await succeed<Drifted>(['repo', 'drift', '--json'], { ...options, env: {} })
  assert.equal(in_sync, true)
  await succeed(['repo', 'bootstrap', '--apply', '--json'], options)
  assert.deepEqual(writes(host), [], 'a second run has nothing to send')

  Object.assign(repo.data, { allow_squash_merge: false })
  repo.labels.set('bug', { name: 'Bug', color: 'FFFFFF', description: null })
  repo.variables.set('STAGE', 'live')
  repo.secrets.clear()
  const tags = [...repo.rulesets.values()].find(({ name }) => name === 'tags')
  Object.assign(tags ?? {}, { enforcement: 'disabled' })
  const { drift } = await succeed<Drifted>(DRIFT, options)
  assert.deepEqual(
    drift.map(({ at, from, to }) => [at, from, to]),
    [
      ['merge/allow_squash_merge', false, true],
      ['label:bug/color', 'ffffff', 'd73a4a'],
      ['label:bug/description', '', 'It is broken'],
      ['label:bug/name', 'Bug', 'bug'],
      ['variable:STAGE/value', 'live', 'test'],
      ['secret:INDEX_TOKEN', null, 'set'],
      ['ruleset:tags/enforcement', 'disabled', 'active'],
    ],
  )
  await succeed(['repo', 'bootstrap', '--apply', '--json'], options)
  assert.equal((await succeed<Drifted>(DRIFT, options)).in_sync, true)
})

test('of what a manifest names nothing is created twice where an answer is lost', async () => {
  await using host = await startHost()
  using folder = folderWith(`repository: {name: widget, org: octo}\n${REST}`)
  const base = 'POST /repos/octo/widget'
  for (const kind of ['labels', 'actions/variables', 'rulesets'])
    host.fail({ on: `${base}/${kind}`, drop: 'after commit' })
  const options = { url: host.url, cwd: folder.path, env: { MY_TOKEN: 'x' } }
  await succeed(['repo', 'bootstrap', '--apply', '--json'], options)
  const repo = host.repos.get('octo/widget')
  assert.deepEqual([repo?.labels.size, repo?.variables.size, repo?.rulesets.size], [2, 1, 2])
  const sent = writes(host).filter(({ method }) => method === 'POST')
  assert.equal(sent.length, 6)
})

test('a secret whose variable is not set is refused before anything is sent', async () => {
  await using host = await startHost()
  using folder = folderWith('repository: {name: widget, org: octo}\nsecrets: {INDEX_TOKEN: MY_TOKEN}\n')
  const ran = await reposmith(['repo', 'bootstrap', '--apply'], { url: host.url, cwd: folder.path })
  assert.equal(ran.code, 1, ran.stdout)
  assert.match(ran.stderr, /MY_TOKEN is not set in the environment/)
  assert.deepEqual(writes(host), [])
})

test('what Reposmith cannot set on a host is blocked, each with a reason', async () => {
  await using host = await startHost({ prefix: '/api/v1' })
  using folder = folderWith(`repository: {name: widget, org: octo}\n${REST}`)
  const options = { url: host.url, cwd: folder.path, env: { MY_TOKEN: 'x' } }
  const { plan } = await succeed<Bootstrapped>(['repo', 'bootstrap', '--json'], options)
  const blocked = plan.steps.filter((step) => step.kind === 'blocked' && step.asked)
  assert.deepEqual(
    blocked.map(({ id }) => id),
    ['merge', 'labels', 'variables', 'secrets', 'rulesets'],
  )
  assert.equal((await reposmith(['repo', 'bootstrap', '--apply'], options)).code, 1)
})

test('a plan without rulesets is named as such, and the rest is done', async () => {
  await using host = await startHost({ plan: 'free' })
  using folder = folderWith(
    `repository: {name: widget, org: octo, visibility: private}\nvariables: {A: b}\n${REST.split('\n').slice(4).join('\n')}`,
  )
  const ran = await reposmith(['repo', 'bootstrap', '--apply', '--json'], { url: host.url, cwd: folder.path })
  const { kind, remediation, partial } = asJson<Failure>(ran.stderr)
  assert.deepEqual([ran.code, kind, partial?.failed], [4, 'plan', 'ruleset:tags'])
  assert.match(
    remediation,
    /the plan of its owner does not include this for a private repository: the rest works/,
  )
  assert.equal(host.repos.get('octo/widget')?.variables.get('A'), 'b')
})

test('--enforce makes a repository just what the manifest names; nothing else is touched', async () => {
  await using host = await startHost()
  const before = { private: true, description: 'theirs', homepage: 'https://old.example', topics: ['old'] }
  const repo = host.seed('octo/widget', before)
  repo.environments.set('index', {
    body: {
      wait_timer: 9,
      reviewers: [{ type: 'User', id: 9 }],
      deployment_branch_policy: { protected_branches: false, custom_branch_policies: true },
    },
    policies: [
      { id: 1, name: 'main', type: 'branch' },
      { id: 2, name: '*', type: 'tag' },
    ],
  })
  using folder = folderWith(
    'repository: {name: widget, org: octo, visibility: public, description: Ours, topics: [cli]}\n' +
      'environments: [{index: index, tags: ["v*"], reviewers: [grace]}]\n',
  )
  const options = { url: host.url, cwd: folder.path }
  const apply = ['repo', 'bootstrap', '--apply', '--json']
  // Without it, what is there is added to, and what differs is said.
  const { warnings } = await succeed<Bootstrapped>(apply, options)
  assert.equal(warnings.length, 2)
  assert.deepEqual([repo.data['private'], repo.data['topics']], [true, ['old', 'cli']])

  host.requests.length = 0
  const refused = await reposmith([...apply, '--enforce'], options)
  assert.deepEqual([refused.code, asJson<Failure>(refused.stderr).kind], [1, 'blocked'])
  assert.match(refused.stderr, /make it public: everybody could read it.*--allow-public/)
  assert.deepEqual(writes(host), [])

  assert.equal((await reposmith(['repo', 'drift'], options)).code, 5)
  await succeed([...apply, '--enforce', '--allow-public'], options)
  const { visibility, description, homepage, topics } = repo.data
  assert.deepEqual(
    [visibility, description, homepage, topics],
    ['public', 'Ours', 'https://old.example', ['cli']],
  )
  const environment = repo.environments.get('index')
  assert.equal(environment?.body['wait_timer'], 9, 'not named')
  assert.deepEqual(environment.body['reviewers'], [{ type: 'User', id: 41 }])
  assert.deepEqual(
    environment.policies.map(({ name }) => name).toSorted(),
    ['main', 'v*'],
    'branches are not named',
  )
  assert.equal((await reposmith(['repo', 'drift'], options)).code, 0)
})

test('drift exits with 5 for a difference, 0 with --exit-zero, and 4 when the host cannot be read', async () => {
  await using host = await startHost()
  using folder = folderWith('repository: {name: widget, org: octo}\n')
  const options = { url: host.url, cwd: folder.path }
  const codes = async (...flags: string[]) => {
    const { code, stderr } = await reposmith(['repo', 'drift', ...flags], options)
    return [code, stderr]
  }
  assert.deepEqual(await codes(), [5, ''], 'a repository that is missing is a difference')
  assert.deepEqual(await codes('--exit-zero', '--json'), [0, ''])
  host.fail({ on: 'GET /repos/octo/widget', status: 502, times: 9 })
  assert.equal((await codes('--max-wait', '0', '--exit-zero'))[0], 4)
})

test('a manifest extends another: groups by key, lists of named things by name', async () => {
  using folder = temporaryFolder()
  const write = (name: string, source: string): string => {
    writeFileSync(join(folder.path, name), source)
    return join(folder.path, name)
  }
  write('root.yaml', 'merge: {squash: true, rebase: false}\nlabels: [{name: bug, color: "000000"}]\n')
  write(
    'base.yaml',
    'extends: root.yaml\nrepository: {org: octo, topics: [a]}\nenvironments: [{index: index, tags: ["v*"]}]\n',
  )
  const file = write(
    'own.yaml',
    'extends: ./base.yaml\nrepository: {name: widget, topics: [b]}\nmerge: {rebase: true}\nlabels: [{name: Bug, description: x}, {name: idea}]\nenvironments: [{index: index, wait_minutes: 5}]\n',
  )
  const read = await readManifest(file, { cwd: '/' })
  assert.ok(read.ok)
  assert.deepEqual(read.output, {
    merge: { squash: true, rebase: true },
    labels: [{ name: 'Bug', color: '000000', description: 'x' }, { name: 'idea' }],
    repository: { org: 'octo', name: 'widget', topics: ['b'] },
    environments: [{ index: 'index', tags: ['v*'], wait_minutes: 5, workflow: 'publish.yml' }],
  })
  const wrongs = [
    ['extends: ./loop.yaml\nrepository: {name: x}\n', /extends itself/],
    ['extends: ./none.yaml\nrepository: {name: x}\n', /none\.yaml: there is no such file/],
    [
      'extends: ./base.yaml\nrepository: {nmae: x}\n',
      /loop\.yaml:2:14 repository\.nmae: unknown key: did you mean name\?/,
    ],
    ['extends: ./base.yaml\n', /loop\.yaml:1:1 repository\.name: is required/],
  ] as const
  for (const [source, says] of wrongs) {
    const wrong = await readManifest(write('loop.yaml', source), { cwd: '/' })
    assert.ok(!wrong.ok)
    assert.match([wrong.error.message, ...(wrong.error.details ?? [])].join('\n'), says)
  }
})
