// A server whose process is stuck: whoever asks it something is told so.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { untilGone } from '../src/cli/gone.ts'
import { connectControl } from '../src/control/client.ts'
import { startCommand } from './command.ts'
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
      assert.equal(answer.error.message, 'the server has not answered in 2 s')
      assert.match(answer.error.remediation, /its pid is in /)
    }

    server.child.kill('SIGCONT')
    assert.ok((await call(home, 'bot list', {})).ok)
  },
)

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
