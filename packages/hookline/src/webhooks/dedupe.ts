// How a retried delivery is recognised.
import { hash } from 'node:crypto'
import type { BotAuth } from '../bots/authschema.ts'
import type { AuthType } from '../bots/authtypes.ts'
import type { Payload } from '../bots/payload.ts'
import type { Headers } from './scheme.ts'

/**
 * The sender's id for a delivery, or null if it has none: two equal bodies may well be two events. If the bot names its
 * service, that service's own id comes first. `proven` is the header of a signed id: no other header counts then, as
 * anybody could replay the request with a new one.
 */
export function dedupeKey(
  headers: Headers,
  { rough }: Payload,
  auth?: BotAuth,
  proven: string | null = null,
): string | null {
  const own = auth && ids[auth.type]
  const found =
    headerAmong(headers, proven === null ? (own?.headers ?? []) : [proven]) ??
    fieldOf(rough, own?.field) ??
    headerAmong(headers, ANYWHERE)
  if (found === undefined) return null
  return found.length > LONGEST ? hash('sha256', found, 'hex') : found
}

function headerAmong(headers: Headers, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = headers[name]
    if (isId(value)) return value
  }
  return undefined
}

function fieldOf(body: Payload['rough'], field: string | undefined): string | undefined {
  const value = field !== undefined && Object.hasOwn(body, field) ? body[field] : undefined
  return isId(value) ? value : undefined
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** Each stays the same across retries. Grafana and Alertmanager send no delivery id. */
const ids: Partial<
  Readonly<Record<AuthType, { readonly headers: readonly string[]; readonly field?: string }>>
> = {
  github: { headers: ['x-github-delivery'] },
  // Hooks that other hooks trigger share the event's UUID, but their bodies differ.
  gitlab: { headers: ['idempotency-key', 'x-gitlab-event-uuid'] },
  'gitlab-signing': { headers: ['webhook-id'] },
  gitea: { headers: ['x-gitea-delivery'] },
  forgejo: { headers: ['x-forgejo-delivery', 'x-gitea-delivery'] },
  stripe: { headers: [], field: 'id' },
  slack: { headers: [], field: 'event_id' },
  sentry: { headers: ['request-id'] },
  linear: { headers: ['linear-delivery'] },
  pagerduty: { headers: ['x-webhook-id'] },
  jira: { headers: ['x-atlassian-webhook-identifier'] },
  // Bitbucket Cloud's; it counts attempts in another header.
  bitbucket: { headers: ['x-request-uuid'] },
  circleci: { headers: [], field: 'id' },
}

/** Headers that always mean a delivery id. `Request-Id` and `X-Webhook-Id` have other meanings elsewhere. */
const ANYWHERE = [
  'webhook-id',
  'svix-id',
  'x-github-delivery',
  'x-gitea-delivery',
  'x-forgejo-delivery',
  'idempotency-key',
  'x-gitlab-event-uuid',
  'linear-delivery',
  'x-atlassian-webhook-identifier',
]

const LONGEST = 200
