// How many bytes the bodies of deliveries take, without reading them all each time somebody asks.
import type { DatabaseSync } from 'node:sqlite'

export interface BodyBytes {
  /** More came, or (below 0) went. What is rolled back stays counted until `measure`. */
  add(bytes: number): void
  /** As it was counted; measured when asked for the first time. */
  readonly total: number
  /** Reads every row, though not the bodies themselves. */
  measure(): number
}

export function bodyBytes(db: DatabaseSync): BodyBytes {
  const sum = db.prepare('SELECT coalesce(sum(length(body)), 0) AS bytes FROM deliveries')
  let known: number | undefined
  function measure(): number {
    known = Number(sum.get()?.['bytes'])
    return known
  }
  return {
    add: (bytes) => {
      if (known !== undefined) known += bytes
    },
    get total() {
      return known ?? measure()
    },
    measure,
  }
}
