// How a delivery is recognised when its sender tries again.
import { hash } from 'node:crypto'

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** What the sender calls it; null when it gives it no name, for two equal bodies may well be two events. */
export function dedupeKey(headers: Headers): string | null {
  for (const name of ['webhook-id', 'x-github-delivery', 'idempotency-key']) {
    const value = headers[name]
    if (typeof value === 'string' && value !== '') return value.length > longest ? bodyHash(value) : value
  }
  return null
}

/** The sender's word for the kind of event: `push`. */
export function eventName(headers: Headers): string | null {
  for (const name of ['x-github-event', 'x-gitlab-event', 'x-gitea-event']) {
    const value = headers[name]
    if (typeof value === 'string' && value !== '') return value.slice(0, longest)
  }
  return null
}

export function bodyHash(body: Uint8Array | string): string {
  return hash('sha256', body, 'hex')
}

const longest = 200
