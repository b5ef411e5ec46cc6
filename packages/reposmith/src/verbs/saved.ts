// Plans in a file, and `repo apply`, which applies them unless the host has changed since.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { cannot, done, wrong, type Answer } from '../failure.ts'
import type { Manifest } from '../manifest.ts'
import type { Plan, RequestStep, Step } from '../plan/step.ts'
import type { Input } from '../table/commands.ts'
import { messageOf } from '../thrown.ts'
import { carryOut, prepare, type Bootstrapped, type Prepared } from './prepared.ts'
import type { Context, Outcome } from './context.ts'
import type { Choice } from './load.ts'
import { manyOf, pooled, type Many } from './many.ts'

export interface SavedPlan {
  readonly file: string
  readonly manifest: Manifest
  readonly plan: Plan
}

interface Saved extends Choice {
  readonly schema: 'plans/1'
  readonly host: string
  readonly plans: readonly SavedPlan[]
}

/** Whole or not at all. */
export function savePlans(
  file: string,
  facts: Pick<Saved, 'host' | 'enforce' | 'allowPublic' | 'ssh'>,
  plans: readonly SavedPlan[],
): Answer<undefined> {
  const sorted = plans.toSorted((a, b) => a.file.localeCompare(b.file))
  const saved: Saved = { schema: 'plans/1', ...facts, plans: sorted }
  try {
    writeFileSync(`${file}.new`, `${JSON.stringify(saved, null, 1)}\n`, { mode: 0o600, flush: true })
    renameSync(`${file}.new`, file)
    return done(undefined)
  } catch (error) {
    return cannot('setup', `cannot write ${file}: ${messageOf(error)}`, 'name another file: --plan-out')
  }
}

export async function apply(
  input: Input<'repo apply'>,
  context: Context,
): Promise<Answer<Outcome<Many<Bootstrapped>>>> {
  const read = readSaved(resolve(context.cwd, input.plan))
  if (!read.ok) return read
  const { host, plans, enforce, allowPublic, ssh = false } = read.output
  if (host !== context.host.api)
    return wrong(
      'conflict',
      `the plan is for ${host}, and not for ${context.host.api}`,
      'name that host: --api-url, --host or CODEHOST_API_URL',
    )
  // All are looked at before the first is applied.
  const prepared = new Map<string, Prepared>()
  const changed: string[] = []
  const choice = { enforce, allowPublic, ssh }
  const looked = await pooled(plans, async ({ manifest }) => await prepare(manifest, context, choice))
  for (const { item, answer: now } of looked) {
    if (!now.ok) return now
    changed.push(...changesSince(item.plan, now.output.plan))
    prepared.set(item.file, now.output)
  }
  if (changed.length > 0)
    return wrong(
      'conflict',
      'the host has changed since the plan was made; nothing was applied',
      'make the plan again: repo bootstrap --plan-out FILE',
      changed,
    )
  return await manyOf([...prepared.keys()], context, async (file) => {
    const one = prepared.get(file)
    if (!one) throw new Error(`${file} was not prepared`)
    return await carryOut(one, context)
  })
}

function readSaved(file: string): Answer<Saved> {
  try {
    const saved = JSON.parse(readFileSync(file, 'utf8')) as Partial<Saved> | null
    return saved?.schema === 'plans/1' && Array.isArray(saved.plans)
      ? done(saved as Saved)
      : wrong('invalid', `${file} holds no plan`, 'make one: repo bootstrap --plan-out FILE')
  } catch (error) {
    if (error instanceof SyntaxError)
      return wrong('invalid', `${file} holds no plan`, 'make one: repo bootstrap --plan-out FILE')
    return cannot('setup', `cannot read ${file}: ${messageOf(error)}`, 'name the file of --plan-out')
  }
}

/** What has to be done now and was not planned. What was planned and is done already is no matter. */
function changesSince(plan: Plan, now: Plan): readonly string[] {
  return now.steps
    .filter((step) => step.kind !== 'unchanged' && step.kind !== 'manual')
    .filter((step) => !plan.steps.some((each) => each.id === step.id && isSame(each, step)))
    .map(({ id, title }) => `${now.target}: ${id}: ${title}`)
}

/** Of a step for what was not there yet, only the request counts. */
function isSame(planned: Step, now: Step): boolean {
  if (planned.kind !== 'request' || now.kind !== 'request')
    return isDeepStrictEqual(plain(planned), plain(now))
  const has = planned.diff !== undefined
  return isDeepStrictEqual(plain(essence(planned, has)), plain(essence(now, has)))
}

function essence({ method, path, body, diff }: RequestStep, withDiff: boolean) {
  return { method, path, body, ...(withDiff ? { diff } : {}) }
}

/** As it comes back from a file. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown
}
