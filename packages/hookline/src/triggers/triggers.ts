// What wakes bots besides webhooks: the chat, each other's deliveries, the clock, and silence.
import type { Bots } from '../bots/bots.ts'
import type { Chat } from '../chat/chat.ts'
import type { DeliveryObserver } from '../webhooks/observer.ts'
import { Alarm } from './alarm.ts'
import { DropNotices } from './dropnotices.ts'
import { Expiries } from './expiries.ts'
import { Listeners } from './listeners.ts'
import type { Parts } from './parts.ts'
import { Reactor } from './reactor.ts'
import { Schedules } from './schedules.ts'
import { Silences } from './silences.ts'

export interface TriggersOptions extends Omit<Parts, 'alarm' | 'drops'> {
  readonly bots: Pick<Bots, 'get' | 'list'>
}

export class Triggers {
  readonly #options: TriggersOptions
  readonly #alarm: Alarm
  readonly #reactor: Reactor
  readonly #drops: DropNotices
  readonly #schedules: Schedules
  readonly #silences: Silences
  readonly #expiries: Expiries
  /** For `Deliveries`. */
  readonly observer: DeliveryObserver
  #isStarted = false
  #isStale = true

  constructor(options: TriggersOptions) {
    this.#options = options
    this.#alarm = new Alarm(options.clock, () => this.#recalculate())
    this.#drops = new DropNotices(options)
    const parts = { ...options, alarm: this.#alarm, drops: this.#drops }
    this.#reactor = new Reactor(parts)
    this.#schedules = new Schedules(parts)
    this.#silences = new Silences(parts)
    this.#expiries = new Expiries(parts)
    this.observer = {
      arrived: (bot, headers) => this.#silences.arrived(bot, headers),
      settled: (bot, id, status) => this.#guarded((reactor) => reactor.settled(bot, id, status)),
    }
  }

  /** To be called once, when every bot is loaded. Nothing reacts before that. */
  async start(chat: Pick<Chat, 'state' | 'observe'>): Promise<void> {
    this.#isStarted = true
    chat.observe((entry, change) => this.#guarded((reactor) => reactor.happened(chat.state, entry, change)))
    await Promise.all(this.#options.bots.list().map(({ name }) => this.#refresh(name, true)))
  }

  /** A bot was added or removed, or has other settings. */
  changed(name: string): void {
    this.#isStale = true
    if (this.#isStarted) void this.#refresh(name, false)
  }

  /** Nothing reacts any more. */
  close(): void {
    this.#isStarted = false
    this.#reactor.close()
    this.#drops.flush()
    this.#alarm.close()
  }

  async #refresh(name: string, isRestart: boolean): Promise<void> {
    await this.#attempt(name, this.#schedules.refresh(name))
    await this.#attempt(name, this.#silences.refresh(name, isRestart))
    await this.#attempt(name, this.#expiries.refresh(name))
  }

  /** A failure of one does not keep the bot from the others. */
  async #attempt(name: string, work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      this.#options.log.error({ err: error, bot: name }, 'timers of the bot cannot be read or saved')
    }
  }

  #recalculate(): void {
    const { bots, log } = this.#options
    log.warn({}, 'the clock was set back: schedules and silences are calculated again')
    this.#schedules.recalculate()
    this.#silences.recalculate()
    for (const { name } of bots.list()) void this.#attempt(name, this.#expiries.refresh(name))
  }

  /** A fault here must not affect whoever spoke or posted. */
  #guarded(react: (reactor: Reactor) => void): void {
    try {
      const reactor = this.#fresh()
      if (reactor) react(reactor)
    } catch (error) {
      this.#options.log.error({ err: error }, 'no bot reacts because of a bug in hookline')
    }
  }

  /** Many bots change at once when the server starts or reloads: they are listed when something happens next. */
  #fresh(): Reactor | undefined {
    if (!this.#isStarted) return undefined
    if (this.#isStale) {
      this.#isStale = false
      this.#reactor.listen(new Listeners(this.#options.bots.list()))
    }
    return this.#reactor
  }
}
