// Bots as commands print them. Secrets are counted, never shown.
import { join } from 'node:path'
import type { BotAuth } from '../../../senders/authschema.ts'
import type { BotSettings } from '../../../bots/file/botfile.ts'
import { triggerTypeOf } from '../../../bots/file/triggertypes.ts'
import { botNames, readBot, type BotOnDisk } from '../../../bots/disk.ts'
import { formatRate } from '../../../bots/file/duration.ts'
import { PROOF, withoutProof } from '../../../bots/proofs.ts'
import { isReference } from '../../../senders/secret.ts'
import { lastRemoved } from '../../../bots/trash.ts'
import { formatDuration } from '../../../chat/duration.ts'
import { done, wrong, type Answer } from '../../../control/failure.ts'
import type { AuthView, BotStatus, BotView } from '../bot.ts'
import { nearest } from '../../../text/nearest.ts'
import { botsRemembered } from '../../../store/remembered.ts'
import { schemesOf } from '../../../senders/schemes.ts'
import type { Context } from '../../context.ts'
import { viewTrigger } from './triggerview.ts'

/** Every bot, by name: the server's, and those in the folder. A home that does not exist yet has none. */
export function viewBots(context: Context): readonly BotView[] {
  const loaded = context.running?.bots.list().map(({ name }) => name) ?? []
  return [...new Set([...botNames(context.home), ...loaded])]
    .toSorted()
    .flatMap((name) => viewBot(context, name) ?? [])
}

/** Undefined when there is no such bot. */
export function viewBot(context: Context, name: string): BotView | undefined {
  const { running } = context
  const loaded = running?.bots.get(name)
  if (loaded) return viewOf(context, loaded, loaded.status)
  // A folder that was made by hand while the server runs; `bot start` starts it.
  const bot = readBot(context.home, name)
  if (!bot) return undefined
  if (running) return viewOf(context, bot, 'inactive')
  return viewOf(context, withoutServer(withKnownProof(context, bot)), 'not running')
}

/** As the server will see it at its next start; see `Proofs`. */
function withKnownProof(context: Context, bot: BotOnDisk): BotOnDisk {
  const { home, known } = context
  const problem = withoutProof(bot)
  // Nothing is remembered of one whose name another had that was deleted.
  if (problem === undefined || lastRemoved(home, bot.name) !== undefined) return bot
  let demanding = demandingIn.get(context)
  if (!demanding) demandingIn.set(context, (demanding = botsRemembered(known.dataDir ?? home.data, PROOF)))
  return demanding.has(bot.name) ? { ...bot, problems: [...bot.problems, problem] } : bot
}

/** Read once for all bots. */
const demandingIn = new WeakMap<Context, ReadonlySet<string>>()

/** An answer with the bot as it is now. */
export function shownBot<T>(context: Context, name: string, make: (bot: BotView) => T): Answer<T> {
  const bot = viewBot(context, name)
  return bot ? done(make(bot)) : noBot(context, name)
}

/** The server's environment may have the secrets that this one lacks. */
function withoutServer(bot: BotOnDisk): BotOnDisk {
  return {
    ...bot,
    problems: bot.problems.filter((problem) => !bot.unresolved.includes(problem)),
    warnings: [...bot.warnings, ...bot.unresolved],
  }
}

/** The failure for an unknown name; suggests the nearest. */
export function noBot(context: Context, name: string) {
  const all = viewBots(context).map((bot) => bot.name)
  // The short name, without its owner, is enough for a suggestion.
  const [short, ...others] = all.filter((full) => full.endsWith(`-${name}`))
  const near = others.length === 0 && short !== undefined ? short : nearest(name, all)
  const hint = near ? `did you mean ${near}?` : 'see which there are: hookline bot list'
  return wrong('not_found', `there is no bot ${JSON.stringify(name)}`, hint)
}

/** The failure for a bot whose file cannot be used. */
export function invalidBot({ name, problems }: Pick<BotOnDisk, 'name' | 'problems'>) {
  return wrong(
    'invalid',
    `${name} is invalid`,
    `to see what is wrong: hookline bot validate ${name}`,
    problems,
  )
}

/** The webhook URL of a bot of that name; null when the listener is off. */
export function urlOf({ running, known }: Context, name: string): string | null {
  const base = running ? running.webhook : known.webhook
  return base === undefined ? null : `${base}/${name}`
}

function viewOf(context: Context, bot: Omit<BotOnDisk, 'unresolved'>, status: BotStatus): BotView {
  const { settings } = bot
  const auth = settings?.trigger.auth
  const trigger = triggerTypeOf(settings)
  return {
    name: bot.name,
    trigger,
    channels: settings?.output.channels ?? [],
    owner: settings?.owner ?? null,
    status: bot.problems.length > 0 && status !== 'active' ? 'invalid' : status,
    description: settings?.description ?? '',
    created: settings?.created ?? null,
    mention: settings?.output.mention ?? null,
    dm_owner: settings?.output.dmOwner ?? false,
    template: settings?.output.template ?? null,
    templates: settings?.output.templates ?? {},
    engine: settings?.output.engine ?? 'tokens',
    preset: settings?.output.preset ?? null,
    event: settings?.trigger.event ?? null,
    filter: settings?.trigger.filter ?? null,
    fallback: settings?.output.fallback ?? 'json',
    auth: auth ? viewAuth(auth) : null,
    handler: bot.handler ?? null,
    isolated: bot.handler === undefined ? null : settings?.handler !== undefined,
    url: trigger === 'webhook' ? urlOf(context, bot.name) : null,
    file: join(context.home.bots, bot.name, 'bot.yaml'),
    ...viewTrigger(settings),
    thread: settings?.output.thread ?? null,
    ...viewBounds(settings),
    problems: bot.problems,
    warnings: bot.warnings,
  }
}

/** Limits on senders, and where messages go. */
function viewBounds(settings: BotSettings | undefined) {
  const { rate, allowFrom, expiresAt, reply } = settings?.trigger ?? {}
  const { burst, coalesceMs, routes = [] } = settings?.output ?? {}
  return {
    rate: rate ? formatRate(rate) : null,
    allow_from: allowFrom ?? null,
    expires: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
    reply: reply ?? null,
    burst: burst ? formatRate(burst) : null,
    coalesce: coalesceMs === undefined ? null : formatDuration(coalesceMs),
    routes,
  }
}

function viewAuth(auth: BotAuth): AuthView {
  return {
    type: auth.type,
    secrets: auth.secrets.length,
    references: auth.secrets.filter(isReference),
    proof: schemesOf(auth)[0] ?? null,
  }
}
