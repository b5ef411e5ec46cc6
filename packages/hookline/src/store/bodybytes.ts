// A running total of the bytes that the bodies and texts of deliveries take.
import type { DatabaseSync } from 'node:sqlite'
import { statements } from './rows.ts'

export interface BodyBytes {
  /** Bytes of bodies and of texts that were added, or (below 0) removed. */
  add(bodies: number, texts?: number): void
  /** To be called before COMMIT: writes the sum of the changes. */
  save(): void
  /** To be called when that is rolled back. */
  forget(): void
  readonly total: number
}

export function bodyBytes(db: DatabaseSync): BodyBytes {
  const rowsOf = statements(db)
  const saved = rowsOf<{ bytes: number }>('SELECT bytes + texts AS bytes FROM delivery_bodies')
  const change = db.prepare('UPDATE delivery_bodies SET bytes = bytes + ?, texts = texts + ?')
  let unsaved: Unsaved = NOTHING
  return {
    add: (bodies, texts = 0) => {
      unsaved = { bodies: unsaved.bodies + bodies, texts: unsaved.texts + texts }
    },
    save: () => {
      if (unsaved !== NOTHING) change.run(unsaved.bodies, unsaved.texts)
      unsaved = NOTHING
    },
    forget: () => {
      unsaved = NOTHING
    },
    get total() {
      return (saved.get()?.bytes ?? 0) + unsaved.bodies + unsaved.texts
    },
  }
}

interface Unsaved {
  readonly bodies: number
  readonly texts: number
}

const NOTHING: Unsaved = { bodies: 0, texts: 0 }
