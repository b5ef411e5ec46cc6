// How long a page of a long history takes. A script, so that each checkout's sources have a process to themselves:
// node pages.ts <checkout> <folder> <rows>
// The file is filled in the schema's own terms; what is measured is what the store's thread does for CHATHISTORY.
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { PageQuery } from '../src/store/historyrows.ts'

const CHANNELS = 100
const CORRESPONDENTS = 20
const PARTY = 'ada'
const SHARE_OF_CHANNELS = 95 // of a hundred rows; the others are direct messages
const ROWS_AT_ONCE = 500_000
const FIRST = Date.UTC(2024, 0, 1)
const STEP_MS = 5_000
const PAGES = 400
const LIMIT = 50

const [checkout = '', folder = '', rowsText = ''] = process.argv.slice(2)
const rows = Number(rowsText)
const { openDatabase } = await sourceOf<typeof import('../src/store/database.ts')>('database.ts')
const { pages } = await sourceOf<typeof import('../src/store/pages.ts')>('pages.ts')
const { targets } = await sourceOf<typeof import('../src/store/targets.ts')>('targets.ts')

const opened = openDatabase(folder)
fill(opened.db)
console.log(JSON.stringify(measure(opened.db)))
opened.close()

function measure(db: DatabaseSync): Record<string, number> {
  const page = pages(db)
  const list = targets(db)
  const now = FIRST + rows * STEP_MS
  const channels = Array.from({ length: CHANNELS }, (_, index) => ({ conversation: `#c${index}` }))
  const asking = (cut: (time: number) => PageQuery['cut']) => (turn: number) => {
    const time = FIRST + Math.floor(((turn * 7919) % PAGES) * (rows / PAGES)) * STEP_MS
    const sights = [channels[turn % CHANNELS]!]
    const found = page({ sights, cut: cut(time), limit: LIMIT, isWithEvents: false })
    return found?.length ?? 0
  }
  const everything = { channels, party: PARTY, first: 0, second: now + 1, limit: LIMIT }
  return {
    latest_ms: median(asking(() => ({ kind: 'newest' }))),
    before_ms: median(asking((time) => ({ kind: 'newest', before: { time } }))),
    after_ms: median(asking((time) => ({ kind: 'oldest', after: { time } }))),
    around_ms: median(asking((time) => ({ kind: 'around', middle: { time } }))),
    targets_ms: median(() => list(everything).length),
  }
}

/** Half of them were faster. Each must have found something. */
function median(ask: (turn: number) => number): number {
  const times = Array.from({ length: PAGES }, (_, turn) => {
    const start = performance.now()
    if (ask(turn) === 0 && turn > 0) throw new Error('an empty page')
    return performance.now() - start
  })
  return times.toSorted((one, other) => one - other)[PAGES / 2]!
}

function fill(db: DatabaseSync): void {
  const insert = db.prepare(`
    WITH RECURSIVE row (n) AS (SELECT :from UNION ALL SELECT n + 1 FROM row WHERE n + 1 < :to),
      placed (n, at, is_channel, place) AS (
        SELECT n, :first + n * ${STEP_MS}, (n * 31) % 100 < ${SHARE_OF_CHANNELS}, (n * 2654435761 >> 8) FROM row)
    INSERT INTO history (id, time, command, conversation, target, nick, mask, is_bot, text, tags)
    SELECT printf('%026d', n), at, 'PRIVMSG',
      iif(is_channel, '#c' || (place % ${CHANNELS}), '${PARTY} friend' || (place % ${CORRESPONDENTS})),
      iif(is_channel, '#c' || (place % ${CHANNELS}), '${PARTY}'),
      'ned', 'ned!ned@127.0.0.1', 0, 'the kettle is on, and the pot is warm; who has the milk? ' || n, '{}'
    FROM placed`)
  db.exec('PRAGMA synchronous = OFF')
  for (let from = 0; from < rows; from += ROWS_AT_ONCE)
    insert.run({ from, to: Math.min(from + ROWS_AT_ONCE, rows), first: FIRST })
  const meet = db.prepare('INSERT INTO correspondents (party, conversation) VALUES (?, ?)')
  for (let each = 0; each < CORRESPONDENTS; each++) meet.run(PARTY, `${PARTY} friend${each}`)
  db.exec('PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)')
}

function sourceOf<Module>(file: string): Promise<Module> {
  return import(pathToFileURL(`${checkout}/packages/hookline/src/store/${file}`).href) as Promise<Module>
}
