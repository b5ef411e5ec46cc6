// A database as text, and back: what `sqlite3 file .dump` writes, as far as our files need it.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'

export type Rows = Readonly<Record<string, readonly Readonly<Record<string, SQLOutputValue>>[]>>

interface Thing {
  readonly type: string
  readonly name: string
  readonly sql: string
}

/** Tables, then their rows, then what hangs on them; last the version. */
export function dump(db: DatabaseSync): string {
  const things = thingsOf(db)
  const tables = things.filter(({ type }) => type === 'table')
  const others = things.filter(({ type }) => type !== 'table')
  const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version'])
  return [
    ...tables.map(({ sql }) => `${sql};`),
    ...tables.flatMap((table) => (isVirtual(table) ? configuration(db, table) : inserts(db, table))),
    ...others.map(({ sql }) => `${sql};`),
    `PRAGMA user_version = ${version};`,
    '',
  ].join('\n')
}

/** Makes the file of a fixture in a data folder. Its times are moved to now: what is old would be swept away. */
export function restore(version: number, folder: string): void {
  mkdirSync(folder, { recursive: true })
  const db = new DatabaseSync(join(folder, 'hookline.db'))
  db.exec(timesMoved(readFileSync(fixtureFile(version), 'utf8')))
  db.close()
}

export function fixtureFile(version: number): string {
  return join(import.meta.dirname, `v${version}.sql`)
}

/** What the file is made of, without SQLite's own, in an order of its own. */
export function schemaOf(db: DatabaseSync): readonly string[] {
  return thingsOf(db)
    .map(({ sql }) => sql.replaceAll(/\s+/g, ' '))
    .toSorted()
}

/** Every row of every table; of an index of words only that there is one. */
export function rowsOf(db: DatabaseSync): Rows {
  const tables = thingsOf(db).filter((thing) => thing.type === 'table' && !isVirtual(thing))
  return Object.fromEntries(tables.map(({ name }) => [name, db.prepare(`SELECT * FROM ${name}`).all()]))
}

function thingsOf(db: DatabaseSync): readonly Thing[] {
  const all = db
    .prepare(
      `SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid`,
    )
    .all() as unknown as readonly Thing[]
  // Tables that a virtual one keeps its own things in come with it.
  const virtual = all.filter(isVirtual)
  return all.filter(({ name }) => !virtual.some((each) => name.startsWith(`${each.name}_`)))
}

function isVirtual({ sql }: Thing): boolean {
  return /^CREATE VIRTUAL/i.test(sql)
}

/** Of an index of words: how it was set up. Its words cannot be read back, and the index is told to begin again. */
function configuration(db: DatabaseSync, { name }: Thing): readonly string[] {
  const set = db.prepare(`SELECT k, v FROM ${name}_config WHERE k <> 'version'`).all()
  return set.map(({ k, v }) => `INSERT INTO ${name} (${name}, rank) VALUES ('${String(k)}', ${String(v)});`)
}

function inserts(db: DatabaseSync, { name }: Thing): readonly string[] {
  const columns = db
    .prepare(`SELECT name FROM pragma_table_info(?)`)
    .all(name)
    .map((row) => `quote("${String(row['name'])}")`)
  const rows = db.prepare(`SELECT ${columns.join(` || ', ' || `)} AS row FROM ${name}`).all()
  return rows.map(({ row }) => `INSERT INTO ${name} VALUES (${String(row)});`)
}

/** Ms since 1970, of this decade and the next. */
const TIME = /\b1[789]\d{11}\b/g

function timesMoved(sql: string): string {
  const times = (sql.match(TIME) ?? []).map(Number)
  const newest = times.reduce((a, b) => Math.max(a, b), 0)
  const by = Date.now() - 60_000 - newest
  return sql.replaceAll(TIME, (time) => String(Number(time) + by))
}
