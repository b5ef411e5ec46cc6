// Which messages wait, and for how long, to be told as one: within `output.coalesce`, or because of `output.burst`.
import type { BotSettings } from '../bots/botfile.ts'
import type { Bots } from '../bots/bots.ts'
import { Bucket } from './bucket.ts'
import type { Message, Poster, Settled } from './poster.ts'
import { together } from './together.ts'
import type { Waiting } from './together.ts'

/** Until it is told its delivery is pending on disk, so nothing is lost with us. */
export interface Held extends Waiting {
  /** True once its record is on disk; false when there is nothing to tell: it was a duplicate, or not recorded. */
  readonly recorded: Promise<boolean>
}

export interface GathererOptions {
  readonly bots: Pick<Bots, 'get'>
  readonly poster: Poster
  readonly now: () => number
  /** Runs `work` after everything that came before it for this bot. */
  readonly inTurn: (bot: string, work: () => Promise<void>) => Promise<void>
  /** Records all of it in one transaction, then tells the first. */
  readonly settle: (bot: string, settled: readonly Settled[]) => Promise<void>
  readonly report: (error: unknown, bot: string) => void
}

export class Gatherer {
  readonly #options: GathererOptions
  readonly #groups = new Map<string, Group>()
  /** The channels of a place hear the same, so one bucket stands for them all. Gone with the bot's settings. */
  readonly #buckets = new WeakMap<BotSettings, Map<string, Bucket>>()
  readonly #ids = new Set<string>()
  #isFlushed = false

  constructor(options: GathererOptions) {
    this.#options = options
  }

  /** Whether the bot may say one more message now. To be asked in the bot's turn, once for each message. */
  maySay(name: string, message: Message): boolean {
    const output = this.#options.bots.get(name)?.settings?.output
    const key = keyOf(name, message)
    // Also where an edit has ended the gathering: what waits comes first.
    if (this.#groups.has(key) || output?.coalesceMs !== undefined) return false
    return this.#bucket(name, key)?.take() ?? true
  }

  /** True for what waits here. */
  has(id: string): boolean {
    return this.#ids.has(id)
  }

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
    // Before it is on disk, where a start of the bot would find it, and resume it as well.
    this.#ids.add(held.id)
    const isFull = group.held.length >= mostHeld || group.chars >= mostChars
    const ms = isFull || this.#isFlushed ? 0 : this.#waitFor(group)
    if (ms === 0 || group.timer === undefined) this.#soon(group, ms)
  }

  /** Everything that waits, and what comes from now on, is told as soon as its bot has its turn. */
  flush(): void {
    this.#isFlushed = true
    for (const group of this.#groups.values()) this.#soon(group, 0)
  }

  /** What waits for a bot that was deleted is told by nobody. */
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
    if (ms > 0) group.timer = setTimeout(tell, ms)
    else tell()
  }

  #waitFor({ name, key }: Group): number {
    const { coalesceMs } = this.#options.bots.get(name)?.settings?.output ?? {}
    return Math.max(coalesceMs ?? 0, this.#bucket(name, key)?.readyIn() ?? 0)
  }

  async #tell(group: Group): Promise<void> {
    const { name, key } = group
    if (this.#groups.get(key) !== group) return
    this.#groups.delete(key)
    clearTimeout(group.timer)
    const held: Waiting[] = []
    for (const each of group.held) if (await each.recorded) held.push(each)
    try {
      const bot = this.#options.bots.get(name)
      // Stopped meanwhile: they wait on disk until it is started. Deleted: they are given up in their turn.
      if (bot?.status !== 'active' || held.length === 0) return
      this.#bucket(name, key)?.take()
      const { now, poster, settle } = this.#options
      await settle(name, together(poster, bot, held, now() - group.since))
    } finally {
      for (const { id } of group.held) this.#ids.delete(id)
    }
  }

  #bucket(name: string, key: string): Bucket | undefined {
    const settings = this.#options.bots.get(name)?.settings
    if (!settings?.output.burst) return undefined
    const buckets = this.#buckets.get(settings) ?? new Map<string, Bucket>()
    this.#buckets.set(settings, buckets)
    const bucket = buckets.get(key) ?? new Bucket(settings.output.burst, this.#options.now)
    buckets.set(key, bucket)
    return bucket
  }
}

/** Beyond it they are told at once, as one, so that a flood costs a line for each thousand. */
const mostHeld = 1_000
const mostChars = 1024 * 1024

interface Group {
  /** Of the bot. */
  readonly name: string
  readonly key: string
  readonly held: Held[]
  chars: number
  /** In ms, when the first came. */
  readonly since: number
  timer: NodeJS.Timeout | undefined
}

/** What is told as one is told in one place and wakes the same: each place has a group and a bucket of its own. */
function keyOf(name: string, { place }: Message): string {
  return place === undefined ? name : JSON.stringify([name, place.channels, place.mention])
}
