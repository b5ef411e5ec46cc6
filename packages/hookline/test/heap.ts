// How much memory is in use after a garbage collection.
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes of the heap, and of buffers outside it. */
export function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** The same, once what the last turns let go of is free, too: the least of several looks, until it falls no more. */
export async function restingBytes(): Promise<number> {
  let least = heldBytes()
  for (let looks = 0; looks < 4; looks++) {
    await setTimeout(250)
    const held = heldBytes()
    if (held < least - 10_000) looks = 0
    least = Math.min(least, held)
  }
  return least
}
