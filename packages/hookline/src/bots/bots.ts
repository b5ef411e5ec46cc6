// The bots of a running server: which there are, which of them are in the chat, and what each says to a payload.
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { UserKey } from '../chat/state.ts'
import type { Refusable, VirtualUsers } from '../chat/virtual.ts'
import type { Home } from '../home.ts'
import type { BotChanges } from './botedit.ts'
import type { BotSettings } from './botfile.ts'
import { Composer } from './composer.ts'
import type { BotState, Composed, DeliveryFacts } from './composer.ts'
import { createBot } from './create.ts'
import type { NewBot } from './create.ts'
import { botNames, readBot, readBots } from './disk.ts'
import type { BotOnDisk } from './disk.ts'
import { checkHandlers } from './handler/check.ts'
import { findHandler, findHandlerSoon } from './handler/find.ts'
import type { FoundHandler } from './handler/find.ts'
import { HANDLER_LIMITS } from './handler/limits.ts'
import type { HandlerLimits } from './handler/limits.ts'
import { findNamespace } from './handler/namespace.ts'
import { redact, redacting, valuesOf } from './handler/redact.ts'
import type { Payload } from './payload.ts'
import { placeOf, presenceOf } from './places.ts'
import { noSuchBot, refuse } from './refusal.ts'
import { editBot, rotateSecret } from './rewrite.ts'
import type { Rotation } from './rotate.ts'
import { inThread } from './thread.ts'
import { lastRemoved, removeBot } from './trash.ts'
import type { Removed } from './trash.ts'
import { serverWarnings } from './warnings.ts'

export type { Composed, DeliveryFacts } from './composer.ts'
export type { FoundHandler } from './handler/find.ts'
export type { Removed } from './trash.ts'

export interface Bot {
  readonly name: string
  readonly folder: string
  readonly settings: BotSettings | undefined
  /** Only an active bot has a user in the chat and is posted to. */
  readonly status: 'active' | 'inactive' | 'invalid'
  /** Of its files as they were read last, which for an active bot may be later than its settings. */
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
  /** The file's name. */
  readonly handler: string | undefined
  readonly user: UserKey | undefined
}

export interface Logger {
  debug(data: object, text: string): void
  info(data: object, text: string): void
  warn(data: object, text: string): void
  error(data: object, text: string): void
}

export interface BotsOptions {
  readonly home: Home
  readonly chat: VirtualUsers
  readonly serverName: string
  /** Webhooks can come from other machines: a bot without `trigger.auth` is not served then. */
  readonly isExposed?: boolean
  readonly state: BotState
  readonly log: Logger
  readonly handlerLimits?: Partial<HandlerLimits>
  readonly now?: () => number
  /** Told of each bot that `start` has made active, after it is in its channels. */
  readonly onStart?: (name: string) => void
  /** Told whenever a bot may have another status or other settings. */
  readonly onChange?: (name: string) => void
  /** Resolves when what bots were saying is told: one that leaves quits only then. */
  readonly told?: () => Promise<void>
  /** Told of each bot that was deleted. */
  readonly onRemove?: (name: string, removed: Removed) => void
}

/** Why a bot is not as its files are. */
interface Setback {
  readonly ok: false
  readonly problems: readonly string[]
  /** What an active one does until they are mended. */
  readonly meanwhile: string | undefined
}

const AS_IT_WAS = 'goes on as it was'

export class Bots {
  readonly #options: BotsOptions
  readonly #composer: Composer
  readonly #now: () => number
  readonly #bots = new Map<string, Bot>()
  /** Those that somebody stopped, or made and did not start. */
  readonly #resting = new Set<string>()
  readonly #limits: HandlerLimits
  #hasWarned = false
  /** Starts and stops happen one after the other. */
  #turn: Promise<unknown> = Promise.resolve()
  /** Resolves when those that left have quit. */
  #left: Promise<unknown> = Promise.resolve()

  constructor(options: BotsOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#limits = { ...HANDLER_LIMITS, ...options.handlerLimits }
    this.#composer = new Composer({
      log: redacting(options.log, (name) => this.#secretsOf(this.#bots.get(name))),
      state: options.state,
      limits: this.#limits,
    })
  }

  /** At the start of the server: every valid bot becomes active; broken ones are reported and skipped. */
  loadAll(): Promise<void> {
    return this.#inTurn(async () => {
      const found = readBots(this.#options.home)
      const wrong = await this.#checkHandlers(found)
      for (const disk of found) {
        const bot = this.#take(disk, wrong)
        for (const problem of bot.problems)
          this.#options.log.error({ bot: bot.name }, `bot not started: ${problem}`)
        this.#logWarnings(bot)
      }
    })
  }

  /** Names are matched exactly. */
  get(name: string): Bot | undefined {
    return this.#bots.get(name)
  }

  /** By name; with `owner`, only theirs. */
  list(owner?: string): readonly Bot[] {
    return [...this.#bots.values()]
      .filter((bot) => owner === undefined || bot.settings?.owner === owner)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** Reads the files again and makes the bot active. A bot that is active already goes on with what they say now. */
  async start(name: string): Promise<Refusable<{ bot: Bot }>> {
    this.#resting.delete(name)
    const started = await this.#inTurn(() => this.#begin(name))
    this.#composer.renew(name)
    if (started.ok) return started
    const { problems, meanwhile } = started
    return refuse([...problems, ...(meanwhile === undefined ? [] : [`${name} ${meanwhile}`])].join('\n'))
  }

  /**
   * Its files were saved. An active bot goes on with what they say now; when that is broken, the answer is why, and
   * what the bot does meanwhile. Any other stays as it is, and its problems are those of the file.
   */
  refresh(name: string): Promise<string | undefined> {
    return this.#inTurn(async () => {
      if (this.#bots.get(name)?.status !== 'active') {
        this.#reread(name)
        return undefined
      }
      const started = await this.#begin(name)
      if (started.ok) return undefined
      const { problems, meanwhile = AS_IT_WAS } = started
      return `what was saved is broken, so it ${meanwhile}: ${problems.join('\n')}`
    })
  }

  /** The bot leaves with a QUIT, and its worker ends. Stopping one that is not active changes nothing. */
  stop(name: string): Promise<Refusable<{ bot: Bot }>> {
    if (this.#bots.has(name)) this.#resting.add(name)
    return this.#inTurn(async () => {
      const bot = this.#bots.get(name)
      if (!bot) return noSuchBot(name)
      const stopped = this.#leave(bot, 'Stopped')
      await Promise.all([this.#composer.forget(name), this.#left])
      return { ok: true, bot: stopped }
    })
  }

  /** The new bot exists, and is not active until it is started. */
  create(input: NewBot): Refusable<{ bot: Bot }> {
    const { home, serverName } = this.#options
    const today = new Date(this.#now()).toISOString().slice(0, 10)
    const created = createBot(home, input, { today, serverName })
    if (!created.ok) return created
    this.#resting.add(created.name)
    return this.#reread(created.name)
  }

  /** Takes effect at once, also for an active bot. Refused changes leave the file as it was. */
  edit(name: string, changes: BotChanges): Refusable<{ bot: Bot }> {
    const edited = editBot(this.#options.home, name, changes, { isServer: true })
    return edited.ok ? this.#reread(name) : edited
  }

  /** As an edit. A request that is under way is proven by what was valid when it came. */
  rotate(name: string, rotation: Rotation): Refusable<{ bot: Bot }> {
    const rotated = rotateSecret(this.#options.home, name, rotation, { isServer: true })
    return rotated.ok ? this.#reread(name) : rotated
  }

  /**
   * Every bot as its files are now, and active, but for those that somebody wants to rest. Those whose files are gone
   * are forgotten. Answers what was wrong.
   */
  async reload(): Promise<readonly string[]> {
    const warnings = await this.#inTurn(async () => this.#forgetGone())
    for (const name of botNames(this.#options.home)) {
      const read = this.#resting.has(name)
        ? await this.#inTurn(async () => this.#reread(name))
        : await this.start(name)
      if (read.ok) continue
      const isNamed = read.reason.split('\n', 1)[0]?.includes(name)
      warnings.push(isNamed ? read.reason : `${name}: ${read.reason}`)
    }
    return warnings
  }

  /** Stops the bot and moves its folder to the trash, whose path is answered; undefined where somebody took the folder away. */
  remove(name: string): Refusable<{ trash: string | undefined }> {
    const removed = removeBot(this.#options.home, name, this.#now())
    if (!removed.ok && !this.#bots.has(name)) return removed
    this.#forget(name, 'Deleted')
    return removed.ok ? removed : { ok: true, trash: undefined }
  }

  /** The last bot of that name that is in the trash. */
  removed(name: string): Removed | undefined {
    return lastRemoved(this.#options.home, name)
  }

  /** Looks at the folder at the end of this turn: a handler may have been added or removed since the bot was started. */
  handlerOf({ folder }: Bot): Promise<FoundHandler> {
    return findHandlerSoon(folder)
  }

  /** What the bot says to `payload`: its handler's answer, else its template, else the whole payload. Rejects never. */
  async compose(bot: Bot, payload: Payload, delivery: DeliveryFacts): Promise<Composed> {
    const { name, folder, settings } = bot
    if (!settings) return { kind: 'failed', error: bot.problems.join('\n') }
    const composed = await this.#composer.compose({ name, folder, settings }, payload, delivery)
    switch (composed.kind) {
      case 'skip':
        return composed
      case 'failed':
        return { ...composed, error: redact(composed.error, this.#secretsOf(bot)) }
      case 'message': {
        const { chat } = this.#options
        const nameOf = (channel: string): string =>
          bot.user === undefined ? channel : chat.nameOf(bot.user, channel)
        const place = placeOf(settings, payload, delivery, nameOf)
        const placed = place === undefined ? composed : { ...composed, place }
        return inThread(placed, settings, payload, delivery)
      }
    }
  }

  /** Ends every worker. The bots stay in the chat, which ends with the server. */
  close(): Promise<void> {
    return this.#inTurn(() => this.#composer.close())
  }

  /** What is wrong with the bots' handlers, by path. The first time that there are any, warns if nothing isolates them. */
  async #checkHandlers(bots: readonly BotOnDisk[]): Promise<ReadonlyMap<string, string>> {
    const handlers = bots.flatMap(({ folder }) => findHandler(folder).handler ?? [])
    if (handlers.length > 0 && this.#limits.isolation === 'auto' && !this.#hasWarned) {
      this.#hasWarned = true
      const namespace = await findNamespace()
      if (!namespace.ok) this.#options.log.warn({}, notIsolated(namespace.reason))
    }
    return await checkHandlers(handlers)
  }

  #secretsOf(bot: Bot | undefined): readonly string[] {
    return bot ? valuesOf(bot.settings?.trigger.auth?.secrets ?? [], bot.folder) : []
  }

  /** Makes what was read on disk the bot of that name: in the chat if nothing is wrong with it. A handler that breaks later drives nobody out. */
  #take(disk: BotOnDisk, wrong: ReadonlyMap<string, string>): Bot {
    const { file, handler } = problemsOf(disk, wrong)
    const problems = [...file, ...handler]
    const known = this.#bots.get(disk.name)
    const user = known?.user
    if (!disk.settings || file.length > 0 || (handler.length > 0 && user === undefined)) {
      if (known) this.#leave(known, 'No longer valid')
      return this.#put({ ...disk, status: 'invalid', problems, user: undefined })
    }
    const appeared = user === undefined ? this.#appear(disk.settings) : { ok: true as const, user }
    if (!appeared.ok) {
      const warning = `${disk.name} could not join the chat: ${appeared.reason}`
      return this.#put({
        ...disk,
        status: 'inactive',
        warnings: [warning, ...disk.warnings],
        user: undefined,
      })
    }
    if (user !== undefined) this.#options.chat.moveTo(user, presenceOf(disk.settings))
    const warnings = this.#warnings(disk)
    return this.#put({ ...disk, problems, warnings, status: 'active', user: appeared.user })
  }

  async #begin(name: string): Promise<{ ok: true; bot: Bot } | Setback> {
    const { home } = this.#options
    const found = readBot(home, name)
    const wrong = found && (await this.#checkHandlers([found]))
    await this.#left
    // Meanwhile it may have been edited, or deleted.
    const disk = readBot(home, name)
    const running = this.#bots.get(name)
    const active = running?.status === 'active' ? running : undefined
    if (!disk || !wrong) {
      if (!active) return { ok: false, problems: [noSuchBot(name).reason], meanwhile: undefined }
      const gone = `${join(active.folder, 'bot.yaml')} is gone: put it back, or \`bot delete ${name}\``
      return { ok: false, problems: [gone], meanwhile: AS_IT_WAS }
    }

    const { handler } = problemsOf(disk, wrong)
    const bot = active ? this.#goOn(active, disk, wrong) : this.#take(disk, wrong)
    if (bot.status !== 'active') {
      const warnings = bot.status === 'inactive' ? bot.warnings : []
      return { ok: false, problems: [...bot.problems, ...warnings], meanwhile: undefined }
    }
    if (bot.problems.length > 0) {
      const meanwhile = handler.length > 0 ? 'fails every delivery until this is mended' : AS_IT_WAS
      return { ok: false, problems: bot.problems, meanwhile }
    }
    this.#logWarnings(bot)
    this.#options.onStart?.(name)
    return { ok: true, bot }
  }

  /** An active bot with what its files say now; where bot.yaml is wrong, as it was. */
  #goOn(active: Bot, disk: BotOnDisk, wrong: ReadonlyMap<string, string>): Bot {
    const { file, handler } = problemsOf(disk, wrong)
    if (file.length === 0) return this.#take(disk, wrong)
    return this.#put({ ...active, problems: [...file, ...handler] })
  }

  /** Looks at the files again, for a bot that keeps its status. */
  #reread(name: string): Refusable<{ bot: Bot }> {
    const disk = readBot(this.#options.home, name)
    if (!disk) return noSuchBot(name)
    const known = this.#bots.get(name)
    if (known?.status === 'active') return { ok: true, bot: this.#goOn(known, disk, new Map()) }
    const status = disk.problems.length > 0 ? 'invalid' : 'inactive'
    return { ok: true, bot: this.#put({ ...disk, warnings: this.#warnings(disk), status, user: undefined }) }
  }

  #appear(settings: BotSettings): Refusable<{ user: UserKey }> {
    const realname = settings.description.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
    return this.#options.chat.appear({
      nick: settings.name,
      username: 'bot',
      realname: realname || settings.name,
      channels: presenceOf(settings),
      isBot: true,
    })
  }

  #leave(bot: Bot, reason: string): Bot {
    const { user } = bot
    if (user === undefined) return bot
    const { chat, told } = this.#options
    const left = (told?.() ?? Promise.resolve()).then(() => chat.leave(user, reason))
    // Without their results: each would hold those of all before it.
    this.#left = Promise.all([this.#left, left]).then(() => {})
    return this.#put({ ...bot, status: 'inactive', user: undefined })
  }

  #forgetGone(): string[] {
    const there = new Set(botNames(this.#options.home))
    const gone = [...this.#bots.values()].filter(({ name }) => !there.has(name))
    for (const { name } of gone) this.#forget(name, 'Deleted')
    return gone.map(({ name, folder }) => `${name} has left: ${join(folder, 'bot.yaml')} is gone`)
  }

  #forget(name: string, reason: string): void {
    const bot = this.#bots.get(name)
    if (bot) this.#leave(bot, reason)
    this.#bots.delete(name)
    this.#resting.delete(name)
    this.#options.onChange?.(name)
    void this.#composer.forget(name)
    const owner = bot?.settings?.owner ?? this.removed(name)?.owner
    this.#options.onRemove?.(name, { owner, at: this.#now() })
  }

  #put(bot: Bot): Bot {
    this.#bots.set(bot.name, bot)
    this.#options.onChange?.(bot.name)
    return bot
  }

  #warnings({ name, settings, warnings }: BotOnDisk): readonly string[] {
    const { serverName, isExposed = false } = this.#options
    return [...warnings, ...serverWarnings(name, settings, { serverName, isExposed })]
  }

  #logWarnings({ name, warnings }: Bot): void {
    for (const warning of warnings) this.#options.log.warn({ bot: name }, warning)
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    // A thousand bots whose files are saved at once are read in as many turns of the event loop: others are served in between.
    this.#turn = result.catch(() => {}).then(() => setImmediate())
    return result
  }
}

/** Those of bot.yaml, which counts only as a whole, and those of the handler, which is read for each delivery. */
function problemsOf(
  disk: BotOnDisk,
  wrong: ReadonlyMap<string, string>,
): { file: readonly string[]; handler: readonly string[] } {
  const { handler, problem } = findHandler(disk.folder)
  const found = problem ?? (handler && wrong.get(handler.path))
  return {
    file: disk.problems.filter((each) => each !== problem),
    handler: found === undefined ? [] : [found],
  }
}

function notIsolated(reason: string): string {
  return (
    `handlers are not isolated (${reason}): they can signal every process of this user, the server too. ` +
    'Run only handlers you trust; handlers.isolation: none in server.yaml says that you know'
  )
}
