// Password hashing is expensive on purpose, so only a few run at a time.

/** Concurrent hashes: each may take tens of MiB. The rest wait their turn. */
const AT_ONCE = 2
/** Longest queue: at 25 ms each, the last one waits for some seconds. */
const LONGEST_LINE = 256

let running = 0
const line: (() => void)[] = []

/** Runs expensive work in its turn; undefined when the queue is full. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T | undefined> {
  if (line.length >= LONGEST_LINE) return undefined
  if (running >= AT_ONCE) await new Promise<void>((go) => line.push(go))
  else running++
  try {
    return await work()
  } finally {
    // The next one takes over the slot.
    const next = line.shift()
    if (next === undefined) running--
    else next()
  }
}
