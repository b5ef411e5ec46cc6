// Which commit the name of an action means today, according to the host.
import type { Client } from '../host/client.ts'
import { path } from '../host/path.ts'

/** `actions/checkout@v5` → the hash; undefined if the host does not know. */
export async function hashOf(client: Client, uses: string): Promise<string | undefined> {
  const [, owner, name, ref] = /^([\w.-]+)\/([\w.-]+)(?:\/[^@]*)?@(.+)$/.exec(uses) ?? []
  if (!owner || !name || !ref) return undefined
  const read = await client.read(path('repos', owner, name, 'commits', ref))
  const { sha } = (read.ok && read.output ? read.output : {}) as { readonly sha?: unknown }
  return typeof sha === 'string' && /^[\da-f]{40}$/.test(sha) ? sha : undefined
}
