// A workflow file: its events and jobs, each with the line where it stands.
import { done, wrong, type Answer } from '../failure.ts'
import { messageOf } from '../thrown.ts'
import { parseYaml } from '../yaml.ts'

export type Group = Readonly<Record<string, unknown>>

export interface Workflow {
  /** Relative to the repository: `.github/workflows/publish.yml`. */
  readonly file: string
  readonly source: string
  readonly is: Group
  /** By name. */
  readonly events: Group
  readonly jobs: readonly Job[]
  readonly lineOf: (...path: readonly PropertyKey[]) => number
}

export interface Job {
  readonly name: string
  readonly file: string
  readonly is: Group
  readonly steps: readonly Step[]
  /** The workflow that it calls, instead of having steps. */
  readonly calls: string | undefined
  readonly needs: readonly string[]
  readonly condition: string | undefined
  readonly lineOf: (...path: readonly PropertyKey[]) => number
}

export interface Step {
  readonly file: string
  readonly line: number
  readonly is: Group
  readonly uses: string
  readonly run: string
  readonly with: Group
  readonly lineOf: (...path: readonly PropertyKey[]) => number
}

export function readWorkflow(source: string, file: string): Answer<Workflow> {
  const { document, lineOf, tell } = parseYaml(source, file)
  const [mistake] = document.errors
  if (mistake) return wrong('invalid', tell(mistake), 'fix the YAML')
  const refuse = (why: string): Answer<never> =>
    wrong('invalid', `${file} cannot be read: ${why}`, 'fix the YAML')
  try {
    const is: unknown = document.toJS({ maxAliasCount: 100 })
    if (!isGroup(is)) return refuse('it holds no keys')
    const at = (...path: readonly PropertyKey[]): number => lineOf(path)
    const jobs = Object.entries(groupOf(is['jobs'])).flatMap(([name, job]) =>
      isGroup(job) ? [jobOf(name, job, file, (...path) => lineOf(['jobs', name, ...path]))] : [],
    )
    return done({ file, source, is, events: eventsOf(is['on']), jobs, lineOf: at })
  } catch (thrown) {
    // An unresolved alias, or so many that they expand to gigabytes.
    return refuse(messageOf(thrown))
  }
}

function jobOf(name: string, is: Group, file: string, lineOf: Job['lineOf']): Job {
  const steps: readonly unknown[] = Array.isArray(is['steps']) ? is['steps'] : []
  const condition = is['if']
  return {
    name,
    file,
    is,
    calls: words(is['uses'])[0],
    needs: words(is['needs']),
    condition: condition === undefined || condition === null ? undefined : String(condition as string),
    lineOf,
    steps: steps.flatMap((step, index) => {
      if (!isGroup(step)) return []
      const stepLine: Step['lineOf'] = (...path) => lineOf('steps', index, ...path)
      const [uses = ''] = words(step['uses'])
      const [run = ''] = words(step['run'])
      const line = stepLine(uses ? 'uses' : 'run')
      return [{ file, line, is: step, uses, run, with: groupOf(step['with']), lineOf: stepLine }]
    }),
  }
}

function eventsOf(on: unknown): Group {
  return isGroup(on) ? on : Object.fromEntries(words(on).map((event) => [event, null]))
}

/** The host takes a number for a text. */
export function words(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.filter((item) => typeof item === 'string' || typeof item === 'number').map(String)
}

export function groupOf(value: unknown): Group {
  return isGroup(value) ? value : {}
}

export function isGroup(value: unknown): value is Group {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
