// From a plan to an outcome: refuse what is impossible, send the rest.
import { done, failed, STOPPED, type Answer } from '../failure.ts'
import type { Client } from '../host/client.ts'
import { refuseBlocked } from '../plan/plan.ts'
import { runPlan, type Applied, type Edit, type Execute } from '../plan/run.ts'
import type { Plan, RequestStep } from '../plan/step.ts'
import { sealedBody } from '../resources/secrets.ts'
import type { Context } from './context.ts'
import { journalIn } from './journal.ts'

/** A context whose tools may resolve with more than they print. */
export type Applying = Omit<Context, 'execute'> & { readonly execute: Execute; readonly edit?: Edit }

/** If not ok, nothing was sent. If ok, something may have been, even with a failure inside. */
export async function applyPlan(plan: Plan, context: Applying, client?: Client): Promise<Answer<Applied>> {
  const allowed = refuseBlocked(plan)
  if (!allowed.ok) return allowed
  const { stop, onStep, execute, edit, resume, env } = context
  if (stop.aborted) return failed(STOPPED)
  const tools = { stop, onStep, execute, edit, now: () => performance.now() }
  if (!client) return done(await runPlan(plan, tools, resume))
  const journal = journalIn(env)
  const creates = plan.steps.some(({ kind, id }) => kind === 'request' && id === 'repo')
  const isFresh = !creates && journal.isBegun(plan)
  // Before the first request, as nobody can write down anything after a kill.
  if (creates) journal.begin(plan)
  const seal = async (step: RequestStep) => await sealedBody(step, client, env)
  const applied = await runPlan(plan, { ...tools, wire: client, seal, isFresh }, resume)
  if (!applied.failure) journal.end(plan)
  return done(applied)
}
