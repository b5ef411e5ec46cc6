// How a retried delivery is recognised.
import { hash } from 'node:crypto'
import type { BotAuth } from '../senders/authschema.ts'
import type { AuthType } from '../senders/authtypes.ts'
import type { Payload } from '../message/payload.ts'
import type { NewDelivery } from '../store/deliveryrows.ts'
import type { Headers } from '../senders/scheme.ts'

export type Identity = Required<Pick<NewDelivery, 'key' | 'isKeyEnough'>>

/**
 * The sender's id for a delivery; null if it has none: two equal bodies may well be two events. If the bot names its
 * service, that service's own id comes first. `proven` is the header of a signed id: no other header counts then, as
 * anybody could replay the request with a new one.
 */
export function identify(
  headers: Headers,
  { rough }: Pick<Payload, 'rough'>,
  auth?: BotAuth,
  proven: string | null = null,
): Identity {
  const { headers: own = [], field, isUnique = false } = (auth && ids[auth.type]) ?? {}
  const named = headerAmong(headers, proven === null ? own : [proven]) ?? fieldOf(rough, field)
  const unique = named === undefined ? uniqueAnywhere(headers, rough) : undefined
  const found = named ?? unique ?? headerAmong(headers, ANYWHERE)
  return {
    key: found !== undefined && found.length > LONGEST ? hash('sha256', found, 'hex') : (found ?? null),
    isKeyEnough: named === undefined ? unique !== undefined : isUnique,
  }
}

/**
 * Those of a batch: each its own id, as far as its body has one, else its place in the batch of that id, or of these bytes: a batch that
 * was accepted in part is sent again as a whole.
 */
export function identifyAll<T extends Element>(
  headers: Headers,
  elements: readonly T[],
  auth?: BotAuth,
  proven: string | null = null,
): readonly (T & Identity)[] {
  const named = identify(headers, { rough: {} }, auth, proven).key
  const ofBatch = named ?? hash('sha256', Buffer.concat(elements.map(({ body }) => body)), 'base64url')
  return elements.map((element, index) => {
    const own = identify({}, element.payload, auth)
    return { ...element, ...(own.key === null ? { key: `${ofBatch} ${index}`, isKeyEnough: false } : own) }
  })
}

interface Element {
  readonly payload: Pick<Payload, 'rough'>
  readonly body: Uint8Array
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

interface OwnId {
  readonly headers?: readonly string[]
  readonly field?: string
  /** The service says that no two events share it: a retry may differ in the rest, such as a count of attempts. */
  readonly isUnique?: boolean
}

/** Each stays the same across retries. Grafana and Alertmanager send no delivery id. */
const ids: Partial<Readonly<Record<AuthType, OwnId>>> = {
  github: { headers: ['x-github-delivery'], isUnique: true },
  // Hooks that other hooks trigger share the event's UUID, but their bodies differ.
  gitlab: { headers: ['idempotency-key', 'x-gitlab-event-uuid'] },
  'gitlab-signing': { headers: ['webhook-id'], isUnique: true },
  gitea: { headers: ['x-gitea-delivery'], isUnique: true },
  forgejo: { headers: ['x-forgejo-delivery', 'x-gitea-delivery'], isUnique: true },
  // docs.stripe.com/webhooks: log the ids of events; a later attempt counts other `pending_webhooks`.
  stripe: { field: 'id', isUnique: true },
  // docs.slack.dev/apis/events-api: event_id is globally unique.
  slack: { field: 'event_id', isUnique: true },
  standard: { isUnique: true },
  sentry: { headers: ['request-id'] },
  linear: { headers: ['linear-delivery'], isUnique: true },
  pagerduty: { headers: ['x-webhook-id'] },
  jira: { headers: ['x-atlassian-webhook-identifier'], isUnique: true },
  // Bitbucket Cloud's; it counts attempts in another header.
  bitbucket: { headers: ['x-request-uuid'], isUnique: true },
  circleci: { field: 'id', isUnique: true },
}

function uniqueAnywhere(headers: Headers, body: Payload['rough']): string | undefined {
  const event = idOfCloudEvent(headers['ce-source'], headers['ce-id'])
  const inBody = isId(fieldOf(body, 'specversion')) ? [fieldOf(body, 'source'), fieldOf(body, 'id')] : []
  // docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html
  return headerAmong(headers, ['x-amz-sns-message-id']) ?? event ?? idOfCloudEvent(...inBody)
}

/** CloudEvents 1.0, section 3.1: source and id together are unique; in headers in binary mode, in the body in structured mode. */
function idOfCloudEvent(
  source?: string | readonly string[],
  id?: string | readonly string[],
): string | undefined {
  return isId(source) && isId(id) ? `${source} ${id}` : undefined
}

/**
 * Headers that always mean a delivery id, whoever sends it: as anybody may, the body has to be the same as well. `Request-Id` and
 * `X-Webhook-Id` have other meanings elsewhere.
 */
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
