// The steps that publish a package, wherever a workflow has them: in a job of its own, or in a workflow that it calls.
import type { Answer } from '../failure.ts'
import { groupOf, isGroup, words, type Group, type Job, type Step, type Workflow } from './workflow.ts'

export type Registry = 'pypi' | 'npm'

/** A step that publishes, and the way to it. */
export interface Publishing {
  /** The one whose name the index knows. */
  readonly workflow: Workflow
  readonly callers: readonly Job[]
  readonly within: Workflow
  readonly job: Job
  readonly step: Step
  /** `pypa/gh-action-pypi-publish`, `uv publish` */
  readonly by: string
  readonly registry: Registry
  readonly isTest: boolean
  /** Undefined if it has none; with `${{` if only a run knows it. */
  readonly environment: string | undefined
  readonly idToken: boolean
}

export interface Found {
  readonly publishing: readonly Publishing[]
  /** All files that were read. */
  readonly workflows: readonly Workflow[]
  /** Called workflows that could not be read, with who calls them. */
  readonly unread: readonly { readonly job: Job; readonly calls: string }[]
}

/** Where a called workflow is. */
export interface Called {
  readonly file: string
  /** Undefined in this very folder. */
  readonly from: Origin | undefined
}

/** Another repository on the host. */
export interface Origin {
  readonly owner: string
  readonly name: string
  readonly ref: string
}

type Read = (called: Called) => Promise<Answer<Workflow>>

/** The host's own bounds: how deep workflows may call others, and how many. */
const DEEPEST = 10
const MOST_CALLED = 50

export async function findPublishing(workflow: Workflow, read: Read): Promise<Found> {
  const publishing: Publishing[] = []
  const workflows = [workflow]
  const unread: { job: Job; calls: string }[] = []
  const look = async (
    { within, from }: { readonly within: Workflow; readonly from: Origin | undefined },
    callers: readonly Job[],
    mayProve: boolean,
  ): Promise<void> => {
    for (const job of within.jobs) {
      const granted =
        mayProve && grants(job.is['permissions'] ?? within.is['permissions'], callers.length > 0)
      const way = { workflow, callers, within, job, idToken: granted }
      publishing.push(...job.steps.flatMap((step) => published(step, job, way)))
      if (job.calls === undefined) continue
      const where = calledBy(job.calls, from)
      const isTooMuch = callers.length >= DEEPEST || workflows.length > MOST_CALLED
      const called = where && !isTooMuch ? await read(where) : undefined
      if (!where || !called?.ok) {
        unread.push({ job, calls: job.calls })
        continue
      }
      workflows.push(called.output)
      await look({ within: called.output, from: where.from }, [...callers, job], granted)
    }
  }
  await look({ within: workflow, from: undefined }, [], true)
  return { publishing, workflows, unread }
}

/** `./.github/workflows/x.yml` is in the caller's repository, `octo/ci/.github/workflows/x.yml@v1` in another. */
function calledBy(calls: string, from: Origin | undefined): Called | undefined {
  const [, near] = /^\.\/(\.github\/workflows\/[^@]+)$/.exec(calls) ?? []
  if (near !== undefined) return { file: near, from }
  const [, owner, name, file, ref] =
    /^([\w.-]+)\/([\w.-]+)\/(\.github\/workflows\/[^@]+)@(.+)$/.exec(calls) ?? []
  return owner && name && file && ref ? { file, from: { owner, name, ref } } : undefined
}

/** A called workflow that says nothing has what its caller has. */
function grants(permissions: unknown, isCalled: boolean): boolean {
  if (permissions === undefined) return isCalled
  return permissions === 'write-all' || groupOf(permissions)['id-token'] === 'write'
}

/** Actions, by name, and commands that publish. */
const ACTIONS: Readonly<Record<string, Registry>> = {
  'pypa/gh-action-pypi-publish': 'pypi',
  'js-devtools/npm-publish': 'npm',
}

const COMMANDS: readonly (readonly [RegExp, Registry])[] = [
  [/^(?:uvx? +(?:tool +)?(?:run +)?|python3? +-m +|pipx +run +)?(twine) +upload\b/, 'pypi'],
  [/^(uv) +publish\b/, 'pypi'],
  [/^(?:[\w./-]+ +(?:run|-m) +)?(poetry|pdm|hatch|flit) +publish\b/, 'pypi'],
  [/^(?:npx +)?(npm|pnpm|yarn npm|bun) +(?:(?:-\S+|--workspace\S* +\S+) +)*publish\b/, 'npm'],
]

type Way = Pick<Publishing, 'workflow' | 'callers' | 'within' | 'job' | 'idToken'>

function published(step: Step, job: Job, way: Way): readonly Publishing[] {
  const environment = environmentOf(job.is, way.callers.at(-1))
  const action = step.uses.replace(/@.*$/, '').toLowerCase()
  const registry = ACTIONS[action]
  if (registry !== undefined) {
    const urls = words([step.with['repository-url'], step.with['repository_url']])
    const isTest = urls.some((url) => url.includes('test.'))
    return [{ ...way, step, by: step.uses.replace(/@.*$/, ''), registry, isTest, environment }]
  }
  for (const line of commandsOf(step.run)) {
    if (/ --(dry-run|help)\b/.test(line)) continue
    for (const [pattern, of] of COMMANDS) {
      const [, tool] = pattern.exec(line) ?? []
      if (tool === undefined) continue
      const by = `${tool} ${tool === 'twine' ? 'upload' : 'publish'}`
      const isTest = /testpypi|test\.pypi/i.test(`${line} ${JSON.stringify(step.is['env'] ?? {})}`)
      return [{ ...way, step, by, registry: of, isTest, environment }]
    }
  }
  return []
}

/** Each command of a script, without the variables set before it. */
export function commandsOf(script: string): readonly string[] {
  return script
    .replaceAll(/\\\n/g, ' ')
    .split(/\n|&&|\|\||;/)
    .map((line) => line.trim().replace(/^(\w+=\S* +)+/, ''))
    .filter((line) => line !== '' && !line.startsWith('#'))
}

/** An empty name is none to the host. What a caller passes in is filled in. */
function environmentOf({ environment }: Group, caller: Job | undefined): string | undefined {
  const [name] = words(isGroup(environment) ? environment['name'] : environment)
  const [, input = ''] = /^\$\{\{\s*inputs\.([\w-]+)\s*\}\}$/.exec(name ?? '') ?? []
  const [given] = words(groupOf(caller?.is['with'])[input])
  return given ?? (name || undefined)
}
