// From a plan to an outcome: refuse what is impossible, send the rest.
import { done, type Answer } from '../failure.ts'
import type { Client } from '../host/client.ts'
import { refuseBlocked } from '../plan/plan.ts'
import { runPlan, type Applied, type Execute } from '../plan/run.ts'
import type { Plan } from '../plan/step.ts'
import type { Context } from './context.ts'

/** A context whose tools may resolve with more than they print. */
export type Applying = Omit<Context, 'execute'> & { readonly execute: Execute }

/** If not ok, nothing was sent. If ok, something may have been, even with a failure inside. */
export async function applyPlan(plan: Plan, context: Applying, client?: Client): Promise<Answer<Applied>> {
  const allowed = refuseBlocked(plan)
  if (!allowed.ok) return allowed
  const { stop, onStep, execute, resume } = context
  const tools = { wire: client, stop, onStep, execute, now: () => performance.now() }
  return done(await runPlan(plan, tools, resume))
}
