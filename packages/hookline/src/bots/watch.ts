// Tells when a bot's files were saved, so that an edit takes effect at once.
import { type FSWatcher, lstatSync, readdirSync, type Stats, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import type { Home } from '../home.ts'
import type { Log } from '../log.ts'
import { looksLikeHandler } from './handler/find.ts'

/** An editor saves in several steps; this is long enough for all of them. */
const SETTLE_MS = 150

/** Calls `onSaved` with the name of a folder that is gone, or in which bot.yaml or a handler changed, until it is closed. */
export class BotWatcher {
  readonly #home: Home
  readonly #onSaved: (name: string) => void
  readonly #log: Log
  readonly #bots = new Map<string, WatchedFolder>()
  /** Bots whose files may still be changing. */
  readonly #settling = new Map<string, NodeJS.Timeout>()
  /** The folder of all bots; while it is missing, the one around it. */
  #parent: FSWatcher | undefined
  /** Of the folder of all bots that is watched. */
  #identity: string | undefined
  #nextLook: NodeJS.Timeout | undefined
  /** False during the first look, which finds bots that are not new. */
  #hasLooked = false

  constructor(home: Home, onSaved: (name: string) => void, log: Log) {
    this.#home = home
    this.#onSaved = onSaved
    this.#log = log
    this.#look()
    this.#hasLooked = true
  }

  close(): void {
    this.#parent?.close()
    clearTimeout(this.#nextLook)
    for (const { watcher } of this.#bots.values()) watcher?.close()
    for (const timer of this.#settling.values()) clearTimeout(timer)
  }

  /** Delayed, as each look is at all folders, and a thousand may come at once. */
  #lookSoon(): void {
    this.#nextLook ??= setTimeout(() => {
      this.#nextLook = undefined
      this.#look()
    }, SETTLE_MS).unref()
  }

  /** Watches new folders and drops those that are gone; one may have replaced another. */
  #look(): void {
    this.#watchParent()
    const present = foldersIn(this.#home.bots)
    if (present === undefined) return this.#awaitReturn()
    for (const [name, { watcher, identity }] of this.#bots) {
      if (present.get(name) === identity) continue
      watcher?.close()
      this.#bots.delete(name)
      if (!present.has(name)) this.#saved(name)
    }
    for (const [name, identity] of present) {
      if (this.#bots.has(name)) continue
      this.#bots.set(name, { watcher: this.#watchBot(name), identity })
      if (this.#hasLooked) this.#saved(name)
    }
  }

  /** Again if another folder has replaced it: a watcher stays with the one that it was made for. */
  #watchParent(): void {
    const { bots } = this.#home
    const identity = identityOf(bots)
    if (identity === this.#identity) return
    this.#identity = identity
    this.#parent?.close()
    this.#parent = identity === undefined ? undefined : this.#watch(bots, () => this.#lookSoon())
  }

  #watchBot(name: string): FSWatcher | undefined {
    return this.#watch(join(this.#home.bots, name), (file) => {
      if (file === 'bot.yaml' || looksLikeHandler(file)) this.#saved(name)
    })
  }

  #saved(name: string): void {
    clearTimeout(this.#settling.get(name))
    const settled = setTimeout(() => {
      this.#settling.delete(name)
      this.#onSaved(name)
    }, SETTLE_MS)
    this.#settling.set(name, settled.unref())
  }

  /** Only the folder around it can tell when a missing folder is back. */
  #awaitReturn(): void {
    const { bots, folder } = this.#home
    const text = 'the bots folder is gone; the bots keep running as they are until it is back'
    this.#log.warn({ folder: bots }, text)
    this.#identity = undefined
    this.#parent?.close()
    this.#parent = this.#watch(folder, () => this.#lookForReturn())
    // It may have come back in between.
    this.#lookForReturn()
  }

  #lookForReturn(): void {
    if (foldersIn(this.#home.bots) !== undefined) this.#look()
  }

  /** The system limits what may be watched; beyond that `hookline bot start` reads a file again. */
  #watch(folder: string, onChange: (file: string) => void): FSWatcher | undefined {
    try {
      const watcher = watch(folder, (_, file) => onChange(file ?? ''))
      return watcher.on('error', () => watcher.close())
    } catch (error) {
      this.#log.warn(
        { err: error, folder },
        'changes in this folder are not noticed: run hookline bot start after an edit',
      )
      return undefined
    }
  }
}

interface WatchedFolder {
  /** Undefined when the system refused to watch it. */
  readonly watcher: FSWatcher | undefined
  readonly identity: string
}

/** By name, with what tells a folder from another that replaced it. Undefined if the parent cannot be read. */
function foldersIn(parent: string): ReadonlyMap<string, string> | undefined {
  try {
    const found = readdirSync(parent).flatMap((name) => {
      const stats = lstatSync(join(parent, name), { throwIfNoEntry: false })
      return stats?.isDirectory() ? [[name, identityIn(stats)] as const] : []
    })
    return new Map(found)
  } catch {
    return undefined
  }
}

/** Undefined if there is no such folder, or none that can be reached. */
function identityOf(folder: string): string | undefined {
  try {
    const stats = statSync(folder, { throwIfNoEntry: false })
    return stats && identityIn(stats)
  } catch {
    return undefined
  }
}

function identityIn({ ino, birthtimeMs }: Stats): string {
  return `${ino} ${birthtimeMs}`
}
