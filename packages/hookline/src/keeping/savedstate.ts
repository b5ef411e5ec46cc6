// Saves what must survive a restart, as it changes, and restores it at start.
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Chat } from '../chat/chat.ts'
import type { Event } from '../chat/events.ts'
import { changeOf } from '../chat/features/index.ts'
import { lasts, restoreChannel, restoreMetadata, restoreUser } from '../chat/restorestate.ts'
import { stays } from '../chat/rules/attach.ts'
import {
  channelRecord,
  type ChannelRecord,
  metadataRecord,
  type MetadataRecord,
  userRecord,
  type UserRecord,
} from '../chat/snapshots.ts'
import type { User } from '../chat/state.ts'
import { type AccountKey, accountKey, type ChannelKey, channelKey } from '../irc/names.ts'
import type { Log } from '../log/log.ts'
import type { RecordRow } from '../store/records.ts'
import type { Store } from '../store/store.ts'

/** Delay before a failed write is retried. */
const RETRY_MS = 1_000

/** Joining and leaving affect a channel's record only through users who stay. */
const PASSING: ReadonlySet<Event['kind']> = new Set(['channel.joined', 'channel.parted', 'channel.kicked'])

type Kind = 'channel' | 'metadata' | 'user'

export class SavedState {
  readonly #chat: Chat
  readonly #store: Store
  readonly #log: Log
  /** What is on disk, by kind and key. */
  readonly #saved = new Map<string, string>()
  /** What may differ from that, the same way. Users and metadata go by their account. */
  readonly #changed = new Map<string, { readonly kind: Kind; readonly key: string }>()
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
    const [metadata, channels, users] = await Promise.all([
      this.#read('metadata'),
      this.#read('channel'),
      this.#read('user'),
    ])
    for (const { key, json } of metadata)
      restoreMetadata(this.#chat, key as AccountKey, JSON.parse(json) as MetadataRecord)
    for (const { json } of channels) restoreChannel(this.#chat, JSON.parse(json) as ChannelRecord)
    for (const { json } of users) restoreUser(this.#chat, JSON.parse(json) as UserRecord)
    this.#chat.observe(({ event }, change) => this.#follow(event, change))
    // Records that were not restored are deleted.
    for (const { key } of channels) this.#note('channel', key)
    for (const { key } of users) this.#note('user', key)
    this.#saveSoon()
  }

  /** After the settings, and with them who stays, have changed. */
  noteUsers(): void {
    for (const key of this.#chat.state.accounts.keys()) this.#note('user', key)
    this.#saveSoon()
  }

  async #read(kind: Kind): Promise<readonly RecordRow[]> {
    const rows = await this.#store.records.all(kind)
    for (const { key, json } of rows) this.#saved.set(`${kind} ${key}`, json)
    return rows
  }

  /** Resolves when everything is written, or the disk has refused it once more. */
  async close(): Promise<void> {
    this.#isClosing = true
    await this.#saving
    await this.#save()
  }

  #follow(event: Event, change: unknown): void {
    this.#followUser(event, change)
    this.#followAccount(event, change)
    this.#followChannel(event, change)
    if (this.#changed.size > 0) this.#saveSoon()
  }

  /** A user who quit is no longer in the state, and one who logged out has no account: `apply` returns what was. */
  #followUser(event: Event, change: unknown): void {
    if (event.kind === 'user.quit') this.#noteUser(changeOf(event, change))
    else if ('user' in event) this.#noteUser(this.#chat.state.users.get(event.user))
    const was = event.kind === 'user.account' ? changeOf(event, change) : null
    if (was !== null) this.#note('user', accountKey(was))
  }

  #followAccount(event: Event, change: unknown): void {
    if (event.kind === 'account.changed') this.#note('user', event.account)
    if (event.kind === 'account.made' || event.kind === 'account.dropped') {
      for (const key of changeOf(event, change).knownIn) this.#note('channel', key)
      this.#note('metadata', event.kind === 'account.made' ? accountKey(event.name) : event.account)
    }
    if (event.kind === 'metadata.changed' && 'account' in event) this.#note('metadata', event.account)
  }

  #followChannel(event: Event, change: unknown): void {
    if ('channel' in event && !PASSING.has(event.kind)) this.#note('channel', event.channel)
    const renamed = event.kind === 'channel.joined' ? changeOf(event, change) : undefined
    if (renamed !== undefined) this.#note('channel', renamed)
    if (event.kind === 'channel.renamed') this.#followName(event.name)
    if (event.kind === 'clock.mended') this.#noteAll()
    if (event.kind !== 'channel.modes') return
    // Ranks are saved with the users who stay, and these may be away.
    for (const each of event.changes)
      if ('user' in each) this.#noteUser(this.#chat.state.users.get(each.user))
  }

  /** Saves the channel under its new name, those who stay in it, and the channels that forward to it or that had the name before. */
  #followName(name: string): void {
    const { channels } = this.#chat.state
    const now = channelKey(name)
    this.#note('channel', now)
    for (const { key, forward, formerNames } of channels.values())
      if (forward === name || formerNames.includes(now)) this.#note('channel', key)
    for (const { user } of channels.get(now)?.members.values() ?? []) this.#noteUser(user)
  }

  #noteAll(): void {
    for (const key of this.#chat.state.channels.keys()) this.#note('channel', key)
    for (const key of this.#chat.state.accounts.keys()) this.#note('user', key)
  }

  #noteUser(user: User | undefined): void {
    if (user?.account != null) this.#note('user', accountKey(user.account))
  }

  #note(kind: Kind, key: string): void {
    this.#changed.set(`${kind} ${key}`, { kind, key })
  }

  #saveSoon(): void {
    this.#saving ??= this.#saveAll()
  }

  async #saveAll(): Promise<void> {
    await setImmediate()
    try {
      while (this.#changed.size > 0 && !this.#isClosing) {
        if (!(await this.#save())) await setTimeout(RETRY_MS, undefined, { ref: false })
      }
    } finally {
      // In the same turn as the last check: later changes start a new run.
      this.#saving = undefined
    }
  }

  /** False if the disk refused; what has changed is noted again then. */
  async #save(): Promise<boolean> {
    const changed: { kind: Kind; key: string; json: string | null }[] = []
    // Grows meanwhile: a user brings its channels.
    for (const [id, { kind, key }] of this.#changed) {
      const record = this.#recordOf(kind, key)
      const json = record && JSON.stringify(record)
      if (json !== (this.#saved.get(id) ?? null)) changed.push({ kind, key, json })
    }
    this.#changed.clear()
    if (changed.length === 0) return true
    try {
      await this.#store.records.save(changed)
    } catch (error) {
      this.#log.warn(
        { err: error },
        'channels, users and metadata could not be written; it will be tried again',
      )
      for (const { kind, key } of changed) this.#note(kind, key)
      return false
    }
    for (const { kind, key, json } of changed) {
      if (json === null) this.#saved.delete(`${kind} ${key}`)
      else this.#saved.set(`${kind} ${key}`, json)
    }
    return true
  }

  /** Null if nothing of it lasts. */
  #recordOf(kind: Kind, key: string): ChannelRecord | MetadataRecord | UserRecord | null {
    const { state } = this.#chat
    switch (kind) {
      case 'channel': {
        const channel = state.channels.get(key as ChannelKey)
        return channel !== undefined && lasts(this.#chat, channel) ? channelRecord(state, channel) : null
      }
      case 'metadata':
        return metadataRecord(state.accounts.get(key as AccountKey))
      case 'user':
        return this.#userOf(key as AccountKey)
    }
  }

  /** Also notes the channels that the user is or was in: they may last because of it, or no longer. */
  #userOf(key: AccountKey): UserRecord | null {
    const { settings, state } = this.#chat
    const users = [...(state.accounts.get(key)?.users ?? [])]
    const user = users.find((each) => stays(settings, state, each))
    const record = user === undefined ? null : userRecord(user)
    const was = this.#saved.get(`user ${key}`)
    const before = was === undefined ? [] : (JSON.parse(was) as UserRecord).channels
    for (const { name } of [...before, ...(record?.channels ?? [])]) this.#note('channel', channelKey(name))
    return record
  }
}
