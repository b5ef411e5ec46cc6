// What the tests of bots' folders stand on: a home of their own, and why something was refused.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureHome, findHome } from '../home.ts'
import type { Home } from '../home.ts'

/** Gone with its end. */
export function newHome(): Home & Disposable {
  const home = findHome({ HOOKLINE_HOME: mkdtempSync(join(tmpdir(), 'hookline-bots-')) })
  ensureHome(home)
  return { ...home, [Symbol.dispose]: () => rmSync(home.folder, { recursive: true }) }
}

export function reason(result: { ok: true } | { ok: false; reason: string }): string {
  return result.ok ? 'not refused' : result.reason
}
