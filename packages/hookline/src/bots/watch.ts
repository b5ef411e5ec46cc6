// Tells when a bot's files were saved, so that an edit takes effect at once.
import { type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import type { Home } from '../home.ts'
import type { Logger } from './logger.ts'

/** An editor saves in several steps; this is long enough for all of them. */
const SETTLE_MS = 150

/** Calls `onSaved` with the name of a folder that is gone, or in which bot.yaml or a handler changed. Returns what stops it. */
export function watchBots(home: Home, onSaved: (name: string) => void, log: Logger): () => void {
  const folders = new Map<string, Followed>()
  const settling = new Map<string, NodeJS.Timeout>()

  function saved(name: string): void {
    clearTimeout(settling.get(name))
    const settled = setTimeout(() => {
      settling.delete(name)
      onSaved(name)
    }, SETTLE_MS)
    settling.set(name, settled.unref())
  }

  function follow(name: string, identity: string): void {
    const watcher = open(join(home.bots, name), (file) => {
      if (file === 'bot.yaml' || file.startsWith('handler.')) saved(name)
    })
    folders.set(name, { watcher, identity })
  }

  /** Follows new folders and drops those that are gone; one may have replaced another. */
  function look(): void {
    const present = foldersIn(home.bots)
    if (present === undefined) return awaitReturn()
    for (const [name, { watcher, identity }] of folders) {
      if (present.get(name) === identity) continue
      watcher?.close()
      folders.delete(name)
      if (!present.has(name)) saved(name)
    }
    for (const [name, identity] of present) {
      if (folders.has(name)) continue
      follow(name, identity)
      if (isLooking) saved(name)
    }
  }

  /** Delayed, as each look is at all folders, and a thousand may come at once. */
  function lookSoon(): void {
    looking ??= setTimeout(() => {
      looking = undefined
      look()
    }, SETTLE_MS).unref()
  }

  /** Only the folder around it can tell when a missing folder is back. */
  function awaitReturn(): void {
    const text = 'the bots folder is gone; the bots keep running as they are until it is back'
    log.warn({ folder: home.bots }, text)
    const lookAgain = (): void => {
      if (foldersIn(home.bots) === undefined) return
      root?.close()
      root = open(home.bots, lookSoon)
      look()
    }
    root?.close()
    root = open(home.folder, lookAgain)
    // It may have come back in between.
    lookAgain()
  }

  /** The system limits what may be watched; beyond that `hookline bot start` reads a file again. */
  function open(folder: string, onChange: (file: string) => void): FSWatcher | undefined {
    try {
      const watcher = watch(folder, (_, file) => onChange(file ?? ''))
      return watcher.on('error', () => watcher.close())
    } catch (error) {
      log.warn(
        { err: error, folder },
        'changes in this folder are not noticed: run hookline bot start after an edit',
      )
      return undefined
    }
  }

  let isLooking = false
  let looking: NodeJS.Timeout | undefined
  let root = open(home.bots, lookSoon)
  look()
  isLooking = true
  return () => {
    root?.close()
    clearTimeout(looking)
    for (const { watcher } of folders.values()) watcher?.close()
    for (const timer of settling.values()) clearTimeout(timer)
  }
}

interface Followed {
  /** Undefined when the system refused to watch it. */
  readonly watcher: FSWatcher | undefined
  readonly identity: string
}

/** By name, with what tells a folder from another that replaced it. Undefined if the parent cannot be read. */
function foldersIn(parent: string): ReadonlyMap<string, string> | undefined {
  try {
    const found = readdirSync(parent).flatMap((name) => {
      const stats = lstatSync(join(parent, name), { throwIfNoEntry: false })
      return stats?.isDirectory() ? [[name, `${stats.ino} ${stats.birthtimeMs}`] as const] : []
    })
    return new Map(found)
  } catch {
    return undefined
  }
}
