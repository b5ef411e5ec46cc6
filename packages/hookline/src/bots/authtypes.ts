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
  github: signed('X-Hub-Signature-256'),
  gitlab: signed('X-Gitlab-Token, the secret itself'),
  'gitlab-signing': {
    ...signed('webhook-signature, from a signing token'),
    secret: 'base64',
    takes: ['tolerance'],
  },
  gitea: signed('X-Gitea-Signature'),
  forgejo: signed('X-Forgejo-Signature'),
  stripe: { ...signed('Stripe-Signature'), madeBy: 'sender', takes: ['tolerance'] },
  slack: { ...signed('X-Slack-Signature'), madeBy: 'sender', takes: ['tolerance'] },
  standard: { ...signed('webhook-signature or svix-signature'), secret: 'base64', takes: ['tolerance'] },
  grafana: { ...signed('X-Grafana-Alerting-Signature'), takes: ['header', 'timestamp', 'tolerance'] },
  sentry: { ...signed('Sentry-Hook-Signature'), madeBy: 'sender' },
  linear: { ...signed('Linear-Signature'), madeBy: 'sender', takes: ['tolerance'] },
  pagerduty: { ...signed('X-PagerDuty-Signature'), madeBy: 'sender' },
  jira: signed('X-Hub-Signature'),
  bitbucket: signed('X-Hub-Signature'),
  circleci: signed('circleci-signature'),
  token: { ...signed('Authorization: Bearer, or X-Hookline-Token'), takes: ['header'] },
  basic: { ...signed('Authorization: Basic, user:password'), secret: 'pair' },
  url: signed('the secret as the last part of the URL, for senders that can set nothing else'),
  hmac: { ...signed('a signature as the other keys describe it'), takes: AUTH_KEYS },
  none: { ...signed('no proof, every sender is believed'), secret: 'none' },
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

function signed(about: string) {
  return { about, secret: 'text', madeBy: 'us', takes: [] } as const
}
