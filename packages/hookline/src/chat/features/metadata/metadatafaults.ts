// Errors of METADATA: metadata-3 renamed some of them.
// https://ircv3.net/specs/extensions/metadata#standard-replies, https://github.com/ircv3/ircv3-specifications/pull/613
import { CAPS } from '../../../irc/caps.ts'
import { echoed } from '../../../irc/message.ts'
import { KEY_BYTES } from '../../../irc/metadata.ts'
import type { Turn } from '../../command.ts'
import type { Line } from '../../output/line.ts'
import type { Session } from '../../session.ts'

/** In metadata-3, and before it. */
const CODES = {
  key: ['INVALID_KEY', 'KEY_INVALID'],
  subcommand: ['INVALID_PARAMS', 'SUBCOMMAND_INVALID'],
  subscriptions: ['LIMIT_REACHED', 'TOO_MANY_SUBS'],
  value: ['INVALID_VALUE', 'VALUE_INVALID'],
} as const

export function codeOf(what: keyof typeof CODES, session: Session): string {
  return CODES[what][isOlder(session) ? 1 : 0]
}

export function isOlder(session: Session): boolean {
  return session.has(CAPS['draft/metadata-2'])
}

export const KEY_RULE = `A key has 1 to ${KEY_BYTES} characters: a-z, 0-9 and _./-`

/** For one of several keys, while the others are handled. */
export function invalidKey({ chat, session }: Turn, key: string): Line {
  return chat.line({
    command: isOlder(session) ? 'FAIL' : 'WARN',
    params: ['METADATA', codeOf('key', session), echoed(key), KEY_RULE],
    at: chat.world.now(),
  })
}
