// `ban add|remove|list`: UBAN, from a terminal.
import type { ServerBan } from '../../chat/state.ts'
import type { LiveContext } from '../../commands/context.ts'
import { DISK_HINT } from '../../commands/diskfailure.ts'
import { cannot, done, wrong, type Answer } from '../failure.ts'
import type { Input } from '../../commands/list.ts'
import type { Outputs } from '../outputs.ts'
import type { BanView } from '../outputs/ban.ts'
import { durationIn } from '../../commands/duration.ts'
import { oneLine } from '../../commands/oneline.ts'

export async function addBan(
  { running }: LiveContext,
  { target, duration, reason = '', requireSasl = false }: Input<'ban add'>,
): Promise<Answer<Outputs['ban add']>> {
  const time = durationIn(duration)
  if (!time.ok) return time
  const request = { target, durationMs: time.output, needsAccount: requireSasl, reason: oneLine(reason) }
  const added = await running.bans.add(request, running.name)
  if (!added.ok && added.reason === undefined)
    return cannot('setup', 'nothing was banned: the ban could not be saved', DISK_HINT)
  if (!added.ok)
    return wrong('refused', `nothing was banned: ${added.reason}`, 'see: hookline ban add --help')
  return done({ ban: viewOf(added.ban), ended: added.ended })
}

export async function removeBan(
  { running }: LiveContext,
  { target }: Input<'ban remove'>,
): Promise<Answer<Outputs['ban remove']>> {
  const removed = await running.bans.remove(target)
  if (removed === undefined)
    return wrong('not_found', `${target} is not banned`, 'see the bans: hookline ban list')
  if (!removed.isSaved) return cannot('setup', 'nothing changed: it could not be saved', DISK_HINT)
  return done({ target: removed.target, still_banned_by: removed.over.map((ban) => ban.target) })
}

export function listBans({ running }: LiveContext): Answer<readonly BanView[]> {
  return done(running.bans.all().map(viewOf))
}

function viewOf({ target, needsAccount, reason, by, at, until }: ServerBan): BanView {
  return {
    target,
    expires_at: until === null ? null : new Date(until).toISOString(),
    require_sasl: needsAccount,
    by,
    created_at: new Date(at).toISOString(),
    reason,
  }
}
