// From the process to the word that it is ready, with a thousand bots.
import type { Figures } from './figures.ts'
import { startSubject } from './subject.ts'

const BOTS = 1_000
const ROUNDS = 3

/** The middle of three. */
export async function measureStart(checkout: string): Promise<Figures> {
  const few = await startTimes(checkout, [])
  const many = await startTimes(
    checkout,
    Array.from({ length: BOTS }, (_, index) => `bench-you-b${index}`),
  )
  return { start_ms: many, empty_start_ms: few }
}

async function startTimes(checkout: string, bots: readonly string[]): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await using server = await startSubject(checkout, { bots })
    times.push(server.startMs)
  }
  return times.toSorted((one, other) => one - other)[1] ?? 0
}
