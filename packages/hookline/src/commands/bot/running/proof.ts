// Turns `--auth`, `--auth-header` and `--secret` into changes of trigger.auth.
import type { BotAuth } from '../../../senders/authschema.ts'
import { type AuthType, factsOf, secretForm } from '../../../senders/authtypes.ts'
import type { BotChanges } from '../../../bots/file/botedit.ts'
import { findPreset } from '../../../senders/presets.ts'
import { newSecret } from '../../../senders/secret.ts'
import { done, wrong, type Answer } from '../../../control/failure.ts'
import { copyFrom, setupAt } from '../../../senders/setup.ts'

export interface Asked {
  readonly type?: AuthType | undefined
  readonly header?: string | undefined
  /** Null ends the proof. */
  readonly secret?: string | null | undefined
  /** The bot's present auth. */
  readonly before?: BotAuth | undefined
  readonly url: string | null
  readonly preset: string | null | undefined
}

export interface ProofChange {
  readonly changes: Pick<BotChanges, 'auth' | 'authHeader' | 'secrets'>
  /** Only if it was generated just now. */
  readonly secret: string | null
  readonly setup: readonly string[]
}

export function proofFrom(options: Asked): Answer<ProofChange> {
  const { header, secret, before, url, preset } = options
  const asked = options.type ?? (before ? undefined : ofPreset(preset, secret))
  const isAsked = asked !== undefined || header !== undefined
  if (secret === null) {
    // A file that merely lacks it would not take effect; see `Proofs`.
    const auth = before && ({ type: 'none', secrets: [] } as const)
    if (!isAsked) return done({ ...nothing, changes: { auth: auth ?? null } })
    const hint = 'leave out --no-secret, or --auth and --auth-header'
    return wrong('usage', '--no-secret ends every proof of the sender', hint)
  }
  const type = asked ?? (before?.type === 'none' ? undefined : before?.type) ?? 'github'
  if (type === 'none') {
    if (secret !== undefined) return wrong('usage', '--auth none takes no secret', 'leave --secret out')
    if (header !== undefined) return wrong('usage', '--auth none takes no header', 'leave --auth-header out')
    return done({ ...nothing, changes: { auth: { type, secrets: [] } } })
  }
  if (secret === undefined) {
    if (!isAsked) return done(nothing)
    const hint = factsOf(type).madeBy === 'sender' ? copyFrom(type, url) : 'add --secret generate'
    return wrong('usage', `--auth ${type} needs a secret`, hint)
  }
  const isSame = type === before?.type
  if (type === 'hmac' && header === undefined && !isSame) {
    const hint = 'add --auth-header X-Signature'
    return wrong('usage', '--auth hmac needs the name of the signature header', hint)
  }

  const changesFor = (newest: string): ProofChange['changes'] =>
    isSame
      ? { secrets: [newest], authHeader: header }
      : { auth: { type, ...(header === undefined ? {} : { header }), secrets: [newest] } }
  if (secret !== 'generate') return done({ ...nothing, changes: changesFor(secret) })
  const made = generate(type, isSame ? before : undefined, url)
  if (!made.ok) return made
  const setup = setupAt(type, { url, secret: made.output, header: header ?? before?.header, preset })
  return done({ changes: changesFor(made.output), secret: made.output, setup })
}

/** The preset's own auth type, or `token`; only if there is a secret. */
function ofPreset(preset: Asked['preset'], secret: Asked['secret']): AuthType | undefined {
  return preset && secret ? (findPreset(preset)?.auth ?? 'token') : undefined
}

/** A new secret for a sender of this type; fails if the sender makes it. */
export function generate(type: AuthType, before: BotAuth | undefined, url: string | null): Answer<string> {
  if (factsOf(type).madeBy === 'sender')
    return wrong('refused', `a secret for ${type} cannot be generated here`, copyFrom(type, url))
  return done(newSecret(secretForm(before ?? { type }), before?.secrets[0]))
}

const nothing: ProofChange = { changes: {}, secret: null, setup: [] }
