// Requests as each vendor signs them, written from the vendors' own pages: no code is shared with the verification.
import { createHmac } from 'node:crypto'

export interface Signed {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface Sending {
  readonly secret: string
  readonly body: string | Uint8Array
  /** What the sender calls the delivery. */
  readonly id?: string
  /** When it is sent, in ms. */
  readonly at?: number
}

/** Every type of sender except `hmac` and `none`. */
export const senders = {
  github: ({ secret, body, id }) => ({
    'x-hub-signature-256': `sha256=${hex(secret, body)}`,
    'x-github-delivery': id,
  }),
  gitlab: ({ secret, id }) => ({ 'x-gitlab-token': secret, 'idempotency-key': id }),
  'gitlab-signing': (sending) => standard('webhook', sending),
  gitea: ({ secret, body, id }) => ({
    'x-gitea-signature': hex(secret, body),
    'x-gitea-delivery': id,
  }),
  forgejo: ({ secret, body, id }) => ({
    'x-forgejo-signature': hex(secret, body),
    'x-forgejo-delivery': id,
  }),
  stripe: ({ secret, body, ts }) => ({
    'stripe-signature': `t=${ts},v1=${hex(secret, `${ts}.`, body)},v0=${hex('another key', `${ts}.`, body)}`,
  }),
  slack: ({ secret, body, ts }) => ({
    'x-slack-signature': `v0=${hex(secret, `v0:${ts}:`, body)}`,
    'x-slack-request-timestamp': ts,
  }),
  standard: (sending) => standard('webhook', sending),
  svix: (sending) => standard('svix', sending),
  grafana: ({ secret, body }) => ({ 'x-grafana-alerting-signature': hex(secret, body) }),
  sentry: ({ secret, body, id, ts }) => ({
    'sentry-hook-signature': hex(secret, body),
    'sentry-hook-timestamp': ts,
    'request-id': id,
  }),
  // The time is in the body: `webhookTimestamp`, in ms.
  linear: ({ secret, body, id }) => ({ 'linear-signature': hex(secret, body), 'linear-delivery': id }),
  pagerduty: ({ secret, body, id }) => ({
    'x-pagerduty-signature': `v1=${hex('the key before', body)},v1=${hex(secret, body)}`,
    'x-webhook-id': id,
  }),
  jira: ({ secret, body, id }) => ({
    'x-hub-signature': `sha256=${hex(secret, body)}`,
    'x-atlassian-webhook-identifier': id,
  }),
  bitbucket: ({ secret, body, id }) => ({
    'x-hub-signature': `sha256=${hex(secret, body)}`,
    'x-request-uuid': id,
  }),
  circleci: ({ secret, body }) => ({ 'circleci-signature': `v1=${hex(secret, body)}` }),
  token: ({ secret }) => ({ authorization: `Bearer ${secret}` }),
  basic: ({ secret }) => ({ authorization: `Basic ${Buffer.from(secret).toString('base64')}` }),
} as const satisfies Readonly<Record<string, Sender>>

export type SenderName = keyof typeof senders

/** Svix signs as `standard` does, with headers of its own. */
export function authTypeOf(name: SenderName): Exclude<SenderName, 'svix'> {
  return name === 'svix' ? 'standard' : name
}

/** Ready to be sent: the headers of a vendor for this body. */
export function sign(name: SenderName, { secret, body, id = 'an-id', at = Date.now() }: Sending): Signed {
  const bytes = Buffer.from(body)
  const ts = String(Math.floor(at / 1000))
  return { headers: senders[name]({ secret, body: bytes, id, ts }), body: bytes }
}

/** A secret in the vendor's form; `n` makes different ones. */
export function secretFor(name: SenderName, n = 0): string {
  if (name === 'basic') return `hook:made-up-password-${n}`
  if (name === 'stripe') return `whsec_made_up_for_stripe_${n}`
  const isKey = name === 'standard' || name === 'svix' || name === 'gitlab-signing'
  const text = `a made-up secret, number ${n}`
  return isKey ? `whsec_${Buffer.from(text).toString('base64')}` : text.replaceAll(' ', '-')
}

type Sender = (sending: {
  readonly secret: string
  readonly body: Buffer
  readonly id: string
  readonly ts: string
}) => Record<string, string>

function standard(family: string, { secret, body, id, ts }: Parameters<Sender>[0]): Record<string, string> {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${ts}.`).update(body).digest('base64')
  return { [`${family}-id`]: id, [`${family}-timestamp`]: ts, [`${family}-signature`]: `v1,${signature}` }
}

function hex(secret: string, ...parts: readonly (string | Uint8Array)[]): string {
  const hmac = createHmac('sha256', secret)
  for (const part of parts) hmac.update(part)
  return hmac.digest('hex')
}
