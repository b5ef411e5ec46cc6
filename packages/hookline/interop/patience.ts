// Looking again and again at something that does not say when it changes: a screen, a file, a list.
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

/** Some clients wait a while before they connect again. */
const PATIENCE_MS = 120_000

/** Gives the first that is there; fails with what `seen` says. */
export async function until<T>(
  look: () => T | Promise<T>,
  seen: () => string = String,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const found = await look()
    if (found) return found
    if (Date.now() > deadline) assert.fail(seen())
    await pause(20)
  }
}
