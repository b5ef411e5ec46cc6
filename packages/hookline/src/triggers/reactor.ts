// Bots of trigger.type event: what happens in the chat, and what becomes of other bots' deliveries, wakes them.
import { CHAIN_MAX, depthOf } from '../bots/causes.ts'
import { formatRate } from '../bots/file/duration.ts'
import { reasonIn } from '../handlers/reason.ts'
import type { Reaction } from '../bots/file/triggerschema.ts'
import { Bucket } from '../chat/bucket.ts'
import type { Entry } from '../chat/events.ts'
import type { Channel, State } from '../chat/state.ts'
import type { Outcome } from '../store/deliveryrows.ts'
import { type Happening, happeningOf, isObservable, KINDS } from './happenings.ts'
import { commandIn, concerned, type ListeningBot, Listeners } from './listeners.ts'
import type { Parts } from './parts.ts'
import { type Occasion, submit } from './submit.ts'

export type ReactorOptions = Pick<Parts, 'bots' | 'deliveries' | 'store' | 'clock' | 'drops' | 'log'>

export class Reactor {
  readonly #options: ReactorOptions
  /** Each reading of its file makes another reaction, so that an edited rate counts at once. */
  readonly #buckets = new WeakMap<Reaction, Bucket>()
  #listeners = new Listeners([])
  #reading = 0
  #isClosed = false

  constructor(options: ReactorOptions) {
    this.#options = options
  }

  /** From now on these react, and nobody else. */
  listen(listeners: Listeners): void {
    this.#listeners = listeners
  }

  /** Reactions under way are refused from now on; owners are not told of these. */
  close(): void {
    this.#isClosed = true
  }

  /** To be called with an entry of the chat's log that has been applied and sent out. */
  happened(state: State, entry: Entry, change: unknown): void {
    if (!isObservable(entry)) return
    const byChannel = this.#listeners.of(KINDS[entry.event.kind])
    if (!byChannel) return
    const happening = happeningOf(state, entry, change)
    if (!happening) return
    for (const [listener, channels] of concerned(byChannel, happening)) {
      if (this.#admits(listener)) void this.#react(listener, occasionOf(happening, channels, listener))
    }
  }

  /** A delivery of `bot` has an outcome. A bot never reacts to itself. */
  settled(bot: string, id: string, status: Outcome['status']): void {
    const wanted = this.#listeners.ofDeliveries.filter(
      ({ bot: { name }, reaction, bots }) =>
        name !== bot && reaction.outcomes.includes(status) && (bots?.has(bot) ?? true),
    )
    const admitted = wanted.filter((listener) => this.#admits(listener))
    if (admitted.length > 0) void this.#tell(admitted, id, status)
  }

  async #tell(listeners: readonly ListeningBot[], id: string, status: Outcome['status']): Promise<void> {
    if (this.#reading >= MOST_READING) {
      for (const { bot } of listeners)
        this.#options.drops.count(bot.name, 'too many deliveries finish at once')
      return
    }
    this.#reading++
    try {
      const row = await this.#options.store.deliveries.get(id)
      // The end of a chain was recorded as such; nobody reacts to that.
      if (!row || depthOf(row.headers) > CHAIN_MAX) return
      const { event, text, error, reason, channels, receivedAt } = row
      const depth = depthOf(row.headers) + 1
      const facts = {
        bot: row.bot,
        delivery: id,
        status,
        delivery_event: event,
        text,
        error: error === null ? null : reasonIn(error),
        reason,
        channels,
        channel: channels[0] ?? null,
        received_at: new Date(receivedAt).toISOString(),
        depth,
      }
      const occasion: Occasion = { cause: 'event', event: `delivery.${status}`, key: null, depth, facts }
      await Promise.all(listeners.map((each) => this.#react(each, occasion)))
    } catch (error) {
      this.#options.log.warn({ err: error, id }, 'a delivery cannot be read, so no bot reacts to it')
    } finally {
      this.#reading--
    }
  }

  #admits({ bot, reaction }: ListeningBot): boolean {
    const { rate } = reaction
    const { clock, drops } = this.#options
    const bucket = this.#buckets.get(reaction) ?? new Bucket()
    this.#buckets.set(reaction, bucket)
    if (bucket.take(clock.now(), rate) === 0) return true
    drops.count(
      bot.name,
      `they come faster than trigger.rate allows (${formatRate(rate)}), and the rest is dropped`,
    )
    return false
  }

  async #react({ bot }: ListeningBot, occasion: Occasion): Promise<void> {
    const { bots, deliveries, clock, drops, log } = this.#options
    try {
      const why = await submit(deliveries, bot, occasion, clock.now())
      if (why === undefined || this.#isClosed || bots.get(bot.name)?.status !== 'active') return
      drops.count(bot.name, `they could not be recorded: ${why}`)
    } catch (error) {
      log.error({ err: error, bot: bot.name }, 'a bot did not react because of a bug in hookline')
    }
  }
}

/** Records read at the same time, each with its payload; beyond this, reactions are dropped and counted. */
const MOST_READING = 100

function occasionOf(
  { kind, facts }: Happening,
  channels: ReadonlySet<Channel>,
  { reaction }: ListeningBot,
): Occasion {
  const names = [...channels].map(({ name }) => name)
  const where = kind === 'quit' || kind === 'nick' ? { channels: names } : {}
  const said = reaction.match.command === undefined ? {} : commandIn(facts['text'] ?? '')
  const all = { channel: names[0] ?? '', ...where, ...facts, ...(kind === 'message' ? said : {}) }
  return { cause: 'event', event: `chat.${kind}`, key: null, facts: all }
}
