// What a crowd does. A script: node roles.ts <role> <options>, which takes its orders from the process that started it.
import { connect, type Socket } from 'node:net'
import { setInterval as every, setTimeout as wait } from 'node:timers/promises'
import { gather } from './client.ts'
import { BOT } from './subject.ts'

/** What each role is told at first. */
export interface Orders {
  members: { readonly port: number; readonly count: number; readonly channel: string }
  readers: { readonly port: number; readonly count: number; readonly linesPerSecond: number }
  /** One client unless told otherwise; together they send so many lines. */
  flood: { readonly port: number; readonly linesPerSecond: number; readonly count?: number }
  /** Every request drips as the next of `kinds` says, in its header unless told otherwise. */
  drip: { readonly port: number; readonly count: number; readonly kinds?: readonly Drip[] }
}

/** Where a request is slow: it sends a byte a second, or reads one. */
export type Drip = 'header' | 'body' | 'answer'

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

  /** Clients that say more than a client may. */
  async flood({ port, linesPerSecond, count = 1 }) {
    const clients = await gather(port, nicks('flood', count), ['#flood'])
    let sent = 0
    return {
      flood: () =>
        void regularly(linesPerSecond, (lines) => {
          for (const client of clients) {
            // What the server does not take yet stays here, as it would in the sender's own memory.
            if (client.isFull) continue
            client.send('PRIVMSG #flood :flood\r\n'.repeat(Math.ceil(lines / count)))
            sent += Math.ceil(lines / count)
          }
        }),
      tell: () => ({ sent_lines: sent }),
    }
  },

  /** Slow requests; whoever is closed comes again, five to fifteen seconds later. */
  async drip({ port, count, kinds = ['header'] }) {
    const drips = new Map<Socket, Drip>()
    let isOver = false
    const open = (kind: Drip): void => {
      if (isOver) return
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      socket.on('error', () => {})
      socket.on('close', () => {
        drips.delete(socket)
        setTimeout(() => open(kind), (5 + Math.random() * 10) * SECOND_MS).unref()
      })
      socket.write(BEGINNINGS[kind])
      if (kind !== 'answer') socket.resume()
      drips.set(socket, kind)
    }
    const step = (): void => {
      for (const [socket, kind] of drips) {
        if (kind === 'answer') socket.read(1)
        else socket.write('x')
      }
    }
    return {
      drip: () => {
        isOver = false
        for (let each = 0; each < count; each++) {
          const kind = kinds[each % kinds.length] ?? 'header'
          setTimeout(() => open(kind), (each * SECOND_MS) / count)
        }
        void regularly(1, step)
      },
      /** Nobody comes again. Resolves once the server has closed those that still send; others hang up. */
      end: async () => {
        isOver = true
        for (const [socket, kind] of drips) if (kind === 'answer') socket.destroy()
        const began = performance.now()
        while (drips.size > 0) await wait(50)
        return performance.now() - began
      },
      tell: () => ({}),
    }
  },
}

const BEGINNINGS: Readonly<Record<Drip, string>> = {
  header: `POST /${BOT} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\nX-Slow: `,
  body: `POST /${BOT} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{`,
  answer: 'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(20),
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
