// Formats bots for the terminal.
import type { Outputs } from '../../control/outputs.ts'
import type { BotCreated, BotView } from './bot.ts'
import { counted } from '../counted.ts'
import { deliveryTable } from '../delivery/lines.ts'
import { fields, table } from '../table.ts'
import { colour, inert } from '../terminal.ts'
import { triggerFields } from './triggerlines.ts'

/** NAME TRIGGER CHANNELS OWNER STATUS */
export function botTable(bots: readonly BotView[]): string {
  const rows = bots.map((bot) => [
    inert(bot.name),
    bot.trigger,
    inert(bot.channels.join(',')) || '-',
    bot.owner ?? '-',
    statusOf(bot),
  ])
  return table(['NAME', 'TRIGGER', 'CHANNELS', 'OWNER', 'STATUS'], rows)
}

/** Fields shown for a bot whose file is invalid: all other bots have an owner. */
const WITHOUT_SETTINGS: ReadonlySet<string> = new Set(['name', 'status', 'file', 'problem', 'warning'])

/** Every field, then the problems, then the last deliveries. */
export function botDetails(bot: Outputs['bot inspect']): string {
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

function lastDeliveries({ deliveries }: Outputs['bot inspect']): string {
  if (deliveries === null) return 'shown only while the server is running'
  return deliveries.length > 0 ? `\n${deliveryTable(deliveries)}` : 'none yet'
}

/** Left out for a bot that refused nothing. */
function lastRefused({ refused }: Outputs['bot inspect']): string {
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

/** What to do after `create`: start it, then try it. */
export function nextSteps({ bot, try: line }: BotCreated): string {
  const unproven =
    bot.preset !== null && bot.auth === null && bot.trigger === 'webhook'
      ? [
          `Anybody who can reach the URL may post. To change that: hookline bot edit ${bot.name} --secret generate`,
        ]
      : []
  const samples =
    bot.preset === null ? [] : [`Preview its message: hookline bot test ${bot.name} --fixture ${bot.preset}`]
  const state = stateOf(bot)
  if (line === null || bot.status === 'invalid') return [...unproven, ...samples, state].join('\n')
  const lines = bot.status === 'active' ? [`${state} Try it:`] : [state, 'Try it:']
  return [...unproven, ...samples, ...lines, `  ${line}`].join('\n')
}

function stateOf({ name, status }: BotView): string {
  switch (status) {
    case 'active':
      return 'It is active.'
    case 'inactive':
      return `Start it: hookline bot start ${name}`
    case 'invalid':
      return `It cannot start yet; to see why: hookline bot inspect ${name}`
    case 'not running':
      return 'It becomes active when you start the server: hookline server start'
  }
}

function webhookFields(bot: BotView): [string, string][] {
  return [
    ['auth', bot.status === 'invalid' && !bot.auth ? 'none' : authLine(bot.auth)],
    ['url', bot.url ?? '-'],
  ]
}

function statusOf({ status }: BotView): string {
  if (status === 'active') return colour('green', status)
  return status === 'invalid' ? colour('red', status) : status
}
