// The bots of a running server: which there are, which of them are in the chat, and what each says to a payload.
import { accessSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type Refusable, refuse } from '../failure/refusal.ts'
import { formatDay } from '../irc/time.ts'
import type { BotChanges } from './file/botedit.ts'
import type { Composed, DeliveryFacts } from '../message/composed.ts'
import { type Author, Composer, renderOf } from './composer.ts'
import { createBot, type NewBot } from './file/create.ts'
import { botNames, noSuchBot } from './disk.ts'
import { HandlerInspector } from './flaws.ts'
import { type FoundHandler, handlerSoonOf } from '../handlers/find.ts'
import type { HandlerState } from '../handlers/handler.ts'
import { HANDLER_LIMITS, type HandlerLimits } from '../handlers/limits.ts'
import { redact, redacting, valuesOf } from './redact.ts'
import type { Payload } from '../message/payload.ts'
import { destinationOf } from './destination.ts'
import { planOf } from './plan.ts'
import { editBot } from './file/rewrite.ts'
import { AS_IT_WAS, type Begun, type Bot, Roster, type RosterOptions } from './roster.ts'
import { lastRemoved, removeBot, type Removed, removedBots } from './trash.ts'

export interface BotsOptions extends RosterOptions {
  readonly state: HandlerState
  readonly handlerLimits?: Partial<HandlerLimits>
  /** Of the database, if not in the home. */
  readonly dataDir?: string | undefined
  /** Whether the control socket of this server is there; without one it may come at any time, from another process. */
  readonly isListening?: () => boolean
  readonly now?: () => number
  /** Told of each bot that was deleted. */
  readonly onRemove?: (name: string, removed: Removed) => void
}

export class Bots {
  readonly #options: BotsOptions
  readonly #now: () => number
  readonly #roster: Roster
  readonly #composer: Composer
  /** Bots that somebody stopped, or made and did not start. */
  readonly #resting = new Set<string>()
  /** Bots that were broken when the server started: they start as soon as their files are right. */
  readonly #unfit = new Set<string>()
  /** Of deleted bots whose worker is ending, and may still have printed. */
  readonly #lastSecrets = new Map<string, readonly string[]>()
  /** Starts and stops happen one after the other. */
  #turn: Promise<unknown> = Promise.resolve()
  /** Whatever still has its turn reads no files: a thousand bots may wait, and the server is to end. */
  #isClosed = false

  constructor(options: BotsOptions) {
    const { home, dataDir, isListening = () => false, log, state } = options
    const limits = { ...HANDLER_LIMITS, ...options.handlerLimits }
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#roster = new Roster(options, new HandlerInspector(log, limits.isolation))
    const secretsOf = (name: string) => [
      ...(this.#lastSecrets.get(name) ?? []),
      ...this.#secretsOf(this.#roster.get(name)),
    ]
    this.#composer = new Composer({
      home: { ...home, data: dataDir ?? home.data, isListening },
      log: redacting(log, secretsOf),
      state,
      limits,
    })
  }

  /** At the start of the server: every valid bot becomes active; broken ones are reported and skipped. */
  loadAll(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#roster.readAll()
      for (const { name, status } of this.#roster.all()) if (status === 'invalid') this.#unfit.add(name)
    })
  }

  /** Names are matched exactly. */
  get(name: string): Bot | undefined {
    return this.#roster.get(name)
  }

  /** Whether it is the nick of a bot, also of one that is stopped. */
  hasNick(nick: string): boolean {
    return this.#roster.hasNick(nick)
  }

  /** Of all bots, in no order. */
  names(): Iterable<string> {
    return this.#roster.names()
  }

  /** By name. */
  list(): readonly Bot[] {
    return this.#roster.all()
  }

  /** Reads the files again and makes the bot active. One that is active already goes on with what they say now. */
  async start(name: string): Promise<Refusable<{ bot: Bot }>> {
    const started = await this.#begin(name)
    return started.ok ? started : refuse(wrongIn(name, started).join('\n'))
  }

  /**
   * To be called when its files were saved. An active bot goes on with what they say now, and one that was broken when the server
   * started begins; if they are broken, returns why, and what the bot does meanwhile. Any other bot stays as it is, with the problems of
   * the file.
   */
  refresh(name: string): Promise<string | undefined> {
    return this.#inTurn(async () => {
      if (this.#isClosed) return undefined
      const known = this.#roster.get(name)
      const isActive = known?.status === 'active'
      if (known === undefined || (!isActive && !this.#unfit.has(name))) {
        await this.#roster.recall([name])
        this.#roster.reread(name)
        return undefined
      }
      const mayBegin = () => !this.#resting.has(name)
      const started = await this.#roster.begin(name, { mayBegin })
      const isDeleted = this.#roster.get(name) === undefined
      if (started.ok || isDeleted) {
        if (this.#unfit.delete(name))
          this.#options.log.info({ bot: name }, 'started: its files are right now')
        return undefined
      }
      if (!mayBegin()) return void this.#roster.reread(name)
      const { problems, meanwhile = isActive ? AS_IT_WAS : 'stays out' } = started
      // Removing a folder takes several steps, and each of them is noticed.
      const isGone = this.#roster.gone().some((bot) => bot.name === name)
      if (isGone && problems.join('\n') === known.problems.join('\n')) return undefined
      if (this.#roster.get(name)?.status === 'inactive') return problems.join('\n')
      const what = isGone ? 'its file is gone' : 'the saved file is invalid'
      return `${what}, so the bot ${meanwhile}: ${problems.join('\n')}`
    })
  }

  /** The bot leaves with a QUIT, and its worker ends. Stopping one that is not active changes nothing. */
  stop(name: string): Promise<Refusable<{ bot: Bot }>> {
    this.#resting.add(name)
    return this.#inTurn(async () => {
      const bot = this.#roster.get(name)
      if (!bot) {
        this.#resting.delete(name)
        return noSuchBot(name)
      }
      const stopped = this.#roster.leave(bot, 'Stopped')
      await Promise.all([this.#composer.forget(name), this.#roster.left])
      return { ok: true, bot: stopped }
    })
  }

  /** The new bot exists, and is not active until it is started. */
  create(input: NewBot): Refusable<{ bot: Bot }> {
    const { home, serverName } = this.#options
    const today = formatDay(this.#now())
    const created = createBot(home, input, { today, serverName })
    if (!created.ok) return created
    this.#resting.add(created.name)
    this.#roster.welcome(created.name)
    return this.#roster.reread(created.name)
  }

  /** Takes effect at once, also for an active bot and requests that are still arriving. Refused changes leave the file as it was. */
  edit(name: string, changes: BotChanges): Refusable<{ bot: Bot }> {
    const edited = editBot(this.#options.home, name, changes, { isServer: true })
    return edited.ok ? this.#roster.reread(name) : edited
  }

  /**
   * Rereads every bot and makes it active, except those that somebody wants to rest. Those whose files are gone are forgotten.
   * Returns the problems, each of which names the bot or its file. Throws if there is no folder of bots: it may come back.
   */
  async reload(): Promise<readonly string[]> {
    const warnings = await this.#inTurn(async () => {
      accessSync(this.#options.home.bots)
      return this.#forgetGone()
    })
    const names = botNames(this.#options.home)
    await this.#roster.inspect(names.filter((name) => !this.#resting.has(name)))
    for (const name of names) {
      if (this.#isClosed) break
      const wrong = this.#resting.has(name)
        ? await this.#inTurn(async () => this.#wrongAtRest(name))
        : wrongIn(name, await this.#begin(name, true))
      warnings.push(...wrong.map((each) => (each.includes(name) ? each : `${name}: ${each}`)))
    }
    return warnings
  }

  /** Stops the bot and moves its folder to the trash. Returns its path there; undefined if somebody took the folder away. */
  remove(name: string): Refusable<{ trash: string | undefined }> {
    // One that is `file:PATH` goes with the folder.
    const secrets = this.#secretsOf(this.#roster.get(name))
    const removed = removeBot(this.#options.home, name, this.#now())
    if (!removed.ok && !this.#roster.get(name)) return removed
    this.#forget(name, secrets)
    return removed.ok ? removed : { ok: true, trash: undefined }
  }

  /** The last bot of that name that is in the trash. */
  removed(name: string): Removed | undefined {
    return lastRemoved(this.#options.home, name)
  }

  /** Every bot that is in the trash, a name perhaps more than once. */
  allRemoved(): readonly { readonly name: string; readonly at: number }[] {
    return removedBots(this.#options.home)
  }

  /** Looks at the folder at the end of this turn: a handler may have been added or removed since the bot was started. */
  handlerSoonOf(bot: Bot): Promise<FoundHandler> {
    return handlerSoonOf(bot)
  }

  /** What the bot says to `payload`: its handler's answer, else its template, else the whole payload. Never rejects. */
  async compose(bot: Bot, payload: Payload, delivery: DeliveryFacts): Promise<Composed> {
    if (!isReadable(bot)) return unreadable(bot)
    const composed = await this.#composer.compose(bot, payload, delivery)
    return this.#finish(composed, bot, payload, delivery)
  }

  /** The same at once, for a bot in whose folder no usable handler was found; `problem` tells what is wrong with it, if there is one. */
  render(bot: Bot, payload: Payload, delivery: DeliveryFacts, problem: string | undefined): Composed {
    if (!isReadable(bot)) return unreadable(bot)
    const composed = renderOf(bot, payload, delivery, problem)
    return this.#finish(composed, bot, payload, delivery)
  }

  async #begin(name: string, isInspected = false): Promise<Begun> {
    this.#resting.delete(name)
    const begun = await this.#inTurn(async () =>
      this.#isClosed ? CLOSED : await this.#roster.begin(name, { isInspected }),
    )
    if (begun.ok) this.#unfit.delete(name)
    this.#composer.renew(name)
    return begun
  }

  #wrongAtRest(name: string): readonly string[] {
    const read = this.#roster.reread(name)
    return read.ok ? read.bot.problems : [read.reason]
  }

  #finish(composed: Composed, bot: Bot & Author, payload: Payload, delivery: DeliveryFacts): Composed {
    if (composed.kind === 'skip') return composed
    if (composed.kind === 'failed')
      return { ...composed, error: redact(composed.error, this.#secretsOf(bot)) }
    const { settings, user } = bot
    const { chat } = this.#options
    const nameOf = (channel: string): string => (user === undefined ? channel : chat.nameOf(user, channel))
    const destination = destinationOf(settings, payload, delivery, nameOf)
    const placed = destination === undefined ? composed : { ...composed, destination }
    const thread = planOf(settings).thread?.(payload, delivery)
    return thread === undefined ? placed : { ...placed, thread }
  }

  /** Ends every worker. The bots stay in the chat, which ends with the server. */
  close(): Promise<void> {
    this.#isClosed = true
    return this.#inTurn(() => this.#composer.close())
  }

  #secretsOf(bot: Bot | undefined): readonly string[] {
    return bot ? valuesOf(bot.settings?.trigger.auth?.secrets ?? [], bot.folder) : []
  }

  #forgetGone(): string[] {
    const left = this.#roster.gone()
    for (const { name } of left) this.#forget(name)
    return left.map(({ name, folder }) => `${name} has left: ${join(folder, 'bot.yaml')} is gone`)
  }

  #forget(name: string, secrets = this.#secretsOf(this.#roster.get(name))): void {
    const bot = this.#roster.get(name)
    this.#resting.delete(name)
    this.#unfit.delete(name)
    this.#roster.forget(name, 'Deleted')
    this.#lastSecrets.set(name, secrets)
    void this.#composer.forget(name).finally(() => this.#lastSecrets.delete(name))
    const owner = bot?.settings?.owner ?? this.removed(name)?.owner
    this.#options.onRemove?.(name, { owner, at: this.#now() })
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    // If a thousand bots' files are saved at once, each is read in a turn of the event loop of its own: others are served in between.
    this.#turn = result.catch(() => {}).then(() => setImmediate())
    return result
  }
}

const CLOSED: Begun = { ok: false, problems: ['the server is shutting down'], meanwhile: undefined }

function wrongIn(name: string, begun: Begun): readonly string[] {
  if (begun.ok) return []
  const { problems, meanwhile } = begun
  return meanwhile === undefined ? problems : [...problems, `${name} ${meanwhile}`]
}

function isReadable(bot: Bot): bot is Bot & Author {
  return bot.settings !== undefined
}

function unreadable({ problems }: Bot): Composed {
  return { kind: 'failed', error: problems.join('\n') }
}
