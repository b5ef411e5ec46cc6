// Whether an acknowledgement leaves the process only after the fsync that put its delivery on the disk: what strace saw.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { post } from './post.ts'
import { temporaryHome, writeBots } from './rig.ts'
import { startTraced } from './strace.ts'

const bot = 'spark-ori-ci'

/** Posts so many from 16 senders, and says which were answered out of order, and how. */
export async function answeredTooEarly(posts: number, t?: TestContext): Promise<readonly string[]> {
  const { trace, markers } = await recordCalls(posts, [], t)
  const events = parse(readFileSync(trace, 'utf8'))
  return markers.map((marker) => faultOf(marker, events)).filter((fault) => fault !== undefined)
}

/** The file that strace wrote, with further options of its own, and a word of each post. */
export async function recordCalls(
  posts: number,
  options: readonly string[] = [],
  t?: TestContext,
): Promise<{ readonly trace: string; readonly markers: readonly string[] }> {
  const home = temporaryHome(t)
  const file = `bot: {name: ${bot}, owner: spark-ori}\noutput: {channels: ["#log"], template: "{body.marker}"}\n`
  writeBots(home, { [bot]: file })
  const trace = join(home.folder, 'trace')
  const calls = 'trace=pwrite64,fsync,fdatasync,ftruncate,write,writev,sendto,sendmsg'
  const server = await startTraced(home, trace, '-y', '-s', '65536', '-e', calls, ...options)
  const markers = Array.from({ length: posts }, (_, n) => `marker-${String(n).padStart(5, '0')}-end`)
  const waiting = [...markers]
  const sender = async (): Promise<void> => {
    for (let marker = waiting.pop(); marker !== undefined; marker = waiting.pop()) {
      assert.equal((await post(`${server.url}/${bot}`, { marker })).status, 200)
    }
  }
  await Promise.all(Array.from({ length: 16 }, sender))
  await server.stop()
  return { trace, markers }
}

interface Event {
  readonly kind: 'logged' | 'synced' | 'answered'
  readonly text: string
  /** Lines of the trace where the call began and returned. */
  readonly from: number
  readonly to: number
}

/** Undefined if it was written to the log, then an fsync began afterwards and returned before the answer began; else what was not so. */
function faultOf(marker: string, events: readonly Event[]): string | undefined {
  const logged = events.find(({ kind, text }) => kind === 'logged' && text.includes(marker))
  const answered = events.find(({ kind, text }) => kind === 'answered' && text.includes(marker))
  if (!logged) return `${marker} was never written to the log`
  if (!answered) return `${marker} was never answered`
  const synced = events.find(({ kind, from }) => kind === 'synced' && from > logged.to)
  return synced && synced.to < answered.from ? undefined : `${marker} was answered before its fsync`
}

/** A line is `PID call(FD<path>, …) = n`, or in two: `PID call(… <unfinished ...>`, `PID <... call resumed>…`. */
function parse(trace: string): readonly Event[] {
  const events: Event[] = []
  const open = new Map<string, { text: string; from: number }>()
  for (const [at, line] of trace.split('\n').entries()) {
    const [, pid = '', rest = ''] = /^(\d+) +(.*)$/s.exec(line) ?? []
    if (rest.endsWith('<unfinished ...>')) {
      open.set(pid, { text: rest, from: at })
      continue
    }
    const begun = rest.startsWith('<...') ? open.get(pid) : undefined
    open.delete(pid)
    const text = (begun?.text ?? '') + rest
    const kind = kindOf(text)
    if (kind) events.push({ kind, text, from: begun?.from ?? at, to: at })
  }
  return events
}

function kindOf(text: string): Event['kind'] | undefined {
  if (/^pwrite64\(\d+<[^>]*hookline\.db-wal>/.test(text)) return 'logged'
  if (/^f(?:data)?sync\(\d+<[^>]*hookline\.db-wal>(?:\)| <unfinished ).*= 0$/.test(text)) return 'synced'
  return /^(?:write|writev|sendto|sendmsg)\(\d+<(?:socket|TCP)[^>]*>.*HTTP\/1\.1 200/.test(text)
    ? 'answered'
    : undefined
}
