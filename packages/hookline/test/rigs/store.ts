// Shared setup of the store tests: a folder that a store opens, databases in memory, and sample records.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { newFolder } from '../folder.ts'
import { silent } from '../log.ts'
import { Committer } from '../../src/store/committer.ts'
import type { KeptMessage, NewDelivery, Outcome } from '../../src/store/deliveryrows.ts'
import type { HistoryRow } from '../../src/store/historyrows.ts'
import type { ReadJob, WriteJob } from '../../src/store/operations.ts'
import type { Retention } from '../../src/store/retentionlimits.ts'
import { migrations } from '../../src/store/schema.ts'
import { openStore, type Store, type StoreOptions } from '../../src/store/store.ts'
import type { Passed } from '../../src/store/trustedclock.ts'

/** Removed at the end, after its stores are closed. */
export function newStores() {
  const folder = newFolder()
  const file = join(folder.path, 'hookline.db')
  const stores: Store[] = []
  return {
    path: folder.path,
    file,
    open: async (options: Partial<StoreOptions> = {}) => {
      const store = await openStore(folder.path, { log: silent, ...options })
      stores.push(store)
      return store
    },
    query: (sql: string) => {
      using db = new DatabaseSync(file)
      return db.prepare(sql).get() ?? {}
    },
    change: (sql: string) => {
      using db = new DatabaseSync(file, { timeout: 5_000 })
      db.exec(sql)
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(stores.map((store) => store.close()))
      folder.remove()
    },
  }
}

/** A database as it was after that many migrations. */
export function migrated(count = migrations.length, path = ':memory:'): DatabaseSync {
  const db = new DatabaseSync(path)
  for (const migration of migrations.slice(0, count)) db.exec(migration)
  db.exec(`PRAGMA user_version = ${count}`)
  return db
}

/** That so much time has passed, and all of it was seen. */
export function timeOf(now: number): Passed {
  return { time: now, jumps: [] }
}

function hasMore(pruned: unknown): boolean {
  return (pruned as { readonly hasMore: boolean }).hasMore
}

export const KEEPS_ALL = { channelMessages: undefined, directMessages: undefined, days: undefined }

/** A database in memory, and the one who writes to it. */
export function openMemory() {
  const db = migrated()
  const committer = new Committer({ db, expectInPlace: () => {} })
  const commit = (...writes: WriteJob[]) => committer.run({ lines: [], writes, reads: [] }).writes
  const write = (job: WriteJob): unknown => {
    const [result] = commit(job)
    assert.ok(result?.ok)
    return result.value
  }
  return {
    db,
    /** In one batch. */
    commit,
    write,
    read: (job: ReadJob): unknown => {
      const [result] = committer.run({ lines: [], writes: [], reads: [job] }).reads
      assert.ok(result?.ok)
      return result.value
    },
    prune: (now: number, keep: Retention): void => {
      while (hasMore(write(['prune', { passed: timeOf(now), keep, history: KEEPS_ALL }])));
    },
    [Symbol.dispose]: () => db.close(),
  }
}

// Sample records: an ordinary one of each kind, with changes.

export function row(facts: Partial<HistoryRow>): HistoryRow {
  return {
    id: 'm',
    time: 1_000,
    command: 'PRIVMSG',
    conversation: '#tea',
    target: '#Tea',
    from: 'amy',
    mask: 'amy!a@host',
    account: null,
    isBot: false,
    text: 'hello',
    tags: '{}',
    delivery: null,
    ...facts,
  }
}

export function delivery(facts: Partial<NewDelivery>): NewDelivery {
  return {
    id: 'd',
    bot: 'a',
    receivedAt: 1_000,
    key: null,
    event: null,
    headers: {},
    body: Buffer.from('{}'),
    ...facts,
  }
}

export function outcome(facts: Partial<Outcome> = {}): Outcome {
  return {
    status: 'posted',
    finishedAt: 2_000,
    text: 'hello',
    error: null,
    channels: [],
    history: [],
    kept: [],
    composedBy: null,
    unresolved: [],
    reason: null,
    woken: [],
    ...facts,
  }
}

export function message(facts: Partial<KeptMessage>): KeptMessage {
  return {
    id: 'k',
    nick: 'amy',
    command: 'NOTICE',
    source: 'bot',
    text: 'hello',
    time: 1_000,
    delivery: 'd-1',
    ...facts,
  }
}
