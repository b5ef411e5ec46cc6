// What a command loads. Time is measured elsewhere; what costs time is counted here.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { bin, hooklineBy, inShell } from './command.ts'
import { startRig } from './rig.ts'

const SPY = `import { registerHooks } from 'node:module'
registerHooks({ load(url, context, next) {
  process.stderr.write(url + '\\n')
  return next(url, context)
} })`
const spy = `data:text/javascript,${encodeURIComponent(SPY).replaceAll("'", '%27')}`

for (const { args, packages } of [
  { args: ['--help'], packages: [] },
  { args: ['--version'], packages: [] },
  { args: ['bot', 'create', '--help'], packages: [] },
  { args: ['complete', '--', 'bot', ''], packages: ['@bomb.sh/tab'] },
  { args: ['learn'], packages: ['commander'] },
  { args: ['server', 'status'], packages: ['commander'] },
  { args: ['server', 'hash-password', '--generate'], packages: ['commander'] },
] as const) {
  test(`hookline ${args.join(' ')} loads ${packages.join() || 'no package'}`, () => {
    const stderr = loadedBy(args)
    assert.deepEqual(packagesIn(stderr), packages)
    assert.match(stderr, /\/hookline\/src\/cli\/help\.ts/)
  })
}

test('where a server runs, it has what reads bots, and the command loads none of that', async () => {
  await using rig = await startRig()
  const by = inShell(`NODE_OPTIONS='--import ${spy}' exec "$@"`)
  for (const args of [
    ['bot', 'list'],
    ['history', '#tea'],
  ]) {
    const { code, stderr } = await hooklineBy(by, rig.home, ...args)
    assert.deepEqual([code, packagesIn(stderr)], [0, ['commander']], args.join(' '))
  }
})

function packagesIn(loaded: string): readonly string[] {
  const named = loaded.matchAll(/\/node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/g)
  return [...new Set(Array.from(named, ([, name = '']) => name))]
}

test('of the languages that zod speaks, English alone is loaded', () => {
  const languages = loadedBy(['bot', 'list']).matchAll(/\/zod\/v4\/locales\/([\w-]+)\.js/g)
  assert.deepEqual(
    Array.from(languages, ([, language]) => language),
    ['en'],
  )
})

function loadedBy(args: readonly string[]): string {
  const env = { ...process.env, HOOKLINE_HOME: '/nowhere' }
  return spawnSync(process.execPath, ['--import', spy, bin, ...args], { encoding: 'utf8', env }).stderr
}
