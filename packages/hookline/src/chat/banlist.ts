// Server bans for the rooms above: what UBAN does, without a connection.
import { type BanRequest, meantBy, planBan } from './features/serverban.ts'
import { banTarget } from './rules/serverban.ts'
import type { Chat } from './spine.ts'
import type { ServerBan } from './state.ts'

export interface BanList {
  all(): readonly ServerBan[]
  /** On disk before it resolves. `ended` is how many connections it ends; `reason` undefined: the disk refused it. */
  add(
    request: BanRequest,
    by: string,
  ): Promise<
    | { readonly ok: true; readonly ban: ServerBan; readonly ended: number }
    | { readonly ok: false; readonly reason: string | undefined }
  >
  /** The target as stored; undefined if there is no such ban. */
  remove(target: string): Promise<{ readonly target: string | undefined; readonly isSaved: boolean }>
}

export function banList(chat: Chat): BanList {
  const { bans } = chat.world
  return {
    all: () => [...chat.state.bans.values()],
    async add(request, by) {
      const planned = planBan(chat, request, { name: by })
      if (!planned.ok) return planned
      if ((await bans?.save(planned.ban)) === false) return { ok: false, reason: undefined }
      const ended = meantBy(chat, planned.ban).length
      chat.propose({ kind: 'server.banned', ban: planned.ban })
      return { ok: true, ban: planned.ban, ended }
    },
    async remove(text) {
      const target = banTarget(text)?.target
      if (target === undefined || !chat.state.bans.has(target)) return { target: undefined, isSaved: true }
      const isSaved = (await bans?.remove(target)) !== false
      if (isSaved) chat.propose({ kind: 'server.unbanned', target })
      return { target, isSaved }
    },
  }
}
