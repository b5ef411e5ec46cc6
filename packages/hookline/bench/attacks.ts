// Clients and senders that do what breaks servers, from a process of their own, and what the others notice of it.
import { setTimeout as wait } from 'node:timers/promises'
import { startCrowd } from './crowd.ts'
import type { Figures } from './figures.ts'
import { gatherObservers } from './observers.ts'
import type { Orders } from './roles.ts'
import { startSubject } from './subject.ts'

const WARM_UP_MS = 2_000
const PHASE_MS = 8_000
/** An attack is looked at when the buffers of the system are full. */
const BEGIN_MS = 5_000

interface Attack<Role extends keyof Orders> {
  readonly role: Role
  readonly options: (ports: { ircPort: number; webhookPort: number }) => Orders[Role]
  /** What they are told when the calm is over. */
  readonly order: string
  readonly isFloodProtected: boolean
}

/** The same server and observers, first in calm and then under the attack. */
async function measureAttack<Role extends keyof Orders>(
  checkout: string,
  { role, options, order, isFloodProtected }: Attack<Role>,
): Promise<Figures> {
  await using server = await startSubject(checkout, { isFloodProtected })
  await using crowd = await startCrowd(role, options(server))
  const observers = await gatherObservers(server)
  await observers.observe(WARM_UP_MS)
  const calm = await observers.observe(PHASE_MS)
  const before = server.residentKiB() ?? 0
  await crowd.order(order)
  await wait(BEGIN_MS)
  const attacked = await observers.observe(PHASE_MS)
  const after = server.residentKiB() ?? 0
  const done = (await crowd.order('tell')) as Figures
  await observers.close()
  const [calmSaid, attackedSaid] = [calm, attacked].map(({ said }) => said.percentile(99)) as [number, number]
  const [calmPosted, attackedPosted] = [calm, attacked].map(({ posted }) => posted.percentile(99)) as [
    number,
    number,
  ]
  return {
    calm_p99_ms: calmSaid,
    attacked_p99_ms: attackedSaid,
    p99_growth: attackedSaid / calmSaid,
    calm_posted_p99_ms: calmPosted,
    attacked_posted_p99_ms: attackedPosted,
    posted_p99_growth: attackedPosted / calmPosted,
    failed_posts: attacked.failed,
    grown_mb: (after - before) / 1024,
    ...done,
  }
}

/** Flood protection is off: with it five hundred would have to speak. */
export function measureSlowReaders(checkout: string): Promise<Figures> {
  return measureAttack(checkout, {
    role: 'readers',
    options: ({ ircPort }) => ({ port: ircPort, count: 200, linesPerSecond: 2_000 }),
    order: 'ignore',
    isFloodProtected: false,
  })
}

export function measureFlood(checkout: string): Promise<Figures> {
  return measureAttack(checkout, {
    role: 'flood',
    options: ({ ircPort }) => ({ port: ircPort, linesPerSecond: 20_000 }),
    order: 'flood',
    isFloodProtected: true,
  })
}

export function measureDripping(checkout: string): Promise<Figures> {
  return measureAttack(checkout, {
    role: 'drip',
    options: ({ webhookPort }) => ({ port: webhookPort, count: 5_000 }),
    order: 'drip',
    isFloodProtected: true,
  })
}
