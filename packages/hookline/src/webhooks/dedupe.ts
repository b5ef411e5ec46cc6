// How a delivery is recognised when its sender tries again.
import { hash } from 'node:crypto'
import type { BotAuth } from '../bots/authschema.ts'
import type { AuthType } from '../bots/authtypes.ts'
import type { Payload } from '../bots/payload.ts'
import type { Headers } from './scheme.ts'

/**
 * What the sender calls it; null when it gives it no name, for two equal bodies may well be two events. Where the
 * bot says who its sender is, that sender's own name for it comes first. `proven` is the header of a name that is signed: no other
 * counts then, for anybody could send the request again with it.
 */
export function dedupeKey(
  headers: Headers,
  { rough }: Payload,
  auth?: BotAuth,
  proven: string | null = null,
): string | null {
  const own = auth && ids[auth.type]
  const inHeader = headerAmong(headers, proven === null ? (own?.headers ?? []) : [proven])
  const inBody = own?.field === undefined || !Object.hasOwn(rough, own.field) ? undefined : rough[own.field]
  const found =
    inHeader ?? (typeof inBody === 'string' && inBody !== '' ? inBody : headerAmong(headers, anywhere))
  if (found === undefined) return null
  return found.length > longest ? hash('sha256', found, 'hex') : found
}

function headerAmong(headers: Headers, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = headers[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

/** Each stays the same when the sender tries again. Grafana and Alertmanager name their deliveries nowhere. */
const ids: Partial<
  Readonly<Record<AuthType, { readonly headers: readonly string[]; readonly field?: string }>>
> = {
  github: { headers: ['x-github-delivery'] },
  // The event's UUID is shared by hooks that hooks set off, but their bodies differ.
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
  // Of Bitbucket Cloud, which counts its attempts in another header.
  bitbucket: { headers: ['x-request-uuid'] },
  circleci: { headers: [], field: 'id' },
}

/** Names that mean one delivery whoever sends them. `Request-Id` and `X-Webhook-Id` mean other things elsewhere. */
const anywhere = [
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

const longest = 200
