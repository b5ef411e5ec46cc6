// Debian's `gh` reads back, from the host, what Reposmith wrote there.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { startHost, TOKEN } from '../test/host.ts'
import { reposmith, temporaryFolder } from '../test/rig.ts'
import { startRelay } from './relay.ts'

const isMissing = spawnSync('gh', ['--version']).error !== undefined
const skip = isMissing && process.env['CI'] !== 'true' && 'install gh to run it'

test(
  'gh sees the repository, its permissions, its environment and every page of policies',
  { skip },
  async () => {
    assert.ok(!isMissing, 'gh must be there in CI')
    await using host = await startHost()
    host.pageSize = 1
    // For this host name gh speaks plain http, and finds no server but the proxy.
    await using relay = await startRelay(() => ({ to: host.url }), 'http://api.github.localhost')
    const apply = async (...args: string[]) => {
      const ran = await reposmith([...args, '--apply'], { url: host.url })
      assert.equal(ran.code, 0, ran.stderr)
    }
    await apply(
      'repo',
      'create',
      'widget',
      '--org',
      'octo',
      '--private',
      '--topic',
      'cli',
      '--homepage',
      'https://w.example',
    )
    await apply(
      'repo',
      'env',
      'octo/widget',
      '--branch',
      'main',
      '--tag',
      'v*',
      '--reviewer',
      'grace',
      '--wait-minutes',
      '5',
    )

    const read = (path: string, query: string) => gh(relay.url, 'api', '--paginate', path, '--jq', query)
    assert.equal(await read('user', '.login'), 'ada')
    const about = '[.full_name, .visibility, .homepage, (.topics | join(","))] | join(" ")'
    assert.equal(await read('repos/octo/widget', about), 'octo/widget private https://w.example cli')
    const permissions = 'repos/octo/widget/actions/permissions'
    assert.equal(await read(permissions, '[.enabled, .allowed_actions] | join(" ")'), 'true all')
    assert.equal(await read(`${permissions}/workflow`, '.default_workflow_permissions'), 'read')
    const environment = 'repos/octo/widget/environments/index'
    const rules = '.protection_rules[] | [.type, .wait_timer, (.reviewers // [])[].reviewer.id] | join(" ")'
    assert.equal(await read(environment, rules), 'wait_timer 5\nrequired_reviewers  41')
    const policies = `${environment}/deployment-branch-policies`
    assert.equal(
      await read(policies, '.branch_policies[] | [.type, .name] | join(" ")'),
      'branch main\ntag v*',
    )
    assert.equal(relay.passed.filter(({ path }) => path.includes('deployment-branch-policies')).length, 2)
  },
)

test('what gh made, Reposmith finds, and completes', { skip }, async () => {
  assert.ok(!isMissing, 'gh must be there in CI')
  await using host = await startHost()
  await using relay = await startRelay(() => ({ to: host.url }))
  await gh(relay.url, 'api', 'orgs/octo/repos', '-f', 'name=widget', '-F', 'private=true')
  const ran = await reposmith(
    ['repo', 'create', 'widget', '--org', 'octo', '--private', '--actions', 'all', '--apply'],
    {
      url: host.url,
    },
  )
  assert.equal(ran.code, 0, ran.stderr)
  assert.match(ran.stdout, /octo\/widget is there {2}already so/)
  assert.match(ran.stdout, /let all actions run {2}done/)
})

/** What it prints; with nothing of whoever runs the tests. */
async function gh(proxy: string, ...args: string[]): Promise<string> {
  using home = temporaryFolder()
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home.path,
    GH_CONFIG_DIR: home.path,
    GH_HOST: 'github.localhost',
    GH_TOKEN: TOKEN,
    GH_PROMPT_DISABLED: '1',
    GH_NO_UPDATE_NOTIFIER: '1',
    http_proxy: proxy,
  }
  return await new Promise((resolve, reject) => {
    execFile('gh', args, { env, cwd: home.path, timeout: 120_000 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`gh ${args.join(' ')}: ${stderr || error.message}`))
      else resolve(stdout.trimEnd())
    })
  })
}
