// The ways in which a sender may prove itself, and what the entry of each in bot.yaml may hold.
import { AUTH_KEYS, type OwnProof, type ProofFacts, type SecretForm, usual } from './sender.ts'
import { senders, type Senders } from './senders.ts'

/** Those that belong to no service; see schemes.ts. */
const GENERAL = {
  token: { ...usual('Authorization: Bearer, or X-Hookline-Token'), takes: ['header'] },
  basic: { ...usual('Authorization: Basic, user:password'), secret: 'pair' },
  url: usual('the secret as the last part of the URL, for senders that can set nothing else'),
  hmac: { ...usual('a signature as the other keys describe it'), takes: AUTH_KEYS },
  none: { ...usual('no proof, every sender is believed'), secret: 'none' },
} as const satisfies Readonly<Record<string, ProofFacts>>

type ProofsOf<S> = S extends { readonly proofs: infer Proofs } ? keyof Proofs & string : never
/** Proofs that belong to a service. */
type OwnType = ProofsOf<Senders[keyof Senders]>
type GeneralType = keyof typeof GENERAL
export type AuthType = OwnType | GeneralType

const ownProofs = Object.assign({}, ...Object.values(senders).map(({ proofs }) => proofs)) as Readonly<
  Record<OwnType, OwnProof>
>
const allFacts: Readonly<Record<AuthType, ProofFacts>> = { ...ownProofs, ...GENERAL }

export const AUTH_TYPE_NAMES = Object.keys(allFacts) as [AuthType, ...AuthType[]]

export function factsOf(type: AuthType): ProofFacts {
  return allFacts[type]
}

export function ownProof(type: OwnType): OwnProof {
  return ownProofs[type]
}

export function isGeneral(type: AuthType): type is GeneralType {
  return Object.hasOwn(GENERAL, type)
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
