// The bots of a server by name: each as its files were read last, with its user in the chat.
import { join } from 'node:path'
import type { UserKey } from '../chat/state.ts'
import type { VirtualUsers } from '../chat/virtual.ts'
import { nickKey } from '../irc/names.ts'
import { type Refusable, refuse } from '../failure/refusal.ts'
import type { Home } from '../home/home.ts'
import type { BotSettings } from './file/botfile.ts'
import { botNames, type BotOnDisk, noSuchBot, readBot, readBots } from './disk.ts'
import type { Flaws, HandlerInspector } from './flaws.ts'
import type { Log } from '../log/log.ts'
import { presenceOf } from './destination.ts'
import { type ProofMemory, Proofs } from './proofs.ts'
import { serverWarnings } from './warnings.ts'

/** Only an active bot has a user in the chat and is posted to. */
export type Bot = ActiveBot | AbsentBot

export interface ActiveBot extends BotFacts {
  readonly status: 'active'
  readonly settings: BotSettings
  readonly user: UserKey
}

interface AbsentBot extends BotFacts {
  readonly status: 'inactive' | 'invalid'
  readonly settings: BotSettings | undefined
  readonly user: undefined
}

interface BotFacts {
  readonly name: string
  readonly folder: string
  /** Of its files as they were last read, which for an active bot may be later than its settings. */
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
  /** The file's name. */
  readonly handler: string | undefined
}

export interface RosterOptions {
  readonly home: Home
  readonly chat: VirtualUsers
  readonly serverName: string
  /** Webhooks can come from other machines: a bot without `trigger.auth` is not served then. */
  readonly isExposed?: boolean
  readonly log: Log
  /** Without it nothing outlives a stop. */
  readonly memory?: ProofMemory
  /** Resolves when pending messages of bots are out: a bot that leaves quits only then. */
  readonly told?: () => Promise<void>
  /** Told of each bot that `begin` has made active, after it is in its channels. */
  readonly onStart?: (name: string) => void
  /** Told whenever a bot may have another status or other settings. */
  readonly onChange?: (name: string) => void
}

export type Begun =
  | { readonly ok: true; readonly bot: Bot }
  | {
      readonly ok: false
      /** Why its files did not take effect. */
      readonly problems: readonly string[]
      /** What an active bot does until they are fixed. */
      readonly meanwhile: string | undefined
    }

export const AS_IT_WAS = 'keeps its previous settings'

export class Roster {
  readonly #options: RosterOptions
  readonly #inspector: HandlerInspector
  readonly #proofs: Proofs
  readonly #bots = new Map<string, Bot>()
  #left: Promise<unknown> = Promise.resolve()

  constructor(options: RosterOptions, inspector: HandlerInspector) {
    this.#options = options
    this.#inspector = inspector
    this.#proofs = new Proofs(options.memory, options.log)
  }

  get(name: string): Bot | undefined {
    return this.#bots.get(name)
  }

  /** In any case, and whatever its status. Asked for each nick that somebody takes. */
  hasNick(nick: string): boolean {
    const key = nickKey(nick)
    return this.#bots.values().some(({ name }) => nickKey(name) === key)
  }

  names(): Iterable<string> {
    return this.#bots.keys()
  }

  /** By name. */
  all(): readonly Bot[] {
    return [...this.#bots.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** Those whose files are gone. */
  gone(): readonly Bot[] {
    const there = new Set(botNames(this.#options.home))
    return [...this.#bots.values()].filter(({ name }) => !there.has(name))
  }

  /** Resolves when those that left have quit. */
  get left(): Promise<unknown> {
    return this.#left
  }

  /** At the start of the server: every valid bot becomes active; broken ones are reported. */
  async readAll(): Promise<void> {
    const { home, log } = this.#options
    const found = readBots(home)
    const names = found.map(({ name }) => name)
    await Promise.all([this.inspect(names), this.recall(names)])
    for (const disk of found) {
      const bot = this.#take(disk, this.#flawsOf(disk))
      for (const problem of bot.problems) log.error({ bot: bot.name }, `bot not started: ${problem}`)
      this.#logWarnings(bot)
    }
  }

  /** Checks the handlers of many bots, for `begin`: checking each by itself takes a process for each. */
  inspect(names: readonly string[]): Promise<void> {
    return this.#inspector.inspect(names.map((name) => join(this.#options.home.bots, name)))
  }

  /** What is remembered of these bots. To be called before the files of one that is not known are read. */
  recall(names: readonly string[]): Promise<void> {
    return this.#proofs.recall(names)
  }

  /** To be called when a bot was made: nothing is remembered of another that had its name. */
  welcome(name: string): void {
    this.#proofs.clear(name)
  }

  /** Reads the files again and brings the bot into the chat. Its handler is checked, unless that was done just before. */
  async begin(name: string, { isInspected = false, mayBegin = (): boolean => true } = {}): Promise<Begun> {
    const { home } = this.#options
    if (!isInspected) {
      if (!readBot(home, name)) return this.#cannotBegin(name)
      await this.inspect([name])
    }
    await Promise.all([this.#allLeft(), this.recall([name])])
    // It may have been edited, deleted or made again meanwhile.
    if (!mayBegin()) return setback([])
    const disk = readBot(home, name)
    if (!disk) return this.#cannotBegin(name)

    const flaws = this.#flawsOf(disk)
    const bot = this.#take(disk, flaws)
    if (bot.status === 'invalid') return setback(bot.problems)
    if (bot.status === 'inactive') return setback(bot.warnings)
    if (flaws.handler.length > 0) return setback(bot.problems, 'fails every delivery until this is fixed')
    if (flaws.file.length > 0) return setback(bot.problems, AS_IT_WAS)
    this.#logWarnings(bot)
    this.#options.onStart?.(name)
    return { ok: true, bot }
  }

  /** Reads the files again, for a bot that stays where it is. Its handler is not checked again. */
  reread(name: string): Refusable<{ bot: Bot }> {
    const disk = readBot(this.#options.home, name)
    if (!disk) return refuse(this.#missing(name))
    const isActive = this.#bots.get(name)?.status === 'active'
    const flaws = this.#flawsOf(disk)
    return { ok: true, bot: isActive ? this.#take(disk, flaws) : this.#keepOut(disk, flaws) }
  }

  leave(bot: Bot, reason: string): Bot {
    const { user } = bot
    if (user === undefined) return bot
    const { chat, told } = this.#options
    const left = (told?.() ?? Promise.resolve()).then(() => chat.leave(user, reason))
    // Drops the results: else each promise would hold those of all before it.
    this.#left = Promise.all([this.#left, left]).then(() => {})
    return this.#put(asAbsent(bot))
  }

  forget(name: string, reason: string): void {
    const bot = this.#bots.get(name)
    if (bot) this.leave(bot, reason)
    if (bot?.handler !== undefined) this.#inspector.forget(join(bot.folder, bot.handler))
    this.#bots.delete(name)
    this.#proofs.forget(name)
    this.#options.onChange?.(name)
  }

  #flawsOf(disk: BotOnDisk): Flaws {
    const { file, handler } = this.#inspector.flawsOf(disk)
    const unproven = this.#proofs.flawOf(disk) ?? []
    if (disk.settings) this.#proofs.note(disk.name, disk.settings)
    return { file: [...file, ...[unproven].flat()], handler }
  }

  /** While some leave, others may begin to: the nick of one that is made again is free only then. */
  async #allLeft(): Promise<void> {
    for (let left; left !== this.#left;) {
      left = this.#left
      await left
    }
  }

  /** Why there is nothing to read; also becomes the problem of a bot that is known. */
  #missing(name: string): string {
    const known = this.#bots.get(name)
    if (known === undefined) return noSuchBot(name).reason
    const problem = `${join(known.folder, 'bot.yaml')} is gone: put it back, or \`bot delete ${name}\``
    const broken = { ...known, problems: [problem] }
    this.#put(broken.status === 'active' ? broken : asAbsent(broken))
    return problem
  }

  #cannotBegin(name: string): Begun {
    const isActive = this.#bots.get(name)?.status === 'active'
    return setback([this.#missing(name)], isActive ? AS_IT_WAS : undefined)
  }

  /**
   * Applies what was read on disk to the bot of that name: it enters the chat if nothing is wrong. One that is there already
   * stays: with a broken bot.yaml it goes on as it was, and a broken handler does not drive it out.
   */
  #take(disk: BotOnDisk, flaws: Flaws): Bot {
    const problems = problemsOf(flaws)
    const known = this.#bots.get(disk.name)
    if (known?.status !== 'active') return this.#enter(disk, problems)
    const { settings } = disk
    if (!settings || flaws.file.length > 0) return this.#put({ ...known, problems })
    const { chat } = this.#options
    chat.describe(known.user, realnameOf(settings))
    const reason = chat.moveTo(known.user, presenceOf(settings))
    const warning = `${disk.name} is not in all of its channels, and cannot be started again once it has left: ${reason}`
    const warnings = [...(reason === undefined ? [] : [warning]), ...this.#warnings(disk)]
    return this.#put({ ...disk, status: 'active', settings, problems, warnings, user: known.user })
  }

  #enter(disk: BotOnDisk, problems: readonly string[]): Bot {
    const { settings } = disk
    if (!settings || problems.length > 0) return this.#put(asAbsent({ ...disk, problems }))
    const appeared = this.#appear(settings)
    if (!appeared.ok) {
      const warning = `${disk.name} could not join the chat: ${appeared.reason}`
      const warnings = [warning, ...disk.warnings]
      return this.#put(asAbsent({ ...disk, warnings }))
    }
    const { user } = appeared
    return this.#put({ ...disk, status: 'active', settings, warnings: this.#warnings(disk), user })
  }

  #appear(settings: BotSettings): Refusable<{ user: UserKey }> {
    return this.#options.chat.appear({
      nick: settings.name,
      username: 'bot',
      realname: realnameOf(settings),
      channels: presenceOf(settings),
      isBot: true,
    })
  }

  #keepOut(disk: BotOnDisk, flaws: Flaws): Bot {
    const problems = problemsOf(flaws)
    return this.#put(asAbsent({ ...disk, problems, warnings: this.#warnings(disk) }))
  }

  #warnings({ name, settings, warnings }: BotOnDisk): readonly string[] {
    const { serverName, isExposed = false } = this.#options
    return [...warnings, ...serverWarnings(name, settings, { serverName, isExposed })]
  }

  #logWarnings({ name, warnings }: Bot): void {
    for (const warning of warnings) this.#options.log.warn({ bot: name }, warning)
  }

  #put(bot: Bot): Bot {
    this.#bots.set(bot.name, bot)
    this.#options.onChange?.(bot.name)
    return bot
  }
}

function asAbsent(known: Omit<AbsentBot, 'status' | 'user'>): AbsentBot {
  return { ...known, status: known.problems.length > 0 ? 'invalid' : 'inactive', user: undefined }
}

function problemsOf({ file, handler }: Flaws): readonly string[] {
  return [...file, ...handler]
}

function setback(problems: readonly string[], meanwhile?: string): Begun {
  return { ok: false, problems, meanwhile }
}

function realnameOf({ name, description }: BotSettings): string {
  return description.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim() || name
}
