// The pages of docs/, taken apart: their examples are run, so that they stay true.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { loadConfig } from '../src/config/config.ts'
import type { Home } from '../src/home/home.ts'
import { type Rig, writeBots } from './rig.ts'
import { newHome } from './rigs/bots.ts'
import { patternOf, runInShell, stepsOf } from './shell.ts'

export interface Block {
  /** Of the page, counted from 1. */
  readonly line: number
  /** What stands behind the fence: `yaml bot`. */
  readonly info: string
  readonly lines: readonly string[]
}

/** What to do with the blocks of each kind, named by their info; `irc …` is any that begins so. */
export type Players = Readonly<Record<string, (block: Block) => unknown>>

/** Plays every block of a page in its order. A block that nobody can play is an error, as is a player without a block. */
export async function playPage(page: string, players: Players): Promise<void> {
  const idle = new Set(Object.keys(players))
  for (const block of blocksOf(page)) {
    const known = Object.keys(players).find((kind) =>
      kind.endsWith('…') ? block.info.startsWith(kind.slice(0, -1)) : block.info === kind,
    )
    try {
      assert.ok(known !== undefined, `nobody knows what to do with ${block.info}`)
      idle.delete(known)
      await players[known]?.(block)
    } catch (cause) {
      throw new Error(`${page}.md:${block.line}`, { cause })
    }
  }
  assert.deepEqual([...idle], [], `${page}.md has no such block`)
}

/** Types each command of a block and holds what is printed against the page, both without what is of another day. */
export async function typeCommands(
  { lines, line }: Pick<Block, 'line' | 'lines'>,
  { home, url = USUAL }: { home: Home; url?: string },
  withoutDay = (text: string) => text,
): Promise<void> {
  for (const step of stepsOf(lines, 'line', line + 1)) {
    const printed = (await runInShell(step.command.replaceAll(USUAL, url), home.folder)).replaceAll(
      url,
      USUAL,
    )
    const expected = patternOf(withoutDay(step.expected.join('\n')))
    assert.match(withoutDay(printed), expected, `line ${step.line}: $ ${step.command}\n${printed}`)
  }
}

/** The block is a server.yaml without a fault. */
export function expectSettings({ lines }: Block): void {
  using home = newHome()
  writeFileSync(home.config, `${lines.join('\n')}\n`)
  const read = loadConfig({ home, flags: {}, env: {} })
  assert.ok(read.ok && read.warnings.length === 0, JSON.stringify(read))
}

/** Ids of deliveries, and times. */
export function withoutDay(text: string): string {
  return text.replaceAll(/\bd-[0-9a-z]{17}\b/g, 'd-ID').replaceAll(/\b20\d\d-\d\d-\d\d[T ][\d:.]+Z?/g, 'TIME')
}

/** Where the server is on a page; that of a test is elsewhere. */
const USUAL = 'http://127.0.0.1:7680'

/** Saves the bot of a block as a person would, starts it, and returns its name. */
export async function bringBot({ home, server }: Rig, { lines }: Pick<Block, 'lines'>): Promise<string> {
  const name = nameIn(lines)
  writeBots(home, { [name]: `${lines.join('\n')}\n` })
  const started = await server.bots.start(name)
  assert.ok(started.ok, JSON.stringify(started))
  return name
}

/** Of the bot that these lines are the file of. */
export function nameIn(lines: readonly string[]): string {
  return /name: ([\w-]+)/.exec(lines.join('\n'))?.[1] ?? assert.fail('a bot without a name')
}

/** Every fenced block of a page, in its order. A fence that does not end, or says nothing, is an error. */
export function blocksOf(page: string): readonly Block[] {
  const lines = linesOf(page)
  const blocks: Block[] = []
  for (let start = 0; start < lines.length; start++) {
    const info = /^```(.*)$/.exec(lines[start] ?? '')?.[1]
    if (info === undefined) continue
    const end = lines.indexOf('```', start + 1)
    if (end === -1 || info === '')
      throw new Error(`${page}.md:${start + 1}: a block that does not end, or says not what it is`)
    blocks.push({ line: start + 1, info, lines: lines.slice(start + 1, end) })
    start = end
  }
  return blocks
}

/** The cells of a page's table rows, without the heads. */
export function rowsOf(page: string): readonly (readonly string[])[] {
  return linesOf(page)
    .filter((line) => line.startsWith('| `'))
    .map(cellsOf)
}

/** The cells of the rows of that table of a page whose first head, or heads with ` | ` in between, are `head`. */
export function tableOf(page: string, head: string): readonly (readonly string[])[] {
  const lines = linesOf(page)
  const start = lines.findIndex((line) => line.startsWith(`| ${head} |`))
  if (start === -1) throw new Error(`${page}.md has no table that begins with ${head}`)
  const rows = lines.slice(start + 2)
  return rows.slice(0, rows.indexOf('')).map(cellsOf)
}

function linesOf(page: string): readonly string[] {
  return readFileSync(new URL(`../../../docs/${page}.md`, import.meta.url), 'utf8').split('\n')
}

/** `| a | b |` */
function cellsOf(row: string): readonly string[] {
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}
