// Those who send nonsense, in a process of their own: node senders.ts <order>.
import { connect } from 'node:net'
import { type Act, PLACES, someActs } from '../../test/fuzz/acts.ts'
import { Chance } from '../../test/fuzz/chance.ts'
import { Guest } from '../../test/fuzz/guest.ts'
import type { Order, Sent } from '../b15-fuzz.ts'
import { someRequest } from './requests.ts'

const order = JSON.parse(process.argv[2] ?? '{}') as Order
const ROUND = 2_500
/** Connections for requests at once. */
const CALLERS = 8

const statuses: Record<string, number> = {}
let requests = 0
const [lines] = await Promise.all([type(), ...Array.from({ length: CALLERS }, (_, n) => call(n))])
process.send?.({ lines, requests, statuses } satisfies Sent, () => process.exit(0))

async function type(): Promise<number> {
  let count = 0
  for (let round = 0; count < order.lines; round++, count += ROUND)
    await play(someActs(order.seed + round, ROUND))
  return count
}

/** Everybody types their part, waits for the others now and then, and leaves. What they read is not looked at: B3 does that. */
async function play(acts: readonly Act[]): Promise<void> {
  const guests: (Guest | undefined)[] = Array.from({ length: PLACES })
  for (const [i, act] of acts.entries()) {
    if (act.kind === 'send') {
      if (guests[act.place]?.isOpen !== true)
        guests[act.place] = await Guest.connect(order.ircPort, act.greeting)
      guests[act.place]?.send(act.bytes)
    } else if (act.kind === 'hang up') guests[act.place]?.socket.destroy()
    if (i % 50 === 0) await Promise.all(guests.map(async (guest) => guest?.settle()))
  }
  await Promise.all(guests.map(async (guest) => guest?.leave()))
}

async function call(caller: number): Promise<void> {
  const chance = new Chance(order.seed * CALLERS + caller)
  while (requests < order.requests) {
    requests++
    const status = await statusOf(someRequest(chance, 'spark-ori-ci'))
    statuses[status] = (statuses[status] ?? 0) + 1
  }
}

/** Of the first answer; `none` where the server closes without one. */
function statusOf(bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect({ port: order.webhookPort, host: '127.0.0.1', noDelay: true }).setEncoding(
      'latin1',
    )
    socket.on('data', (chunk: string) => (text += chunk))
    socket.on('error', () => {})
    socket.on('close', () => resolve(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 'none'))
    // The other half ends too: what is incomplete is not waited for.
    socket.end(bytes)
  })
}
