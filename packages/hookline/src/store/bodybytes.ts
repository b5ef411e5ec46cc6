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
  /** Not saved yet. */
  let bodies = 0
  let texts = 0
  const forget = (): void => {
    bodies = 0
    texts = 0
  }
  return {
    add: (ofBodies, ofTexts = 0) => {
      bodies += ofBodies
      texts += ofTexts
    },
    save: () => {
      if (bodies !== 0 || texts !== 0) change.run(bodies, texts)
      forget()
    },
    forget,
    get total() {
      return (saved.get()?.bytes ?? 0) + bodies + texts
    },
  }
}
