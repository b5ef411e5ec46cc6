// Every exchange of our own tests with their host: they are run once more, and the host records it.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Exchange } from '../test/host.ts'
import { temporaryFolder } from '../test/rig.ts'

/** Each exchange once, without those of Gitea, which has another API. */
export async function recordExchanges(): Promise<readonly Exchange[]> {
  using folder = temporaryFolder()
  const file = join(folder.path, 'exchanges')
  await runTests(file)
  const lines = new Set(readFileSync(file, 'utf8').trimEnd().split('\n'))
  return [...lines].map((line) => JSON.parse(line) as Exchange).filter(({ api }) => api !== '/api/v1')
}

async function runTests(file: string): Promise<void> {
  const tests = globSync(join(import.meta.dirname, '../test/*.test.ts')).filter((each) =>
    readFileSync(each, 'utf8').includes("from './host.ts'"),
  )
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const output = await new Promise<string>((resolve) => {
    const options = { env: { ...env, REPOSMITH_EXCHANGES: file }, maxBuffer: 2 ** 26 }
    const args = ['--test', `--test-concurrency=${availableParallelism()}`, ...tests]
    execFile(process.execPath, args, options, (error, stdout) =>
      resolve(error ? stdout.slice(stdout.indexOf('failing tests')) : ''),
    )
  })
  assert.equal(output, '', 'npm test has to pass first')
}
