// Nobody can slip in another tarball: each lockfile has the hash of each package, and `npm run check` sees to it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from './folder.ts'

const root = join(import.meta.dirname, '../../..')

function check(folder: string) {
  return spawnSync(process.execPath, [join(root, 'scripts/lockfiles.mjs'), folder], { encoding: 'utf8' })
}

test('every package of the four lockfiles has its hash', () => {
  const { status, stdout, stderr } = check(root)
  assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: '4 lockfiles, 0 faults\n', stderr: '' })
})

test('one hash less, of whichever lockfile, is told with its package', (t) => {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'runtime'))
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { integrity?: string; resolved?: string }>
  }
  delete lock.packages['node_modules/pino']?.integrity
  Object.assign(lock.packages['node_modules/zod'] ?? {}, { resolved: 'https://example.com/zod.tgz' })
  writeFileSync(join(folder, 'runtime/package-lock.json'), JSON.stringify(lock))
  const { status, stderr } = check(folder)
  assert.equal(status, 1)
  assert.match(stderr, /^error: runtime\/package-lock\.json: node_modules\/pino has no sha512 integrity$/m)
  assert.match(stderr, /^error: runtime\/package-lock\.json: node_modules\/zod has a resolved address$/m)
})
