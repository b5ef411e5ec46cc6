// `repo bootstrap`: applies a manifest as one plan. The present state is read first, so a second run continues.
import { resolve } from 'node:path'
import { done, wrong, type Answer } from '../failure.ts'
import type { Client } from '../host/client.ts'
import { readManifest, type Manifest, type ManifestEnvironment } from '../manifest.ts'
import { makePlan } from '../plan/plan.ts'
import type { Plan, Step } from '../plan/step.ts'
import type { Report } from '../scaffold/fill.ts'
import { filling, scaffoldStep } from '../scaffold/scaffold.ts'
import type { Input } from '../table/commands.ts'
import { applyPlan, type Applying } from './apply.ts'
import type { Context, Outcome } from './context.ts'
import type { Warning } from '../resources/warning.ts'
import {
  environmentSteps,
  readEnvironment,
  type PresentEnvironment,
  type WantedEnvironment,
} from '../resources/environment.ts'
import { permissionSteps, policyWarnings } from '../resources/permissions.ts'
import { readPresent, withOwner, type Present } from '../resources/present.ts'
import { publisherOf, publisherStep } from '../resources/publisher.ts'
import { repositorySteps, repositoryWarnings, type WantedRepository } from '../resources/repository.ts'
import { findReviewers } from '../resources/reviewers.ts'
import { nothingMade } from './scaffold.ts'
import { checkManifest, wantedEnvironment, wantedPermissions, wantedRepository } from '../resources/wanted.ts'

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
  const plan = makePlan({ host: host.api, target: `${wanted.owner}/${wanted.name}`, state: 'read' }, [
    ...repositorySteps(wanted, repository, host),
    ...permissionSteps(wanted, wantedPermissions(manifest), present.permissions, host),
    ...filled.output,
    ...environments.output.flatMap(({ steps }) => steps),
  ])
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

export interface Loaded {
  readonly manifest: Manifest
  readonly client: Client
  readonly wanted: WantedRepository
  readonly present: Present
}

/** Reads the manifest, and the present state of its repository; `onlyNamed`: without permissions that it does not name. */
export async function loadManifest(
  file: string,
  context: Context,
  { onlyNamed = false } = {},
): Promise<Answer<Loaded>> {
  const manifest = await readManifest(file === '-' ? file : resolve(context.cwd, file))
  if (!manifest.ok) return manifest
  const checked = checkManifest(manifest.output)
  if (!checked.ok) return checked
  const client = await context.connect()
  if (!client.ok) return client
  const wanted = await withOwner(wantedRepository(manifest.output), client.output)
  if (!wanted.ok) return wanted
  const permissions = wantedPermissions(manifest.output)
  const isRead = !onlyNamed || permissions.asked.actions || permissions.asked.workflowToken
  const read = await readPresent(client.output, wanted.output, isRead ? permissions : undefined, context.host)
  if (!read.ok) return read
  return done({
    manifest: manifest.output,
    client: client.output,
    wanted: wanted.output,
    present: read.output,
  })
}

export interface ManifestedEnvironment {
  readonly named: ManifestEnvironment
  readonly wanted: WantedEnvironment
  readonly present: PresentEnvironment | undefined
  readonly steps: readonly Step[]
}

/** Every environment with its steps; if the repository does not exist yet, all are created. */
export async function environmentsOf(
  loaded: Loaded,
  { host }: Context,
): Promise<Answer<readonly ManifestedEnvironment[]>> {
  const { manifest, client, wanted } = loaded
  const { repository } = loaded.present
  const asks = host.can.environments
  const environments: ManifestedEnvironment[] = []
  for (const environment of manifest.environments ?? []) {
    const reviewers = asks ? await findReviewers(client, environment.reviewers ?? []) : done([])
    if (!reviewers.ok) return reviewers
    const asked = wantedEnvironment(environment, wanted, reviewers.output)
    const exists = asks && repository.state === 'there'
    const present = exists ? await readEnvironment(client, asked) : done(undefined)
    if (!present.ok) return present
    environments.push({
      named: environment,
      wanted: asked,
      present: present.output,
      steps: [
        ...environmentSteps(asked, present.output, host),
        publisherStep(publisherOf(environment, asked)),
      ],
    })
  }
  return done(environments)
}

function scaffoldOf({ scaffold }: Manifest, { cwd, env }: Context): Answer<readonly Step[]> {
  if (!scaffold) return done([])
  const step = scaffoldStep({ ...scaffold, cwd, env })
  return step.ok ? done([step.output]) : step
}
