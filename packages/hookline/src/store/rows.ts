// Statements that return rows, with the type of a row. SQLite cannot say it; STRICT tables enforce the types of their columns.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

/** Rows have no prototype; on the way to another thread they get one. */
export interface Rows<Row> {
  get(...values: Values): Row | undefined
  all(...values: Values): Row[]
}

/** By position, or by name. */
type Values = readonly SQLInputValue[] | readonly [Readonly<Record<string, SQLInputValue>>]

/** `const rowsOf = statements(db)`, and then `rowsOf<Row>('SELECT …')` prepares one. */
export function statements(db: DatabaseSync): <Row>(sql: string) => Rows<Row> {
  return <Row>(sql: string) => db.prepare(sql) as unknown as Rows<Row>
}
