// Which file of a bot's folder is its handler.
import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { messageOf } from '../failure/thrown.ts'

export interface HandlerFile {
  readonly name: string
  readonly path: string
  readonly language: 'python' | 'node'
  /** Changes with the file. */
  readonly stamp: string
}

export interface FoundHandler {
  readonly handler: HandlerFile | undefined
  readonly problem: string | undefined
  readonly warnings: readonly string[]
}

/** The first that exists wins. */
const HANDLER_NAMES: readonly string[] = ['handler.py', 'handler.ts', 'handler.mjs', 'handler.js']

/** Looks at the folder. Cheap enough for every delivery: most bots have no handler, which is cached. Never throws. */
export function findHandler(folder: string, now = Date.now()): FoundHandler {
  try {
    return findIn(folder, now)
  } catch (error) {
    const problem = `cannot look for a handler: ${messageOf(error)}`
    return { handler: undefined, problem, warnings: [] }
  }
}

function findIn(folder: string, now: number): FoundHandler {
  const state = stateOf(folder, now)
  const known = withoutHandler.get(folder)
  if (state !== undefined && known?.state === state) return known.found
  const found = lookInto(folder)
  if (found.handler === undefined && found.problem === undefined && state !== undefined) {
    if (withoutHandler.size >= MOST_FOLDERS) withoutHandler.clear()
    withoutHandler.set(folder, { state, found })
  }
  return found
}

/** The same at the end of this turn of the event loop, once for all who ask during it. */
function findHandlerSoon(folder: string): Promise<FoundHandler> {
  const known = sought.get(folder)
  if (known) return known
  const found = setImmediate().then(() => {
    sought.delete(folder)
    return findHandler(folder)
  })
  sought.set(folder, found)
  return found
}

/** A bot as it was read last; `handler` is the name of the file. */
interface KnownBot {
  readonly folder: string
  readonly handler?: string | undefined
}

/** `findHandler` for a known bot: it is a problem if a handler that it had is lost. */
export function handlerOf(bot: KnownBot): FoundHandler {
  return unlessLost(bot, findHandler(bot.folder))
}

/** `findHandlerSoon` for a known bot, likewise. */
export function handlerSoonOf(bot: KnownBot): Promise<FoundHandler> {
  const finding = findHandlerSoon(bot.folder)
  return bot.handler === undefined ? finding : finding.then((found) => unlessLost(bot, found))
}

/** Without its folder, a bot with a handler would say the whole payload. */
function unlessLost({ folder, handler }: KnownBot, found: FoundHandler): FoundHandler {
  if (handler === undefined || found.handler || found.problem !== undefined || existsSync(folder))
    return found
  return { ...found, problem: `${folder} is gone, and ${handler} with it: put it back` }
}

const sought = new Map<string, Promise<FoundHandler>>()

/** Folders that had no handler, as they were then. */
const withoutHandler = new Map<string, { readonly state: string; readonly found: FoundHandler }>()
const MOST_FOLDERS = 10_000

/**
 * Changes whenever a file comes or goes. Undefined while the last change is so recent that another could have the same timestamp:
 * its resolution depends on the file system.
 */
function stateOf(folder: string, now: number): string | undefined {
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  if (!stats?.isDirectory() || Math.abs(now - stats.ctimeMs) < SETTLED_MS) return undefined
  return `${stats.dev} ${stats.ino} ${stats.ctimeMs}`
}

/** FAT's timestamps are the coarsest: two seconds. */
const SETTLED_MS = 2_500

function lookInto(folder: string): FoundHandler {
  const present = HANDLER_NAMES.flatMap((name) => {
    const path = join(folder, name)
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    return stats ? [{ name, path, stats }] : []
  })
  const [first, ...others] = present
  const misnamed = misnamedIn(folder)
  if (!first) return { handler: undefined, problem: undefined, warnings: misnamed }

  const { name, path, stats } = first
  if (!stats.isFile()) {
    return {
      handler: undefined,
      problem: `${path} is not a regular file: put the handler itself there`,
      warnings: [],
    }
  }
  const language = name === 'handler.py' ? 'python' : 'node'
  return {
    handler: { name, path, language, stamp: `${stats.ino} ${stats.mtimeNs} ${stats.size}` },
    problem: undefined,
    warnings: [...others.map((other) => `${other.name} is not used, because there is ${name}`), ...misnamed],
  }
}

/** Whether a file is a handler, or its author may take it for one. */
export function looksLikeHandler(file: string): boolean {
  return /^handlers?\.(?:py|[cm]?[jt]sx?)$/i.test(file)
}

function misnamedIn(folder: string): string[] {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return []
  return readdirSync(folder)
    .filter((name) => looksLikeHandler(name) && !HANDLER_NAMES.includes(name))
    .map((name) => `${name} is not used: a handler must be called ${HANDLER_NAMES.join(', ')}`)
}
