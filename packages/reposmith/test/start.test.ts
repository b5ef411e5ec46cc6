// What a start loads. Time is measured elsewhere; what costs time is counted here.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { bin } from './rig.ts'

const SPY = `import { registerHooks } from 'node:module'
registerHooks({ resolve(name, context, next) {
  const found = next(name, context)
  process.stderr.write(found.url + '\\n')
  return found
} })`

const rows = [
  { args: ['--help'], packages: [], files: 15 },
  { args: ['--version'], packages: [], files: 16 },
  { args: ['repo', 'create', '--help'], packages: [], files: 15 },
  { args: ['learn'], packages: ['commander'], files: 40 },
  { args: ['repo', 'create', 'widget'], packages: ['commander'], files: 45 },
  { args: ['repo', 'env', 'octo/widget'], packages: ['commander'], files: 45 },
] as const

for (const { args, packages, files } of rows) {
  test(`reposmith ${args.join(' ')} loads ${packages.join() || 'no package'} and few files`, () => {
    const spy = `data:text/javascript,${encodeURIComponent(SPY)}`
    const { stdout, stderr } = spawnSync(process.execPath, ['--import', spy, bin, ...args], {
      encoding: 'utf8',
    })
    assert.notEqual(stdout, '')
    const loaded = [...new Set(stderr.trimEnd().split('\n'))]
    const named = loaded.flatMap((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? [])
    assert.deepEqual([...new Set(named)], packages)
    const own = loaded.filter((url) => url.includes('/reposmith/src/'))
    assert.ok(own.length > 3 && own.length <= files, `${own.length} files:\n${own.join('\n')}`)
  })
}
