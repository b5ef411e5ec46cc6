// Messages for somebody who was away, as the rooms above ask for them.
import type { KeptFor, KeptMessage } from './deliveryrows.ts'
import type { JobQueue } from './queue.ts'
import type { Recipients } from './recipients.ts'
import { keptValues } from './values.ts'

/** Promises resolve after COMMIT, and reject with a `StoreFailure`. */
export interface KeptStore {
  add(messages: readonly KeptMessage[]): Promise<void>
  /** What waits for a nick (folded), oldest first. */
  of(nick: string): Promise<KeptFor>
  /** They were handed over; `told` is how many dropped ones the nick has heard of. */
  done(nick: string, ids: readonly string[], told?: number): Promise<void>
}

export function keptStore(queue: JobQueue, recipients: Recipients): KeptStore {
  return {
    add: (messages) => {
      recipients.addAll(messages)
      return queue.write('keep', messages.map(keptValues), sizeOfKept(messages))
    },
    of: (nick) => recipients.of(nick, (each) => queue.read('kept', each)),
    done: (nick, ids, told = 0) => queue.write('kept.done', { nick, ids, told }),
  }
}

export function sizeOfKept(messages: readonly KeptMessage[]): number {
  return messages.reduce((size, message) => size + message.text.length, 0)
}
