// Ctrl-C and other signals: what was under way is finished or given up, nothing else is sent, and the command can be run again.
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { test } from 'node:test'
import type { Failure } from '../src/failure.ts'
import { count, startHost, type Fault, type TestHost } from './host.ts'
import { asJson, reposmith, reposmithProcess, type Ended } from './rig.ts'

const CREATE = ['repo', 'create', 'widget', '--org', 'octo']

test('exit 130: Ctrl-C gives up a request that does not end, and says how to continue', async () => {
  const seen = [[], ['--json']].map(async (flags) => {
    await using host = await startHost()
    const args = [...CREATE, '--apply', ...flags]
    const never = new Promise(() => undefined)
    const on = 'PUT /repos/octo/widget/actions/permissions'
    const ran = await interrupted(args, host, { on, until: never })
    assert.equal(ran.code, 130, ran.stderr)
    const resume = `reposmith ${args.join(' ')}`
    if (flags.length > 0) {
      const failure = asJson<Failure>(ran.stderr)
      assert.deepEqual([failure.code, failure.kind], [130, 'interrupted'])
      assert.deepEqual(failure.partial, {
        applied: ['repo'],
        failed: 'actions',
        not_reached: ['workflow-token'],
        resume,
      })
      assert.equal(asJson(ran.stdout)['success'], false)
    } else {
      assert.match(
        ran.stderr,
        /^stopping once .* finished\nerror: stopped while PUT .* was under way\n {2}applied: repo\n/,
      )
      assert.ok(ran.stderr.endsWith(`hint: continue with: ${resume}\n`))
      assert.match(ran.stdout, /create the repository octo\/widget {2}done/)
    }
    const after = await reposmith(args, { url: host.url })
    assert.equal(after.code, 0, 'the command that it named goes on')
  })
  await Promise.all(seen)
})

test('exit 130: Ctrl-C lets the current request finish, and starts no other', async () => {
  await using host = await startHost()
  const fault = { on: 'PUT /repos/octo/widget/actions/permissions' }
  const ran = await interrupted([...CREATE, '--apply'], host, fault)
  assert.equal(ran.code, 130, ran.stderr)
  assert.match(
    ran.stderr,
    /error: stopped; 2 of 3 steps were applied\n {2}applied: repo, actions\n {2}not reached: workflow-token\n/,
  )
  assert.deepEqual(host.repos.get('octo/widget')?.actions, { enabled: true, allowed_actions: 'all' })
  assert.ok(host.requests.every(({ path }) => !path.endsWith('/workflow')))
})

test('exit 130: Ctrl-C while the present state is read', async () => {
  for (const flag of ['--refresh', '--apply']) {
    await using host = await startHost()
    host.seed('octo/widget')
    const ran = await interrupted([...CREATE, flag], host, { on: 'GET /repos/octo/widget' })
    assert.deepEqual([ran.code, ran.stdout, host.requests.length], [130, '', 1])
    assert.match(ran.stderr, /^stopping once .*\nerror: stopped; nothing was applied\nhint: run it again\n$/)
  }
})

test('exit 130: Ctrl-C during the only request of a command that reads', async () => {
  for (const [args, on] of [
    [['whoami'], 'GET /user'],
    [[...CREATE, '--refresh'], 'GET /repos/octo/widget'],
  ] as const) {
    await using host = await startHost()
    const ran = await interrupted(args, host, { on })
    assert.deepEqual([ran.code, ran.stdout, host.requests.length], [130, '', 1])
    assert.match(ran.stderr, /^stopping once .*\nerror: stopped; nothing was applied\nhint: run it again\n$/)
  }
})

test('Ctrl-C: a request that failed meanwhile is not sent again', async () => {
  for (const on of ['POST /orgs/octo/repos', 'PUT /repos/octo/widget/actions/permissions']) {
    await using host = await startHost()
    const args = [...CREATE, '--apply']
    const ran = await interrupted(args, host, { on, status: 502 })
    assert.equal(ran.code, 4, ran.stderr)
    assert.match(ran.stderr, /answered 502.*\n/)
    assert.equal(count(host, on), 1)
    const after = await reposmith(args, { url: host.url })
    assert.equal(after.code, 0, after.stderr)
  }
})

test('exit 130: Ctrl-C, SIGTERM or SIGHUP ends the wait before another try at once, and nothing is sent again', async () => {
  // Long enough for a signal to come in time.
  const seconds = 40
  const [looked, created] = ['GET /repos/octo/widget', 'POST /orgs/octo/repos'] as const
  const set = 'PUT /repos/octo/widget/actions/permissions'
  const secondary = { message: 'You have exceeded a secondary rate limit' }
  const underWay = (on: string, rest: string) =>
    new RegExp(`^error: stopped while ${on} was under way\\n${rest}  not reached: `, 'm')
  const rows = [
    [looked, 502, /^error: stopped; nothing was applied\n/m],
    // A read has shown that it was not done.
    [created, 502, /^error: stopped; 0 of 3 steps were applied\n {2}not reached: repo, /m],
    [created, 429, underWay(created, '')],
    [created, 403, underWay(created, ''), secondary],
    [set, 502, underWay(set, '  applied: repo\\n'), undefined, 'SIGTERM'],
    [set, 429, underWay(set, '  applied: repo\\n'), undefined, 'SIGHUP'],
  ] as const
  const seen = rows.map(async ([on, status, says, body, signal = 'SIGINT' as const]) => {
    await using host = await startHost()
    host.fail({ on, status, headers: { 'retry-after': String(seconds) }, body })
    let typed = 0
    const onStart = (started: ChildProcess): void => {
      started.stderr?.on('data', (text) => {
        if (!String(text).includes(`waiting ${seconds} s`)) return
        typed = performance.now()
        started.kill(signal)
      })
    }
    const ran = await reposmithProcess([...CREATE, '--apply'], { url: host.url, onStart })
    assert.equal(ran.code, 130, ran.stderr)
    assert.ok(performance.now() - typed < (seconds * 1000) / 2, 'it waited to the end')
    assert.match(ran.stderr, says)
    assert.equal(count(host, on), 1)
  })
  await Promise.all(seen)
})

/** Runs it, and types Ctrl-C once a request has arrived, which is answered when it says that it saw the signal. */
async function interrupted(args: readonly string[], host: TestHost, fault: Fault): Promise<Ended> {
  const seen = Promise.withResolvers<void>()
  let child: ChildProcess | undefined
  const reached = (): void => void child?.kill('SIGINT')
  host.fail({ until: seen.promise, reached, ...fault })
  const onStart = (started: ChildProcess): void => {
    child = started
    started.stderr?.once('data', () => seen.resolve())
  }
  return await reposmithProcess(args, { url: host.url, onStart })
}
