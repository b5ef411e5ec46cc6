// Which file of a bot's folder is its handler.
import { lstatSync } from 'node:fs'
import { join } from 'node:path'

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
const HANDLER_NAMES = ['handler.py', 'handler.ts', 'handler.mjs', 'handler.js'] as const

/** Looks at the folder; cheap enough to be asked for every delivery. */
export function findHandler(folder: string): FoundHandler {
  const present = HANDLER_NAMES.flatMap((name) => {
    const path = join(folder, name)
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    return stats ? [{ name, path, stats }] : []
  })
  const [first, ...others] = present
  if (!first) return { handler: undefined, problem: undefined, warnings: [] }

  const { name, path, stats } = first
  if (!stats.isFile()) {
    return {
      handler: undefined,
      problem: `${path} is a link or no file: put the handler itself there`,
      warnings: [],
    }
  }
  const language = name === 'handler.py' ? 'python' : 'node'
  return {
    handler: { name, path, language, stamp: `${stats.ino} ${stats.mtimeNs} ${stats.size}` },
    problem: undefined,
    warnings: others.map((other) => `${other.name} is not used, because there is ${name}`),
  }
}
