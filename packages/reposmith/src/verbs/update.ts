// `repo scaffold --update`: what a newer template would change in a folder that an earlier one has filled.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { done, wrong, type Answer } from '../failure.ts'
import { patchOf } from '../plan/patch.ts'
import { makePlan } from '../plan/plan.ts'
import type { EditStep, ManualStep, Step } from '../plan/step.ts'
import { ANSWERS, readAnswers } from '../scaffold/answers.ts'
import { madeElsewhere, toolStep, type ScaffoldInput } from '../scaffold/scaffold.ts'
import { updatesOf, type Updated } from '../scaffold/update.ts'
import { isVariable } from '../scaffold/variables.ts'
import { applyPlan } from './apply.ts'
import type { Context, Outcome } from './context.ts'
import { editStep, rewrite } from './edits.ts'
import type { Scaffolded } from './scaffolded.ts'

export async function update(input: ScaffoldInput, context: Context): Promise<Answer<Outcome<Scaffolded>>> {
  const folder = resolve(context.cwd, input.path)
  const planned = existsSync(join(folder, '.copier-answers.yml'))
    ? withCopier(input, folder)
    : await withAnswers(input, folder, context)
  if (!planned.ok) return planned
  const { steps, texts } = planned.output
  const plan = makePlan({ host: 'this machine', target: folder, state: 'read' }, steps)
  const facts = { success: true, dry_run: !context.apply, note: NOTE, overwrite: false }
  if (!context.apply) return done({ output: { ...facts, plan } })
  const edit = async ({ file }: EditStep): Promise<Answer<string>> =>
    await rewrite(folder, file, texts.get(file) ?? '')
  const applied = await applyPlan(plan, { ...context, edit })
  if (!applied.ok) return applied
  const { failure, plan: after } = applied.output
  return done({ output: { ...facts, success: failure === undefined, plan: after }, failure })
}

const NOTE = 'what only you have changed, or removed, stays so'

interface Planned {
  readonly steps: readonly Step[]
  /** What each file is to be. */
  readonly texts: ReadonlyMap<string, string>
}

/** copier keeps its own answers, and merges by itself. */
function withCopier(input: ScaffoldInput, folder: string): Answer<Planned> {
  const step = toolStep(input, ['copier', 'update', '--defaults'], 'let copier bring the newer template in')
  return step.ok ? done({ steps: [{ ...step.output, cwd: folder }], texts: new Map() }) : step
}

/** The template is filled into a temporary folder; nothing is written to the real one. */
async function withAnswers(input: ScaffoldInput, folder: string, context: Context): Promise<Answer<Planned>> {
  const kept = await readAnswers(folder)
  if (!kept)
    return wrong(
      'not_found',
      `${input.path} has no ${ANSWERS}`,
      'only what `repo scaffold` has filled with its own template can be updated, or what copier has filled',
    )
  const given = input.var ?? []
  const named = new Set(given.map((item) => item.split('=')[0]))
  const answers = Object.entries(kept.answers).filter(([name]) => isVariable(name) && !named.has(name))
  const all = [...answers.map(([name, value]) => `${name}=${value}`), ...given]
  return await madeElsewhere({ ...input, with: 'cookiecutter', var: all }, context.execute, async (made) => {
    const updates = await updatesOf(made, folder, kept, context.env)
    const texts = new Map(updates.filter(({ isTorn }) => !isTorn).map(({ file, after }) => [file, after]))
    return done({ steps: updates.map(stepFor), texts })
  })
}

function stepFor({ file, before, after, isTorn }: Updated): EditStep | ManualStep {
  if (!isTorn) return editStep(file, before, after)
  const title = `merge ${file}: you and the template have both changed it`
  return {
    kind: 'manual',
    id: `file:${file}`,
    title,
    url: file,
    fields: { patch: patchOf(file, before, after) },
  }
}
