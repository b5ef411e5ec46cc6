// What a delivery costs when there is more of everything: members of a channel, channels.
import { measureFanout } from './fanout.ts'
import type { Figures } from './figures.ts'

const DELIVERIES = 2_000_000

/** The same number of deliveries each time. */
export async function measureMembers(checkout: string): Promise<Figures> {
  const costs: number[] = []
  for (const receivers of [100, 1_000, 10_000])
    costs.push(await costOf(checkout, { receivers, messages: DELIVERIES / receivers }))
  const [hundred = 0, thousand = 0, tenThousand = 0] = costs
  return {
    cpu_us_hundred: hundred,
    cpu_us_thousand: thousand,
    cpu_us_ten_thousand: tenThousand,
    growth: tenThousand / hundred,
  }
}

const READERS = 20

/** Readers who are in one channel, and in ten thousand that are spoken in by turns. */
export async function measureChannels(checkout: string): Promise<Figures> {
  const costs: number[] = []
  for (const count of [1, 100, 10_000]) {
    const channels = Array.from({ length: count }, (_, index) => `#c${index}`)
    costs.push(await costOf(checkout, { receivers: READERS, messages: MESSAGES, channels }))
  }
  const [one = 0, hundred = 0, tenThousand = 0] = costs
  return {
    cpu_us_one: one,
    cpu_us_hundred: hundred,
    cpu_us_ten_thousand: tenThousand,
    growth: tenThousand / one,
  }
}

const MESSAGES = 40_000

async function costOf(checkout: string, load: Parameters<typeof measureFanout>[1]): Promise<number> {
  const { cpu_us_per_delivery: cost } = await measureFanout(checkout, load)
  if (cost === undefined) throw new Error('the processor time of a process is known on Linux alone')
  return cost
}
