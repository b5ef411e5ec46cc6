// A folder filled by an external tool: which command line that is, and running it.
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cannot, done, wrong, type Answer } from '../failure.ts'
import { makePlan } from '../plan/plan.ts'
import { runPlan, type Applied, type Tools } from '../plan/run.ts'
import type { Plan, RunStep } from '../plan/step.ts'
import { findTool } from './tools.ts'

export interface ScaffoldInput {
  readonly path: string
  readonly lang: string
  /** cookiecutter, copier, uv, or a command line. */
  readonly with: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The template that ships with the package. */
const TEMPLATE = fileURLToPath(new URL('../../template/python', import.meta.url))

/** One step that runs the tool. Nothing is run for it. */
export async function planScaffold(input: ScaffoldInput): Promise<Answer<Plan>> {
  const folder = resolve(input.cwd, input.path)
  const step = await scaffoldStep(input)
  if (!step.ok) return step
  return done(makePlan({ host: 'this machine', target: folder, state: 'read' }, [step.output]))
}

/** Runs the plan's own command. */
export async function applyScaffold(plan: Plan, tools: Tools, resume: string): Promise<Applied> {
  return await runPlan(plan, tools, resume)
}

/** The step alone, for a plan that has others. A folder with something in it is left as it is. */
export async function scaffoldStep(input: ScaffoldInput): Promise<Answer<RunStep>> {
  const folder = resolve(input.cwd, input.path)
  const argv = commandFor(input, folder)
  if (!argv.ok) return argv
  const [tool, ...args] = argv.output
  const found = findTool(tool, input.env)
  if (!found) return cannot('setup', `${tool} is not installed`, installHint(tool))
  const filled = existsSync(folder) && readdirSync(folder).length > 0
  return done({
    kind: 'run',
    id: 'scaffold',
    title: filled ? `${input.path} has been filled` : `fill ${input.path} with ${tool}`,
    op: filled ? 'unchanged' : 'run',
    argv: [found, ...args],
    cwd: input.cwd,
  })
}

function commandFor({ with: tool }: ScaffoldInput, folder: string): Answer<readonly [string, ...string[]]> {
  const name = basename(folder)
  switch (tool) {
    case 'cookiecutter':
      return done([tool, '--no-input', '--output-dir', dirname(folder), TEMPLATE, `project_slug=${name}`])
    case 'copier':
      return done([tool, 'copy', '--defaults', '--data', `project_slug=${name}`, TEMPLATE, folder])
    case 'uv':
      return done([tool, 'init', '--package', '--name', name, folder])
    default: {
      const [first, ...rest] = tool.split(/\s+/).filter((word) => word !== '')
      if (first === undefined)
        return wrong('usage', '--with names no command', 'name a tool, or a command in quotes')
      const words = rest.map((word) => word.replaceAll('{path}', folder))
      return done([first, ...words, ...(tool.includes('{path}') ? [] : [folder])])
    }
  }
}

function installHint(tool: string): string {
  const known = tool === 'cookiecutter' || tool === 'copier' || tool === 'uv'
  return known
    ? `install it: pipx install ${tool}; or use another tool: --with`
    : `install ${tool}, or name another tool: --with`
}
