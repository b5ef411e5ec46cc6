// The server's log: JSON lines on stderr, or short lines if stderr is a terminal.
import pino from 'pino'
import { stripControls } from './controlchars.ts'

/** What the rooms are given of it. */
export interface Log {
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
        { ...options, level: level === 'info' ? 'warn' : level },
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

/** `warn: local-you-hello does not begin with …` */
function short(line: string): string {
  const { level, msg, err } = JSON.parse(line) as { level: number; msg?: string; err?: { message: string } }
  const why = err === undefined ? '' : `: ${err.message}`
  return `${pino.levels.labels[level] ?? 'log'}: ${stripControls(`${msg ?? ''}${why}`)}\n`
}
