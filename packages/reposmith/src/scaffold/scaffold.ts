// Fills a folder with an external tool: plan, preview and apply.
import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { cannot, done, wrong, type Answer } from '../failure.ts'
import { makePlan } from '../plan/plan.ts'
import type { Execute } from '../plan/run.ts'
import type { Plan, RunStep, UnchangedStep } from '../plan/step.ts'
import { writeAnswers } from './answers.ts'
import { commandLine, TEMPLATE_NAMES, type Wish, type Words } from './commandline.ts'
import { cutOff, fill, remove, stagingFor, type Place, type Report } from './fill.ts'
import { findTool, installHint } from './tools.ts'
import { readVariables, templateValues, type Variables } from './variables.ts'
import { messageOf } from '../thrown.ts'

export interface ScaffoldInput extends Wish {
  readonly path: string
  readonly cwd: string
}

export interface ScaffoldPlan extends Plan {
  readonly steps: readonly [RunStep]
  /** Where the tool writes if the folder has files; see fill.ts. */
  readonly staging: string | null
}

/** A plan of one step that runs the tool. Planning runs nothing and writes nothing. */
export function planScaffold(input: ScaffoldInput): Answer<ScaffoldPlan> {
  const place = placeOf(input)
  if (!place.ok) return place
  const { folder, isFilled } = place.output
  const staging = isFilled ? stagingFor(folder) : null
  const step = runStep(input, staging === null ? folder : join(staging, basename(folder)))
  if (!step.ok) return step
  const plan = makePlan({ host: 'this machine', target: folder, state: 'read' }, [step.output])
  return done({ ...plan, steps: [step.output], staging })
}

/** The step alone, for a plan with other steps that is run repeatedly: a folder with files is left as it is. */
export function scaffoldStep(input: ScaffoldInput): Answer<RunStep | UnchangedStep> {
  const place = placeOf(input)
  if (!place.ok) return place
  const { folder, isFilled } = place.output
  if (!isFilled) return runStep(input, folder)
  const line = commandLine(input, folder)
  if (!line.ok) return line
  const title = `${input.path} already has files, and is left as it is`
  return done({ kind: 'unchanged', id: 'scaffold', title })
}

/** Runs such a step. What a failed tool leaves is removed: the next plan would take it for a scaffold. */
export function filling(place: Place, execute: Execute<string>, input?: ScaffoldInput): Execute<Report> {
  const made = place.staging === null ? place.folder : join(place.staging, basename(place.folder))
  return async (step) =>
    await fill(place, async () => await recorded(await execute(step), input, made, place.folder))
}

/** What the tool made, with the answers beside it. */
async function recorded(
  ran: Answer<string>,
  input: ScaffoldInput | undefined,
  made: string,
  folder: string,
): Promise<Answer<string>> {
  const answers = input && answersOf(input, folder)
  if (ran.ok && answers && existsSync(made)) await writeAnswers(made, TEMPLATE_NAMES[input.lang], answers)
  return ran
}

/** The values that the built-in template is given; undefined with other tools, or if one of them is wrong. */
export function answersOf(input: ScaffoldInput, folder: string): Variables | undefined {
  if (input.with !== 'cookiecutter' && input.with !== 'copier') return undefined
  const variables = readVariables(input.var ?? [])
  const values = variables.ok ? templateValues(basename(folder), variables.output) : variables
  return values.ok ? values.output : undefined
}

/** What the tool makes of it in a temporary folder, for `use` to compare with the real one, which is only read. */
export async function madeElsewhere<T>(
  input: ScaffoldInput,
  execute: Execute<string>,
  use: (made: string, folder: string) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const folder = resolve(input.cwd, input.path)
  const temporary = await mkdtemp(join(input.env['TMPDIR'] || tmpdir(), 'reposmith-')).catch(
    (error: Error) => error,
  )
  if (typeof temporary !== 'string')
    return cannot(
      'setup',
      `cannot make a temporary folder: ${temporary.message}`,
      'set TMPDIR to a folder that can be written to',
    )
  try {
    const made = join(temporary, basename(folder))
    const step = runStep(input, made)
    if (!step.ok) return step
    const whole = await recorded(await execute(step.output), input, made, folder)
    return whole.ok ? await use(made, folder) : whole
  } finally {
    await remove(temporary)
  }
}

function runStep(input: ScaffoldInput, folder: string): Answer<RunStep> {
  const line = commandLine(input, folder)
  return line.ok ? toolStep(input, line.output, `fill ${input.path} with ${basename(line.output[0])}`) : line
}

export function toolStep(
  { env, cwd }: ScaffoldInput,
  [tool, ...rest]: Words,
  title: string,
): Answer<RunStep> {
  const found = findTool(tool, env, cwd)
  if (found === undefined) return cannot('setup', `${tool} is not installed`, installHint(tool))
  return done({ kind: 'run', id: 'scaffold', title, op: 'run', argv: [found, ...rest], cwd })
}

/**
 * The folder, and whether it has entries. Anything there that is not a folder is refused, and so is one that another run
 * is filling or left incomplete.
 */
function placeOf({
  cwd,
  path,
}: ScaffoldInput): Answer<{ readonly folder: string; readonly isFilled: boolean }> {
  const folder = resolve(cwd, path)
  if (basename(folder) === '') return wrong('usage', `${path} is the root of the disk`, 'name a folder')
  const staging = stagingFor(folder)
  if (existsSync(staging)) return cutOff(staging)
  try {
    if (!existsSync(folder)) {
      return lstatSync(folder, { throwIfNoEntry: false })
        ? wrong('conflict', `${folder} is a link that leads nowhere`, 'remove it, or name another folder')
        : done({ folder, isFilled: false })
    }
    if (!statSync(folder).isDirectory())
      return wrong('conflict', `${folder} is not a folder`, 'name another one')
    return done({ folder, isFilled: readdirSync(folder).length > 0 })
  } catch (error) {
    return cannot('setup', `cannot read ${folder}: ${messageOf(error)}`, 'check its permissions')
  }
}
