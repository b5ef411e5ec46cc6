// Server bans for the rooms above: what UBAN does, without a connection.
import type { Chat } from './chat.ts'
import {
  type BanRequest,
  forgetBan,
  type ForgottenBan,
  connectionsMatching,
  saveBan,
  type SavedBan,
} from './features/serverban.ts'
import { bansOver } from './rules/serverban.ts'
import type { ServerBan } from './state.ts'

export interface BanList {
  all(): readonly ServerBan[]
  /** On disk before it resolves. `ended` is how many connections it ends. */
  add(
    request: BanRequest,
    by: string,
  ): Promise<
    Exclude<SavedBan, { ok: true }> | { readonly ok: true; readonly ban: ServerBan; readonly ended: number }
  >
  /** Undefined if there is no such ban. `over` are others that still mean everybody whom it meant. */
  remove(target: string): Promise<(ForgottenBan & { readonly over: readonly ServerBan[] }) | undefined>
}

export function banList(chat: Chat): BanList {
  return {
    all: () => [...chat.state.bans.values()],
    async add(request, by) {
      const saved = await saveBan(chat, request, { name: by })
      if (!saved.ok) return saved
      const ended = connectionsMatching(chat, saved.ban).length
      chat.propose({ kind: 'server.banned', ban: saved.ban })
      return { ...saved, ended }
    },
    async remove(text) {
      const forgotten = await forgetBan(chat, text)
      if (forgotten?.isSaved) chat.propose({ kind: 'server.unbanned', target: forgotten.target })
      return forgotten && { ...forgotten, over: bansOver(chat.state, forgotten) }
    },
  }
}
