// What several operations share: an argument, and exit code 2.
import type { Argument } from './command.ts'

export const BOT_NAME = {
  name: 'name',
  description: 'full name of the bot',
  required: true,
  completes: 'bots',
} as const satisfies Argument

export const NEEDS_SERVER = { 2: 'no server is running, or it cannot be reached' } as const

export const NEEDS_SERVER_AND_DISK = { 2: 'no server is running, or writing to disk failed' } as const

/** For what works on the files without a server. */
export const NEEDS_ITS_TURN = {
  2: 'the server cannot be reached, or somebody else is changing the bots',
} as const
