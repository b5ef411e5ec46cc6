// How a repository begins: the scaffold, its first commit, and the push to the empty repository.
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { done, failed, wrong, type Answer, type Failure } from '../failure.ts'
import type { Client } from '../host/client.ts'
import { OWNER, path } from '../host/path.ts'
import type { Manifest } from '../manifest.ts'
import type { Execute } from '../plan/run.ts'
import type { Step } from '../plan/step.ts'
import type { FullName } from '../resources/names.ts'
import type { PresentRepository } from '../resources/repository.ts'
import { isUntouched } from '../scaffold/answers.ts'
import { pushSteps } from '../scaffold/git.ts'
import { answersOf, filling, scaffoldStep } from '../scaffold/scaffold.ts'
import { npmPackage, pythonPackage, type NamedPackage } from '../workflow/package.ts'
import type { Applying } from './apply.ts'
import type { Context } from './context.ts'
import { packageSteps, variablesOf } from './package.ts'

export interface Beginning {
  readonly steps: readonly Step[]
  readonly applying: Applying
}

interface Place extends FullName {
  readonly repository: PresentRepository
}

/** Nothing if the manifest has no scaffold. */
export async function beginningOf(
  manifest: Manifest,
  place: Place,
  client: Client,
  context: Context & { readonly ssh: boolean },
): Promise<Answer<Beginning>> {
  const { scaffold } = manifest
  if (!scaffold) return done({ steps: [], applying: context })
  if (manifest.repository.template !== undefined)
    return wrong(
      'usage',
      'a template and a scaffold would both bring the first commit',
      'leave out one of them',
    )
  const { cwd, env, host, ssh } = context
  const branch = await branchOf(client, place)
  if (!branch.ok) return branch
  const input = { ...scaffold, var: variablesOf(manifest, { ...place, ...branch.output }, host), cwd, env }
  const step = scaffoldStep(input)
  if (!step.ok) return step
  const folder = resolve(cwd, scaffold.path)
  const isMade = step.output.kind === 'unchanged'
  const planned = answersOf(input, folder)?.['project_slug']
  const made = isMade ? await packageIn(folder) : planned === undefined ? undefined : { name: planned }
  const blocked = packageSteps(manifest, made)
  const remote = ssh
    ? `git@${new URL(host.web).hostname}:${place.owner}/${place.name}.git`
    : `${host.web}${path(place.owner, place.name)}.git`
  const pushed = pushSteps({
    folder,
    path: scaffold.path,
    remote,
    ...branch.output,
    isFresh: !isMade || (await isUntouched(folder)),
    env,
  })
  if (!pushed.ok) return pushed
  const fill = filling({ folder, staging: null, overwrite: false }, context.execute, input)
  const execute: Execute = async (each) => {
    if (each.id === 'push') return await context.push(each, remote)
    if (each.id !== 'scaffold') return await context.execute(each)
    const filled = await fill(each)
    if (filled.ok && filled.output.written_count === 0) return failed(NOTHING_MADE)
    const [stray] = filled.ok ? packageSteps(manifest, await packageIn(folder)) : []
    return stray
      ? wrong(
          'conflict',
          `the package does not agree: ${stray.reason}`,
          'then remove the folder, and run this again',
        )
      : filled
  }
  return done({ steps: [...blocked, step.output, ...pushed.output], applying: { ...context, execute } })
}

const NOTHING_MADE: Failure = {
  code: 4,
  message: 'the tool reported success, but created no file: there is nothing to push',
  remediation: 'use one that writes where {path} says',
  kind: 'scaffolder',
}

/** The default branch, and whether it has a commit. */
async function branchOf(
  client: Client,
  { owner, name, repository }: Place,
): Promise<Answer<{ readonly branch: string; readonly isBegun: boolean }>> {
  if (repository.state !== 'there' || owner === OWNER) return done({ branch: 'main', isBegun: false })
  const branch = repository.is.default_branch ?? 'main'
  const read = await client.read(path('repos', owner, name, 'branches', branch))
  return read.ok ? done({ branch, isBegun: read.output !== undefined }) : read
}

async function packageIn(folder: string): Promise<NamedPackage | undefined> {
  const read = async (name: string): Promise<string> =>
    await readFile(join(folder, name), 'utf8').catch(() => '')
  return pythonPackage(await read('pyproject.toml')) ?? npmPackage(await read('package.json'))
}
