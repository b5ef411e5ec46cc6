// The scheme that proves a bot's sender: a table of the named ones, and the one that `type: hmac` spells out. The facts
// are the vendors'; each has its page beside it.
import type { BotAuth } from './authschema.ts'
import type { AuthType } from './authtypes.ts'
import type { Scheme, SignedScheme, Timestamp } from './scheme.ts'

/** Pseudo-header in which the listener passes the secret from the URL. No real header can have this name. */
export const URL_SECRET = ':secret'

/** Tried in turn; the first one that the request carries any proof of decides. Empty: every sender is trusted. */
export function schemesOf(auth: BotAuth): readonly Scheme[] {
  const { type, header, tolerance } = auth
  if (type === 'none') return []
  if (type === 'hmac') return [handwritten(auth)]
  if (type === 'grafana') return [grafana(auth)]
  if (type === 'token') return [{ kind: 'token', headers: header ? [header.toLowerCase()] : BEARERS }]
  return named[type].map((scheme) =>
    scheme.kind === 'signed' && tolerance !== undefined ? { ...scheme, tolerance } : scheme,
  )
}

/** The headers, in lower case, that carry a proof for this bot: none is kept with a delivery. */
export function proofHeaders(auth: BotAuth): readonly string[] {
  return schemesOf(auth).flatMap((scheme) => {
    switch (scheme.kind) {
      case 'signed':
        return [scheme.header]
      case 'token':
        return scheme.headers.filter((name) => name !== URL_SECRET)
      case 'basic':
        return ['authorization']
    }
  })
}

const BEARERS = ['authorization', 'x-hookline-token']

/** What most have in common: they sign the body alone. */
const bodySigned: SignedScheme = {
  kind: 'signed',
  header: '',
  prefix: '',
  separator: null,
  encoding: 'hex',
  hash: 'sha256',
  signed: '{body}',
  id: null,
  timestamp: null,
  tolerance: 300,
  key: 'text',
  ed25519: null,
}

const named: Readonly<Record<Exclude<AuthType, 'none' | 'token' | 'hmac' | 'grafana'>, readonly Scheme[]>> = {
  // docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries; the older SHA-1 header is not accepted.
  github: [{ ...bodySigned, header: 'x-hub-signature-256', prefix: 'sha256=' }],
  // docs.gitlab.com/user/project/integrations/webhooks: the secret token is sent as is.
  gitlab: [{ kind: 'token', headers: ['x-gitlab-token'] }],
  // gitlab.com/gitlab-org/gitlab, merge request 230944.
  'gitlab-signing': [standard('webhook')],
  // go-gitea/gitea, services/webhook/deliver.go.
  gitea: [{ ...bodySigned, header: 'x-gitea-signature' }],
  // forgejo.org/docs/latest/user/webhooks
  forgejo: [{ ...bodySigned, header: 'x-forgejo-signature' }],
  // docs.stripe.com/webhooks/signature: the key is the whole `whsec_…`, as text.
  stripe: [
    {
      ...bodySigned,
      header: 'stripe-signature',
      separator: ',',
      prefix: 'v1=',
      signed: '{ts}.{body}',
      timestamp: { in: 'field', name: 't', unit: 's' },
    },
  ],
  // docs.slack.dev/authentication/verifying-requests-from-slack
  slack: [
    {
      ...bodySigned,
      header: 'x-slack-signature',
      prefix: 'v0=',
      signed: 'v0:{ts}:{body}',
      timestamp: { in: 'header', name: 'x-slack-request-timestamp', unit: 's' },
    },
  ],
  // github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md; docs.svix.com/receiving/verifying-payloads/how-manual
  standard: [standard('webhook'), standard('svix')],
  // docs.sentry.io/organization/integrations/integration-platform/webhooks: Sentry-Hook-Timestamp is not signed.
  sentry: [{ ...bodySigned, header: 'sentry-hook-signature' }],
  // linear.app/developers/webhooks
  linear: [
    {
      ...bodySigned,
      header: 'linear-signature',
      timestamp: { in: 'body', name: 'webhookTimestamp', unit: 'ms' },
      tolerance: 60,
    },
  ],
  // developer.pagerduty.com/docs/verifying-webhook-signatures
  pagerduty: [{ ...bodySigned, header: 'x-pagerduty-signature', prefix: 'v1=', separator: ',' }],
  // developer.atlassian.com/cloud/jira/platform/webhooks: secured admin webhooks.
  jira: [{ ...bodySigned, header: 'x-hub-signature', prefix: 'sha256=' }],
  // support.atlassian.com/bitbucket-cloud/docs/manage-webhooks; Data Center signs in the same way.
  bitbucket: [{ ...bodySigned, header: 'x-hub-signature', prefix: 'sha256=' }],
  // circleci.com/docs/outbound-webhooks
  circleci: [{ ...bodySigned, header: 'circleci-signature', prefix: 'v1=', separator: ',' }],
  basic: [{ kind: 'basic' }],
  url: [{ kind: 'token', headers: [URL_SECRET] }],
}

function standard(family: 'webhook' | 'svix'): SignedScheme {
  return {
    ...bodySigned,
    header: `${family}-signature`,
    separator: ' ',
    prefix: 'v1,',
    encoding: 'base64',
    signed: '{id}.{ts}.{body}',
    id: `${family}-id`,
    timestamp: { in: 'header', name: `${family}-timestamp`, unit: 's' },
    key: 'base64',
    ed25519: 'v1a,',
  }
}

// github.com/grafana/alerting, http/hmac.go: Grafana lets its user name both headers.
function grafana({ header, timestamp, tolerance = bodySigned.tolerance }: BotAuth): SignedScheme {
  const scheme = {
    ...bodySigned,
    header: (header ?? 'x-grafana-alerting-signature').toLowerCase(),
    tolerance,
  }
  return timestamp ? { ...scheme, signed: '{ts}:{body}', timestamp: timestampOf(timestamp) } : scheme
}

function handwritten(auth: BotAuth): SignedScheme {
  return {
    kind: 'signed',
    header: (auth.header ?? '').toLowerCase(),
    prefix: auth.prefix ?? bodySigned.prefix,
    separator: auth.separator ?? null,
    encoding: auth.encoding ?? bodySigned.encoding,
    hash: auth.hash ?? bodySigned.hash,
    signed: auth.signed ?? bodySigned.signed,
    id: auth.id?.toLowerCase() ?? null,
    timestamp: auth.timestamp ? timestampOf(auth.timestamp) : null,
    tolerance: auth.tolerance ?? bodySigned.tolerance,
    key: auth.key ?? bodySigned.key,
    ed25519: null,
  }
}

function timestampOf({ header, field, body: path, unit }: NonNullable<BotAuth['timestamp']>): Timestamp {
  if (header !== undefined) return { in: 'header', name: header.toLowerCase(), unit }
  return field !== undefined ? { in: 'field', name: field, unit } : { in: 'body', name: path ?? '', unit }
}
