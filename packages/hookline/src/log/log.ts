// The server's log: JSON lines on stderr, or short lines if stderr is a terminal.
import pino from 'pino'
import { stripControls } from '../text/controlchars.ts'

/** What the rooms are given of it. */
export interface Log {
  debug(data: object, text: string): void
  info(data: object, text: string): void
  warn(data: object, text: string): void
  error(data: object, text: string): void
}

/** Fields that might carry a secret by mistake; they are removed. */
const SECRETS = ['secret', 'secrets', 'password', 'token', 'authorization', 'headers']

export function openLog(level: 'error' | 'warn' | 'info' | 'debug'): Log {
  const redact = { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), remove: true }
  const options = { level, redact, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  return process.stderr.isTTY
    ? pino(
        { ...options, level: level === 'info' ? 'warn' : level, timestamp: false },
        { write: (line: string) => void process.stderr.write(short(line)) },
      )
    : pino(options, standardError())
}

/** Lines that cannot be written are buffered up to this size; further ones are dropped. */
const WAITING_BYTES = 1024 * 1024

/**
 * The log is often on the disk that is full: a line that cannot be written goes out with the next one, and the server
 * goes on.
 */
function standardError(): pino.DestinationStream {
  const destination = pino.destination({ dest: 2, sync: true, maxLength: WAITING_BYTES })
  destination.on('error', () => undefined)
  return destination
}

/** `warn: a webhook was refused: 405 use POST (bot local-you-hello)` */
function short(line: string): string {
  const { level, msg = '', err, ...facts } = JSON.parse(line) as Written
  const why = err === undefined ? '' : `: ${err.message}`
  const about = Object.entries(facts)
    .map(([name, fact]) => `${name} ${String(fact)}`)
    .join(', ')
  const text = about === '' ? `${msg}${why}` : `${msg}${why} (${about})`
  return `${pino.levels.labels[level] ?? 'log'}: ${stripControls(text)}\n`
}

interface Written {
  readonly level: number
  readonly msg?: string
  readonly err?: { readonly message: string }
  readonly [fact: string]: unknown
}
