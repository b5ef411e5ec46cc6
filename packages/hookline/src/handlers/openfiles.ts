// `handler.files` of bot.yaml: what an isolated handler sees besides its own folder.
import { existsSync, realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Refusable, refuse } from '../failure/refusal.ts'
import type { Secluded, Shown } from './enclosure.ts'
import { isWithin } from './mountinfo.ts'

/** Of bot.yaml. A handler without it runs as all did before there was any: it sees files and the network. */
export interface Isolation {
  readonly files: readonly OpenFile[]
  readonly network: boolean
}

/** The line that isolates one. */
export const ISOLATES = 'handler: {}'

export interface OpenFile {
  /** Absolute, or in the bot's folder. */
  readonly path: string
  readonly write: boolean
}

interface Place {
  readonly folder: string
  readonly home: Pick<Secluded, 'folder' | 'data'>
}

/** The reason names the field. Nothing of Hookline's home is shown except what is in the bot's own folder. */
export function openFiles(
  files: readonly OpenFile[],
  { folder, home }: Place,
): Refusable<{ shown: readonly Shown[] }> {
  const found: (Shown & { readonly target: string })[] = []
  for (const { path: written, write: isWritable } of files) {
    const path = resolve(folder, written)
    const target = existsSync(path) ? realpathSync(path) : undefined
    const problem = target === undefined ? 'does not exist' : closed(target, isWritable, { folder, home })
    if (target === undefined || problem !== undefined) return refuse(`handler.files: ${written} ${problem}`)
    // A link in the bot's folder is there already, and leads to what is shown.
    const isLinked = isWithin(path, folder) && !isWithin(target, realpathSync(folder))
    found.push({ path: isLinked ? target : path, isWritable, target })
  }
  for (const each of found) {
    // A handler could put a link there, for its next process to be shown what the link leads to.
    const around = found.find(
      (other) => other !== each && other.isWritable && isWithin(each.target, other.target),
    )
    if (around)
      return refuse(`handler.files: ${each.path} is in ${around.path}, which it may write to: leave it out`)
  }
  return { ok: true, shown: found }
}

function closed(target: string, isWritable: boolean, { folder, home }: Place): string | undefined {
  const own = realpathSync(folder)
  if (isWithin(own, target)) return 'holds the bot itself: name what is in it'
  if (isWithin(target, own)) {
    // With bot.yaml it could let itself out.
    return isWritable && !statSync(target).isDirectory()
      ? 'is a file of the bot: only folders in it may be written to'
      : undefined
  }
  const homes = [home.folder, home.data].filter((each) => existsSync(each)).map((each) => realpathSync(each))
  if (homes.some((each) => isWithin(target, each))) return "is in Hookline's home, which no handler sees"
  if (homes.some((each) => isWithin(each, target))) return "has Hookline's home in it: name what is in it"
  if (['/proc', '/sys', '/dev'].some((each) => isWithin(target, each))) return "is the system's own"
  return undefined
}
