// Slack asks a URL to echo a challenge before it sends anything there: docs.slack.dev/reference/events/url_verification
import type { BotAuth } from '../senders/authschema.ts'
import type { Payload } from '../message/payload.ts'

/** The challenge to echo, of a proven request; undefined for everything else. */
export function challengeOf(auth: BotAuth | undefined, { rough }: Payload): string | undefined {
  if (auth?.type !== 'slack' || rough['type'] !== 'url_verification') return undefined
  const { challenge } = rough
  return typeof challenge === 'string' ? challenge : undefined
}
