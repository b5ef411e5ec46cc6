// B15: whatever anybody sends, by seed: lines at the chat, requests at the webhooks. The server is in this process, so that its heap can be
// weighed; who sends is in another.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { restingBytes } from '../test/heap.ts'
import { type Rig, startRig, UNLIMITED } from '../test/rig.ts'
import { figure } from './figure.ts'

const BOT = 'spark-ori-ci'
const YAML = `bot: {name: ${BOT}, owner: spark-ori}\noutput: {channels: ["#a"], template: "{body.text}"}\n`

export interface Sent {
  readonly lines: number
  readonly requests: number
  readonly statuses: Readonly<Record<string, number>>
}

export default figure({
  id: 'B15',
  promise:
    'No line and no request, however broken, crashes the server, is answered 500, or leaves something behind',
  goal: '2,000,000 lines and 300,000 requests: no crash, no 500, the heap grows less than 1 MiB',
  // `warmUp` is a part of all: what is made only once has been made by then.
  small: { lines: 20_000, requests: 3_000, warmUp: 0.5 },
  whole: { lines: 2_000_000, requests: 300_000, warmUp: 0.2 },
  wholeMinutes: 30,
  async measure({ lines, requests, warmUp }, { seed }) {
    const crashes: unknown[] = []
    for (const kind of ['uncaughtException', 'unhandledRejection'] as const)
      process.on(kind, (error: unknown) => crashes.push(error))
    await using rig = await startRig({ config: UNLIMITED, bots: { [BOT]: YAML } })
    const ports = { ircPort: rig.ircPort, webhookPort: Number(new URL(rig.url).port) }
    const warm = await send({ ...ports, seed, lines: lines * warmUp, requests: requests * warmUp })
    await quiet(rig)
    const before = await restingBytes()
    const rest = 1 - warmUp
    const sent = await send({
      ...ports,
      seed: seed + 1_000_000,
      lines: lines * rest,
      requests: requests * rest,
    })
    await quiet(rig)
    const grown = ((await restingBytes()) - before) / 1_024 / 1_024
    const statuses = { ...warm.statuses }
    for (const [status, count] of Object.entries(sent.statuses))
      statuses[status] = (statuses[status] ?? 0) + count
    const failed = statuses['500'] ?? 0
    const kinds = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`)
    return {
      figure: `${warm.lines + sent.lines} lines and ${warm.requests + sent.requests} requests (${kinds.join(', ')}): ${crashes.length} crashes, ${failed} × 500, ${grown.toFixed(2)} MiB more`,
      isMet: crashes.length === 0 && failed === 0 && grown < 1,
    }
  },
})

export interface Order {
  readonly ircPort: number
  readonly webhookPort: number
  readonly seed: number
  readonly lines: number
  readonly requests: number
}

async function send(order: Order): Promise<Sent> {
  const child = fork(join(import.meta.dirname, 'b15/senders.ts'), [JSON.stringify(order)])
  const ended = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`the senders ended with ${code}`)),
  )
  const [sent] = (await Promise.race([once(child, 'message'), ended])) as [Sent]
  ended.catch(() => {})
  return sent
}

/** Until everybody has left. What the rig has written down is not the server's. */
async function quiet({ server, spoken }: Rig): Promise<void> {
  spoken.length = 0
  while (server.counts().connections > 0) await new Promise((resolve) => setTimeout(resolve, 20))
}
