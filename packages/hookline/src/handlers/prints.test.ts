import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Prints } from './prints.ts'

test('after a flood, output is logged again from the beginning of a line', async (t) => {
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const lines: unknown[] = []
  const log = { info: (data: object) => lines.push('line' in data && data.line), warn: () => {} }
  const pipe = new PassThrough()
  new Prints('spark-ori-ci', log).follow([pipe], 1 << 20, () => {})
  const print = async (text: string) => {
    pipe.write(text)
    await setImmediate()
  }

  await print('flood\n'.repeat(101) + 'a line of which the begi')
  assert.equal(lines.length, 100)
  now = 10_000
  await print('nning is not')
  await print(' logged\nnext\nla')
  await print('st\n')
  assert.deepEqual(lines.slice(100), ['next', 'last'])
})
