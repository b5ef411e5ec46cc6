// A user that the system does not know, as in a container that runs as some number.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { hookline, hooklineBy, inShell, startBy } from './command.ts'
import { temporaryHome } from './rig.ts'

const NAMELESS = ['unshare', '--user', '--map-user=12345']
const skip =
  spawnSync('unshare', [...NAMELESS.slice(1), 'true']).status !== 0 && 'no user namespace here: needs unshare'

test('whoever speaks on the server of a user without a name has a nick', { skip }, async (t) => {
  const home = temporaryHome(t)
  await using server = await startBy(NAMELESS, home)
  const { code, stderr } = await hookline(home, 'send', '#tea', 'hello')
  assert.deepEqual([code, stderr], [0, 'sent to #tea as spark-user\n'])
  await server.stop()
})

test('whoever has no home folder is told to name one', { skip }, async (t) => {
  const by = [...NAMELESS, ...inShell('unset HOME HOOKLINE_HOME; exec "$@"')]
  const { code, stderr } = await hooklineBy(by, temporaryHome(t), 'bot', 'list')
  assert.match(
    stderr,
    /^error: .*homedir.*\nhint: .*; the system knows no home folder of this user: set HOOKLINE_HOME\n$/,
  )
  assert.equal(code, 2)
})
