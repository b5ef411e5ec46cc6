// The end of one long life, in a process of its own: what the heap holds before its last part and after it, once everybody has
// left. By then all that is only made once has been made.
import { ROUNDS } from '../rounds.ts'
import { someActs } from './acts.ts'
import { House } from './house.ts'
import { someSettings } from './settings.ts'

const [BEGINNING, LAST] = ROUNDS > 1 ? [40, 10] : [12, 4]
const LINES = 1_000

const house = new House(someSettings(1), { keeps: false })
await live(1_000, BEGINNING)
const before = held()
await live(2_000, LAST)
process.stdout.write(JSON.stringify({ before, after: held() }))

async function live(seed: number, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await house.run(someActs(seed + round, LINES))
    house.leave()
  }
}

function held(): number {
  for (let times = 0; times < 3; times++) globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
