// The property tests over generated repositories, with as many as it takes to meet what is rare.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

test('1,000 generated repositories are as the manifests that import writes of them', () => {
  const file = join(import.meta.dirname, '../test/many.test.ts')
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const ran = spawnSync(process.execPath, ['--test', '--test-name-pattern', 'generated repositories', file], {
    env: { ...env, REPOSMITH_REPOSITORIES: '1000' },
    encoding: 'utf8',
  })
  assert.equal(ran.status, 0, ran.stdout)
})
