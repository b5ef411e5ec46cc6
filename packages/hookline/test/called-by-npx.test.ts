import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hooklineBy, inShell } from './command.ts'
import { temporaryHome } from './rig.ts'

test('whoever calls it by npx is told what to type next', async (t) => {
  const home = temporaryHome(t)
  const byNpx = inShell('npm_command=exec exec "$@"')
  const { stderr } = await hooklineBy(byNpx, home, 'server', 'status')
  assert.match(stderr, /hint: start one: npx hookline server start\n$/)
  const json = await hooklineBy(byNpx, home, 'server', 'status', '--json')
  assert.match(json.stderr, /"start one: npx hookline server start"/)
  const plain = await hooklineBy([], home, 'server', 'status')
  assert.match(plain.stderr, /hint: start one: hookline server start\n$/)
})
