// `bot deliveries|replay|logs`: what came to the bots, and what became of it.
import { open } from 'node:fs/promises'
import type { Home } from '../../home.ts'
import type { Desk } from '../desk.ts'
import { done, notRunning, wrong, type Answer } from '../failure.ts'
import type { Input } from '../operations.ts'
import type { DeliveryView, Outputs, Replayed } from '../outputs.ts'
import { noBot, viewBot, viewDelivery } from './view.ts'

export async function listDeliveries(
  desk: Desk,
  { name, failed, limit }: Input<'bot deliveries'>,
): Promise<Answer<readonly DeliveryView[]>> {
  if (!desk.running) return notRunning(desk.home.folder)
  if (name !== undefined && !viewBot(desk, name)) return noBot(desk, name)
  const query = { ...(name === undefined ? {} : { bot: name }), failed: failed === true, limit }
  const rows = await desk.running.store.deliveries.list(query)
  return done(rows.map(viewDelivery))
}

export async function showLogs(
  desk: Desk,
  { name, limit }: Input<'bot logs'>,
): Promise<Answer<Outputs['bot logs']>> {
  if (!desk.running) return notRunning(desk.home.folder)
  if (!viewBot(desk, name)) return noBot(desk, name)
  const rows = await desk.running.store.deliveries.list({ bot: name, limit })
  const log = await linesAbout(desk.home, name)
  return done({ deliveries: rows.map(viewDelivery), log: log.slice(-limit) })
}

/** Runs again, and what came of it is the answer: `failed` again is a failure here too. */
export async function replayDelivery(
  { running, home }: Desk,
  { id }: Input<'bot replay'>,
): Promise<Answer<Replayed>> {
  if (!running) return notRunning(home.folder)
  const row = await running.store.deliveries.get(id)
  if (!row)
    return wrong('not_found', `there is no delivery ${JSON.stringify(id)}`, 'see: hookline bot deliveries')
  if (row.body === null) {
    return wrong('refused', `the body of ${id} is no longer kept`, 'ask the sender to deliver it again')
  }
  await running.deliveries.replay(id)
  const after = await running.store.deliveries.get(id)
  if (after?.status === 'failed') {
    const [first = 'no reason is recorded', ...more] = (after.error ?? '').split('\n')
    return wrong('handler_failed', `${id} failed again: ${first}`, `see: hookline bot logs ${row.bot}`, more)
  }
  return done({
    id,
    status: after?.status ?? 'pending',
    message: after?.text ?? null,
    channels: after?.channels ?? [],
  })
}

/** The log grows without end; the last part of it is what somebody wants to see. */
const LOG_BYTES = 512 * 1024

/** Lines of server.log that belong to the bot, oldest first: `2026-04-03T09:15:00.000Z warn text`. */
async function linesAbout(home: Home, bot: string): Promise<readonly string[]> {
  const text = await tail(home.logFile)
  return text.split('\n').flatMap((line) => {
    const entry = parseEntry(line)
    return entry?.bot === bot ? [formatEntry(entry)] : []
  })
}

async function tail(path: string): Promise<string> {
  try {
    await using file = await open(path, 'r')
    const { size } = await file.stat()
    const start = Math.max(0, size - LOG_BYTES)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start)
    return buffer.toString('utf8', 0, bytesRead)
  } catch (error) {
    // Started in the foreground, the server logs to its terminal.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

interface LogEntry {
  readonly bot?: unknown
  readonly time?: unknown
  readonly level?: unknown
  readonly msg?: unknown
  readonly line?: unknown
}

function parseEntry(line: string): LogEntry | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    return JSON.parse(line) as LogEntry
  } catch {
    return undefined
  }
}

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
}

function formatEntry({ time, level, msg, line }: LogEntry): string {
  const at = typeof time === 'number' ? new Date(time).toISOString() : String(time)
  const word = typeof level === 'number' ? (LEVELS[level] ?? String(level)) : String(level)
  return [at, word, String(msg), ...(typeof line === 'string' ? [line] : [])].join(' ')
}
