// `hookline bot inspect`
import { done } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { counted } from '../counted.ts'
import { DELIVERY, viewDelivery, viewRefused } from '../delivery/delivery.ts'
import { deliveryTable } from '../delivery/lines.ts'
import type { OutputOf } from '../shape.ts'
import { fields } from '../table.ts'
import { inert, print } from '../terminal.ts'
import { BOT, type BotView, NAME, UNKNOWN } from './bot.ts'
import { statusOf } from './lines.ts'
import { triggerFields } from './triggerlines.ts'

/** How many deliveries it shows. */
const LAST_DELIVERIES = 5

const INSPECTED = {
  ...BOT,
  /** Newest last; null when no server runs. */
  deliveries: { orNull: [DELIVERY] },
  refused: { orNull: [DELIVERY] },
  /** Its owner and the agent that it wakes, as far as no account has the nick: whoever takes it gets their messages. The same. */
  without_account: { orNull: ['text'] },
} as const

type Inspected = OutputOf<typeof INSPECTED>

export default verb({
  details:
    'Every field of bot.yaml, the webhook URL with the real port, the handler, the status, problems and the last deliveries. Secrets are counted, never shown.',
  arguments: [NAME],
  options: [],
  changes: false,
  where: 'either',
  examples: [{ run: 'hookline bot inspect spark-ori-ghci', shows: 'its settings, URL and last deliveries' }],
  exits: { 1: UNKNOWN, 2: 'the server cannot be reached' },
  output: INSPECTED,

  needs: async () => ({
    ...(await import('./running/asitruns.ts')),
    ...(await import('./running/unowned.ts')),
    ...(await import('./running/view.ts')),
  }),

  async run(context, { name }, __, { asItRuns, noBot, unowned, viewBot }) {
    const found = viewBot(context, name)
    if (!found) return noBot(context, name)
    const bot = await asItRuns(context, found)
    const { running } = context
    if (!running) return done({ ...bot, deliveries: null, refused: null, without_account: null })
    const rows = await running.store.deliveries.list({ bot: name, limit: LAST_DELIVERIES })
    const refused = (await running.refused.of(name)).slice(-LAST_DELIVERIES)
    return done({
      ...bot,
      deliveries: rows.map(viewDelivery),
      refused: refused.map((each) => viewRefused(name, each)),
      without_account: await unowned(running, bot),
    })
  },

  show: (bot) => print(botDetails(bot)),
})

/** Fields shown for a bot whose file is invalid: all other bots have an owner. */
const WITHOUT_SETTINGS: ReadonlySet<string> = new Set(['name', 'status', 'file', 'problem', 'warning'])

/** Every field, then the problems, then the last deliveries. */
function botDetails(bot: Inspected): string {
  const pairs: (readonly [string, string])[] = [
    ['name', inert(bot.name)],
    ['owner', bot.owner ?? '-'],
    ['description', inert(bot.description) || '-'],
    ['created', bot.created ?? '-'],
    ['status', statusOf(bot)],
    ['trigger', bot.trigger],
    ...triggerFields(bot),
    ...(bot.trigger === 'webhook' ? webhookFields(bot) : []),
    ['channels', inert(bot.channels.join(' ')) || '-'],
    ['dm_owner', String(bot.dm_owner)],
    ['mention', bot.mention ?? '-'],
    ...(bot.without_account ?? []).map((nick): [string, string] => [
      'no account',
      `${nick}: whoever takes this nick gets its messages`,
    ]),
    ['template', bot.template === null ? '-' : inert(bot.template.trimEnd())],
    ...Object.entries(bot.templates).map(([event, text]): [string, string] => [event, inert(text.trimEnd())]),
    ...said('engine', bot.engine === 'tokens' ? null : bot.engine),
    ...said('preset', bot.preset),
    ...said('event', bot.event),
    ...said('filter', bot.filter),
    ['fallback', bot.fallback],
    ...said('thread', bot.thread),
    ...bot.routes.flatMap((route) => said('route', route)),
    ...said('rate', bot.rate),
    ...said('allow_from', bot.allow_from?.join(' ') ?? null),
    ...said('expires', bot.expires),
    ...said('reply', bot.reply),
    ...said('burst', bot.burst),
    ...said('coalesce', bot.coalesce),
    ['handler', handlerLine(bot)],
    ['file', inert(bot.file)],
    ...bot.problems.map((problem): [string, string] => ['problem', inert(problem)]),
    ...bot.warnings.map((warning): [string, string] => ['warning', inert(warning)]),
  ]
  const known = bot.owner === null ? pairs.filter(([name]) => WITHOUT_SETTINGS.has(name)) : pairs
  return `${fields(known)}\n\n${lastRefused(bot)}Last deliveries: ${lastDeliveries(bot)}`
}

function lastDeliveries({ deliveries }: Inspected): string {
  if (deliveries === null) return 'shown only while the server is running'
  return deliveries.length > 0 ? `\n${deliveryTable(deliveries)}` : 'none yet'
}

/** Left out for a bot that refused nothing. */
function lastRefused({ refused }: Inspected): string {
  return refused?.length ? `Last refused:\n${deliveryTable(refused)}\n\n` : ''
}

function handlerLine({ handler, isolated }: BotView): string {
  if (handler === null) return 'none'
  return `${handler} (used instead of the template), ${isolated ? 'isolated' : 'not isolated'}`
}

/** Left out when the file does not set it. */
function said(name: string, value: string | object | null): readonly (readonly [string, string])[] {
  if (value === null) return []
  return [[name, inert(typeof value === 'string' ? value : JSON.stringify(value))]]
}

/** `github, 2 secrets (env:GHCI_SECRET)`; for a signed timestamp, also its tolerance. */
function authLine(auth: BotView['auth']): string {
  if (!auth) return 'none: anybody who can reach the URL may post'
  const { type, secrets, references, proof } = auth
  if (proof === null) return `${type}, on purpose: anybody who can reach the URL may post`
  const named = references.length > 0 ? ` (${inert(references.join(', '))})` : ''
  const window = proof.kind === 'signed' && proof.timestamp ? `, sent within ${proof.tolerance} s` : ''
  return `${type}, ${counted(secrets, 'secret')}${named}${window}`
}

function webhookFields(bot: BotView): [string, string][] {
  return [
    ['auth', bot.status === 'invalid' && !bot.auth ? 'none' : authLine(bot.auth)],
    ['url', bot.url ?? '-'],
  ]
}
