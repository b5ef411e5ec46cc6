// A running total of the bytes that the bodies of deliveries take.
import type { DatabaseSync } from 'node:sqlite'
import { statements } from './rows.ts'

export interface BodyBytes {
  /** Bytes that were added, or (below 0) removed. */
  add(bytes: number): void
  /** To be called before COMMIT: writes the sum of the changes. */
  save(): void
  /** To be called when that is rolled back. */
  forget(): void
  readonly total: number
}

export function bodyBytes(db: DatabaseSync): BodyBytes {
  const rowsOf = statements(db)
  const saved = rowsOf<{ bytes: number }>('SELECT bytes FROM delivery_bodies')
  const change = db.prepare('UPDATE delivery_bodies SET bytes = bytes + ?')
  let unsaved = 0
  return {
    add: (bytes) => {
      unsaved += bytes
    },
    save: () => {
      if (unsaved !== 0) change.run(unsaved)
      unsaved = 0
    },
    forget: () => {
      unsaved = 0
    },
    get total() {
      return (saved.get()?.bytes ?? 0) + unsaved
    },
  }
}
