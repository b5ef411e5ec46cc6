// Stores the server's bans.
import type { Chat } from '../chat/chat.ts'
import { liftExpired } from '../chat/features/serverban.ts'
import type { ServerBan } from '../chat/state.ts'
import type { World } from '../chat/world.ts'
import type { Log } from '../log/log.ts'
import type { Store } from '../store/store.ts'

const KIND = 'ban'

/** For the chat: resolves once on disk, or with false if the disk refused. */
export function banStore(store: Store, log: Log): NonNullable<World['bans']> {
  const save = async (key: string, json: string | null): Promise<boolean> => {
    try {
      await store.records.save([{ kind: KIND, key, json }])
      return true
    } catch (error) {
      log.warn({ err: error, ban: key }, 'a ban could not be written')
      return false
    }
  }
  return {
    save: (ban) => save(ban.target, JSON.stringify(ban)),
    remove: (target) => save(target, null),
  }
}

/** Restores the bans that have not expired, before anybody connects. */
export async function restoreBans(chat: Chat, store: Store): Promise<void> {
  for (const { json } of await store.records.all(KIND)) {
    chat.propose({ kind: 'server.banned', ban: JSON.parse(json) as ServerBan })
  }
  liftExpired(chat)
}
