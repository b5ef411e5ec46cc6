// A server whose process is stuck: whoever asks it something is told so.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { connectControl } from '../src/control/client.ts'
import { startCommand } from './command.ts'
import { call } from './control.ts'
import { temporaryHome } from './rig.ts'

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
