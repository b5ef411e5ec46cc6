// Under strace: an acknowledgement leaves the process only after the fsync that put its delivery on the disk.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { post } from './post.ts'
import { temporaryHome, writeBots } from './rig.ts'
import { cannotTrace, startTraced } from './strace.ts'

const bot = 'spark-ori-ci'

test(
  'no answer precedes the fsync of its row, with 160 posts from 16 senders',
  { skip: cannotTrace, timeout: 300_000 },
  async (t) => {
    const home = temporaryHome(t)
    const file = `bot: {name: ${bot}, owner: spark-ori}\noutput: {channels: ["#log"], template: "{body.marker}"}\n`
    writeBots(home, { [bot]: file })
    const trace = join(home.folder, 'trace')
    const calls = 'trace=pwrite64,fsync,fdatasync,write,writev,sendto,sendmsg'
    const server = await startTraced(home, trace, '-y', '-s', '5000', '-e', calls)
    const markers = Array.from({ length: 160 }, (_, n) => `marker-${String(n).padStart(3, '0')}-end`)
    const waiting = [...markers]
    const sender = async (): Promise<void> => {
      for (let marker = waiting.pop(); marker !== undefined; marker = waiting.pop()) {
        assert.equal((await post(`${server.url}/${bot}`, { marker })).status, 200)
      }
    }
    await Promise.all(Array.from({ length: 16 }, sender))
    await server.stop()

    const events = parse(readFileSync(trace, 'utf8'))
    for (const marker of markers) assertOrder(events, marker)
  },
)

interface Event {
  readonly kind: 'logged' | 'synced' | 'answered'
  readonly text: string
  /** Lines of the trace where the call began and returned. */
  readonly from: number
  readonly to: number
}

/** Written to the log, then an fsync that began afterwards and returned before the answer began. */
function assertOrder(events: readonly Event[], marker: string): void {
  const logged = events.find(({ kind, text }) => kind === 'logged' && text.includes(marker))
  const answered = events.find(({ kind, text }) => kind === 'answered' && text.includes(marker))
  assert.ok(logged, `${marker} was never written to the log`)
  assert.ok(answered, `${marker} was never answered`)
  const synced = events.find(({ kind, from }) => kind === 'synced' && from > logged.to)
  assert.ok(synced && synced.to < answered.from, `${marker} was answered before its fsync`)
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
