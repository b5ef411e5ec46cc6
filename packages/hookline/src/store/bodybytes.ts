// How many bytes the bodies of deliveries take, without reading them all each time somebody asks.
import type { DatabaseSync } from 'node:sqlite'

export interface BodyBytes {
  /** More came, or (below 0) went. */
  add(bytes: number): void
  /** To be called when that is rolled back. */
  forget(): void
  /** As it was counted. The first time that it is asked for, and after `forget`, every row is read, though not the bodies themselves. */
  readonly total: number
}

export function bodyBytes(db: DatabaseSync): BodyBytes {
  const sum = db.prepare('SELECT coalesce(sum(length(body)), 0) AS bytes FROM deliveries')
  let known: number | undefined
  return {
    add: (bytes) => {
      if (known !== undefined) known += bytes
    },
    forget: () => {
      known = undefined
    },
    get total() {
      return (known ??= Number(sum.get()?.['bytes']))
    },
  }
}
