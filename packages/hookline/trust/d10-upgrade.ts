// D10: what is older than this version, and what was saved. An update that is cut off must cost nothing, and a backup is for the day on which
// all else is gone.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { openDatabase } from '../src/store/database.ts'
import { sizeOf } from '../src/store/check.ts'
import { migrations } from '../src/store/schema.ts'
import { hookline, startCommand } from '../test/command.ts'
import { accountOf, Crew, finish, newHome } from '../test/crew.ts'
import { newFolder } from '../test/folder.ts'
import { Chance } from '../test/fuzz/chance.ts'
import { temporaryHome } from '../test/rig.ts'
import { restore, type Rows, rowsOf } from '../test/upgrade/dump.ts'
import { figure } from './figure.ts'

const newest = migrations.length
/** A migration has written this much at most when it is killed, and has begun to. */
const MOST_BYTES = 8_000_000
const LEAST_BYTES = 100_000

export default figure({
  id: 'D10',
  promise:
    'An update that is killed leaves the database as it was; a backup of a busy server has all it had acknowledged',
  goal: 'from every released schema: 0 rows lost, 0 files damaged in 50 kills; 0 missing from a restored backup',
  small: { kills: 3, acknowledged: 60 },
  whole: { kills: 50, acknowledged: 2_000 },
  async measure({ kills, acknowledged }, { seed }) {
    const chance = new Chance(seed)
    const wrong: string[] = []
    for (let n = 0; n < kills; n++) {
      const version = 1 + (n % (newest - 1))
      const flaw = await killed(version, LEAST_BYTES + chance.below(MOST_BYTES))
      if (flaw !== undefined) wrong.push(`schema ${version}: ${flaw}`)
    }
    const restored = await backedUp(acknowledged)
    const figure = `${kills} kills from ${newest - 1} schemas, ${wrong.length} wrong; of a backup under load ${restored.had} restored, ${restored.missing} missing`
    return {
      figure: [figure, ...wrong.slice(0, 3)].join('; '),
      isMet: wrong.length === 0 && restored.had > 0 && restored.missing === 0,
    }
  },
})

/** What was wrong after the kill of a migration that had written so many bytes. */
async function killed(version: number, bytes: number): Promise<string | undefined> {
  using folder = newFolder()
  const data = folder.path
  const file = join(data, 'hookline.db')
  restore(version, data)
  const before = rowsIn(file)
  const child = spawn(process.execPath, [join(import.meta.dirname, '../test/upgrade/halfway.ts'), data], {
    stdio: 'ignore',
  })
  const exit = once(child, 'exit')
  while (child.exitCode === null && sizeOf(`${file}-wal`) < bytes) await wait(2)
  child.kill('SIGKILL')
  const [, signal] = (await exit) as [number | null, string | null]
  if (signal !== 'SIGKILL') return 'it ended by itself'
  if (!isDeepStrictEqual(rowsIn(file), before)) return 'its rows have changed'
  const opened = openDatabase(data)
  const after = rowsOf(opened.db)
  const sound = opened.db.prepare('PRAGMA integrity_check').get()?.['integrity_check']
  opened.close()
  if (sound !== 'ok') return `damaged: ${String(sound)}`
  const lost = Object.keys(before).filter((table) => !hasAll(after[table], before[table]))
  return lost.length > 0 ? `rows are missing from ${lost.join(', ')}` : undefined
}

function rowsIn(file: string): Rows {
  using db = new DatabaseSync(file)
  return rowsOf(db)
}

/** Each row with everything it had; it may have more now. */
function hasAll(after: Rows[string] = [], before: Rows[string] = []): boolean {
  return before.every((row, n) =>
    Object.entries(row).every(([column, value]) => isDeepStrictEqual(after[n]?.[column], value)),
  )
}

async function backedUp(acknowledged: number): Promise<{ had: number; missing: number }> {
  const home = newHome()
  const crew = new Crew()
  const file = join(home.folder, 'under-load.tar')
  let told: readonly string[]
  {
    await using server = await startCommand(home)
    crew.serverAt(server.url)
    const more = crew.acknowledged(acknowledged)
    while (crew.markers.size < acknowledged / 2) await wait(2)
    told = [...crew.markers]
    const { code, stderr } = await hookline(home, 'server', 'backup', file)
    if (code !== 0) throw new Error(stderr)
    await more
    crew.serverAt(server.url)
    await finish(crew, server)
  }
  const other = temporaryHome()
  const { code, stderr } = await hookline(other, 'server', 'restore', file, '--force')
  if (code !== 0) throw new Error(stderr)
  await using server = await startCommand(other)
  await server.stop()
  const { doubled, lost } = accountOf(crew, other)
  const missing = told.filter((marker) => lost.includes(marker)).length
  return { had: told.length, missing: missing + doubled.length }
}
