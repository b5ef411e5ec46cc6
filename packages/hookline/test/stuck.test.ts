// A server whose process is stuck: whoever asks it something is told so.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { untilGone } from '../src/cli/untilexit.ts'
import { connectControl } from '../src/control/client.ts'
import { hookline, startCommand } from './command.ts'
import { call } from './control.ts'
import { post } from './post.ts'
import { temporaryHome, writeBots } from './rig.ts'

test(
  'every request to a stuck server, and every watch of it, gets an answer',
  { timeout: 120_000 },
  async (t) => {
    const home = temporaryHome(t)
    await using server = await startCommand(home)
    const connected = await connectControl(home, 2_000)
    assert.ok(connected.ok)
    const { client } = connected
    const watched = client.call('watch', {})
    assert.ok((await client.call('bot list', {})).ok)

    server.child.kill('SIGSTOP')
    while (!/^State:\s+T/m.test(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))) await wait(10)
    for (const answer of await Promise.all([watched, client.call('bot list', {})])) {
      assert.ok(!answer.ok)
      assert.deepEqual([answer.error.code, answer.error.kind], [2, 'unreachable'])
      assert.equal(answer.error.message, 'the server has not answered in 2 s: it was stopped by a signal')
      const hint = `let it go on: kill -CONT ${server.child.pid}; what was asked of it is done then`
      assert.equal(answer.error.remediation, hint)
    }

    server.child.kill('SIGCONT')
    assert.ok((await call(home, 'bot list', {})).ok)
  },
)

test('a call of a handler that is in progress while the server is stopped does not fail for that', async (t) => {
  const home = temporaryHome(t)
  writeFileSync(home.config, 'handlers: {timeout_ms: 1000}\nwebhooks: {answer_within_ms: 60000}\n')
  writeBots(home, {
    'spark-ori-ci': 'bot: {name: spark-ori-ci, owner: spark-ori}\n',
    'spark-ori-ci/handler.mjs': `import { existsSync, writeFileSync } from 'node:fs'
export const handle = async ({ n }) => {
  if (n === 2) {
    writeFileSync('${home.folder}/entered', '')
    while (!existsSync('${home.folder}/going')) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return 'said ' + n
}
`,
  })
  await using server = await startCommand(home)
  assert.equal((await post(`${server.url}/spark-ori-ci`, { n: 1 })).status, 200)
  const answer = post(`${server.url}/spark-ori-ci`, { n: 2 })
  while (!existsSync(join(home.folder, 'entered'))) await wait(1)
  server.child.kill('SIGSTOP')
  // Longer than it may take, and than a busy machine delays anything.
  await wait(2_500)
  server.child.kill('SIGCONT')
  // It was stopped, too, as when the machine sleeps: it answers only now.
  await post(`${server.url}/nobody`, {})
  writeFileSync(join(home.folder, 'going'), '')
  const { status, json } = await answer
  assert.deepEqual([status, json['message']], [200, 'said 2'])
})

test('a server whose control socket was removed is not taken for gone, and puts it back', async (t) => {
  const home = temporaryHome(t)
  await using server = await startCommand(home)
  const before = await connectControl(home)
  assert.ok(before.ok)
  rmSync(home.socket)
  const { code, stderr } = await hookline(home, 'server', 'start')
  const text = `error: a server is running in ${home.folder} (pid ${server.child.pid}), but its control socket ${home.socket} is gone\n`
  // Unless it was faster.
  assert.ok(stderr.startsWith(text) || stderr.startsWith('error: a server is already running'), stderr)
  assert.equal(code, 2)
  while (!existsSync(home.socket)) await wait(10)
  assert.equal((await hookline(home, 'server', 'status')).code, 0)
  assert.ok((await before.client.call('bot list', {})).ok, 'who was connected still is')
  before.client.close()
  assert.match(await server.stop(), /"msg":"the control socket was gone, and is put back"/)
  assert.ok(!existsSync(home.socket))
  // A pid that belongs to somebody else by now is none of a server.
  writeFileSync(home.pidFile, `${process.pid}\n`)
  const gone = await connectControl(home)
  assert.ok(!gone.ok && gone.error.kind === 'not_running')
})

test('a server that does not exit when it should is ended by the command of the hint', async (t) => {
  const home = temporaryHome(t)
  writeFileSync(home.config, 'webhooks: {answer_within_ms: 100}\n')
  writeBots(home, {
    'spark-ori-ci': 'bot: {name: spark-ori-ci, owner: spark-ori}\n',
    'spark-ori-ci/handler.mjs': 'export const handle = () => new Promise(() => setInterval(() => {}, 1e6))\n',
  })
  await using server = await startCommand(home)
  assert.equal((await post(`${server.url}/spark-ori-ci`, {})).status, 202)
  const stopping = await call(home, 'server stop', {})
  assert.ok(stopping.ok)
  const gone = await untilGone(stopping.output as { pid: number }, 100)
  assert.ok(!gone.ok)
  const [, command = ''] = /^end it: (.*)$/.exec(gone.error.remediation) ?? []
  assert.equal(spawnSync('sh', ['-c', command]).status, 0)
  assert.deepEqual(await server.exit, [null, 'SIGKILL'])
})
