// Which bot a request is for, and whether it is admitted at all: decided before its body is read.
import type { BlockList } from 'node:net'
import type { BotSettings } from '../bots/botfile.ts'
import { NAME_PATTERN } from '../bots/fields.ts'
import type { Bot } from '../bots/roster.ts'
import { isListed, networkList } from '../networks.ts'
import { type Answer, notActive, notActiveBecause, refuse } from './answer.ts'

export interface WebhookPath {
  /** Undefined when the path cannot name a bot. */
  readonly bot: string | undefined
  /** What follows the name: `type: url` requires it. */
  readonly secret: string | undefined
}

/** `/spark-ori-ci`, `/spark-ori-ci/secret`; percent-decoded once. */
export function parsePath(path: string): WebhookPath {
  const end = path.indexOf('/', 1)
  const name = decoded(end === -1 ? path.slice(1) : path.slice(1, end))
  const rest = end === -1 ? undefined : path.slice(end + 1)
  if (!NAME_PATTERN.test(name)) return { bot: undefined, secret: undefined }
  return { bot: name, secret: rest === undefined ? undefined : decoded(rest) }
}

/** Why this bot takes no requests now; undefined when it does. `now` is in ms. */
export function refusalOf(bot: Bot, address: string, now: number): Answer | undefined {
  const { trigger } = bot.settings ?? {}
  // Standard Webhooks: 410 tells the sender to stop.
  if (trigger?.expiresAt !== undefined && now >= trigger.expiresAt) return refuse(410, 'bot expired')
  if (bot.status === 'invalid')
    return notActiveBecause('its bot.yaml or handler is wrong: see hookline bot inspect')
  if (bot.status !== 'active') return notActive
  const allowed = bot.settings && allowedOf(bot.settings)
  if (allowed && !isListed(allowed, address)) return refuse(403, 'address not allowed', address)
  return undefined
}

const lists = new WeakMap<BotSettings, BlockList>()

function allowedOf(settings: BotSettings): BlockList | undefined {
  const { allowFrom } = settings.trigger
  if (!allowFrom) return undefined
  const list = lists.get(settings) ?? networkList(allowFrom)
  lists.set(settings, list)
  return list
}

/** Empty, which is neither a name nor a secret, when it cannot be decoded. */
export function decoded(part: string): string {
  if (!part.includes('%')) return part
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
