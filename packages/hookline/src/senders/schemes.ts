// The scheme that proves a bot's sender: its service's own, or one of the general ones, of which `type: hmac` spells itself out.
import type { BotAuth } from './authschema.ts'
import { isGeneral, ownProof } from './authtypes.ts'
import type { Scheme, SignedScheme } from './scheme.ts'
import { bodySigned, timestampOf } from './signed.ts'

/** Pseudo-header in which the listener passes the secret from the URL. No real header can have this name. */
export const URL_SECRET = ':secret'

/** Tried in turn; the first one that the request carries any proof of decides. Empty: every sender is trusted. */
export function schemesOf(auth: BotAuth): readonly Scheme[] {
  const { type, header, tolerance } = auth
  if (!isGeneral(type)) {
    const { schemes } = ownProof(type)
    if (typeof schemes === 'function') return schemes(auth)
    return schemes.map((scheme) =>
      scheme.kind === 'signed' && tolerance !== undefined ? { ...scheme, tolerance } : scheme,
    )
  }
  switch (type) {
    case 'none':
      return []
    case 'token':
      return [{ kind: 'token', headers: header ? [header.toLowerCase()] : BEARERS }]
    case 'basic':
      return [{ kind: 'basic' }]
    case 'url':
      return [{ kind: 'token', headers: [URL_SECRET] }]
    case 'hmac':
      return [handwritten(auth)]
  }
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
