// `repo scaffold`: shows, previews or runs the external tool.
import { done, wrong, type Answer } from '../failure.ts'
import { compare } from '../scaffold/compare.ts'
import type { Report } from '../scaffold/fill.ts'
import { filling, madeElsewhere, planScaffold, type ScaffoldPlan } from '../scaffold/scaffold.ts'
import type { Input } from '../table/commands.ts'
import { applyPlan } from './apply.ts'
import type { Scaffolded } from './scaffolded.ts'
import { update } from './update.ts'
import type { Context, Outcome } from './context.ts'
import type { Warning } from '../resources/warning.ts'

type ScaffoldInput = Input<'repo scaffold'>

export async function scaffold(input: ScaffoldInput, context: Context): Promise<Answer<Outcome<Scaffolded>>> {
  const { apply, execute, cwd, env } = context
  if (input.preview && apply)
    return wrong('usage', '--preview is for a dry-run', 'leave out --preview, or --apply')
  if (input.update) return await update({ ...input, cwd, env }, context)
  const planned = planScaffold({ ...input, cwd, env })
  if (!planned.ok) return planned
  const plan = planned.output
  if (!apply) return await dryRun(input, plan, context)
  const { overwrite = false } = input
  const place = { folder: plan.target, staging: plan.staging, overwrite }
  const applied = await applyPlan(plan, {
    ...context,
    execute: filling(place, execute, { ...input, cwd: context.cwd, env: context.env }),
  })
  if (!applied.ok) return applied
  const { failure, replies, plan: after } = applied.output
  const report = replies.get('scaffold') as Report | undefined
  const warnings = nothingMade(report)
  const output = {
    success: failure === undefined,
    dry_run: false,
    scaffold_report: report ?? null,
    overwrite,
    note: NOTE,
    ...(warnings.length > 0 ? { warnings } : {}),
    plan: after,
  }
  return done({ output, failure })
}

const NOTE = 'the tool runs without your tokens in its environment'

async function dryRun(
  input: ScaffoldInput,
  plan: ScaffoldPlan,
  { execute, cwd, env }: Context,
): Promise<Answer<Outcome<Scaffolded>>> {
  const [{ argv }] = plan.steps
  const { overwrite = false } = input
  const facts = { success: true, dry_run: true, would_run: argv, note: NOTE, overwrite, plan }
  if (!input.preview) return done({ output: facts })
  if (input.with !== 'cookiecutter') return done({ output: { ...facts, warnings: [NO_PREVIEW] } })
  const preview = await madeElsewhere({ ...input, cwd, env }, execute, compare)
  return preview.ok ? done({ output: { ...facts, preview: preview.output } }) : preview
}

const NO_PREVIEW: Warning = {
  code: 'no_preview',
  message: 'no preview was made: only cookiecutter is known to write where it is told and nowhere else',
}

/** Warns if the tool succeeded but made no file. */
export function nothingMade(report: Report | undefined): readonly Warning[] {
  if (!report || report.written.length + report.kept.length + report.unchanged.length > 0) return []
  const message = `the tool reported success, but created no file in ${report.out}: does it write where {path} says?`
  return [{ code: 'nothing_made', message }]
}
