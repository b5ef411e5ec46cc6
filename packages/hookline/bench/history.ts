// Pages of a history of ten million messages.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './endings.ts'
import type { Figures } from './figures.ts'
import { figuresOf } from './script.ts'

const ROWS = 10_000_000
/** Three gigabytes are filled in a minute on a disk that nobody else writes to. */
const LIMIT_MS = 300_000

export async function measureHistory(checkout: string): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-bench-'))
  const remove = atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const figures = await figuresOf('pages.ts', [checkout, folder, String(ROWS)], LIMIT_MS)
  remove()
  return figures
}
