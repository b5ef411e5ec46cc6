// Where deleted bots go: nothing of them is lost, and the newest of a name can be looked up.
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Refusable } from '../refusal.ts'
import type { Home } from '../home.ts'
import { syncFolder } from './atomic.ts'
import { isFolderName, readFolder } from './disk.ts'
import { noSuchBot } from './refusal.ts'

/** A bot that was deleted. */
export interface Removed {
  /** Undefined when it is no longer known. */
  readonly owner: string | undefined
  /** In ms. */
  readonly at: number
}

/** Moves the bot's folder, or what is left of it, to `<home>/trash/<name>-<time>`: nothing is lost. `now` is in ms. */
export function removeBot(home: Home, name: string, now: number): Refusable<{ trash: string }> {
  const folder = join(home.bots, name)
  if (!isFolderName(name) || !lstatSync(folder, { throwIfNoEntry: false })) return noSuchBot(name)

  const trash = join(home.folder, 'trash')
  mkdirSync(trash, { recursive: true, mode: 0o700 })
  const time = new Date(now).toISOString().replaceAll(/[-:]/g, '').replace('.', '-')
  const place = join(trash, `${name}-${time}`)
  renameSync(folder, place)
  syncFolder(home.bots)
  syncFolder(trash)
  return { ok: true, trash: place }
}

/** The last bot of that name that was moved to the trash and is still there; undefined when there is none. */
export function lastRemoved(home: Home, name: string): Removed | undefined {
  const trash = join(home.folder, 'trash')
  if (!existsSync(trash)) return undefined
  const isOfName = (entry: string): boolean =>
    entry.startsWith(name) && TRASHED.test(entry.slice(name.length))
  const last = readdirSync(trash).filter(isOfName).toSorted().at(-1)
  if (last === undefined) return undefined
  return { owner: readFolder(join(trash, last), name).settings?.owner, at: timeOf(last.slice(name.length)) }
}

/** All in the trash, a name perhaps more than once, except those from before the last restore, which brought back bots it knew. */
export function removedBots(home: Home): readonly { readonly name: string; readonly at: number }[] {
  const trash = join(home.folder, 'trash')
  const entries = existsSync(trash) ? readdirSync(trash) : []
  const restored = entries
    .filter((entry) => RESTORED.test(entry))
    .map((entry) => Date.parse(entry.replace(RESTORED, '$1:$2:$3.$4')))
  const since = Math.max(0, ...restored)
  return entries
    .map((entry) => ({ name: entry.slice(0, -TRASHED_LENGTH), trashed: entry.slice(-TRASHED_LENGTH) }))
    .filter(({ trashed }) => TRASHED.test(trashed))
    .map(({ name, trashed }) => ({ name, at: timeOf(trashed) }))
    .filter(({ at }) => at > since)
}

function timeOf(trashed: string): number {
  return Date.parse(trashed.replace(TRASHED, '$1-$2-$3T$4:$5:$6.$7Z'))
}

/** What `removeBot` appends to the name. */
const TRASHED = /^-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)-(\d{3})Z$/
const TRASHED_LENGTH = '-20260403T101112-345Z'.length
/** What `server restore` has moved aside. */
const RESTORED = /^before-restore-(.+T\d\d)-(\d\d)-(\d\d)-(\d{3}Z)$/
