// Which processes a test's bot has left, as this machine sees them: including those in a namespace, by their outer ids.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * Those with `text` in their command, their environment or their current folder, and what they are; without those that
 * have `except` in their environment. Zombies are gone.
 */
export function processesWith(text: string, except?: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => Number(name) > 0 && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
        const has = [command, environment, readlinkSync(`/proc/${pid}/cwd`)].some((part) =>
          part.includes(text),
        )
        const isExcepted = except !== undefined && environment.includes(except)
        return has && !isExcepted ? [`${pid} ${command}`] : []
      } catch {
        return [] // It has ended meanwhile; a zombie has no folder.
      }
    })
}

/** Waits until they have ended. */
export async function untilNone(text: string, except?: string): Promise<void> {
  const late = performance.now() + 20_000
  for (;;) {
    const left = processesWith(text, except)
    if (left.length === 0) return
    assert.ok(performance.now() < late, `still there:\n${left.join('\n')}`)
    await wait(20)
  }
}
