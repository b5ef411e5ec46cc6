// The one order of everything that happens. In-process on one machine; on several an ordered stream may take its place.
import type { Entry, Event, Origin } from './events.ts'

export interface Stamp {
  readonly at: number
  readonly id: string
}

export interface Log {
  /** Appends an event. A stamp is given if it was made earlier, for a message whose record is on disk already. */
  append(event: Event, origin?: Origin, stamp?: Stamp): void
  /** Calls `reader` with every entry from `seq` on, in order, each once. Returns a function that stops it. */
  follow(seq: number, reader: (entry: Entry) => void): () => void
  /** The `seq` of the next entry. */
  readonly next: number
}

/**
 * In-process: all followers read an entry before `append` returns, and it is not kept. What a reader appends in turn waits until all
 * have read the current entry, so that all see one order. If a reader throws, the others still read that entry and what follows; then
 * `append` throws the first error.
 */
export function localLog(stamp: (event: Event) => Stamp): Log {
  const readers = new Set<(entry: Entry) => void>()
  const waiting: Entry[] = []
  let next = 0
  let isReading = false

  return {
    get next() {
      return next
    },
    append(event, origin, given) {
      const { at, id } = given ?? stamp(event)
      waiting.push({ seq: next++, at, id, origin, event })
      if (isReading) return
      isReading = true
      let fault: { readonly error: unknown } | undefined
      for (let entry = waiting.shift(); entry; entry = waiting.shift()) {
        for (const reader of readers) {
          try {
            reader(entry)
          } catch (error) {
            fault ??= { error }
          }
        }
      }
      isReading = false
      if (fault) throw fault.error
    },
    follow(seq, reader) {
      if (seq < next) throw new Error(`entry ${seq} is gone: this log keeps nothing`)
      readers.add(reader)
      return () => void readers.delete(reader)
    },
  }
}
