// Which repositories a run has begun to create and not finished: what is not asked for is set in those alone, also by the next run.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Of a plan: the API's address, and `owner/name`. */
export interface Target {
  readonly host: string
  readonly target: string
}

export interface Journal {
  readonly begin: (target: Target) => void
  readonly end: (target: Target) => void
  readonly isBegun: (target: Target) => boolean
  /** Whether a repository of that age is the one that a run began to create. */
  readonly isUnfinished: (target: Target, createdAt: string | undefined) => boolean
}

/** The clocks of host and machine may differ; one that came later was created by somebody else. */
const APART_MS = 10 * 60_000

/** A file for each, in the folder for the state of programs. Where there can be none, a run that is cut off is forgotten. */
export function journalIn(env: NodeJS.ProcessEnv): Journal {
  const home = env['XDG_STATE_HOME'] || (env['HOME'] && join(env['HOME'], '.local', 'state'))
  const fileOf = ({ host, target }: Target): string | undefined => {
    const key = createHash('sha256').update(`${host}\n${target.toLowerCase()}`).digest('hex').slice(0, 32)
    return home ? join(home, 'reposmith', 'begun', key) : undefined
  }
  return {
    begin(target) {
      const file = fileOf(target)
      attempt(() => {
        if (!file) return
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
        writeFileSync(file, `${new Date().toISOString()}\n`, { mode: 0o600, flush: true })
      })
    },
    end(target) {
      const file = fileOf(target)
      attempt(() => file && rmSync(file, { force: true }))
    },
    isBegun(target) {
      const file = fileOf(target)
      return file !== undefined && existsSync(file)
    },
    isUnfinished(target, createdAt) {
      const file = fileOf(target)
      const begun = Date.parse(attempt(() => file && readFileSync(file, 'utf8').trim()) || '')
      return Math.abs(Date.parse(createdAt ?? '') - begun) < APART_MS
    },
  }
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
