// A manifest with the present state of all that it names, and the steps between.
import { done, type Answer, type Failure } from '../failure.ts'
import type { Client } from '../host/client.ts'
import { readManifest, type Manifest } from '../manifest.ts'
import type { Step } from '../plan/step.ts'
import { readPresent, withOwner } from '../resources/present.ts'
import type { Loaded as LoadedResource, Resource, Rules } from '../resources/resource.ts'
import { early, late } from '../resources/resources.ts'
import {
  repositorySteps,
  repositoryWarnings,
  unlessArchived,
  type PresentRepository,
  type WantedRepository,
} from '../resources/repository.ts'
import type { Warning } from '../resources/warning.ts'
import { checkManifest, wantedRepository } from '../resources/wanted.ts'
import type { Context } from './context.ts'
import { journalIn } from './journal.ts'

export interface Loaded {
  readonly manifest: Manifest
  readonly client: Client
  readonly wanted: WantedRepository
  readonly repository: PresentRepository
  /** It is to be created, or was in a run that was cut off. */
  readonly isNew: boolean
  readonly target: string
  readonly early: readonly LoadedResource[]
  readonly late: readonly LoadedResource[]
  /** Why a repository that is missing cannot be created as it is wanted, such as an unknown reviewer. */
  readonly problem?: Failure
}

export type Choice = Pick<Rules, 'enforce' | 'allowPublic'> & {
  /** What is only compared needs no values of secrets. */
  readonly isForDrift?: boolean
  /** The scaffold is pushed over SSH. */
  readonly ssh?: boolean
}

/** The file, checked. */
export async function readChecked(file: string, { cwd, stdin }: Context): Promise<Answer<Manifest>> {
  const manifest = await readManifest(file, { cwd, stdin })
  if (!manifest.ok) return manifest
  const checked = checkManifest(manifest.output)
  return checked.ok ? manifest : checked
}

/** Reads the present state. */
export async function load(manifest: Manifest, context: Context): Promise<Answer<Loaded>> {
  const connected = await context.connect()
  if (!connected.ok) return connected
  const client = connected.output
  const { host } = context
  const owned = await withOwner(wantedRepository(manifest), client)
  if (!owned.ok) return owned
  const wanted = owned.output
  const read = await readPresent(client, wanted, host)
  if (!read.ok) return read
  const repository = read.output
  const target = `${wanted.owner}/${wanted.name}`
  const exists = repository.state === 'there'
  const isNew =
    !exists || journalIn(context.env).isUnfinished({ host: host.api, target }, repository.is.created_at)
  const about = { client, host, exists, isNew, place: { owner: wanted.owner, name: wanted.name } }
  const all = async (resources: readonly Resource[]): Promise<Answer<readonly LoadedResource[]>> => {
    const loaded: LoadedResource[] = []
    for (const resource of resources) {
      const one = await resource.load(manifest, about)
      if (!one.ok) return one
      if (one.output) loaded.push(one.output)
    }
    return done(loaded)
  }
  const first = await all(early)
  if (!first.ok) return first
  const last = await all(late)
  // That a repository is missing is known, whatever its environments want.
  const problem = !last.ok && !exists && last.error.code === 1 ? last.error : undefined
  if (!last.ok && !problem) return last
  return done({
    manifest,
    client,
    wanted,
    repository,
    isNew,
    target,
    early: first.output,
    late: last.ok ? last.output : [],
    ...(problem ? { problem } : {}),
  })
}

/** All steps in order; `between` are those of the first files, such as a scaffold. */
export function stepsOf(
  loaded: Loaded,
  { host, env }: Context,
  choice: Choice,
  between: readonly Step[] = [],
): readonly Step[] {
  const { wanted, repository, isNew } = loaded
  const rules: Rules = { host, isNew, env: choice.isForDrift ? undefined : env, ...choice }
  return unlessArchived(repository, [
    ...repositorySteps(wanted, repository, rules),
    ...loaded.early.flatMap((each) => each.steps(rules)),
    ...between,
    ...loaded.late.flatMap((each) => each.steps(rules)),
  ])
}

/** What is left as it is, and what is gone. */
export function warningsOf(loaded: Loaded, { host }: Context, choice: Choice): readonly Warning[] {
  const { wanted, repository, isNew } = loaded
  return [
    ...repositoryWarnings(wanted, repository, { host, isNew, ...choice }),
    ...[...loaded.early, ...loaded.late].flatMap(({ warnings }) => warnings),
  ]
}
