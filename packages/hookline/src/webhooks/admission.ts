// Which bot a request is for, and whether it is admitted at all: decided before its body is read.
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { BlockList } from 'node:net'
import type { BotSettings } from '../bots/file/botfile.ts'
import { triggerTypeOf } from '../bots/file/triggertypes.ts'
import { NAME_PATTERN } from '../bots/file/fields.ts'
import type { Bot } from '../bots/roster.ts'
import { addressOf, isListed, networkList } from '../net/networks.ts'
import { type Answer, notActive, notActiveBecause, notFound, refuse } from './answer.ts'
import { guardUnproven } from './guard.ts'
import type { Refusals } from './refusals.ts'
import { type Reply, replyWith } from './reply.ts'

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
  // A slash alone is what some senders add to every URL.
  const rest = end === -1 || end === path.length - 1 ? undefined : path.slice(end + 1)
  if (!NAME_PATTERN.test(name)) return { bot: undefined, secret: undefined }
  return { bot: name, secret: rest === undefined ? undefined : decoded(rest) }
}

export interface DoorkeeperOptions {
  readonly refusals: Refusals
  readonly now: () => number
  /** Proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies?: readonly string[]
  /** The address that the listener is bound to. */
  readonly host: () => string
}

export class Doorkeeper {
  readonly #options: DoorkeeperOptions
  readonly #proxies: BlockList

  constructor(options: DoorkeeperOptions) {
    this.#options = options
    this.#proxies = networkList(options.trustedProxies ?? [])
  }

  /** The refusal of a request that the bot does not take, whatever its body. */
  turnAway(bot: Bot, secret: string | undefined, request: IncomingMessage): Reply | undefined {
    const { host, now, refusals } = this.#options
    const isPost = request.method === 'POST'
    // If the bot's file is invalid, its auth type is unknown.
    if (secret !== undefined && bot.settings && bot.settings.trigger.auth?.type !== 'url') {
      if (isPost) refusals.noteAnswer(bot.name, longer, now())
      return replyWith(notFound)
    }
    const type = triggerTypeOf(bot.settings)
    if (type !== 'webhook') {
      const answer = refuse(404, 'bot not found', `this bot has no webhook: its trigger is ${type}`)
      return isPost ? this.#refuse(bot, answer) : replyWith(answer)
    }
    if (!isPost) return this.#refuse(bot, refuse(405, 'use POST'), { Allow: 'POST' })
    const address = addressOf(
      request.socket.remoteAddress ?? '',
      request.headers['x-forwarded-for'],
      this.#proxies,
    )
    const refusal = refusalOf(bot, address, now()) ?? guardUnproven(bot, { host: host() })
    return refusal && this.#refuse(bot, refusal)
  }

  #refuse(bot: Bot, answer: Answer, headers?: OutgoingHttpHeaders): Reply {
    const { now, refusals } = this.#options
    return refusals.refuse(bot.name, answer, now(), headers)
  }
}

// For the log only: the sender may be anybody.
const longer = refuse(
  404,
  'bot not found',
  'its URL continues after the name, which only trigger.auth of type url allows',
)

/** Why this bot takes no requests now; undefined when it does. `now` is in ms. */
function refusalOf(bot: Bot, address: string, now: number): Answer | undefined {
  const { trigger } = bot.settings ?? {}
  // Standard Webhooks: 410 tells the sender to stop.
  if (trigger?.expiresAt !== undefined && now >= trigger.expiresAt) return refuse(410, 'bot expired')
  if (bot.status === 'invalid')
    return notActiveBecause('its bot.yaml or handler is wrong: see hookline bot inspect')
  if (bot.status !== 'active') return notActive
  const allowed = allowedOf(bot.settings)
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
