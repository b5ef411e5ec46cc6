// `repo import`: writes the manifest of what stands.
import { stringify } from 'yaml'
import { done, failed, wrong, type Answer } from '../failure.ts'
import type { WrittenManifest } from '../manifest.ts'
import type { Input } from '../table/commands.ts'
import { splitName, unfit } from '../resources/names.ts'
import { readPresent } from '../resources/present.ts'
import { homepageOf, visibilityOf } from '../resources/repository.ts'
import { early, late } from '../resources/resources.ts'
import { ownLogin } from '../resources/user.ts'
import type { Warning } from '../resources/warning.ts'
import type { Context, Outcome } from './context.ts'

export interface Imported {
  readonly success: true
  readonly target: string
  readonly manifest: WrittenManifest
  readonly yaml: string
  readonly warnings: readonly Warning[]
}

export async function importRepository(
  { repo }: Input<'repo import'>,
  context: Context,
): Promise<Answer<Outcome<Imported>>> {
  const named = splitName(repo)
  if (!named) return unfit(repo, 'is not a repository', 'write it as owner/name, without .git')
  const connected = await context.connect()
  if (!connected.ok) return connected
  const { host } = context
  const client = connected.output
  const login = await ownLogin(client)
  if (!login.ok) return login
  const read = await readPresent(client, { ...named, org: true, topics: [] }, host)
  if (!read.ok) return read
  const present = read.output
  const target = `${named.owner}/${named.name}`
  if (present.state !== 'there') {
    const { formerOf, refusal } = present.state === 'absent' ? present : {}
    if (formerOf !== undefined)
      return wrong('not_found', `${target} is called ${formerOf} now`, 'use that name')
    if (refusal) return failed(refusal)
    return wrong('not_found', `the host has no repository ${target}`, 'check the owner and the name')
  }
  const { is } = present
  const [owner = named.owner, name = named.name] = (is.full_name ?? target).split('/')
  const place = { owner, name }
  const homepage = homepageOf(is)
  let manifest: WrittenManifest = {
    repository: {
      name,
      ...(owner.toLowerCase() === login.output.toLowerCase() ? {} : { org: owner }),
      visibility: visibilityOf(is) as 'public',
      ...(is.description ? { description: is.description } : {}),
      ...(homepage ? { homepage } : {}),
      ...(is.topics?.length ? { topics: [...is.topics] } : {}),
    },
  }
  const warnings: Warning[] = []
  for (const resource of [...early, ...late]) {
    const told = await resource.written(client, place, host)
    if (!told.ok) return told
    const { warnings: more = [], ...part } = told.output
    manifest = { ...manifest, ...part }
    warnings.push(...more)
  }
  const yaml = stringify(manifest, { aliasDuplicateObjects: false, lineWidth: 0 })
  return done({ output: { success: true, target: `${owner}/${name}`, manifest, yaml, warnings } })
}
