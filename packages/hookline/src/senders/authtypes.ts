// The ways in which a sender may prove itself, and what the entry of each in bot.yaml may hold.

/** How a secret becomes a key: the text itself, base64 after `whsec_` or `whpk_`, or `user:password`. */
export type SecretForm = 'text' | 'base64' | 'pair'

interface AuthTypeFacts {
  /** What `bot.yaml`'s schema says of it. */
  readonly about: string
  readonly secret: SecretForm | 'none'
  /** Who generates the secret: one that the sender makes can only be copied. */
  readonly madeBy: 'us' | 'sender'
  /** Keys besides `type` and `secrets`. */
  readonly takes: readonly AuthKey[]
}

/** What `type: hmac` takes; some of the named types take a few of them. */
export const AUTH_KEYS = [
  'header',
  'prefix',
  'separator',
  'encoding',
  'hash',
  'signed',
  'id',
  'timestamp',
  'tolerance',
  'key',
] as const

export type AuthKey = (typeof AUTH_KEYS)[number]

export const AUTH_TYPES = {
  github: usual('X-Hub-Signature-256'),
  gitlab: usual('X-Gitlab-Token, the secret itself'),
  'gitlab-signing': {
    ...usual('webhook-signature, from a signing token'),
    secret: 'base64',
    takes: ['tolerance'],
  },
  gitea: usual('X-Gitea-Signature'),
  forgejo: usual('X-Forgejo-Signature'),
  stripe: { ...usual('Stripe-Signature'), madeBy: 'sender', takes: ['tolerance'] },
  slack: { ...usual('X-Slack-Signature'), madeBy: 'sender', takes: ['tolerance'] },
  standard: { ...usual('webhook-signature or svix-signature'), secret: 'base64', takes: ['tolerance'] },
  grafana: { ...usual('X-Grafana-Alerting-Signature'), takes: ['header', 'timestamp', 'tolerance'] },
  sentry: { ...usual('Sentry-Hook-Signature'), madeBy: 'sender' },
  linear: { ...usual('Linear-Signature'), madeBy: 'sender', takes: ['tolerance'] },
  pagerduty: { ...usual('X-PagerDuty-Signature'), madeBy: 'sender' },
  jira: usual('X-Hub-Signature'),
  bitbucket: usual('X-Hub-Signature'),
  circleci: usual('circleci-signature'),
  token: { ...usual('Authorization: Bearer, or X-Hookline-Token'), takes: ['header'] },
  basic: { ...usual('Authorization: Basic, user:password'), secret: 'pair' },
  url: usual('the secret as the last part of the URL, for senders that can set nothing else'),
  hmac: { ...usual('a signature as the other keys describe it'), takes: AUTH_KEYS },
  none: { ...usual('no proof, every sender is believed'), secret: 'none' },
} as const satisfies Readonly<Record<string, AuthTypeFacts>>

export type AuthType = keyof typeof AUTH_TYPES

export const AUTH_TYPE_NAMES = Object.keys(AUTH_TYPES) as [AuthType, ...AuthType[]]

/** The facts of a type, as one shape for all. */
export function factsOf(type: AuthType): AuthTypeFacts {
  return AUTH_TYPES[type]
}

/** The form of a bot's secrets. Only for `hmac` can bot.yaml choose it. */
export function secretForm(auth: {
  readonly type: AuthType
  readonly key?: 'text' | 'base64' | undefined
}): SecretForm {
  if (auth.type === 'hmac' && auth.key === 'base64') return 'base64'
  const { secret } = factsOf(auth.type)
  return secret === 'none' ? 'text' : secret
}

/** Most secrets are text, ours, and need no other key. */
function usual(about: string) {
  return { about, secret: 'text', madeBy: 'us', takes: [] } as const
}
