// docs/performance.md: its commands are understood, and it tells of every measurement and only of files that are there.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { NAMES } from '../bench/arguments.ts'
import { MEASUREMENTS } from '../bench/measurements.ts'
import { blocksOf, tableOf } from './docs.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (file: string) => readFileSync(`${root}/${file}`, 'utf8')

test('every command of the page is one that the bench understands', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  for (const { info, line, lines } of blocksOf('performance')) {
    assert.equal(info, 'console bench', `performance.md:${line}`)
    for (const command of lines) {
      const [, script = '', rest = ''] =
        /^\$ (?:HOOKLINE_BENCH_PROFILE=\S+ )?npm run (\S+)(?: -- (.*))?$/.exec(command) ?? []
      const file = scripts[script]?.split(' ').at(-1)
      assert.ok(file?.startsWith('packages/hookline/bench/'), command)
      const args = rest.split(' ').filter((word) => word !== '')
      const { status, stderr } = spawnSync(process.execPath, [`${root}/${file}`, ...args, '--help'], {
        encoding: 'utf8',
      })
      assert.equal(status, 0, `${command}\n${stderr}`)
      const unknown = args.filter((word) => /^[a-z]/.test(word) && !NAMES.has(word))
      assert.deepEqual(unknown, script === 'bench:compare' ? unknown.slice(0, 1) : [], command)
    }
  }
})

test('the page has the figures of every measurement', () => {
  const told = tableOf('performance', 'measurement').map(([name = '']) => name.replaceAll('`', ''))
  assert.deepEqual(told, Object.keys(MEASUREMENTS))
})

test('the files that the page names exist', () => {
  const named = [...read('docs/performance.md').matchAll(/`((?:src|bench)\/[\w./-]+)`/g)].map(
    ([, file]) => file,
  )
  assert.ok(named.length > 3)
  for (const file of named) assert.ok(existsSync(`${root}/packages/hookline/${file}`), file)
})
