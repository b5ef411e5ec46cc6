// The one order of everything that happened. On one machine it is this; on several an ordered stream may stand here.
import type { Entry, Event, Origin } from './events.ts'

export interface Stamp {
  readonly at: number
  readonly id: string
}

export interface Log {
  /** Puts an event in its place. A stamp is given where it was made earlier, for a message whose record is on disk already. */
  append(event: Event, origin?: Origin, stamp?: Stamp): void
  /** Calls `reader` with every entry from `seq` on, in order, each once. Returns how to stop. */
  follow(seq: number, reader: (entry: Entry) => void): () => void
  /** The place that the next entry will have. */
  readonly next: number
}

/**
 * In-process: an entry is read by all followers before `append` returns, and is not kept. What a reader appends in turn waits until
 * everybody has read the entry at hand, so that all see one order. Where a reader throws the others still read it, and what follows;
 * then `append` throws the first error.
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
