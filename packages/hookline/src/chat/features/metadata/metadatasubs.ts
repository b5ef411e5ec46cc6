// METADATA SUB, UNSUB and SUBS: the keys that a connection subscribed to. The list ends with the connection.
import { isMetadataKey } from '../../../irc/metadata.ts'
import * as numerics from '../../../irc/numerics.ts'
import { groupInLines } from '../../../irc/split.ts'
import type { Turn } from '../../command.ts'
import { exclude, include } from '../../emptycollections.ts'
import { codeOf, invalidKey } from './metadatafaults.ts'
import { EVERYTHING, tellLater } from './metadatasync.ts'

/** "The server MUST process each key in order", up to the first that there is no room for. */
export function subscribe(turn: Turn, keys: readonly string[], maxSubs: number): void {
  const { chat, session, fail } = turn
  const before = session.subscriptions.size
  const known: string[] = []
  let refused: string | undefined
  for (const key of keys) {
    if (!isMetadataKey(key)) session.send(invalidKey(turn, key))
    else if (session.subscriptions.size >= maxSubs && !session.subscriptions.has(key)) {
      refused = key
      break
    } else {
      session.subscriptions = include(session.subscriptions, key)
      known.push(key)
    }
  }
  tellKeys(turn, numerics.RPL_METADATASUBOK, known)
  if (refused !== undefined)
    fail(
      codeOf('subscriptions', session),
      [refused, String(maxSubs)],
      `You can subscribe to at most ${maxSubs} keys: UNSUB some first`,
    )
  // A client subscribes step by step, and then asks for everything at once.
  if (session.user !== undefined && session.subscriptions.size > before)
    tellLater(chat, session, EVERYTHING, 0)
}

export function unsubscribe(turn: Turn, keys: readonly string[]): void {
  const { session } = turn
  for (const key of keys) {
    if (!isMetadataKey(key)) session.send(invalidKey(turn, key))
    else session.subscriptions = exclude(session.subscriptions, key)
  }
  tellKeys(turn, numerics.RPL_METADATAUNSUBOK, keys.filter(isMetadataKey))
}

export function tellSubscriptions({ chat, session }: Turn): void {
  const lines = inLines([...session.subscriptions]).map((keys) =>
    chat.numeric(session, numerics.RPL_METADATASUBS, keys),
  )
  session.send(chat.batch({ type: 'metadata-subs', lines }))
}

function tellKeys({ reply }: Turn, numeric: numerics.Numeric, keys: readonly string[]): void {
  for (const line of inLines(keys)) reply(numeric, ...line)
}

/** A line has at most 15 parameters and 512 bytes. */
function inLines(keys: readonly string[]): string[][] {
  return groupInLines(keys, ({ length }) => length + 1, { bytes: 300, count: 12 })
}
