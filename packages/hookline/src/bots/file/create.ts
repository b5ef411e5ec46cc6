// A new bot: its folder, with a bot.yaml in it.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Refusable, refuse } from '../../failure/refusal.ts'
import { ensureHome, type Home } from '../../home/home.ts'
import { syncFolder, writeWhole } from '../../home/atomic.ts'
import { type BotChanges, newBotFile } from './botedit.ts'
import { readBot } from '../disk.ts'
import { NAME_PATTERN, qualified } from './fields.ts'
import { proofread } from './rewrite.ts'
import { isCode } from '../../failure/thrown.ts'

/** Its name and owner, and all that an edit can change except secrets. */
export type NewBot = {
  /** The short name; the bot becomes `<owner>-<name>`. */
  readonly name: string
  readonly owner: string
} & { readonly [Field in keyof Omit<BotChanges, 'secrets' | 'rotation'>]: NonNullable<BotChanges[Field]> }

/** `today` is `2026-04-03`; without `serverName` the owner's prefix is not checked. A refusal leaves nothing behind. */
export function createBot(
  home: Home,
  input: NewBot,
  { today, serverName }: { today: string; serverName?: string | undefined },
): Refusable<{ name: string }> {
  const name = `${input.owner}-${input.name}`
  const problem = misnamed(input, serverName) ?? taken(home, name)
  if (problem !== undefined) return refuse(problem)
  const text = newBotFile({ name, owner: input.owner, created: today }, input)
  const read = proofread(text, name)
  if (!read.ok) return read

  ensureHome(home)
  const folder = join(home.bots, name)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
    return refuse(
      readBot(home, name)
        ? `${name} already exists: change it with \`bot edit ${name}\`, or remove it with \`bot delete ${name}\``
        : `${folder} already exists, without a bot.yaml: move it away first`,
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

function misnamed({ owner, name }: NewBot, serverName: string | undefined): string | undefined {
  if (serverName !== undefined && qualified(owner, serverName) !== owner)
    return `the owner ${owner} does not begin with the server's name: use ${qualified(owner, serverName)}`
  if (!NAME_PATTERN.test(name))
    return `${name || 'an empty name'} is not a valid bot name: use letters, digits, _ and -, beginning with a letter or digit, such as ghci; at most 64 characters with the owner's`
  if (owner === `${serverName}-`)
    return `the owner ${owner} is only the server's name: add the owner's own, as in ${serverName}-ori`
  return undefined
}

/** By a bot whose name differs in case only: in the chat, only one of the two can have the nick. */
function taken(home: Home, name: string): string | undefined {
  if (!existsSync(home.bots)) return undefined
  const folded = name.toLowerCase()
  const twin = readdirSync(home.bots).find(
    (each) => each !== name && each.toLowerCase() === folded && existsSync(join(home.bots, each, 'bot.yaml')),
  )
  return twin === undefined
    ? undefined
    : `${twin} already exists, and both would have the same nick: choose a name that differs in more than upper and lower case`
}
