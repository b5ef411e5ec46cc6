// The real chat in memory, what was said and seen in it, and people who connect to it.
import assert from 'node:assert/strict'
import type { Entry, Said } from '../src/chat/events.ts'
import type { History } from '../src/chat/past.ts'
import { Spine } from '../src/chat/spine.ts'
import type { User, UserKey } from '../src/chat/state.ts'
import { virtualUsers, type VirtualUsers } from '../src/chat/virtual.ts'
import { newId } from '../src/store/ids.ts'
import type { Clock } from '../src/triggers/alarm.ts'
import { TestClock } from './clock.ts'
import { pretendAccounts } from './fuzz/accounts.ts'
import { usualSettings } from './fuzz/settings.ts'

/** Somebody with a connection. */
export interface Client {
  /** Returns what is sent back at once. */
  type(...lines: string[]): readonly string[]
  /** What has been sent since it last typed. */
  heard(): readonly string[]
  hangUp(): void
}

export class TestChat {
  readonly chat: Spine
  /** The bots' way in. */
  readonly virtualUsers: VirtualUsers
  /** Everything that was said, in order: `#builds <bot> text`, and by the server to a connection `notice amy text`. */
  readonly told: string[] = []
  readonly published: (Pick<Said, 'clientTags' | 'delivery'> & { id: string; text: string })[] = []
  /** Who came and went: `bot joins #builds`, `bot parts #builds`, `bot quits: Stopped`. */
  readonly seen: string[] = []
  #waiting: { count: number; resolve: () => void } | undefined

  /** Without a `history` nobody may look back. */
  constructor(clock: Clock = new TestClock(0), history?: History) {
    const never = () => assert.fail('nobody in it logs in or looks back')
    const none = { find: never, redact: never, page: never, targets: never, search: never, timeOf: never }
    this.chat = new Spine(usualSettings, {
      now: () => clock.now(),
      elapsed: () => clock.now(),
      newId: () => newId(clock.now()),
      soon: queueMicrotask,
      later: (ms, run) => void clock.later(ms, run),
      isBehind: () => false,
      accounts: pretendAccounts(() => this.chat, never),
      passwords: { compare: never },
      history: history ?? none,
      report: (error) => {
        throw error
      },
      rehash: never,
    })
    this.virtualUsers = virtualUsers(this.chat)
    this.chat.observe((entry, change) => this.#see(entry, change))
  }

  /** Somebody connects. Whoever is first in a channel is its operator. */
  enter(nick: string, ...channels: readonly string[]): Client {
    let arrived = ''
    const ignore = () => {}
    const write = (bytes: Uint8Array): void => {
      const text = Buffer.from(bytes).toString()
      arrived += text
      for (const [, to, said] of text.matchAll(/^:spark NOTICE (\S+) :(.*)$/gm))
        this.#tell(`notice ${to} ${said}`)
    }
    const wire = { waiting: 0, write, end: ignore, cut: ignore, pause: ignore, resume: ignore }
    const session = this.chat.connect(wire, { host: '127.0.0.1', isSecure: false })
    const heard = () => {
      this.chat.flush()
      return arrived.split('\r\n').slice(0, -1)
    }
    const type = (...lines: string[]): readonly string[] => {
      arrived = ''
      this.chat.receive(session, lines)
      return heard()
    }
    const welcome = type(
      `NICK ${nick}`,
      `USER ${nick} 0 * ${nick}`,
      ...channels.map((name) => `JOIN ${name}`),
    )
    assert.ok(session.user, welcome.join('\n'))
    return { type, heard, hangUp: () => this.chat.disconnect(session, 'gone') }
  }

  /** Resolves when that many lines have been said in total. */
  toldAtLeast(count: number): Promise<void> {
    if (this.told.length >= count) return Promise.resolve()
    return new Promise((resolve) => {
      this.#waiting = { count, resolve }
    })
  }

  #see({ id, event }: Entry, change: unknown): void {
    const nick = (user: UserKey) => this.chat.state.users.get(user)?.nick
    if (event.kind === 'channel.joined') this.seen.push(`${nick(event.user)} joins ${event.channel}`)
    if (event.kind === 'channel.parted') this.seen.push(`${nick(event.user)} parts ${event.channel}`)
    if (event.kind === 'user.quit') this.seen.push(`${(change as User).nick} quits: ${event.reason}`)
    if (event.kind !== 'said') return
    const { from, to, lines, clientTags, delivery } = event
    const text = lines.map((line) => line.text).join('\n')
    this.published.push({ id, text, clientTags, delivery })
    this.#tell(`${'user' in to ? nick(to.user) : to.channel} <${nick(from)}> ${text}`)
  }

  #tell(line: string): void {
    this.told.push(line)
    if (this.#waiting && this.told.length >= this.#waiting.count) this.#waiting.resolve()
  }
}
