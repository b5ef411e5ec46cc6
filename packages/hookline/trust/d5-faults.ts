// D5: the nth system call on the database fails. Whatever the disk refuses, and whenever, nobody is told that it was done.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { openDatabase } from '../src/store/database.ts'
import { newFolder } from '../test/folder.ts'
import { cannotTrace } from '../test/strace.ts'
import { figure } from './figure.ts'

const CALLS = ['pwrite64', 'fsync,fdatasync', 'ftruncate', 'openat'] as const
/** One that has not ended by then hangs. */
const PATIENCE_MS = 60_000
const AT_ONCE = 2

export default figure({
  id: 'D5',
  promise:
    'Whichever write, sync, truncation or opening of the database fails: no acknowledged delivery is lost',
  goal: 'for each of the first 300 calls of each kind: 0 lost, 0 damaged files, it goes on or ends',
  small: { calls: 4, deliveries: 60 },
  whole: { calls: 300, deliveries: 700 },
  wholeMinutes: 40,
  async measure({ calls, deliveries }) {
    if (cannotTrace) return { figure: `not shown: ${cannotTrace}`, isMet: true }
    const trials = CALLS.flatMap((call) => Array.from({ length: calls }, (_, n) => ({ call, nth: n + 1 })))
    const seen = { injected: 0, ended: 0, wentOn: 0 }
    const wrong: string[] = []
    const work = async (): Promise<void> => {
      for (let next = trials.shift(); next; next = trials.shift()) {
        const { call, nth } = next
        const found = await fault(call, nth, deliveries)
        // It makes no more calls of that kind, so neither would a later fault be met.
        if (!found.isMet) {
          trials.splice(0, Infinity, ...trials.filter((trial) => trial.call !== call || trial.nth < nth))
          continue
        }
        seen.injected++
        if (found.code === 0) seen.wentOn++
        else seen.ended++
        wrong.push(...found.wrong.map((what) => `${call} ${nth}: ${what}`))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    const figure = `${seen.injected} faults: went on after ${seen.wentOn}, ended at ${seen.ended}; ${wrong.length} wrong`
    return {
      figure: [figure, ...wrong.slice(0, 3)].join('; '),
      isMet: wrong.length === 0 && seen.injected > 0,
    }
  },
})

interface Found {
  /** Whether the call was made at all. */
  readonly isMet: boolean
  readonly code: number | null
  readonly wrong: readonly string[]
}

async function fault(call: string, nth: number, deliveries: number): Promise<Found> {
  using folder = newFolder()
  const data = join(folder.path, 'data')
  const trace = join(folder.path, 'trace')
  openDatabase(data).close()
  const files = ['', '-wal', '-shm'].flatMap((end) => ['-P', join(data, `hookline.db${end}`)])
  const inject = ['-e', `trace=${call}`, '-e', `inject=${call}:error=EIO:when=${nth}`]
  const writer = join(import.meta.dirname, 'd5/writer.ts')
  const args = ['-f', '-o', trace, ...files, ...inject, process.execPath, writer, data, String(deliveries)]
  const child = spawn('strace', args, { stdio: ['ignore', 'pipe', 'ignore'], timeout: PATIENCE_MS })
  const exit = once(child, 'exit')
  const said = (await text(child.stdout)).trimEnd().split('\n')
  const [code] = (await exit) as [number | null]
  if (!readFileSync(trace, 'utf8').includes('(INJECTED)')) return { isMet: false, code, wrong: [] }
  const wrong: string[] = []
  if (code === null) wrong.push('it hung')
  // Once refused, it must not be refused for ever: one fault only is injected.
  if (code === 0 && said.at(-1) === 'refused') wrong.push('it never went on')
  return { isMet: true, code, wrong: [...wrong, ...flawsOf(data, said)] }
}

/** As the next start finds it. */
function flawsOf(data: string, said: readonly string[]): readonly string[] {
  try {
    const opened = openDatabase(data)
    const verdict = opened.db.prepare('PRAGMA integrity_check').get()?.['integrity_check']
    const rows = opened.db.prepare('SELECT text, count(*) AS times FROM history GROUP BY text').all()
    opened.close()
    const times = new Map(rows.map((each) => [String(each['text']), Number(each['times'])]))
    const lost = said.filter((id) => id.startsWith('d-') && times.get(id) !== 1).length
    return [
      ...(verdict === 'ok' ? [] : [`damaged: ${String(verdict)}`]),
      ...(lost > 0 ? [`${lost} acknowledged and lost`] : []),
    ]
  } catch (error) {
    return [`cannot be opened: ${String(error)}`]
  }
}
