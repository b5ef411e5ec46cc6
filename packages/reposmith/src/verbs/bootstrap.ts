// `repo bootstrap`: applies a manifest as one plan. The present state is read first, so a second run continues.
import { resolve } from 'node:path'
import { done, wrong, type Answer } from '../failure.ts'
import type { Manifest } from '../manifest.ts'
import { makePlan } from '../plan/plan.ts'
import type { Plan, Step } from '../plan/step.ts'
import type { Report } from '../scaffold/fill.ts'
import { filling, scaffoldStep } from '../scaffold/scaffold.ts'
import type { Input } from '../table/commands.ts'
import { applyPlan, type Applying } from './apply.ts'
import type { Context, Outcome } from './context.ts'
import type { Warning } from '../resources/warning.ts'
import { permissionSteps, policyWarnings } from '../resources/permissions.ts'
import { repositorySteps, repositoryWarnings, unlessArchived } from '../resources/repository.ts'
import { environmentsOf, loadManifest } from './load.ts'
import { nothingMade } from './scaffold.ts'
import { wantedPermissions } from '../resources/wanted.ts'

export interface Bootstrapped {
  readonly success: boolean
  readonly dry_run: boolean
  readonly repo_url: string | null
  readonly warnings: readonly Warning[]
  readonly plan: Plan
}

export async function bootstrap(
  input: Input<'repo bootstrap'>,
  context: Context,
): Promise<Answer<Outcome<Bootstrapped>>> {
  const loaded = await loadManifest(input.file, context)
  if (!loaded.ok) return loaded
  const { manifest, client, wanted, present } = loaded.output
  const { repository } = present
  // Run in a loop, it would make a second, empty one as soon as somebody renames the first.
  if (repository.state === 'absent' && repository.formerOf !== undefined)
    return wrong(
      'not_found',
      `${wanted.owner}/${wanted.name} is called ${repository.formerOf} now`,
      'write that name in the manifest; for another repository of the old name: reposmith repo create',
    )
  const environments = await environmentsOf(loaded.output, context)
  if (!environments.ok) return environments
  const filled = scaffoldOf(manifest, context)
  if (!filled.ok) return filled
  const { host } = context
  const plan = makePlan(
    { host: host.api, target: `${wanted.owner}/${wanted.name}`, state: 'read' },
    unlessArchived(repository, [
      ...repositorySteps(wanted, repository, host),
      ...permissionSteps(wanted, wantedPermissions(manifest), present.permissions, host),
      ...filled.output,
      ...environments.output.flatMap(({ steps }) => steps),
    ]),
  )
  const warnings = repositoryWarnings(wanted, repository, host)
  const known = repository.state === 'there' ? (repository.is.html_url ?? null) : null
  if (!context.apply)
    return done({ output: { success: true, dry_run: true, repo_url: known, warnings, plan } })

  const applied = await applyPlan(plan, fillingWhole(manifest, context), client)
  if (!applied.ok) return applied
  const { failure, replies } = applied.output
  const made = replies.get('repo') as { html_url?: string } | undefined
  const report = replies.get('scaffold') as Report | undefined
  const output = {
    success: failure === undefined,
    dry_run: false,
    repo_url: made?.html_url ?? known,
    warnings: [...warnings, ...nothingMade(report), ...policyWarnings(applied.output.plan)],
    plan: applied.output.plan,
  }
  return done({ output, failure })
}

/** A scaffold that fails half-way is removed, so that the next run starts afresh. */
function fillingWhole({ scaffold }: Manifest, context: Context): Applying {
  if (!scaffold) return context
  const place = { folder: resolve(context.cwd, scaffold.path), staging: null, overwrite: false }
  return { ...context, execute: filling(place, context.execute) }
}

function scaffoldOf({ scaffold }: Manifest, { cwd, env }: Context): Answer<readonly Step[]> {
  if (!scaffold) return done([])
  const step = scaffoldStep({ ...scaffold, cwd, env })
  return step.ok ? done([step.output]) : step
}
