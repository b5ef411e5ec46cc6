// What a crowd does. A script: node roles.ts <role> <options>, which takes its orders from the process that started it.
import { connect, type Socket } from 'node:net'
import { setInterval as every } from 'node:timers/promises'
import { gather } from './client.ts'
import { BOT } from './subject.ts'

/** What each role is told at first. */
export interface Orders {
  members: { readonly port: number; readonly count: number; readonly channel: string }
  readers: { readonly port: number; readonly count: number; readonly linesPerSecond: number }
  flood: { readonly port: number; readonly linesPerSecond: number }
  drip: { readonly port: number; readonly count: number }
}

type Acts = Readonly<Record<string, () => unknown>>

const ROLES: { readonly [Role in keyof Orders]: (options: Orders[Role]) => Promise<Acts> } = {
  /** People in a channel, who read. */
  async members({ port, count, channel }) {
    const clients = await gather(port, nicks('member', count), [channel])
    return { settle: () => Promise.all(clients.map((client) => client.settle())) }
  },

  /** Readers who stop reading when their channel becomes busy. */
  async readers({ port, count, linesPerSecond }) {
    const readers = await gather(port, nicks('slow', count), [BUSY])
    const [speaker] = await gather(port, ['speaker'], [BUSY])
    let cut = 0
    speaker?.listen((chunk) => (cut += chunk.toString('latin1').split(' :SendQ exceeded').length - 1))
    return {
      ignore: () => {
        for (const reader of readers) reader.ignore()
        const line = `PRIVMSG ${BUSY} :${'x'.repeat(400)}\r\n`
        void regularly(linesPerSecond, (lines) => speaker?.send(line.repeat(lines)))
      },
      tell: () => ({ cut_readers: cut }),
    }
  },

  /** One client that says more than a client may. */
  async flood({ port, linesPerSecond }) {
    const [client] = await gather(port, ['flood'], ['#flood'])
    let sent = 0
    return {
      flood: () =>
        void regularly(linesPerSecond, (lines) => {
          // What the server does not take yet stays here, as it would in the sender's own memory.
          if (client === undefined || client.isFull) return
          client.send('PRIVMSG #flood :flood\r\n'.repeat(lines))
          sent += lines
        }),
      tell: () => ({ sent_lines: sent }),
    }
  },

  /** Requests of which a byte comes each second; whoever is closed comes again, five to fifteen seconds later. */
  async drip({ port, count }) {
    const drips = new Set<Socket>()
    const open = (): void => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      socket.on('error', () => {})
      socket.on('close', () => {
        drips.delete(socket)
        setTimeout(open, (5 + Math.random() * 10) * SECOND_MS).unref()
      })
      socket.write(`POST /${BOT} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\nX-Slow: `)
      drips.add(socket)
    }
    return {
      drip: () => {
        for (let each = 0; each < count; each++) setTimeout(open, (each * SECOND_MS) / count)
        void regularly(1, () => drips.forEach((socket) => socket.write('x')))
      },
      tell: () => ({}),
    }
  },
}

const BUSY = '#busy'
const SECOND_MS = 1_000
const STEP_MS = 5

function nicks(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`)
}

/** Calls `act` with how many are due. */
async function regularly(perSecond: number, act: (count: number) => void): Promise<void> {
  let done = 0
  const start = performance.now()
  for await (const _ of every(STEP_MS)) {
    const due = Math.floor(((performance.now() - start) * perSecond) / SECOND_MS)
    if (due > done) act(due - done)
    done = due
  }
}

async function answer(run: () => unknown): Promise<void> {
  try {
    process.send?.({ value: await run() })
  } catch (error) {
    process.send?.({ fault: error instanceof Error ? error.message : String(error) })
  }
}

const [role = '', options = '{}'] = process.argv.slice(2)
const play = ROLES[role as keyof Orders] as (options: unknown) => Promise<Acts>
let acts: Acts = {}
await answer(async () => {
  acts = await play(JSON.parse(options))
})
process.on('message', (word: string) => void answer(async () => await acts[word]?.()))
