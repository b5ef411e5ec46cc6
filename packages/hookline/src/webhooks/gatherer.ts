// Messages that wait and are then told as one: within `output.coalesce`, or because of `output.burst`.
import type { Bot, Bots } from '../bots/bots.ts'
import type { BotSettings } from '../bots/botfile.ts'
import { cleanPayloadText } from '../bots/clean.ts'
import { formatDuration } from '../bots/duration.ts'
import { Bucket } from './bucket.ts'
import type { Message, Poster, Settled } from './poster.ts'

/** A composed message that is not told yet. Until it is, its delivery is pending on disk, so nothing is lost with us. */
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

interface Waiting {
  /** Of its delivery. */
  readonly id: string
  readonly message: Message
  readonly event: string | null
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
      await this.#options.settle(name, this.#together(bot, held, this.#options.now() - group.since))
    } finally {
      for (const { id } of group.held) this.#ids.delete(id)
    }
  }

  /** The first stands for all of them; the others are settled with a word on where they went. */
  #together(bot: Bot, held: readonly Waiting[], ms: number): readonly Settled[] {
    const { poster } = this.#options
    const [first, ...others] = held
    if (!first) return []
    if (others.length === 0) return [{ id: first.id, prepared: poster.prepare(bot, first.message, first.id) }]
    const { coalesceMs, burst } = bot.settings?.output ?? {}
    // Where an edit has ended the gathering nobody asks for a count.
    const isJoined = coalesceMs !== undefined || burst === undefined
    const text = isJoined ? joined(held) : counted(bot.name, held, ms)
    const unresolved = [...new Set(held.flatMap(({ message }) => message.unresolved))]
    const { thread } = first.message
    const isOneThread = isJoined && held.every(({ message }) => message.thread === thread)
    const message = { ...first.message, text, unresolved, thread: isOneThread ? thread : undefined }
    const prepared = poster.prepare(bot, message, first.id)
    const reason = isJoined ? `told together with ${first.id}` : `counted in the line of ${first.id}`
    return [
      { id: first.id, prepared: poster.because(prepared, `stands for ${held.length} deliveries`) },
      ...others.map(({ id, message }) => ({
        id,
        prepared: poster.behind(prepared, message, reason, isJoined),
      })),
    ]
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

function joined(held: readonly Waiting[]): string {
  return held.map(({ message }) => message.text).join('\n')
}

/** `14 more messages in 6s: 12 push, 2 issues (see: hookline bot deliveries spark-ori-ci)` */
function counted(name: string, held: readonly Waiting[], ms: number): string {
  const counts = new Map<string, number>()
  for (const { event } of held) if (event !== null) counts.set(event, (counts.get(event) ?? 0) + 1)
  const kinds = [...counts].map(([event, count]) => `${count} ${event.slice(0, 40)}`).slice(0, 5)
  // The sender chose those words.
  const what = kinds.length > 0 ? `: ${cleanPayloadText(kinds.join(', '))}` : ''
  const time = formatDuration(Math.max(1_000, Math.round(ms / 1_000) * 1_000))
  return `${held.length} more messages in ${time}${what} (see: hookline bot deliveries ${name})`
}
