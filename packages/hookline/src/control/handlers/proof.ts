// Turns `--auth`, `--auth-header` and `--secret` into changes of trigger.auth.
import type { BotAuth } from '../../bots/authschema.ts'
import { type AuthType, factsOf, secretForm } from '../../bots/authtypes.ts'
import type { BotChanges } from '../../bots/botedit.ts'
import { newSecret } from '../../bots/secret.ts'
import { done, wrong, type Answer } from '../failure.ts'
import { copyFrom, setupAt } from '../vendors.ts'

export interface Asked {
  readonly type?: AuthType | undefined
  readonly header?: string | undefined
  /** Null removes the auth. */
  readonly secret?: string | null | undefined
  /** The bot's present auth. */
  readonly before?: BotAuth | undefined
  readonly url: string | null
}

export interface ProofChange {
  readonly changes: Pick<BotChanges, 'auth' | 'authHeader' | 'secrets'>
  /** Only if it was generated just now. */
  readonly secret: string | null
  readonly setup: readonly string[]
}

export function proofFrom({ type: asked, header, secret, before, url }: Asked): Answer<ProofChange> {
  if (secret === null) {
    return asked === undefined && header === undefined
      ? done({ ...nothing, changes: { auth: null } })
      : wrong(
          'usage',
          '--no-secret removes all of trigger.auth',
          'leave out --no-secret, or --auth and --auth-header',
        )
  }
  const type = asked ?? (before?.type === 'none' ? undefined : before?.type) ?? 'github'
  if (type === 'none') {
    if (secret !== undefined) return wrong('usage', '--auth none takes no secret', 'leave --secret out')
    if (header !== undefined) return wrong('usage', '--auth none takes no header', 'leave --auth-header out')
    return done({ ...nothing, changes: { auth: { type, secrets: [] } } })
  }
  if (secret === undefined) {
    if (asked === undefined && header === undefined) return done(nothing)
    const hint = factsOf(type).madeBy === 'sender' ? copyFrom(type, url) : 'add --secret generate'
    return wrong('usage', `--auth ${type} needs a secret`, hint)
  }
  const isSame = type === before?.type
  if (type === 'hmac' && header === undefined && !isSame) {
    return wrong(
      'usage',
      '--auth hmac needs the name of the signature header',
      'add --auth-header X-Signature',
    )
  }
  const made = secret === 'generate' ? generate(type, isSame ? before : undefined, url) : done(secret)
  if (!made.ok) return made

  const secrets = [made.output]
  const setup =
    secret === 'generate' ? setupAt(type, { url, secret: made.output, header: header ?? before?.header }) : []
  const given = header === undefined ? {} : { header }
  const changes = isSame ? { secrets, authHeader: header } : { auth: { type, ...given, secrets } }
  return done({ changes, setup, secret: secret === 'generate' ? made.output : null })
}

/** A new secret for a sender of this type; fails if the sender makes it. */
export function generate(type: AuthType, before: BotAuth | undefined, url: string | null): Answer<string> {
  if (factsOf(type).madeBy === 'sender')
    return wrong('refused', `a secret for ${type} cannot be generated here`, copyFrom(type, url))
  return done(newSecret(secretForm(before ?? { type }), before?.secrets[0]))
}

const nothing: ProofChange = { changes: {}, secret: null, setup: [] }
