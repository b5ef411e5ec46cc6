// What a command loads. Time is measured elsewhere; what costs time is counted here.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { bin } from './command.ts'

const SPY = `import { registerHooks } from 'node:module'
registerHooks({ load(url, context, next) {
  process.stderr.write(url + '\\n')
  return next(url, context)
} })`

for (const { args, packages } of [
  { args: ['--help'], packages: [] },
  { args: ['--version'], packages: [] },
  { args: ['bot', 'create', '--help'], packages: [] },
  { args: ['complete', '--', 'bot', ''], packages: ['@bomb.sh/tab'] },
  { args: ['learn'], packages: ['commander'] },
  { args: ['server', 'status'], packages: ['commander'] },
] as const) {
  test(`hookline ${args.join(' ')} loads ${packages.join() || 'no package'}`, () => {
    const spy = `data:text/javascript,${encodeURIComponent(SPY)}`
    const { stderr } = spawnSync(process.execPath, ['--import', spy, bin, ...args], {
      encoding: 'utf8',
      env: { ...process.env, HOOKLINE_HOME: '/nowhere' },
    })
    const named = [...stderr.matchAll(/\/node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/g)].map(([, name]) => name)
    assert.deepEqual([...new Set(named)], packages)
    assert.match(stderr, /\/hookline\/src\/cli\/help\.ts/)
  })
}
