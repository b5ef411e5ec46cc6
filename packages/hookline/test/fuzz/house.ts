// An in-memory chat in a world where nothing happens by itself: no clock moves, and slow work completes on command.
import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import type { Entry } from '../../src/chat/events.ts'
import { apply } from '../../src/chat/features/index.ts'
import type { ChatSettings } from '../../src/chat/settings.ts'
import { hasRank } from '../../src/chat/rules/rank.ts'
import { Spine } from '../../src/chat/spine.ts'
import { emptyState, type User, type UserKey } from '../../src/chat/state.ts'
import type { Draft } from '../../src/chat/drafts.ts'
import { type VirtualUsers, virtualUsers } from '../../src/chat/virtual.ts'
import { type ChannelKey, channelKey } from '../../src/irc/names.ts'
import { TestClock } from '../clock.ts'
import { pretendAccounts } from './accounts.ts'
import { type Act, PLACES } from './acts.ts'
import { checkChat, checkEmpty } from './invariants.ts'
import { ACCOUNTS } from './lines.ts'
import { memoryHistory } from './past.ts'
import { snapshot } from './snapshot.ts'
import { Visitor } from './visitor.ts'
import { HERE, ME, NICKS } from './words.ts'

/** u, auditorium: its channel does not show everybody who comes and goes. */
const VEILS: ReadonlySet<string> = new Set(['u'])

export class House {
  readonly chat: Spine
  /** Kinds of events. */
  readonly happened = new Set<string>()
  /** All lines that were sent to somebody. */
  told = 0
  readonly #visitors: (Visitor | undefined)[] = Array.from({ length: PLACES })
  readonly #entries: Entry[] = []
  readonly #past = memoryHistory((answer) => this.#slowly(answer))
  readonly #veiled = new Set<ChannelKey>()
  readonly #voices: VirtualUsers
  readonly #bots = new Map<string, UserKey>()
  readonly #nicks = new Set(NICKS)
  readonly #settings: ChatSettings
  #drafts: Draft[] = []
  #slow: (() => void)[] = []
  #turns: (() => void)[] = []
  readonly #clock = new TestClock(1_700_000_000_000)
  #ids = 0

  /** `keeps`: remembers the log, to replay it. */
  constructor(settings: ChatSettings, { keeps }: { keeps: boolean }) {
    this.#settings = settings
    this.chat = new Spine(settings, {
      now: () => this.#clock.now(),
      elapsed: () => this.#clock.now(),
      newId: () => `id${++this.#ids}`,
      soon: (flush) => void this.#turns.push(flush),
      later: (ms, run) => void this.#clock.later(ms, run),
      isBehind: () => false,
      report: (error) => {
        throw error
      },
      accounts: pretendAccounts(
        () => this.chat,
        (work) => this.#slowly(work),
      ),
      passwords: {
        compare: ({ password }) => this.#slowly(() => (password === 'right' ? 'right' : 'wrong')),
      },
      history: this.#past.history,
      rehash: () => this.#slowly(() => ({ isApplied: true, warnings: [] })),
    })
    this.#voices = virtualUsers(this.chat)
    if (keeps) this.chat.log.follow(0, (entry) => void this.#entries.push(structuredClone(entry)))
    this.chat.observe((entry, change) => this.#see(entry, change))
    this.#makeAccounts()
  }

  #see(entry: Entry, change: unknown): void {
    const { event } = entry
    this.happened.add(event.kind)
    if (event.kind === 'channel.modes' && event.changes.some(({ mode }) => VEILS.has(mode)))
      this.#veiled.add(event.channel)
    if (event.kind === 'channel.renamed' && this.#veiled.has(event.channel))
      this.#veiled.add(channelKey(event.name))
    this.#past.keep(this.chat, entry, change)
  }

  #makeAccounts(): void {
    for (const [i, name] of ACCOUNTS.entries())
      this.chat.propose({ kind: 'account.made', name, createdAt: 0, settings: { alwaysOn: i === 1 } })
  }

  /** Does everything, and checks now and then. */
  async run(acts: readonly Act[]): Promise<void> {
    for (const [i, act] of acts.entries()) {
      await this.#do(act)
      if (i % 50 === 0) checkChat(this.chat)
    }
    await this.#settle()
  }

  async #do(act: Act): Promise<void> {
    switch (act.kind) {
      case 'send':
        return this.#send(act)
      case 'hang up':
        return this.#visitors[act.place]?.hangUp()
      case 'stall': {
        const visitor = this.#visitors[act.place]
        if (visitor !== undefined) visitor.isStalled = true
        return
      }
      case 'drain':
        return this.#visitors[act.place]?.drain()
      case 'answer':
        return await this.#answer()
      case 'turn':
        return this.#turn()
      case 'pass':
        return this.#pass(act.ms)
      case 'bot':
        return this.#actAsBot(act)
    }
  }

  #send({ place, greeting, retries, bytes, isRude }: Extract<Act, { kind: 'send' }>): void {
    const hello = Buffer.from(greeting.map((line) => `${line}\r\n`).join(''))
    let visitor = this.#visitors[place]
    if (visitor === undefined || (visitor.session.isClosed && !isRude)) {
      this.told += visitor?.eye.lines ?? 0
      visitor = this.#visitors[place] = new Visitor(this.chat, place)
      visitor.send(hello, true)
    } else if (visitor.session.user === undefined && !visitor.isBusy && retries) visitor.send(hello, false)
    visitor.send(filledIn(bytes, visitor.session.user), isRude)
  }

  #slowly<T>(answer: () => T): Promise<T> {
    return new Promise((resolve) => this.#slow.push(() => resolve(answer())))
  }

  async #answer(): Promise<void> {
    for (const done of this.#slow.splice(0)) done()
    // Whatever waited for it continues.
    await setImmediate()
  }

  #turn(): void {
    for (const flush of this.#turns.splice(0)) flush()
    for (const visitor of this.#visitors) visitor?.turn()
  }

  #pass(ms: number): void {
    this.#clock.moveTo(this.#clock.now() + ms)
    this.chat.tick()
  }

  #actAsBot({ does, nick, target, text }: Extract<Act, { kind: 'bot' }>): void {
    const user = this.#bots.get(nick) ?? this.#bots.values().next().value
    const lines = text.split('\n')
    switch (does) {
      case 'appear': {
        const bot = { nick, username: 'bot', realname: lines.join(' '), channels: [target] }
        const appeared = this.#voices.appear({ ...bot, isBot: text !== '☕' })
        if (appeared.ok) this.#bots.set(nick, appeared.user)
        this.#nicks.add(nick)
        return
      }
      case 'leave':
        return this.#leaveAs((name, key) => name === nick || key === user)
      case 'draft': {
        const said = { target, command: 'PRIVMSG' as const, text, delivery: 'd-1' }
        const drafted = user && this.#voices.draft(user, said)
        if (drafted?.ok) this.#drafts.push(drafted.draft)
        return
      }
      case 'publish':
        for (const draft of this.#drafts.splice(0)) this.#voices.publish(draft)
        return
      case 'redact':
        return this.#voices.redact(user, { id: `id${this.#ids}`, target, reason: lines[0] })
      case 'notice':
        return void this.#voices.notice(nick, 'a word from the server')
      case 'move':
        return void (user && this.#voices.moveTo(user, [target]))
    }
  }

  #leaveAs(isMeant: (name: string, user: UserKey) => boolean): void {
    for (const [name, user] of this.#bots) {
      if (!isMeant(name, user)) continue
      this.#bots.delete(name)
      this.#voices.leave(user, 'stopped')
    }
  }

  /** Everything in progress finishes; then everything must be in order. */
  async #settle(): Promise<void> {
    for (let round = 0; ; round++) {
      assert.ok(round < 500, 'somebody still has something to say')
      await this.#answer()
      this.#turn()
      for (const visitor of this.#visitors) visitor?.drain()
      this.#turn()
      const isBusy = this.#visitors.some((visitor) => visitor?.isBusy)
      if (!isBusy && this.#slow.length + this.#turns.length === 0) break
      // Whoever sent too much at once waits.
      if (this.#clock.isWaitedFor) this.#pass(100)
    }
    checkChat(this.chat)
    for (const visitor of this.#visitors) visitor?.check(this.#veiled)
    this.#replay()
  }

  #replay(): void {
    if (this.#entries.length === 0) return
    const state = emptyState(this.#settings.limits)
    for (const entry of this.#entries) apply(state, entry)
    assert.deepEqual(snapshot(state), snapshot(this.chat.state), 'the log gives another state')
  }

  /** Everybody leaves, and nothing is left. */
  leave(): void {
    this.#leaveAs(() => true)
    for (const visitor of this.#visitors) {
      visitor?.hangUp()
      this.told += visitor?.eye.lines ?? 0
    }
    this.#turn()
    // Dropping an account drops what it keeps: its always-on user, and its channels.
    for (const account of Array.from(this.chat.state.accounts.keys()))
      this.chat.propose({ kind: 'account.dropped', account })
    this.#pass(1_000_000)
    this.#visitors.fill(undefined)
    this.#past.forget()
    this.#veiled.clear()
    this.#drafts = []
    checkChat(this.chat)
    checkEmpty(this.chat, this.#nicks)
    this.#makeAccounts()
  }
}

/** What can be known only when it is typed. */
function filledIn(bytes: Buffer, user: User | undefined): Buffer {
  if (!bytes.includes('{')) return bytes
  const channels = [...(user?.channels.values() ?? [])]
  const here = channels.find((channel) => user !== undefined && hasRank(channel, user, 'o')) ?? channels[0]
  const latin1 = (text: string) => Buffer.from(text).toString('latin1')
  const text = bytes.toString('latin1')
  const filled = text.replaceAll(ME, latin1(user?.nick ?? 'ann')).replaceAll(HERE, latin1(here?.name ?? '#a'))
  return Buffer.from(filled, 'latin1')
}
