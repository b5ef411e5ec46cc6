// What most commands need not load, and therefore must not: it would take longer than the command.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hooklineBy, inShell } from './command.ts'
import { startRig } from './rig.ts'

const HEAVY = ['croner', 'liquidjs', 'pino', 'prom-client', 'ws', 'yaml', 'zod']

test('commands of a running server, and hash-password, load no package but the one that reads the command line', async () => {
  await using rig = await startRig()
  const refusing = `import { registerHooks } from 'node:module'
registerHooks({ resolve(name, context, next) {
  if (${JSON.stringify(HEAVY)}.includes(name)) throw new Error(name + ' is loaded')
  return next(name, context)
} })`
  const by = inShell(
    `NODE_OPTIONS='--import data:text/javascript,${encodeURIComponent(refusing).replaceAll("'", '%27')}' exec "$@"`,
  )
  for (const args of [
    ['bot', 'list'],
    ['server', 'status'],
    ['history', '#tea'],
    ['server', 'hash-password', '--generate'],
  ])
    assert.deepEqual([(await hooklineBy(by, rig.home, ...args)).code, args], [0, args])
  const validated = await hooklineBy(by, rig.home, 'bot', 'validate')
  assert.match(validated.stderr, /(yaml|zod) is loaded/, 'or this test sees nothing')
})
