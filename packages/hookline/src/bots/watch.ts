// Tells when a bot's files were saved, so that an edit takes effect at once.
import { type FSWatcher, lstatSync, readdirSync, type Stats, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import type { Home } from '../home/home.ts'
import type { Log } from '../log/log.ts'
import { looksLikeHandler } from '../handlers/find.ts'
import { isCode } from '../failure/thrown.ts'

/** An editor saves in several steps: what has not changed for so long is taken for whole. */
const SETTLE_MS = 150

/** How soon a folder that could not be read is looked at again. */
const UNREADABLE_MS = 1_000

/** Files that never rest are looked at this often. */
const BUSY_MS = 2_000

/**
 * Calls `onSaved` with the name of a folder that is gone, or in which bot.yaml or a handler changed, until it is closed. `isGrowing`:
 * bot.yaml is still being written, so it should not be read; told once.
 */
export class BotWatcher {
  readonly #home: Home
  readonly #onSaved: (name: string, isGrowing: boolean) => void
  readonly #log: Log
  readonly #bots = new Map<string, WatchedFolder>()
  /** Bots whose files may still be changing. */
  readonly #settling = new Map<string, Settling>()
  /** The folder of all bots; while it is missing, the one around it. */
  #parent: FSWatcher | undefined
  /** Of the folder of all bots that is watched. */
  #identity: string | undefined
  #nextLook: NodeJS.Timeout | undefined
  #isUnreadable = false
  /** False during the first look, which finds bots that are not new. */
  #hasLooked = false

  constructor(home: Home, onSaved: (name: string, isGrowing: boolean) => void, log: Log) {
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
    for (const { timer } of this.#settling.values()) clearTimeout(timer)
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
    if (present instanceof Error) return this.#lookAgain(present)
    this.#isUnreadable = false
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

  /** However often it is told, files are looked at once in `SETTLE_MS`, and after the last change for sure. */
  #saved(name: string): void {
    const known = this.#settling.get(name)
    if (known) known.isTouched = true
    else this.#settle(name, { since: performance.now(), isTouched: false, isGrowing: true, isTold: false })
  }

  #settle(name: string, state: Omit<Settling, 'timer' | 'seen'>): void {
    const seen = stampOf(join(this.#home.bots, name))
    const timer = setTimeout(() => this.#examine(name), SETTLE_MS).unref()
    this.#settling.set(name, { ...state, isTouched: false, seen, timer })
  }

  #examine(name: string): void {
    const settling = this.#settling.get(name)
    if (!settling) return
    const { seen, since, isTouched, isTold } = settling
    const now = stampOf(join(this.#home.bots, name))
    const isGrowing = settling.isGrowing && now.file === seen.file && now.size > seen.size
    if (!isTouched && now.text === seen.text) {
      this.#settling.delete(name)
      this.#onSaved(name, false)
    } else if (performance.now() - since < BUSY_MS) this.#settle(name, { ...settling, isGrowing })
    else if (isGrowing) {
      if (!isTold) this.#onSaved(name, true)
      this.#settle(name, { ...settling, isGrowing, isTold: true })
    } else {
      this.#onSaved(name, false)
      this.#settle(name, { since: performance.now(), isTouched: false, isGrowing: true, isTold: false })
    }
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

  /** It is there and cannot be read now, as with too many open files. Logged once, until it can be. */
  #lookAgain(error: Error): void {
    if (!this.#isUnreadable) {
      const text = 'the bots folder cannot be read; the bots keep running as they are until it can be'
      this.#log.warn({ err: error, folder: this.#home.bots }, text)
    }
    this.#isUnreadable = true
    this.#nextLook ??= setTimeout(() => {
      this.#nextLook = undefined
      this.#look()
    }, UNREADABLE_MS).unref()
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

interface Settling {
  /** When it began, or was last told of. */
  readonly since: number
  readonly seen: Stamp
  readonly timer: NodeJS.Timeout
  /** Changed since `seen`. */
  isTouched: boolean
  /** bot.yaml was longer at every look. */
  readonly isGrowing: boolean
  readonly isTold: boolean
}

interface Stamp {
  /** Which bot.yaml, and its size. */
  readonly file: string
  readonly size: number
  /** Differs once any of the files has changed. */
  readonly text: string
}

/** Of bot.yaml and handlers as they are on disk. */
function stampOf(folder: string): Stamp {
  let [file, size] = ['', 0]
  const stamps = namesIn(folder).flatMap((name) => {
    if (name !== 'bot.yaml' && !looksLikeHandler(name)) return []
    const stats = statsOf(join(folder, name))
    if (!stats) return []
    if (name === 'bot.yaml') [file, size] = [identityIn(stats), stats.size]
    return `${name} ${identityIn(stats)} ${stats.size} ${stats.mtimeMs}`
  })
  return { file, size, text: stamps.join('\n') }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** By name, with what tells a folder from another that replaced it. Undefined if there is no such parent, or why it cannot be read. */
function foldersIn(parent: string): ReadonlyMap<string, string> | Error | undefined {
  try {
    const found = readdirSync(parent).flatMap((name) => {
      const stats = lstatSync(join(parent, name), { throwIfNoEntry: false })
      return stats?.isDirectory() ? [[name, identityIn(stats)] as const] : []
    })
    return new Map(found)
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return undefined
    return error instanceof Error ? error : new Error(String(error))
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
