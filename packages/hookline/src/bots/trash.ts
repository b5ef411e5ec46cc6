// Where deleted bots go: nothing of them is lost, and the newest of a name can be looked up.
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Refusable } from '../failure/refusal.ts'
import type { Home } from '../home/home.ts'
import { syncFolder } from '../home/atomic.ts'
import { isFolderName, noSuchBot, readFolder } from './disk.ts'

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

  mkdirSync(home.trash, { recursive: true, mode: 0o700 })
  const time = new Date(now).toISOString().replaceAll(/[-:]/g, '').replace('.', '-')
  const trash = join(home.trash, `${name}-${time}`)
  renameSync(folder, trash)
  syncFolder(home.bots)
  syncFolder(home.trash)
  return { ok: true, trash }
}

/** The last bot of that name that was moved to the trash and is still there; undefined when there is none. */
export function lastRemoved(home: Home, name: string): Removed | undefined {
  const last = entriesOf(home.trash)
    .filter((entry) => TRASHED.exec(entry)?.[1] === name)
    .toSorted()
    .at(-1)
  return last === undefined
    ? undefined
    : { owner: readFolder(join(home.trash, last), name).settings?.owner, at: timeOf(last) }
}

/** All in the trash, a name perhaps more than once, except those from before the last restore, which brought back bots it knew. */
export function removedBots(home: Home): readonly { readonly name: string; readonly at: number }[] {
  const entries = entriesOf(home.trash)
  const restored = entries
    .filter((entry) => RESTORED.test(entry))
    .map((entry) => Date.parse(entry.replace(RESTORED, '$1:$2:$3.$4')))
  const since = Math.max(0, ...restored)
  return entries
    .filter((entry) => TRASHED.test(entry))
    .map((entry) => ({ name: entry.replace(TRASHED, '$1'), at: timeOf(entry) }))
    .filter(({ at }) => at > since)
}

function entriesOf(trash: string): readonly string[] {
  return existsSync(trash) ? readdirSync(trash) : []
}

function timeOf(trashed: string): number {
  return Date.parse(trashed.replace(TRASHED, '$2-$3-$4T$5:$6:$7.$8Z'))
}

/** `<name>-20260403T101112-345Z`, as `removeBot` writes it. */
const TRASHED = /^(.+)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)-(\d{3})Z$/s
/** What `server restore` has moved aside. */
const RESTORED = /^before-restore-(.+T\d\d)-(\d\d)-(\d\d)-(\d{3}Z)$/
