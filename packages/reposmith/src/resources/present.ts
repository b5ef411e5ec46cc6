// The present state of a repository, read before anything is written.
import { done, failed, type Answer } from '../failure.ts'
import type { Client } from '../host/client.ts'
import { unsaid } from '../host/foreign.ts'
import type { Host } from '../host/host.ts'
import { OWNER, path } from '../host/path.ts'
import { readRepository, type PresentRepository, type WantedRepository } from './repository.ts'
import { ownLogin } from './user.ts'

/** Looks up the token's own login if no organization was named for sure. */
export async function withOwner(wanted: WantedRepository, client: Client): Promise<Answer<WantedRepository>> {
  if (wanted.owner !== OWNER && !wanted.mayBeOwn) return done(wanted)
  const read = await ownLogin(client)
  if (!read.ok) return read
  const login = read.output
  const isOwn = wanted.owner === OWNER || wanted.owner.toLowerCase() === login.toLowerCase()
  return done(isOwn ? { ...wanted, owner: login, org: false } : wanted)
}

export async function readPresent(
  client: Client,
  wanted: WantedRepository,
  host: Host,
): Promise<Answer<PresentRepository>> {
  const read = await readRepository(client, wanted.owner, wanted.name)
  return read.ok ? await withTopics(client, wanted, read.output, host) : read
}

/** Gitea before 1.23 returns topics separately; topics not read would be lost when others are added. */
async function withTopics(
  client: Client,
  { owner, name, topics }: WantedRepository,
  repository: PresentRepository,
  { can }: Host,
): Promise<Answer<PresentRepository>> {
  if (repository.state !== 'there' || repository.is.topics || !topics) return done(repository)
  const where = path('repos', owner, name, 'topics')
  const read = await client.read(where)
  if (!read.ok) return read
  const told = (read.output as Readonly<Record<string, readonly string[] | null>> | undefined)?.[can.topics]
  if (told === undefined) return failed(unsaid(where, 'which topics it has'))
  return done({ state: 'there', is: { ...repository.is, topics: told ?? [] } })
}
