// The scheme that proves a bot's sender: a table of the named ones, and the one that `type: hmac` spells out. The facts
// are the vendors'; each has its page beside it.
import type { BotAuth } from '../bots/authschema.ts'
import type { AuthType } from '../bots/authtypes.ts'
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
  return presets[type].map((scheme) =>
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

const body: SignedScheme = {
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

const presets: Readonly<Record<Exclude<AuthType, 'none' | 'token' | 'hmac' | 'grafana'>, readonly Scheme[]>> =
  {
    // docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries; the older SHA-1 header is not accepted.
    github: [{ ...body, header: 'x-hub-signature-256', prefix: 'sha256=' }],
    // docs.gitlab.com/user/project/integrations/webhooks: the secret token is sent as is.
    gitlab: [{ kind: 'token', headers: ['x-gitlab-token'] }],
    // gitlab.com/gitlab-org/gitlab, merge request 230944.
    'gitlab-signing': [standard('webhook')],
    // go-gitea/gitea, services/webhook/deliver.go.
    gitea: [{ ...body, header: 'x-gitea-signature' }],
    // forgejo.org/docs/latest/user/webhooks
    forgejo: [{ ...body, header: 'x-forgejo-signature' }],
    // docs.stripe.com/webhooks/signature: the key is the whole `whsec_…`, as text.
    stripe: [
      {
        ...body,
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
        ...body,
        header: 'x-slack-signature',
        prefix: 'v0=',
        signed: 'v0:{ts}:{body}',
        timestamp: { in: 'header', name: 'x-slack-request-timestamp', unit: 's' },
      },
    ],
    // github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md; docs.svix.com/receiving/verifying-payloads/how-manual
    standard: [standard('webhook'), standard('svix')],
    // docs.sentry.io/organization/integrations/integration-platform/webhooks: Sentry-Hook-Timestamp is not signed.
    sentry: [{ ...body, header: 'sentry-hook-signature' }],
    // linear.app/developers/webhooks
    linear: [
      {
        ...body,
        header: 'linear-signature',
        timestamp: { in: 'body', name: 'webhookTimestamp', unit: 'ms' },
        tolerance: 60,
      },
    ],
    // developer.pagerduty.com/docs/verifying-webhook-signatures
    pagerduty: [{ ...body, header: 'x-pagerduty-signature', prefix: 'v1=', separator: ',' }],
    // developer.atlassian.com/cloud/jira/platform/webhooks: secured admin webhooks.
    jira: [{ ...body, header: 'x-hub-signature', prefix: 'sha256=' }],
    // support.atlassian.com/bitbucket-cloud/docs/manage-webhooks; Data Center signs in the same way.
    bitbucket: [{ ...body, header: 'x-hub-signature', prefix: 'sha256=' }],
    // circleci.com/docs/outbound-webhooks
    circleci: [{ ...body, header: 'circleci-signature', prefix: 'v1=', separator: ',' }],
    basic: [{ kind: 'basic' }],
    url: [{ kind: 'token', headers: [URL_SECRET] }],
  }

function standard(family: 'webhook' | 'svix'): SignedScheme {
  return {
    ...body,
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
function grafana({ header, timestamp, tolerance = body.tolerance }: BotAuth): SignedScheme {
  const scheme = { ...body, header: (header ?? 'x-grafana-alerting-signature').toLowerCase(), tolerance }
  return timestamp ? { ...scheme, signed: '{ts}:{body}', timestamp: timestampOf(timestamp) } : scheme
}

function handwritten(auth: BotAuth): SignedScheme {
  return {
    kind: 'signed',
    header: (auth.header ?? '').toLowerCase(),
    prefix: auth.prefix ?? body.prefix,
    separator: auth.separator ?? null,
    encoding: auth.encoding ?? body.encoding,
    hash: auth.hash ?? body.hash,
    signed: auth.signed ?? body.signed,
    id: auth.id?.toLowerCase() ?? null,
    timestamp: auth.timestamp ? timestampOf(auth.timestamp) : null,
    tolerance: auth.tolerance ?? body.tolerance,
    key: auth.key ?? body.key,
    ed25519: null,
  }
}

function timestampOf({ header, field, body: path, unit }: NonNullable<BotAuth['timestamp']>): Timestamp {
  if (header !== undefined) return { in: 'header', name: header.toLowerCase(), unit }
  return field !== undefined ? { in: 'field', name: field, unit } : { in: 'body', name: path ?? '', unit }
}
