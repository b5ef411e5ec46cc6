// The bots' folders, as they are on disk. Works with and without a running server, so the command line uses it too.
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Home } from '../home/home.ts'
import { type Refusal, refuse } from '../failure/refusal.ts'
import { secretForm } from '../senders/authtypes.ts'
import { type BotSettings, parseBotFile } from './file/botfile.ts'
import { findHandler } from '../handlers/find.ts'
import { readPlainFile } from './file/plainfile.ts'
import { isReference, resolveSecret, secretFlaw } from '../senders/secret.ts'
import { messageOf } from '../failure/thrown.ts'
import { fileWarnings } from './warnings.ts'

export interface BotOnDisk {
  readonly name: string
  readonly folder: string
  readonly settings: BotSettings | undefined
  /** Why it cannot run; empty for a bot that can. */
  readonly problems: readonly string[]
  /** Those of its problems that concern secrets as they resolve in this process, which need not be the server. */
  readonly unresolved: readonly string[]
  readonly warnings: readonly string[]
  /** The file's name. */
  readonly handler: string | undefined
}

/** Every bot there is, by name. Files are read; nothing is run. */
export function readBots(home: Home): readonly BotOnDisk[] {
  return botNames(home).flatMap((name) => readBot(home, name) ?? [])
}

/** The folders with a bot.yaml, in order; none before the first was made. No file is read. */
export function botNames(home: Home): readonly string[] {
  // A link that leads nowhere, as to a disk that is not mounted, does not mean that the bots were deleted.
  if (!lstatSync(home.bots, { throwIfNoEntry: false })) return []
  return readdirSync(home.bots)
    .filter((name) => isThere(home, name))
    .toSorted()
}

/** Undefined when there is no folder of that name with a bot.yaml. */
export function readBot(home: Home, name: string): BotOnDisk | undefined {
  return isThere(home, name) ? readFolder(join(home.bots, name), name) : undefined
}

export function noSuchBot(name: string): Refusal {
  return refuse(`there is no bot ${name}: \`bot list\` shows those that exist; names are matched exactly`)
}

/** True too if it cannot be read, or is a link: it is then listed as a broken bot. */
function isThere(home: Home, name: string): boolean {
  if (!isFolderName(name)) return false
  const folder = join(home.bots, name)
  try {
    const stats = lstatSync(folder, { throwIfNoEntry: false })
    if (!stats?.isDirectory()) return stats?.isSymbolicLink() === true
    return lstatSync(join(folder, 'bot.yaml'), { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

/** The name of a single folder, not hidden and not a path. */
export function isFolderName(name: string): boolean {
  return name !== '' && !name.startsWith('.') && !/[/\0]/.test(name) && Buffer.byteLength(name) <= NAME_BYTES
}

/** No folder can have a longer name. */
const NAME_BYTES = 255

/** Reads a bot's folder, wherever it is; whatever is wrong with it becomes a problem of the bot. */
export function readFolder(folder: string, name: string): BotOnDisk {
  try {
    return lookInto(folder, name)
  } catch (error) {
    return broken(folder, name, `${folder} cannot be read: ${messageOf(error)}`)
  }
}

function lookInto(folder: string, name: string): BotOnDisk {
  if (lstatSync(folder).isSymbolicLink())
    return broken(folder, name, `${folder} is a symbolic link: replace it with the folder itself`)
  const text = readPlainFile(join(folder, 'bot.yaml'))
  if (!text.ok) return broken(folder, name, text.reason)

  const file = join('bots', name, 'bot.yaml')
  const read = parseBotFile(text.text, file, name)
  const { handler, problem, warnings } = findHandler(folder)
  const unresolved = read.ok ? secretProblems(read.settings, folder).map((each) => `${file} ${each}`) : []
  return {
    name,
    folder,
    settings: read.ok ? read.settings : undefined,
    problems: [...(read.ok ? unresolved : read.problems), ...(problem === undefined ? [] : [problem])],
    unresolved,
    warnings: [...warnings, ...(read.ok ? fileWarnings(read.settings, handler?.name) : [])],
    handler: handler?.name,
  }
}

function broken(folder: string, name: string, problem: string): BotOnDisk {
  return {
    name,
    folder,
    settings: undefined,
    problems: [problem],
    unresolved: [],
    warnings: [],
    handler: undefined,
  }
}

/** What is wrong with the secrets, as they resolve now. */
export function secretProblems(settings: BotSettings, folder: string): string[] {
  const { auth } = settings.trigger
  return (auth?.secrets ?? []).flatMap((reference) => {
    const resolved = resolveSecret(reference, folder)
    if (!resolved.ok) return [`trigger.auth.secrets: ${resolved.reason}`]
    // One that is written out was checked with the file.
    const flaw = auth && isReference(reference) ? secretFlaw(resolved.secret, secretForm(auth)) : undefined
    return flaw === undefined ? [] : [`trigger.auth.secrets: ${reference} ${flaw}`]
  })
}
