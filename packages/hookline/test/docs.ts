// The pages of docs/, taken apart: their examples are run, so that they stay true.
import { readFileSync } from 'node:fs'

export interface Block {
  /** Of the page, counted from 1. */
  readonly line: number
  /** What stands behind the fence: `yaml bot`. */
  readonly info: string
  readonly lines: readonly string[]
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

/** The cells of the rows of that table of a page whose first head is `head`. */
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
