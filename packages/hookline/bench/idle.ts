// A thousand clients that say nothing: what each of them costs.
import { setTimeout as wait } from 'node:timers/promises'
import { gather } from './client.ts'
import type { Figures } from './figures.ts'
import { startSubject } from './subject.ts'

const CLIENTS = 1000
const SETTLE_MS = 1000
const HOLD_MS = 5000

export async function measureIdle(checkout: string): Promise<Figures> {
  await using server = await startSubject(checkout)
  await wait(SETTLE_MS)
  const empty = server.residentKiB()
  const start = performance.now()
  const clients = await gather(
    server.ircPort,
    Array.from({ length: CLIENTS }, (_, index) => `idle${index}`),
  )
  const seconds = (performance.now() - start) / 1000
  await wait(SETTLE_MS)
  const full = server.residentKiB()
  const before = server.cpuSeconds()
  await wait(HOLD_MS)
  const after = server.cpuSeconds()
  if (clients.some((client) => client.isClosed)) throw new Error('an idle client was closed')
  await Promise.all(clients.map((client) => client.close()))
  return {
    connects_per_s: CLIENTS / seconds,
    ...(empty === undefined || full === undefined
      ? {}
      : { kib_per_client: (full - empty) / CLIENTS, resident_mb: full / 1024 }),
    ...(before === undefined || after === undefined
      ? {}
      : { idle_cpu_percent: ((after - before) / (HOLD_MS / 1000)) * 100 }),
  }
}
