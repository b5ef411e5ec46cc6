// `trigger.auth` of bot.yaml: how a sender proves itself. docs/authentication.md
import { z } from 'zod'
import { AUTH_TYPE_NAMES, type AuthType, factsOf, secretForm } from './authtypes.ts'
import { AUTH_KEYS, type SentTime } from './sender.ts'
import { isReference, isSecret, secretFlaw } from './secret.ts'

export type BotAuth = Readonly<Omit<z.output<typeof fields>, 'secrets' | 'timestamp'>> & {
  /** Each is the secret itself, `env:NAME` or `file:PATH`; any one of them proves the sender. The first is the newest. */
  readonly secrets: readonly string[]
  readonly timestamp?: SentTime | undefined
}

const SECRETS_MAX = 10

// RFC 9110, 5.6.2: a token.
const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'must be the name of a header, such as X-Signature')
// Characters of a header's value that Node lets through.
const printable = z
  .string()
  .max(100)
  .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII')

const timestamp = z
  .strictObject({
    header: headerName.optional().describe('A header: X-Signature-Timestamp'),
    field: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,40}$/, 'must be a word, such as t')
      .optional()
      .describe('A field of the signature header itself: t in "t=1531420618,v1=…"'),
    body: z
      .string()
      .regex(/^[^\s.]+(\.[^\s.]+)*$/, 'must be a path, such as webhookTimestamp')
      .max(200)
      .optional()
      .describe('A path in the JSON body, read once the signature is verified: webhookTimestamp'),
    unit: z.enum(['s', 'ms']).default('s').describe('Seconds or milliseconds since 1970'),
  })
  .refine(
    ({ header, field, body }) => [header, field, body].filter((place) => place !== undefined).length === 1,
    'must name one place: header, field or body',
  )

const fields = z.strictObject({
  type: z
    .enum(AUTH_TYPE_NAMES)
    .describe(
      `What a request carries. ${AUTH_TYPE_NAMES.map((name) => `${name}: ${factsOf(name).about}`).join('; ')}`,
    ),
  secrets: z
    .array(z.string().refine(isSecret, 'must have at least 8 characters, or be env:NAME or file:PATH'))
    .max(SECRETS_MAX, `must hold at most ${SECRETS_MAX} secrets`)
    .default([])
    .describe('Shared secrets, env:NAME or file:PATH; several during rotation, the newest first'),
  header: headerName.optional().describe('hmac, grafana, token: header with the signature or token'),
  prefix: printable.optional().describe('hmac: text before each signature, "sha256="'),
  separator: printable
    .min(1, 'must not be empty')
    .optional()
    .describe('hmac: text between several signatures in the header, ","'),
  encoding: z.enum(['hex', 'base64']).optional().describe('hmac: encoding of a signature (hex)'),
  hash: z.enum(['sha1', 'sha256', 'sha512']).optional().describe('hmac: the hash function (sha256)'),
  signed: printable.optional().describe('hmac: the bytes signed, made of {id}, {ts} and {body} ("{body}")'),
  id: headerName.optional().describe('hmac: the header with the id of the delivery, {id} in signed'),
  timestamp: timestamp.optional().describe('hmac, grafana: where the time of sending is, {ts} in signed'),
  tolerance: z
    .int()
    .min(1)
    .max(86_400)
    .optional()
    .describe('Seconds that the time may differ from ours, either way (300; linear 60)'),
  key: z
    .enum(['text', 'base64'])
    .optional()
    .describe('hmac: the key is the secret as text, or base64-decoded from after whsec_ (text)'),
})

/** Checks here which keys fit the type, so that editors have one list of keys to complete. */
export const authSchema = fields.superRefine((auth, context) => {
  const { takes, secret } = factsOf(auth.type)
  const complain = (path: PropertyKey[], message: string) =>
    context.addIssue({ code: 'custom', path, message })
  for (const key of AUTH_KEYS) {
    if (auth[key] === undefined || takes.includes(key)) continue
    complain([key], `is not for type ${auth.type}: it goes with ${typesWith(key).join(', ')}`)
  }
  if (secret === 'none') {
    if (auth.secrets.length > 0)
      complain(['secrets'], 'must be left out: with type none every sender is accepted')
    return
  }
  if (auth.secrets.length === 0) complain(['secrets'], 'must hold at least one secret')
  for (const [index, each] of auth.secrets.entries()) {
    const flaw = isReference(each) ? undefined : secretFlaw(each, secretForm(auth))
    if (flaw !== undefined) complain(['secrets', index], flaw)
  }
  for (const [key, message] of flawsOf(auth)) complain([key], message)
})

function flawsOf(auth: z.output<typeof fields>): Iterable<[string, string]> {
  if (auth.type === 'hmac') return flawsOfHmac(auth)
  return auth.type === 'grafana' ? flawsOfGrafana(auth) : []
}

// grafana/alerting, http/hmac.go: with a header for the time, `<time>:<body>` is signed.
function* flawsOfGrafana({ timestamp, tolerance }: z.output<typeof fields>): Generator<[string, string]> {
  if (timestamp && timestamp.header === undefined)
    yield ['timestamp', 'must be a header: Grafana sends it in one']
  if (!timestamp && tolerance !== undefined) yield ['tolerance', TIMELESS]
}

const TIMELESS = 'needs timestamp: without it there is no time to compare'

function* flawsOfHmac({
  header,
  signed = '{body}',
  id,
  timestamp,
  separator,
  tolerance,
}: z.output<typeof fields>): Generator<[string, string]> {
  if (header === undefined)
    yield ['header', 'is required for type hmac: the header that carries the signature']
  const names = [...signed.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name)
  const strange = names.find((name) => !['id', 'ts', 'body'].includes(name))
  if (strange !== undefined) yield ['signed', `{${strange}} is unknown here: use {id}, {ts} and {body}`]
  for (const name of ['id', 'ts', 'body']) {
    if (names.indexOf(name) !== names.lastIndexOf(name)) yield ['signed', `may hold {${name}} only once`]
  }
  if (!names.includes('body')) yield ['signed', 'must hold {body}: what is not signed can be changed']
  if (names.includes('id') && id === undefined) yield ['id', 'is required: signed holds {id}']
  const isTold = timestamp !== undefined && timestamp.body === undefined
  if (names.includes('ts') && !isTold)
    yield ['timestamp', 'is required, as a header or a field: signed holds {ts}']
  if (isTold && !names.includes('ts'))
    yield ['signed', 'must hold {ts}: a time that is not signed proves nothing']
  if (timestamp?.field !== undefined && separator === undefined)
    yield ['separator', 'is required: it splits the header into fields, one of which is the time']
  if (tolerance !== undefined && timestamp === undefined) yield ['tolerance', TIMELESS]
}

function typesWith(key: (typeof AUTH_KEYS)[number]): AuthType[] {
  return AUTH_TYPE_NAMES.filter((type) => factsOf(type).takes.includes(key)).toReversed()
}
