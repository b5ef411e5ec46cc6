// Limits the deliveries that a bot accepts. Only proven senders count, so nobody else can use the limit up.
import type { BotSettings } from '../bots/botfile.ts'
import type { Bot } from '../bots/roster.ts'
import { Bucket, type Rate } from '../chat/bucket.ts'

export class RateLimits {
  readonly #common: Rate | undefined
  readonly #now: () => number
  readonly #buckets = new WeakMap<BotSettings, Bucket>()

  /** `common` is for bots without a `trigger.rate`; without either there is no limit. */
  constructor(common: Rate | undefined, now: () => number) {
    this.#common = common
    this.#now = now
  }

  /** 0 when this delivery is within the limit, and counts it; else the ms until the next one is. */
  waitFor({ settings }: Bot): number {
    const rate = settings?.trigger.rate ?? this.#common
    if (!settings || !rate) return 0
    const bucket = this.#buckets.get(settings) ?? new Bucket()
    this.#buckets.set(settings, bucket)
    return bucket.take(this.#now(), rate)
  }
}
