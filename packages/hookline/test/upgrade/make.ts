// Makes the fixture of a schema version, for the upgrade test.
//   node scripts/run.mjs packages/hookline/test/upgrade/make.ts 4 [FILE]    writes v4.sql
// FILE is a hookline.db of that version, with a row in each table: best from a server of that version, used by hand for a minute.
// Without one the fixture of the version before is migrated; then INSERTs for the new tables are added by hand.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { migrations } from '../../src/store/schema.ts'
import { newFolder } from '../folder.ts'
import { dump, fixtureFile, restore, rowsOf } from './dump.ts'

const version = Number(process.argv[2])
const file = process.argv[3]
if (!Number.isInteger(version) || version < 1 || version > migrations.length)
  throw new Error(`say which version: 1 to ${migrations.length}`)
if (existsSync(fixtureFile(version)))
  throw new Error(`${fixtureFile(version)} is there already: fixtures do not change`)

using folder = newFolder()
using db = file === undefined ? migrated() : new DatabaseSync(file, { readOnly: true })
const found = Number(db.prepare('PRAGMA user_version').get()?.['user_version'])
if (found !== version) throw new Error(`${file} is of version ${found}`)
writeFileSync(fixtureFile(version), dump(db))
const empty = Object.entries(rowsOf(db)).flatMap(([table, rows]) => (rows.length === 0 ? [table] : []))
console.log(`wrote ${fixtureFile(version)}`)
if (empty.length > 0) console.log(`add an INSERT for: ${empty.join(', ')}`)

function migrated(): DatabaseSync {
  if (version > 1) restore(version - 1, folder.path)
  const made = new DatabaseSync(join(folder.path, 'hookline.db'))
  made.exec(migrations[version - 1] ?? '')
  made.exec(`PRAGMA user_version = ${version}`)
  return made
}
