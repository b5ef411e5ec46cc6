// What several parts of bot.yaml share.
import { z } from 'zod'
import { CHANNEL_NAME, LONGEST_CHANNEL } from '../../irc/names.ts'

/** Of a bot, and of its owner. */
export const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

export const channel = z
  .string()
  .regex(/^#/, {
    error: 'must begin with #, and # begins a comment: write "#name" in quotes',
    abort: true,
  })
  .regex(CHANNEL_NAME, 'must be # and a name without spaces, commas or invisible characters')
  .refine((text) => Buffer.byteLength(text) <= LONGEST_CHANNEL, `must have at most ${LONGEST_CHANNEL} bytes`)

/**
 * The owner with the server's name in front; if it is there already, in the server's capitals. As it is on a server whose
 * name no nick can begin with: `irc.example.org`.
 */
export function qualified(owner: string, serverName: string): string {
  if (!NAME_PATTERN.test(serverName)) return owner
  const prefix = `${serverName}-`
  const hasIt = owner.toLowerCase().startsWith(prefix.toLowerCase())
  return `${prefix}${hasIt ? owner.slice(prefix.length) : owner}`
}
