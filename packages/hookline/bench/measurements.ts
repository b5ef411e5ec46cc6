// What is measured, by name, and what its figures mean.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { atEnd } from './endings.ts'
import { measureFanout } from './fanout.ts'
import { measureHook } from './hook.ts'
import { measureIdle } from './idle.ts'

/** By key of FIGURES. */
export type Figures = Readonly<Record<string, number>>

export interface Measurement {
  readonly what: string
  /** Of the server in that folder. Throws where something was lost, doubled, out of order or too late. */
  readonly run: (checkout: string) => Promise<Figures>
}

export const MEASUREMENTS: Readonly<Record<string, Measurement>> = {
  parse: { what: 'a line becomes a message', run: (checkout) => words(checkout, 'parse') },
  format: { what: 'a message becomes a line, by capabilities', run: (checkout) => words(checkout, 'format') },
  'fanout-100': {
    what: 'a channel with 100 readers, 4 speakers, 64 messages under way',
    run: (checkout) => measureFanout(checkout, { receivers: 100, messages: 30_000 }),
  },
  'fanout-1000': {
    what: 'the same with 1,000 readers',
    run: (checkout) => measureFanout(checkout, { receivers: 1000, messages: 4_000 }),
  },
  'hook-8': {
    what: 'webhooks of 19 KB on 8 connections, to a channel with a reader',
    run: (checkout) => measureHook(checkout, { connections: 8, posts: 6_000 }),
  },
  'hook-64': {
    what: 'the same on 64 connections',
    run: (checkout) => measureHook(checkout, { connections: 64, posts: 12_000 }),
  },
  idle: { what: '1,000 clients that say nothing', run: measureIdle },
}

export interface Figure {
  readonly label: string
  readonly digits: number
  readonly better: 'more' | 'less'
}

export const FIGURES: Readonly<Record<string, Figure>> = {
  plain_ns: { label: 'ns without tags', digits: 0, better: 'less' },
  time_ns: { label: 'ns with server-time', digits: 0, better: 'less' },
  tagged_ns: { label: 'ns with all tags', digits: 0, better: 'less' },
  deliveries_per_s: { label: 'deliveries/s', digits: 0, better: 'more' },
  requests_per_s: { label: 'requests/s', digits: 0, better: 'more' },
  connects_per_s: { label: 'connects/s', digits: 0, better: 'more' },
  cpu_us_per_delivery: { label: 'µs CPU each', digits: 3, better: 'less' },
  cpu_us_per_request: { label: 'µs CPU each', digits: 0, better: 'less' },
  p50_ms: { label: 'ms p50', digits: 2, better: 'less' },
  p99_ms: { label: 'ms p99', digits: 2, better: 'less' },
  read_p50_ms: { label: 'ms p50 to the reader', digits: 2, better: 'less' },
  read_p99_ms: { label: 'ms p99 to the reader', digits: 2, better: 'less' },
  kib_per_client: { label: 'KiB a client', digits: 1, better: 'less' },
  resident_mb: { label: 'MiB in all', digits: 0, better: 'less' },
  idle_cpu_percent: { label: '% CPU idle', digits: 1, better: 'less' },
}

const WORDS_MS = 20_000

async function words(checkout: string, what: string): Promise<Figures> {
  const script = fileURLToPath(new URL('words.ts', import.meta.url))
  const child = spawn(process.execPath, [script, checkout, what], { stdio: ['ignore', 'pipe', 'inherit'] })
  const kill = atEnd(() => child.kill('SIGKILL'))
  const late = setTimeout(kill, WORDS_MS)
  const exited = once(child, 'exit') as Promise<[number | null]>
  const text = Buffer.concat(await child.stdout.toArray()).toString()
  const [code] = await exited
  clearTimeout(late)
  kill()
  if (code !== 0) throw new Error(`${what} of ${checkout} did not come to an end`)
  return JSON.parse(text) as Figures
}
