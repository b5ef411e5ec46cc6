// What is known of the database file: not yet checked, sound, or damaged.
import { execFile } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Log } from '../log/log.ts'
import { messageOf } from '../failure/thrown.ts'
import type { Checked } from './checker.ts'

export class Integrity {
  readonly #file: string
  readonly #log: Log
  readonly #stopped = new AbortController()
  #checkedAt: number | undefined
  #damage: string | undefined

  constructor(file: string, log: Log) {
    this.#file = file
    this.#log = log
  }

  /** When the last check ended, in ms since 1970; undefined until then. */
  get checkedAt(): number | undefined {
    return this.#checkedAt
  }

  /** What is damaged, as far as anything was read. */
  get damage(): string | undefined {
    return this.#damage
  }

  /** It was found sound before it was opened. */
  found(): void {
    this.#checkedAt = Date.now()
  }

  /** Something that was read or written has met damage. */
  met(damage: string): void {
    if (this.#damage !== undefined) return
    this.#damage = damage
    const text = 'the database is damaged: restore a backup: hookline server restore FILE --force'
    this.#log.error({ file: this.#file, damage }, text)
  }

  /** In a process of its own, for as long as it takes. SQLite's log grows meanwhile, as while a backup is made. */
  async check(): Promise<void> {
    const began = performance.now()
    try {
      const checked = await this.#ask()
      if (checked !== 'sound' && checked.failed.reason !== 'damaged') throw new Error(checked.failed.message)
      this.#checkedAt = Date.now()
      if (checked !== 'sound') return this.met(checked.failed.message)
      const seconds = Math.round((performance.now() - began) / 1_000)
      this.#log.info({ file: this.#file, seconds }, 'the database was checked, and is sound')
    } catch (error) {
      if (this.#stopped.signal.aborted) return
      this.#log.warn(
        { reason: messageOf(error) },
        'the database could not be checked: it is checked at the next start',
      )
    }
  }

  stop(): void {
    this.#stopped.abort()
  }

  async #ask(): Promise<Checked> {
    // Published, this file and its neighbour are .js.
    const checker = fileURLToPath(import.meta.url.replace(/integrity(?=\.[jt]s$)/, 'checker'))
    const { signal } = this.#stopped
    const asking = promisify(execFile)(process.execPath, [checker, this.#file], {
      signal,
      killSignal: 'SIGKILL',
    })
    giveWay(asking.child.pid)
    return JSON.parse((await asking).stdout) as Checked
  }
}

/** Lowers its priority: the server's answers come first. */
function giveWay(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, LOW)
  } catch {
    // It has ended already, or the system does not permit it.
  }
}

const LOW = 19
