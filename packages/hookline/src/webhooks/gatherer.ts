// Holds messages to send them as one: within `output.coalesce`, or because of `output.burst`.
import type { BotSettings } from '../bots/file/botfile.ts'
import type { Bots } from '../bots/bots.ts'
import { Bucket } from '../chat/bucket.ts'
import type { Message, Poster, Settled } from './poster.ts'
import { merge, type Waiting } from './merge.ts'

/** Its delivery is pending on disk until it is sent, so a crash loses nothing. */
export interface Held extends Waiting {
  /** True once its record is on disk; false if there is nothing to send: a duplicate, or not recorded. */
  readonly recorded: Promise<boolean>
}

export interface GathererOptions {
  readonly bots: Pick<Bots, 'get'>
  readonly poster: Poster
  readonly now: () => number
  /** Runs `work` after everything that came before it for this bot. */
  readonly inTurn: (bot: string, work: () => Promise<void>) => Promise<void>
  /** Records everything in one transaction, then sends the messages. */
  readonly settle: (bot: string, settled: readonly Settled[]) => Promise<void>
  /** Whether what has its turn now was for a deleted bot: a new one may have its name already. */
  readonly isAbandoned: (bot: string) => boolean
  readonly report: (error: unknown, bot: string) => void
}

export class Gatherer {
  readonly #options: GathererOptions
  readonly #groups = new Map<string, Group>()
  /** By destination: its channels get the same messages, so they share a bucket. Dropped with the bot's settings. */
  readonly #buckets = new WeakMap<BotSettings, Map<string, Bucket>>()
  readonly #ids = new Set<string>()
  #isFlushed = false

  constructor(options: GathererOptions) {
    this.#options = options
  }

  /** Whether the bot may send one more message now; if not, pass it to `hold`. Call in the bot's turn, once per message. */
  maySay(name: string, message: Message): boolean {
    const settings = this.#settingsOf(name)
    const key = keyOf(name, message)
    // Held messages go first, even if an edit has turned coalescing off.
    if (this.#groups.has(key) || settings?.output.coalesceMs !== undefined) return false
    return this.#take(settings, key)
  }

  /** A duplicate, or not recorded: it is not sent after all, and another may be. */
  unsay(name: string, message: Message): void {
    const settings = this.#settingsOf(name)
    if (settings?.output.burst) this.#bucket(settings, keyOf(name, message)).giveBack()
  }

  /** Whether this delivery is held. */
  has(id: string): boolean {
    return this.#ids.has(id)
  }

  /** To send it later, together with others. */
  hold(name: string, held: Held): void {
    const key = keyOf(name, held.message)
    const group = this.#groups.get(key) ?? {
      name,
      key,
      held: [],
      chars: 0,
      since: this.#options.now(),
      timer: undefined,
    }
    this.#groups.set(key, group)
    group.held.push(held)
    group.chars += held.message.text.length
    // Before it is on disk, where a start of the bot would find it and resume it too.
    this.#ids.add(held.id)
    const isFull = group.held.length >= MOST_HELD || group.chars >= MOST_CHARS
    const ms = isFull || this.#isFlushed ? 0 : this.#waitFor(group)
    if (ms === 0 || group.timer === undefined) this.#soon(group, ms)
  }

  /** From now on everything is sent as soon as its bot has its turn. */
  flush(): void {
    this.#isFlushed = true
    for (const group of this.#groups.values()) this.#soon(group, 0)
  }

  /** Drops what is held for a deleted bot. */
  forget(name: string): void {
    for (const group of this.#groups.values()) {
      if (group.name !== name) continue
      this.#groups.delete(group.key)
      clearTimeout(group.timer)
      for (const { id } of group.held) this.#ids.delete(id)
    }
  }

  #soon(group: Group, ms: number): void {
    clearTimeout(group.timer)
    const tell = (): void => {
      this.#options
        .inTurn(group.name, () => this.#tell(group))
        .catch((error: unknown) => this.#options.report(error, group.name))
    }
    if (ms > 0) group.timer = setTimeout(tell, Math.min(ms, LONGEST_MS))
    else tell()
  }

  #waitFor({ name, key }: Group): number {
    const settings = this.#settingsOf(name)
    if (settings === undefined) return 0
    const { coalesceMs = 0, burst } = settings.output
    if (burst === undefined) return coalesceMs
    return Math.max(coalesceMs, this.#bucket(settings, key).readyIn(this.#options.now(), burst))
  }

  async #tell(group: Group): Promise<void> {
    const { name, key } = group
    if (this.#groups.get(key) !== group) return
    this.#groups.delete(key)
    clearTimeout(group.timer)
    const held: Waiting[] = []
    for (const each of group.held) if (await each.recorded) held.push(each)
    try {
      const { bots, isAbandoned, now, poster, settle } = this.#options
      const bot = bots.get(name)
      // If the bot was stopped, they wait on disk until its start; if deleted, they are given up in its turn.
      if (bot?.status !== 'active' || isAbandoned(name) || held.length === 0) return
      this.#take(bot.settings, key)
      await settle(name, merge(poster, bot, held, now() - group.since))
    } finally {
      for (const { id } of group.held) this.#ids.delete(id)
    }
  }

  /** True unless the bot has said there as much as `output.burst` allows. */
  #take(settings: BotSettings | undefined, key: string): boolean {
    if (!settings?.output.burst) return true
    return this.#bucket(settings, key).take(this.#options.now(), settings.output.burst) === 0
  }

  #bucket(settings: BotSettings, key: string): Bucket {
    const buckets = this.#buckets.get(settings) ?? new Map<string, Bucket>()
    this.#buckets.set(settings, buckets)
    const bucket = buckets.get(key) ?? new Bucket()
    buckets.set(key, bucket)
    return bucket
  }

  #settingsOf(name: string): BotSettings | undefined {
    return this.#options.bots.get(name)?.settings
  }
}

/** Beyond this they are sent at once, as one: a flood costs a line per thousand. */
const MOST_HELD = 1_000
const MOST_CHARS = 1024 * 1024

/** Nothing is held longer. Node's timers do not wait at all if they are set to more than 2^31 - 1 ms. */
const LONGEST_MS = 24 * 86_400_000

interface Group {
  /** The bot's name. */
  readonly name: string
  readonly key: string
  readonly held: Held[]
  chars: number
  /** When the first came, in ms. */
  readonly since: number
  timer: NodeJS.Timeout | undefined
}

/**
 * Merged messages go to the same channels with the same mention: each such destination has its own group and bucket. JSON
 * leaves out a mention that is undefined: the null of one that wakes nobody is something else.
 */
function keyOf(name: string, { destination }: Message): string {
  return destination === undefined ? name : JSON.stringify([name, destination])
}
