// What signatures of most services have in common.
import type { SignedScheme, Timestamp } from './scheme.ts'
import type { SentTime } from './sender.ts'

/** They sign the body alone. */
export const bodySigned: SignedScheme = {
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

/** Standard Webhooks: github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md */
export function standardScheme(family: 'webhook' | 'svix'): SignedScheme {
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

export function timestampOf({ header, field, body: path, unit }: SentTime): Timestamp {
  if (header !== undefined) return { in: 'header', name: header.toLowerCase(), unit }
  return field !== undefined ? { in: 'field', name: field, unit } : { in: 'body', name: path ?? '', unit }
}
