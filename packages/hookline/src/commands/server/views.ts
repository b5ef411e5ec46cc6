// What commands about the server print.
import type { OutputOf } from '../shape.ts'

/** What is open to strangers. */
const WARNINGS = [{ what: 'text', mend: 'text' }] as const

export const STATUS = {
  running: 'true or false',
  name: 'text',
  version: 'text',
  pid: 'number',
  started_at: 'time',
  uptime_seconds: 'number',
  home: 'text',
  /** The first of the listeners. */
  irc: 'text or null',
  /** `127.0.0.1:6697 tls` */
  listeners: ['text'],
  webhook: 'text or null',
  connections: 'number',
  users: 'number',
  channels: 'number',
  bots: 'number',
  /** Why nothing can be written, such as a full disk; null while it works. */
  storage_error: 'text or null',
  /** When the database was last found to hold together, or not to; null until then. */
  storage_checked_at: 'time or null',
  /** What is damaged in it, as far as anything was read; null if nothing is known to be. */
  storage_damage: 'text or null',
  /** That the clock is ahead of the time that the server has seen pass, or behind it, by more than a day; else null. */
  clock_warning: 'text or null',
  warnings: WARNINGS,
} as const

export const CHECKED = {
  /** First those with which the server would not start (`stops`). Each with its file and line, where it has them. */
  problems: [{ what: 'text', mend: 'text', stops: 'true or false' }],
  warnings: WARNINGS,
} as const

export const BACKUP = {
  file: 'text',
  made_at: 'time',
  /** Schema version of its database; null if there was none. */
  schema: 'number or null',
  bytes: 'number',
} as const

export const RESTORED = {
  file: 'text',
  made_at: 'time',
  /** Name of the backed-up server, if known. */
  server: 'text or null',
  schema: 'number or null',
  /** Where the home's previous contents are; null if there were none. */
  moved_to: 'text or null',
} as const

export type ServerStatus = OutputOf<typeof STATUS>
export type ServerChecked = OutputOf<typeof CHECKED>
export type BackupRestored = OutputOf<typeof RESTORED>
