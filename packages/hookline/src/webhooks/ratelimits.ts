// Limits the deliveries that a bot accepts. Only proven senders count, so nobody else can use the limit up.
import type { BotSettings } from '../bots/file/botfile.ts'
import { causeOf } from '../bots/causes.ts'
import type { Bot } from '../bots/roster.ts'
import { Bucket, type Rate } from '../chat/bucket.ts'
import type { NewDelivery } from '../store/deliveryrows.ts'

export class RateLimits {
  readonly #common: Rate | undefined
  readonly #now: () => number
  readonly #buckets = new WeakMap<BotSettings, Bucket>()

  /** `common` is for bots without a `trigger.rate`; without either there is no limit. */
  constructor(common: Rate | undefined, now: () => number) {
    this.#common = common
    this.#now = now
  }

  /** 0 when so many are within the limit, or begin within it, and counts them; else the ms until the next one is. */
  waitFor(bot: Bot, headers: NewDelivery['headers'], deliveries = 1): number {
    const limit = this.#limitOf(bot, headers)
    return limit ? limit.bucket.take(this.#now(), limit.rate, limit.rate.count, deliveries) : 0
  }

  /** It was counted, but could not be recorded. */
  giveBack(bot: Bot, headers: NewDelivery['headers']): void {
    this.#limitOf(bot, headers)?.bucket.giveBack()
  }

  /** What a trigger of our own has caused is not limited. */
  #limitOf({ settings }: Bot, headers: NewDelivery['headers']): { rate: Rate; bucket: Bucket } | undefined {
    const rate = settings?.trigger.rate ?? this.#common
    if (!settings || !rate || causeOf(headers) !== undefined) return undefined
    const bucket = this.#buckets.get(settings) ?? new Bucket()
    this.#buckets.set(settings, bucket)
    return { rate, bucket }
  }
}
