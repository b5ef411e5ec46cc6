// `repo scaffold`: shows or runs the external tool.
import { done, type Answer } from '../failure.ts'
import type { Plan, RunStep } from '../plan/step.ts'
import { applyScaffold, planScaffold } from '../scaffold/scaffold.ts'
import type { Input } from '../table/commands.ts'
import type { Context, Outcome } from './context.ts'

/** The first keys are the original's; all that is new stands beside them. */
export interface Scaffolded {
  readonly success: boolean
  readonly dry_run: boolean
  readonly would_run?: readonly string[]
  readonly scaffold_report?: { readonly output: string }
  readonly note: string
  readonly plan: Plan
}

export async function scaffold(
  input: Input<'repo scaffold'>,
  context: Context,
): Promise<Answer<Outcome<Scaffolded>>> {
  const { stop, onStep, execute, resume, cwd, env } = context
  const planned = await planScaffold({ ...input, cwd, env })
  if (!planned.ok) return planned
  const plan = planned.output
  const note = 'the tool runs without your tokens in its environment'
  if (!context.apply) {
    const step = plan.steps.find((each): each is RunStep => each.kind === 'run' && each.op === 'run')
    return done({ output: { success: true, dry_run: true, would_run: step?.argv ?? [], note, plan } })
  }
  const applied = await applyScaffold(plan, { stop, onStep, execute, now: () => performance.now() }, resume)
  const { failure, replies } = applied
  const printed = replies.get('scaffold')
  const report = { output: typeof printed === 'string' ? printed : '' }
  const output = {
    success: failure === undefined,
    dry_run: false,
    scaffold_report: report,
    note,
    plan: applied.plan,
  }
  return done({ output, ...(failure ? { failure } : {}) })
}
