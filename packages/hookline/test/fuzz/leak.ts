// Two halves of one long life, in a process of its own: what the heap holds after each, once everybody has left.
import { someActs } from './acts.ts'
import { House } from './house.ts'
import { someSettings } from './settings.ts'

const HALF = 10
const LINES = 1_000

const house = new House(someSettings(1), { keeps: false })
await live(1_000)
const before = held()
await live(2_000)
process.stdout.write(JSON.stringify({ before, after: held() }))

async function live(seed: number): Promise<void> {
  for (let round = 0; round < HALF; round++) {
    await house.run(someActs(seed + round, LINES))
    house.leave()
  }
}

function held(): number {
  for (let times = 0; times < 3; times++) globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
