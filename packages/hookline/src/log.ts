// The server's log: JSON lines on stderr, or a short line each where a person watches.
import pino from 'pino'

export type Log = pino.Logger

/** Names under which a secret might be handed to the log by mistake. */
const SECRETS = ['secret', 'secrets', 'password', 'token', 'authorization', 'headers']

export function openLog(level: 'error' | 'warn' | 'info' | 'debug'): Log {
  const redact = { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), remove: true }
  const options = { level, redact, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  return process.stderr.isTTY
    ? pino(
        { ...options, level: level === 'info' ? 'warn' : level },
        { write: (line: string) => void process.stderr.write(short(line)) },
      )
    : pino(options, pino.destination({ dest: 2, sync: true }))
}

/** `warn: local-you-hello does not begin with …` */
function short(line: string): string {
  const { level, msg, err } = JSON.parse(line) as { level: number; msg?: string; err?: { message: string } }
  const why = err === undefined ? '' : `: ${err.message}`
  return `${pino.levels.labels[level] ?? 'log'}: ${msg ?? ''}${why}\n`
}
