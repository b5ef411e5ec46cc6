// Saves what must survive a restart, as it changes, and restores it at start.
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Event } from '../chat/events.ts'
import type { Dropped } from '../chat/features/account.ts'
import type { ChannelChange } from '../chat/features/modesettle.ts'
import {
  type ChannelRecord,
  channelRecord,
  lasts,
  type MetadataRecord,
  metadataRecord,
  restoreChannel,
  restoreMetadata,
  restoreUser,
  type UserRecord,
  userRecord,
} from '../chat/lasting.ts'
import { stays } from '../chat/rules/attach.ts'
import type { Chat } from '../chat/spine.ts'
import type { User } from '../chat/state.ts'
import { type AccountKey, accountKey, type ChannelKey, channelKey } from '../irc/names.ts'
import type { Log } from '../log.ts'
import type { KeptRecord } from '../store/records.ts'
import type { Store } from '../store/store.ts'

/** Delay before a failed write is retried. */
const RETRY_MS = 1_000

/** Joining and leaving affect a channel's record only through users who stay. */
const PASSING: ReadonlySet<Event['kind']> = new Set(['channel.joined', 'channel.parted', 'channel.kicked'])

export class Lasting {
  readonly #chat: Chat
  readonly #store: Store
  readonly #log: Log
  /** What is on disk, by kind and key. */
  readonly #saved = new Map<string, string>()
  readonly #channels = new Set<ChannelKey>()
  readonly #accounts = new Set<AccountKey>()
  /** Accounts whose metadata changed. */
  readonly #metadata = new Set<AccountKey>()
  #saving: Promise<void> | undefined
  /** Stops the retries: a failing disk does not keep the server from ending. */
  #isClosing = false

  constructor(chat: Chat, { store, log }: { store: Store; log: Log }) {
    this.#chat = chat
    this.#store = store
    this.#log = log
  }

  /** Restores channels and users, then follows changes. Call when the accounts are loaded, before anybody connects. */
  async restore(): Promise<void> {
    const { records } = this.#store
    const [channels, users, metadata] = await Promise.all([
      records.all('channel'),
      records.all('user'),
      records.all('metadata'),
    ])
    for (const { key, json } of metadata) {
      this.#saved.set(`metadata ${key}`, json)
      restoreMetadata(this.#chat, key as AccountKey, JSON.parse(json) as MetadataRecord)
    }
    for (const { key, json } of channels) {
      this.#saved.set(`channel ${key}`, json)
      restoreChannel(this.#chat, JSON.parse(json) as ChannelRecord)
    }
    for (const { key, json } of users) {
      this.#saved.set(`user ${key}`, json)
      restoreUser(this.#chat, JSON.parse(json) as UserRecord)
    }
    this.#chat.observe(({ event }, change) => this.#follow(event, change))
    // Records that were not restored are deleted.
    for (const { key } of channels) this.#channels.add(key as ChannelKey)
    for (const { key } of users) this.#accounts.add(key as AccountKey)
    this.#saveSoon()
  }

  /** Resolves when everything is written, or the disk has refused it once more. */
  async close(): Promise<void> {
    this.#isClosing = true
    await this.#saving
    await this.#save()
  }

  #follow(event: Event, change: unknown): void {
    const before = this.#waiting
    if ('user' in event) {
      // A user who quit is no longer in the state, and one who logged out has no account: `apply` returns what was.
      const user = event.kind === 'user.quit' ? (change as User) : this.#chat.state.users.get(event.user)
      if (user?.account != null) this.#accounts.add(accountKey(user.account))
      if (event.kind === 'user.account' && change != null) this.#accounts.add(accountKey(change as string))
    }
    if (event.kind === 'account.changed') this.#accounts.add(event.account)
    if (event.kind === 'account.dropped')
      for (const key of (change as Dropped).knownIn) this.#channels.add(key)
    if (event.kind === 'channel.modes') for (const each of event.changes) this.#followRank(each)
    if (event.kind === 'channel.renamed') this.#followName(event.name)
    if (event.kind === 'account.dropped' || (event.kind === 'metadata.changed' && 'account' in event))
      this.#metadata.add(event.account)
    if ('channel' in event && !PASSING.has(event.kind)) this.#channels.add(event.channel)
    if (this.#waiting > before) this.#saveSoon()
  }

  get #waiting(): number {
    return this.#channels.size + this.#accounts.size + this.#metadata.size
  }

  /** Ranks are saved with the users who stay, and these may be away. */
  #followRank(change: ChannelChange): void {
    const user = 'user' in change ? this.#chat.state.users.get(change.user) : undefined
    if (user?.account != null) this.#accounts.add(accountKey(user.account))
  }

  /** Saves the channel under its new name, the users who stay in it, and the channels that forward to it. */
  #followName(name: string): void {
    const { channels } = this.#chat.state
    this.#channels.add(channelKey(name))
    for (const { key, forward } of channels.values()) if (forward === name) this.#channels.add(key)
    for (const { user } of channels.get(channelKey(name))?.members.values() ?? [])
      if (user.account !== null) this.#accounts.add(accountKey(user.account))
  }

  #saveSoon(): void {
    this.#saving ??= this.#saveAll()
  }

  async #saveAll(): Promise<void> {
    await setImmediate()
    try {
      while (this.#waiting > 0 && !this.#isClosing) {
        if (!(await this.#save())) await setTimeout(RETRY_MS, undefined, { ref: false })
      }
    } finally {
      // In the same turn as the last check: later changes start a new run.
      this.#saving = undefined
    }
  }

  /** False if the disk refused; everything is queued again then. */
  async #save(): Promise<boolean> {
    const accounts = [...this.#accounts]
    const users = accounts.flatMap((key) => this.#changed('user', key, this.#userOf(key)))
    const channels = [...this.#channels]
    const metadata = [...this.#metadata]
    const changed = [
      ...users,
      ...metadata.flatMap((key) => this.#changed('metadata', key, this.#metadataOf(key))),
      ...channels.flatMap((key) => this.#changed('channel', key, this.#channelOf(key))),
    ]
    this.#accounts.clear()
    this.#channels.clear()
    this.#metadata.clear()
    if (changed.length === 0) return true
    try {
      await this.#store.records.save(changed)
    } catch (error) {
      this.#log.warn(
        { err: error },
        'channels, users and metadata could not be written; it will be tried again',
      )
      for (const key of accounts) this.#accounts.add(key)
      for (const key of channels) this.#channels.add(key)
      for (const key of metadata) this.#metadata.add(key)
      return false
    }
    for (const { kind, key, json } of changed) {
      if (json === null) this.#saved.delete(`${kind} ${key}`)
      else this.#saved.set(`${kind} ${key}`, json)
    }
    return true
  }

  #changed(kind: string, key: string, json: string | null): KeptRecord[] {
    const was = this.#saved.get(`${kind} ${key}`) ?? null
    return was === json ? [] : [{ kind, key, json }]
  }

  #metadataOf(key: AccountKey): string | null {
    const record = metadataRecord(this.#chat.state.accounts.get(key))
    return record && JSON.stringify(record)
  }

  #channelOf(key: ChannelKey): string | null {
    const channel = this.#chat.state.channels.get(key)
    return channel !== undefined && lasts(this.#chat, channel) ? JSON.stringify(channelRecord(channel)) : null
  }

  /** Also queues the channels that the user is or was in: they may last because of it, or no longer. */
  #userOf(key: AccountKey): string | null {
    const { settings, state } = this.#chat
    const users = [...(state.accounts.get(key)?.users ?? [])]
    const user = users.find((each) => stays(settings, state, each))
    const record = user && userRecord(user)
    const was = this.#saved.get(`user ${key}`)
    const before = was === undefined ? [] : (JSON.parse(was) as UserRecord).channels
    for (const { name } of [...before, ...(record?.channels ?? [])]) this.#channels.add(channelKey(name))
    return record === undefined ? null : JSON.stringify(record)
  }
}
