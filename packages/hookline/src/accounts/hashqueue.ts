// Hashing passwords costs processors and memory on purpose: it is done a few at a time.

/** Hashes at once: each may hold tens of MiB. The rest wait their turn. */
const AT_ONCE = 2
/** Past this many in line nobody may join it: at 25 ms each the last one has waited for some seconds. */
const LONGEST_LINE = 256

let running = 0
const line: (() => void)[] = []

/** Costly work, when it is its turn; undefined when the line is too long to join. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T | undefined> {
  if (line.length >= LONGEST_LINE) return undefined
  if (running >= AT_ONCE) await new Promise<void>((go) => line.push(go))
  else running++
  try {
    return await work()
  } finally {
    // Whoever is next takes the place over.
    const next = line.shift()
    if (next === undefined) running--
    else next()
  }
}
