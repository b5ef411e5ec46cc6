import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'

const PROGRAM = `
  import { getHeapStatistics } from 'node:v8'
  import { collectWhenIdle } from ${JSON.stringify(import.meta.resolve('./idlegarbage.ts'))}
  collectWhenIdle(16_000_000, 0)
  let burst = Array.from({ length: 1_000_000 }, (_, i) => ({ i }))
  const grown = getHeapStatistics().total_heap_size
  burst = undefined
  const looking = setInterval(() => {
    if (getHeapStatistics().total_heap_size > grown / 2) return
    clearInterval(looking)
    console.log('smaller')
  }, 50)`
const OF_A_START = `
  import { getHeapStatistics } from 'node:v8'
  import { collectWhenIdle } from ${JSON.stringify(import.meta.resolve('./idlegarbage.ts'))}
  // Large objects count at once, and not as V8 comes to them.
  let left = Array.from({ length: 4 }, () => new Array(2_000_000).fill(0))
  const grown = getHeapStatistics().total_heap_size
  left = undefined
  const startMs = 1_000
  let isDue = false
  setTimeout(() => { isDue = true }, startMs)
  collectWhenIdle(16_000_000, startMs)
  const looking = setInterval(() => {
    if (getHeapStatistics().total_heap_size > grown / 2) return
    clearInterval(looking)
    console.log(isDue ? 'smaller' : 'smaller at once')
  }, 50)`
const IN_A_THREAD = `
  import { Worker } from 'node:worker_threads'
  new Worker(new URL(${JSON.stringify(`data:text/javascript,${encodeURIComponent(PROGRAM)}`)}))`

// They mostly wait, so they do it side by side.
suite('memory is returned', { concurrency: true }, () => {
  for (const [when, program] of [
    ['that a burst has taken, when a process is idle', PROGRAM],
    ['that a burst has taken, when a thread beside others is idle', IN_A_THREAD],
    ['that is left over from the start, but later, since a burst usually follows', OF_A_START],
  ] as const)
    test(when, async () => assert.equal(await run(program), 'smaller\n'))
})

/** What the program prints. V8 itself is told to give nothing back. */
async function run(program: string): Promise<string> {
  const node = ['--no-memory-reducer', '--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, node, { timeout: 60_000 })
  return stdout
}
