// `hookline bot logs`: a bot's deliveries, and the server log's lines about it.
import { open } from 'node:fs/promises'
import { done } from '../../control/failure.ts'
import type { Home } from '../../home/home.ts'
import { isCode } from '../../failure/thrown.ts'
import { verb } from '../command.ts'
import { BOT_NAME, NEEDS_SERVER } from '../shared.ts'
import { inert, print, remark } from '../terminal.ts'
import { DELIVERY, type DeliveryView, LIMIT, viewDelivery, viewRefused } from './delivery.ts'

export default verb({
  details:
    'The last deliveries, and what was refused, with outcome, message and error, then what the server log says of the bot, such as what its handler printed. The log is a file only if the server was started with `--detach`.',
  arguments: [BOT_NAME],
  options: [LIMIT],
  changes: false,
  where: 'server',
  examples: [
    { run: 'hookline bot logs spark-ori-ghci', shows: 'what it received, what it said, what failed' },
  ],
  exits: { 1: 'no such bot', ...NEEDS_SERVER },
  output: { deliveries: [DELIVERY], log: ['text'] },

  needs: () => import('../bot/running/view.ts'),

  async run(context, { name, limit }, __, { noBot, viewBot }) {
    if (!viewBot(context, name)) return noBot(context, name)
    const { refused, store } = context.running
    const rows = await store.deliveries.list({ bot: name, limit })
    const deliveries = [
      ...rows.map(viewDelivery),
      ...(await refused.of(name)).map((each) => viewRefused(name, each)),
    ]
      .toSorted((a, b) => (a.received_at < b.received_at ? -1 : 1))
      .slice(-limit)
    const log = await linesAbout(context.home, name)
    return done({ deliveries, log: log.slice(-limit) })
  },

  show({ deliveries, log }) {
    print(deliveries.length ? deliveries.map(story).join('\n') : 'no deliveries yet')
    for (const line of log) print(inert(line))
    if (deliveries.length + log.length === 0)
      remark('server.log has nothing about it; a server started without --detach logs to stderr')
  },
})

/** With its full text and error. */
function story(delivery: DeliveryView): string {
  const { id, received_at: at, status, event, channels, text, error, attempts } = delivery
  const times = status === 'refused' && attempts > 1 ? `${attempts} times` : ''
  const head = [at, id, status, times, event ? inert(event) : '', inert(channels.join(' '))]
    .filter((some) => some !== '')
    .join('  ')
  const body = [text, error].flatMap((some) => (some === null ? [] : inert(some).trimEnd().split('\n')))
  return [head, ...body.map((line) => `  ${line}`)].join('\n')
}

/** The log may be large; only its last part is read. */
const LOG_BYTES = 512 * 1024

/** Lines of server.log about the bot, oldest first: `2026-04-03T09:15:00.000Z warn text`. */
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
    // In the foreground the server logs to its terminal.
    if (isCode(error, 'ENOENT')) return ''
    throw error
  }
}

/** As the server's log writes it. */
interface LogEntry {
  readonly time: string
  readonly level: number
  readonly bot?: string
  readonly msg: string
  readonly err?: { readonly message?: string }
  /** What a handler printed. */
  readonly line?: string
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

function formatEntry({ time, level, msg, err, line }: LogEntry): string {
  const what = err?.message === undefined ? msg : `${msg}: ${err.message}`
  return [time, LEVELS[level], what, ...(line === undefined ? [] : [line])].join(' ')
}
