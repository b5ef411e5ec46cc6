// Makes a plan of steps, and counts them.
import { wrong, type Answer, done } from '../failure.ts'
import type { BlockedStep, Plan, Step, Summary } from './step.ts'

export function makePlan(facts: Pick<Plan, 'host' | 'target' | 'state'>, steps: readonly Step[]): Plan {
  return {
    schema: 'plan/1',
    ...facts,
    summary: summarize(steps),
    refusal: refusalsOf(steps)[0] ?? null,
    steps,
  }
}

/** Refuses the whole plan if a requested step is impossible, so that nothing is left half done. */
export function refuseBlocked(plan: Plan): Answer<Plan> {
  const [first, ...others] = refusalsOf(plan.steps)
  if (first === undefined) return done(plan)
  return wrong('blocked', first, 'leave that out, and run it again; nothing was applied', others)
}

function refusalsOf(steps: readonly Step[]): readonly string[] {
  return steps
    .filter((step): step is BlockedStep => step.kind === 'blocked' && step.asked)
    .map(({ title, reason }) => `${title}: ${reason}`)
}

function summarize(steps: readonly Step[]): Summary {
  const count = (kind: string): number => steps.filter((step) => kindOf(step) === kind).length
  return {
    create: count('create'),
    update: count('update'),
    delete: count('delete'),
    unchanged: count('unchanged'),
    run: count('run'),
    manual: count('manual'),
    blocked: count('blocked'),
  }
}

/** How the summary counts a step: by its operation if it has one, else by its kind. */
export function kindOf(step: Step): keyof Summary {
  return 'op' in step ? step.op : step.kind
}
