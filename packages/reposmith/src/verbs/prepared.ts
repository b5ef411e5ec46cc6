// One manifest from its plan to the outcome: shared by `repo bootstrap` and `repo apply`.
import { done, failed, wrong, type Answer } from '../failure.ts'
import type { Manifest } from '../manifest.ts'
import { makePlan } from '../plan/plan.ts'
import type { Plan } from '../plan/step.ts'
import type { Report } from '../scaffold/fill.ts'
import { applyPlan, type Applying } from './apply.ts'
import { beginningOf } from './begin.ts'
import { openPages } from './open.ts'
import { withPages } from '../resources/publisher.ts'
import type { Context, Outcome } from './context.ts'
import type { Warning } from '../resources/warning.ts'
import { policyWarnings } from '../resources/permissions.ts'
import { load, stepsOf, warningsOf, type Choice, type Loaded } from './load.ts'
import { nothingMade } from './scaffold.ts'

export interface Bootstrapped {
  readonly success: boolean
  readonly dry_run: boolean
  readonly repo_url: string | null
  readonly warnings: readonly Warning[]
  readonly plan: Plan
}

export interface Prepared {
  readonly loaded: Loaded
  readonly plan: Plan
  /** With what its steps are done. */
  readonly applying: Applying
  readonly warnings: readonly Warning[]
}

/** Reads all, and plans. */
export async function prepare(
  manifest: Manifest,
  context: Context,
  choice: Choice,
): Promise<Answer<Prepared>> {
  const read = await load(manifest, context)
  if (!read.ok) return read
  const loaded = read.output
  const { repository, target, problem } = loaded
  // Run in a loop, it would make a second, empty one as soon as somebody renames the first.
  if (repository.state === 'absent' && repository.formerOf !== undefined)
    return wrong(
      'not_found',
      `${target} is called ${repository.formerOf} now`,
      'write that name in the manifest; for another repository of the old name: reposmith repo create',
    )
  if (problem) return failed(problem)
  const { owner, name } = loaded.wanted
  const place = { owner, name, repository }
  const begun = await beginningOf(manifest, place, loaded.client, { ...context, ssh: choice.ssh ?? false })
  if (!begun.ok) return begun
  const steps = stepsOf(loaded, context, choice, begun.output.steps)
  const plan = makePlan(
    { host: context.host.api, target, state: 'read' },
    await withPages(steps, context.env),
  )
  return done({
    loaded,
    plan,
    applying: begun.output.applying,
    warnings: warningsOf(loaded, context, choice),
  })
}

/** The dry-run's result, or with `--apply` what became of it. */
export async function carryOut(
  { loaded, plan, applying, warnings }: Prepared,
  context: Context,
  { open = false } = {},
): Promise<Answer<Outcome<Bootstrapped>>> {
  const { client, repository } = loaded
  const known = repository.state === 'there' ? (repository.is.html_url ?? null) : null
  if (!context.apply)
    return done({ output: { success: true, dry_run: true, repo_url: known, warnings, plan } })

  const applied = await applyPlan(plan, applying, client)
  if (!applied.ok) return applied
  const { failure, replies } = applied.output
  const made = replies.get('repo') as { html_url?: string } | undefined
  const report = replies.get('scaffold') as Report | undefined
  const output = {
    success: failure === undefined,
    dry_run: false,
    repo_url: made?.html_url ?? known,
    warnings: [
      ...warnings,
      ...nothingMade(report),
      ...policyWarnings(applied.output.plan),
      ...(open ? await openPages(applied.output.plan.steps, context) : []),
    ],
    plan: applied.output.plan,
  }
  return done({ output, failure })
}
