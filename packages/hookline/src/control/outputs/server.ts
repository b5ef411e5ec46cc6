// What operations on the server print.
import type { Exposure } from '../../config/exposure.ts'

/** The server's answer; the command waits until it has ended, and prints `stopped: true` in place of `stopping`. */
export interface ServerStopped {
  readonly stopping: true
  readonly pid: number
}

export interface ServerStatus {
  readonly running: true
  readonly name: string
  readonly version: string
  readonly pid: number
  readonly started_at: string
  readonly uptime_seconds: number
  readonly home: string
  /** The first of the listeners. */
  readonly irc: string | null
  /** `127.0.0.1:6697 tls` */
  readonly listeners: readonly string[]
  readonly webhook: string | null
  readonly connections: number
  readonly users: number
  readonly channels: number
  readonly bots: number
  /** Why nothing can be written, such as a full disk; null while it works. */
  readonly storage_error: string | null
  /** When the database was last found to hold together, or not to; null until then. */
  readonly storage_checked_at: string | null
  /** What is damaged in it, as far as anything was read; null if nothing is known to be. */
  readonly storage_damage: string | null
  /** That the clock is ahead of the time that the server has seen pass, or behind it, by more than a day; else null. */
  readonly clock_warning: string | null
  readonly warnings: readonly Exposure[]
}

export interface ClockTrusted {
  /** The time that counts now, and the one that did. */
  readonly time: string
  readonly was: string
}

export interface ServerChecked {
  /** First those with which the server would not start (`stops`). Each with its file and line, where it has them. */
  readonly problems: readonly { readonly what: string; readonly mend: string; readonly stops: boolean }[]
  /** What is open to strangers. */
  readonly warnings: readonly Exposure[]
}

export interface BackupMade {
  readonly file: string
  readonly made_at: string
  /** Schema version of its database; null if there was none. */
  readonly schema: number | null
  readonly bytes: number
}

export interface BackupRestored {
  readonly file: string
  readonly made_at: string
  /** Name of the backed-up server, if known. */
  readonly server: string | null
  readonly schema: number | null
  /** Where the home's previous contents are; null if there were none. */
  readonly moved_to: string | null
}

export interface PasswordHash {
  /** A PHC string, for `password_hash` in server.yaml. */
  readonly password_hash: string
  /** Only if generated; it is not shown again. */
  readonly password: string | null
}
