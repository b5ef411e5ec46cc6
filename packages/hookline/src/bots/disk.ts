// The bots' folders on disk. Works with and without a running server, so the command line uses it too.
import { isUtf8 } from 'node:buffer'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Refusable } from '../chat/virtual.ts'
import { ensureHome } from '../home.ts'
import type { Home } from '../home.ts'
import { YAML_MAX_BYTES } from '../yamlfile.ts'
import { syncFolder, writeWhole } from './atomic.ts'
import { editBotFile, newBotFile } from './botedit.ts'
import type { BotChanges } from './botedit.ts'
import { parseBotFile } from './botfile.ts'
import type { BotAuth } from './authschema.ts'
import { secretForm } from './authtypes.ts'
import type { BotSettings, Fallback } from './botfile.ts'
import { NAME_PATTERN } from './fields.ts'
import type { TriggerChanges } from './triggeredit.ts'
import { findHandler } from './handler/find.ts'
import { rotateInFile } from './rotate.ts'
import type { Rotation } from './rotate.ts'
import { noSuchBot, refuse } from './refusal.ts'
import { isReference, resolveSecret, secretFlaw } from './secret.ts'
import { isCode, messageOf } from './thrown.ts'
import { fileWarnings } from './warnings.ts'

export interface BotOnDisk {
  readonly name: string
  readonly folder: string
  readonly settings: BotSettings | undefined
  /** Why it cannot run; empty for a bot that can. */
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
  /** The file's name. */
  readonly handler: string | undefined
}

export interface NewBot {
  /** The short name; the bot becomes `<owner>-<name>`. */
  readonly name: string
  readonly owner: string
  readonly description?: string
  readonly channels?: readonly string[]
  readonly dmOwner?: boolean
  readonly mention?: string
  readonly template?: string
  readonly preset?: string
  readonly fallback?: Fallback
  readonly thread?: string
  readonly auth?: BotAuth
  readonly trigger?: TriggerChanges
}

/** Every bot there is, by name. Files are read; nothing is run. */
export function readBots(home: Home): readonly BotOnDisk[] {
  return botNames(home).flatMap((name) => readBot(home, name) ?? [])
}

/** The folders with a bot.yaml, in order; none before the first was made. No file is read. */
export function botNames(home: Home): readonly string[] {
  if (!existsSync(home.bots)) return []
  return readdirSync(home.bots)
    .filter((name) => isThere(home, name))
    .toSorted()
}

/** Undefined when there is no folder of that name with a bot.yaml. */
export function readBot(home: Home, name: string): BotOnDisk | undefined {
  return isThere(home, name) ? readFolder(join(home.bots, name), name) : undefined
}

/** Also where it cannot be seen, or is a link: that is told of as a bot that is broken. */
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

/** Of a bot, in whatever place; one that is broken in any way is told of as such. */
export function readFolder(folder: string, name: string): BotOnDisk {
  try {
    return lookInto(folder, name)
  } catch (error) {
    return broken(folder, name, `${folder} cannot be read: ${messageOf(error)}`)
  }
}

/** Writes the folder and bot.yaml of a new bot. `today` is `2026-04-03`; without `serverName` the owner's prefix is not checked. */
export function createBot(
  home: Home,
  input: NewBot,
  options: { today: string; serverName?: string | undefined },
): Refusable<{ name: string }> {
  const { serverName } = options
  if (serverName !== undefined && !input.owner.startsWith(`${serverName}-`)) {
    return refuse(
      `the owner ${input.owner} lacks the server's name: use ${qualified(input.owner, serverName)}`,
    )
  }
  const name = `${input.owner}-${input.name}`
  if (!NAME_PATTERN.test(input.name)) {
    return refuse(
      `${input.name || 'an empty name'} is not a bot's name: begin with a letter or a digit, then use _ and - too, 64 with the owner's at most, as in ci or ghci`,
    )
  }

  if (input.owner === `${serverName}-`) {
    return refuse(
      `the owner ${input.owner} is the name of the server alone: add the owner's own, as in ${serverName}-ori`,
    )
  }
  const twin = otherwiseWritten(home, name)
  if (twin !== undefined) {
    return refuse(
      `${twin} is there already, and both would be one nick: choose a name that differs in more than capitals`,
    )
  }

  const text = newBotFile({ name, owner: input.owner, created: options.today }, input)
  const read = parseBotFile(text, 'bot.yaml', name)
  if (!read.ok) return refuse(withoutPositions(read.problems))

  ensureHome(home)
  const folder = join(home.bots, name)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
    return refuse(
      readBot(home, name)
        ? `${name} exists already: change it with \`bot edit ${name}\`, or remove it with \`bot delete ${name}\``
        : `${folder} is there already, without a bot.yaml: move it away first`,
    )
  }
  try {
    writeWhole(join(folder, 'bot.yaml'), text)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  syncFolder(home.bots)
  return { ok: true, name }
}

/** The owner with the server's name in front; where it is there in other capitals, as the server has it. */
export function qualified(owner: string, serverName: string): string {
  const prefix = `${serverName}-`
  const hasIt = owner.toLowerCase().startsWith(prefix.toLowerCase())
  return `${prefix}${hasIt ? owner.slice(prefix.length) : owner}`
}

/** A bot whose name differs in upper and lower case alone: in the chat only one of the two can have the nick. */
function otherwiseWritten(home: Home, name: string): string | undefined {
  if (!existsSync(home.bots)) return undefined
  const folded = name.toLowerCase()
  return readdirSync(home.bots).find(
    (each) => each !== name && each.toLowerCase() === folded && existsSync(join(home.bots, each, 'bot.yaml')),
  )
}

/** `isServer`: what reads the secrets is this very process, so that one which is not there is refused as well. */
interface Rewriting {
  readonly isServer?: boolean
}

/** Rewrites bot.yaml with `changes`; refused when the file does not read before or after, and then nothing is written. */
export function editBot(
  home: Home,
  name: string,
  changes: BotChanges,
  options: Rewriting = {},
): Refusable<object> {
  return rewrite(home, name, (text) => editBotFile(text, changes), options)
}

/** Likewise, with the secrets of the bot rotated. */
export function rotateSecret(
  home: Home,
  name: string,
  rotation: Rotation,
  options: Rewriting = {},
): Refusable<object> {
  return rewrite(home, name, (text) => rotateInFile(text, rotation), options)
}

function rewrite(
  home: Home,
  name: string,
  edit: (text: string) => string,
  { isServer = false }: Rewriting,
): Refusable<object> {
  const bot = readBot(home, name)
  if (!bot) return noSuchBot(name)
  if (!bot.settings) return refuse(`${bot.problems.join('\n')}\nmend the file by hand first`)
  const file = join(bot.folder, 'bot.yaml')
  const old = readPlainFile(file)
  if (!old.ok) return refuse(old.reason)

  const text = edit(old.text)
  const read = parseBotFile(text, 'bot.yaml', name)
  if (!read.ok) return refuse(withoutPositions(read.problems))
  const lacks = isServer ? secretProblems(read.settings, bot.folder) : []
  // What was wrong before is not for these changes to mend.
  const worse = lacks.filter((problem) => !bot.problems.includes(problem))
  if (worse.length > 0) return refuse(worse.join('\n'))
  if (text !== old.text) writeWhole(file, text)
  return { ok: true }
}

/** No folder can have a name longer than this. */
const NAME_BYTES = 255

/** One folder, and neither hidden nor elsewhere. */
export function isFolderName(name: string): boolean {
  return name !== '' && !name.startsWith('.') && !/[/\0]/.test(name) && Buffer.byteLength(name) <= NAME_BYTES
}

function lookInto(folder: string, name: string): BotOnDisk {
  if (lstatSync(folder).isSymbolicLink())
    return broken(folder, name, `${folder} is a link: move the folder itself there`)
  const text = readPlainFile(join(folder, 'bot.yaml'))
  if (!text.ok) return broken(folder, name, text.reason)

  const read = parseBotFile(text.text, join('bots', name, 'bot.yaml'), name)
  const { handler, problem, warnings } = findHandler(folder)
  return {
    name,
    folder,
    settings: read.ok ? read.settings : undefined,
    problems: [
      ...(read.ok ? secretProblems(read.settings, folder) : read.problems),
      ...(problem === undefined ? [] : [problem]),
    ],
    warnings: [...warnings, ...(read.ok ? fileWarnings(read.settings) : [])],
    handler: handler?.name,
  }
}

function broken(folder: string, name: string, problem: string): BotOnDisk {
  return { name, folder, settings: undefined, problems: [problem], warnings: [], handler: undefined }
}

function secretProblems(settings: BotSettings, folder: string): string[] {
  const { auth } = settings.trigger
  return (auth?.secrets ?? []).flatMap((reference) => {
    const resolved = resolveSecret(reference, folder)
    if (!resolved.ok) return [`trigger.auth.secrets: ${resolved.problem}`]
    // One that is written out was looked at with the file.
    const flaw = auth && isReference(reference) ? secretFlaw(resolved.secret, secretForm(auth)) : undefined
    return flaw === undefined ? [] : [`trigger.auth.secrets: ${reference} ${flaw}`]
  })
}

/** A link or a pipe under this name is refused: the file must be the one that was looked at, and it must end. */
function readPlainFile(path: string): Refusable<{ text: string }> {
  try {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
    const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      const stats = fstatSync(file)
      if (!stats.isFile()) return refuse(`${path} is not a file`)
      if (stats.size > YAML_MAX_BYTES)
        return refuse(`${path} is longer than ${YAML_MAX_BYTES / 1024} KiB: shorten it`)
      const bytes = readFileSync(file)
      return isUtf8(bytes)
        ? { ok: true, text: bytes.toString() }
        : refuse(`${path} is not UTF-8: save it as UTF-8`)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (isCode(error, 'ELOOP')) return refuse(`${path} is a link: put the file itself there`)
    return refuse(`${path} cannot be read: ${messageOf(error)}`)
  }
}

/** For settings that came from a command, a line and column would lead nowhere. */
function withoutPositions(problems: readonly string[]): string {
  return problems.map((problem) => problem.replace(/^\S+:\d+:\d+:? /, '')).join('\n')
}
