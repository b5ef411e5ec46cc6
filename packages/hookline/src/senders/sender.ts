// What is known of a service that sends webhooks: `<service>/sender.ts`. docs/authentication.md
import type { Headers, Scheme } from './scheme.ts'

export interface Sender {
  /** The ways to prove itself that are its own, each by its word in `trigger.auth.type`. */
  readonly proofs?: Readonly<Record<string, OwnProof>>
  readonly event?: EventHeader
  /** An id that no two of its deliveries share, in a form that nobody else's have. */
  readonly uniqueId?: (headers: Headers, body: Body) => string | undefined
  /** For its preset with a proof that is not its own. */
  readonly setup?: (Setup & { readonly with: 'token' | 'basic' }) | (Place & { readonly with: 'url' })
}

export type Body = Readonly<Record<string, unknown>>

/** A header that names the kind of event, in lower case. */
export interface EventHeader {
  readonly header: string
  /** The event, where that is not what the header says. */
  readonly read?: (value: string) => string
  /** What the header says of a payload, where its preset finds the event in that. */
  readonly write?: (payload: Body) => string
  /** The service whose headers it sends as well, its own folder's name. */
  readonly also?: string
}

export interface ProofFacts {
  /** What `bot.yaml`'s schema says of it. */
  readonly about: string
  readonly secret: SecretForm | 'none'
  /** Who generates the secret: one that the sender makes can only be copied. */
  readonly madeBy: 'us' | 'sender'
  /** Keys besides `type` and `secrets`. */
  readonly takes: readonly AuthKey[]
}

export interface OwnProof extends ProofFacts {
  /** Tried in turn; the first one that the request carries any proof of decides. */
  readonly schemes: readonly Scheme[] | ((auth: AuthSettings) => readonly Scheme[])
  readonly id?: OwnId
  readonly setup: Setup
}

/** How a secret becomes a key: the text itself, base64 after `whsec_` or `whpk_`, or `user:password`. */
export type SecretForm = 'text' | 'base64' | 'pair'

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

/** Keys of `trigger.auth` that a scheme of a named service may depend on. */
export interface AuthSettings {
  readonly header?: string | undefined
  readonly timestamp?: SentTime | undefined
  readonly tolerance?: number | undefined
}

/** Where a sender gives its time: in one place, in seconds unless `unit` says otherwise. */
export interface SentTime {
  readonly header?: string | undefined
  readonly field?: string | undefined
  readonly body?: string | undefined
  readonly unit: 's' | 'ms'
}

/** Where a delivery's id is, which stays the same across retries: in the first of the headers, or at the top of the body. */
export interface OwnId {
  readonly headers?: readonly string[]
  readonly field?: string
  /** The service says that no two events share it: a retry may differ in the rest, such as a count of attempts. */
  readonly isUnique?: boolean
  /** The headers have other meanings elsewhere. */
  readonly isCommon?: boolean
}

/** Where the URL is entered, in the words of the sender's own pages. */
export interface Place {
  readonly name: string
  /** The navigation path to the page. */
  readonly page: string
}

export interface Setup extends Place {
  /** The sender's labels for the URL and the secret. */
  readonly url: string
  readonly secret: string
  readonly more?: readonly Pair[]
  /** What is entered, if not the secret alone. */
  readonly secretAs?: (secret: string) => string
  /** What to choose for a preset: most send pushes alone otherwise. */
  readonly events?: Pair
}

export type Pair = readonly [label: string, value: string]

/** Keeps the names of its proofs, of which `AuthType` is made. */
export function sender<const S extends Sender>(facts: S): S {
  return facts
}

/** Most secrets are text, ours, and need no other key. */
export function usual<const About extends string>(about: About) {
  return { about, secret: 'text', madeBy: 'us', takes: [] } as const
}
