import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

const PROGRAM = `
  import { getHeapStatistics } from 'node:v8'
  import { tidyAtRest } from ${JSON.stringify(import.meta.resolve('./rest.ts'))}
  tidyAtRest(16_000_000)
  let burst = Array.from({ length: 1_000_000 }, (_, i) => ({ i }))
  const grown = getHeapStatistics().total_heap_size
  burst = undefined
  const looking = setInterval(() => {
    if (getHeapStatistics().total_heap_size > grown / 2) return
    clearInterval(looking)
    console.log('smaller')
  }, 50)`
const IN_A_THREAD = `
  import { Worker } from 'node:worker_threads'
  new Worker(new URL(${JSON.stringify(`data:text/javascript,${encodeURIComponent(PROGRAM)}`)}))`

for (const [where, program] of [
  ['a process', PROGRAM],
  ['a thread beside others', IN_A_THREAD],
] as const) {
  test(`what a burst took is given back when ${where} rests, and it goes on`, async () => {
    // V8 itself is told to give nothing back.
    const node = ['--no-memory-reducer', '--input-type=module', '--eval', program]
    const { stdout } = await promisify(execFile)(process.execPath, node, { timeout: 60_000 })
    assert.equal(stdout, 'smaller\n')
  })
}
