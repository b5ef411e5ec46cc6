// Rewrites an existing bot.yaml: it must be valid before and after, or nothing is written.
import { join } from 'node:path'
import { type Refusable, refuse } from '../../failure/refusal.ts'
import type { Home } from '../../home/home.ts'
import { writeWhole } from '../../home/atomic.ts'
import { type BotChanges, editBotFile } from './botedit.ts'
import { type BotSettings, parseBotFile } from './botfile.ts'
import { noSuchBot, readBot, secretProblems } from '../disk.ts'
import { readPlainFile } from './plainfile.ts'

/** `isServer`: this is the process that reads the secrets, so a missing one is refused as well. */
export function editBot(
  home: Home,
  name: string,
  changes: BotChanges,
  { isServer = false } = {},
): Refusable<object> {
  const bot = readBot(home, name)
  if (!bot) return noSuchBot(name)
  if (!bot.settings) return refuse(`${bot.problems.join('\n')}\nfix the file by hand first`)
  const file = join(bot.folder, 'bot.yaml')
  const old = readPlainFile(file)
  if (!old.ok) return old

  const edited = editBotFile(old.text, changes)
  // The library writes LF, and an escape for a line break between quotes.
  const text = old.text.includes('\r\n') ? edited.replaceAll('\n', '\r\n') : edited
  const read = proofread(text, name)
  if (!read.ok) return read
  const lacks = isServer ? secretProblems(read.settings, bot.folder) : []
  // These changes need not fix what was wrong before.
  const before = secretProblems(bot.settings, bot.folder)
  const worse = lacks.filter((problem) => !before.includes(problem))
  if (worse.length > 0) return refuse(worse.join('\n'))
  if (text !== old.text) writeWhole(file, text)
  return { ok: true }
}

/** Checks a text before it is written. It came from a command, so line and column would point nowhere. */
export function proofread(text: string, name: string): Refusable<{ settings: BotSettings }> {
  const read = parseBotFile(text, 'bot.yaml', name)
  if (read.ok) return read
  return refuse(read.problems.map((problem) => problem.replace(/^\S+:\d+:\d+:? /, '')).join('\n'))
}
