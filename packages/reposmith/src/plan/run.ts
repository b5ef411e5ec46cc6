// Executes a plan: sends its steps in order until one fails or the run is stopped.
import { done, STOPPED, type Answer, type Failure, type Progress } from '../failure.ts'
import { kindOf } from './plan.ts'
import { settle, type Sent, type Wire } from './settle.ts'
import type { Body, EditStep, Plan, RequestStep, RunStep, Status, Step } from './step.ts'

export interface Tools {
  /** Absent when no step calls the host. */
  readonly wire?: Wire | undefined
  readonly execute?: Execute
  /** The body of a request with a secret. */
  readonly seal?: (step: RequestStep) => Promise<Answer<Body | undefined>>
  /** The repository was created a moment ago, by a run that was cut off. */
  readonly isFresh?: boolean
  /** Writes a file. */
  readonly edit?: Edit | undefined
  /** Fires when no further step may begin. */
  readonly stop: AbortSignal
  readonly now: () => number
  readonly onStep: (step: Step) => void
}

/** Runs an external command; resolves with what it printed, or what became of it. */
export type Execute<Output = unknown> = (step: RunStep) => Promise<Answer<Output>>

export type Edit = (step: EditStep) => Promise<Answer<unknown>>

export interface Applied {
  readonly plan: Plan
  /** What the host answered and the tools resolved with, by step id. */
  readonly replies: ReadonlyMap<string, unknown>
  readonly failure?: Failure
}

/** Never throws for a fault of the host or a tool: that is in `failure`, and in the step's status. */
export async function runPlan(plan: Plan, tools: Tools, resume: string): Promise<Applied> {
  const replies = new Map<string, unknown>()
  const steps: Step[] = []
  let failure: Failure | undefined
  for (const step of plan.steps) {
    const idle = idleStatus(step, failure !== undefined || tools.stop.aborted)
    if (idle) {
      steps.push({ ...step, status: idle })
      continue
    }
    tools.onStep(step)
    const started = tools.now()
    const sent = await perform(step, tools, { isFresh: tools.isFresh === true || steps.some(hasCreated) })
    const ms = Math.round(tools.now() - started)
    const status = statusAfter(sent, step)
    if (sent.ok) replies.set(step.id, sent.output.data)
    else if (status === 'failed') failure = sent.error
    const http = sent.ok ? sent.output.status : sent.error.http?.status
    steps.push({ ...step, status, ...(http ? { http } : {}), ms })
  }
  if (steps.some(({ status }) => status === 'not_reached')) failure ??= interrupted(steps)
  const partial = progressOf(steps, resume)
  return { plan: { ...plan, steps }, replies, ...(failure ? { failure: { ...failure, partial } } : {}) }
}

/** The status of a step for which nothing is done. */
function idleStatus(step: Step, isOver: boolean): Status | undefined {
  if (step.kind === 'blocked') return 'skipped'
  if (isOver) return 'not_reached'
  if (step.kind === 'manual') return 'manual'
  return kindOf(step) === 'unchanged' ? 'already' : undefined
}

function hasCreated(step: Step): boolean {
  return step.kind === 'request' && step.op === 'create' && step.status === 'done'
}

async function perform(
  step: Step,
  tools: Tools,
  about: { readonly isFresh: boolean },
): Promise<Answer<Sent>> {
  if (step.kind === 'request' && tools.wire) {
    const body = step.sealed && tools.seal ? await tools.seal(step) : done(step.body ?? undefined)
    return body.ok ? await settle(step, tools.wire, { ...about, body: body.output }) : body
  }
  if (step.kind === 'run' && tools.execute) {
    const ran = await tools.execute(step)
    return ran.ok ? done({ data: ran.output, already: false }) : ran
  }
  if (step.kind === 'edit' && tools.edit) {
    const edited = await tools.edit(step)
    return edited.ok ? done({ data: edited.output, already: false }) : edited
  }
  throw new Error(`nothing here does ${step.id}`)
}

function statusAfter(sent: Answer<Sent>, step: Step): Status {
  if (sent.ok) return sent.output.already ? 'already' : 'done'
  if (sent.error === STOPPED) return 'not_reached'
  const isDefault = step.kind === 'request' && !step.asked
  return isDefault && sent.error.http?.status === 409 ? 'skipped' : 'failed'
}

function progressOf(steps: readonly Step[], resume: string): Progress {
  const ids = (status: Status): readonly string[] =>
    steps.filter((step) => step.status === status).map(({ id }) => id)
  return { applied: ids('done'), failed: ids('failed')[0] ?? null, not_reached: ids('not_reached'), resume }
}

function interrupted(steps: readonly Step[]): Failure {
  const applied = steps.filter(({ status }) => status === 'done').length
  return {
    code: 130,
    message: `stopped; ${applied} of ${steps.length} steps were applied`,
    remediation: 'continue with the same command: it sends only what is missing',
    kind: 'interrupted',
  }
}
