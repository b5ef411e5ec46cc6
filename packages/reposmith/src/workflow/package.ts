// What the package in a folder is called, and whether its index is told the same.
import { failing, passing, warning, type Finding } from './finding.ts'
import type { Publishing, Registry } from './publishing.ts'

export interface NamedPackage {
  readonly name: string
  readonly file: string
  readonly line: number
  readonly registry: Registry
}

/** From pyproject.toml: `name` in its table `[project]`. */
export function pythonPackage(toml: string, file = 'pyproject.toml'): NamedPackage | undefined {
  let table = ''
  for (const [index, line] of toml.split('\n').entries()) {
    table = /^\s*\[([^[\]]+)\]/.exec(line)?.[1]?.trim() ?? table
    const [, , name] = /^\s*name\s*=\s*(["'])(.*?)\1/.exec(line) ?? []
    if (table === 'project' && name !== undefined) return { name, file, line: index + 1, registry: 'pypi' }
  }
  return undefined
}

export function npmPackage(json: string, file = 'package.json'): NamedPackage | undefined {
  try {
    const { name } = JSON.parse(json) as { readonly name?: unknown }
    if (typeof name !== 'string') return undefined
    const line = json.split('\n').findIndex((each) => /^\s*"name"\s*:/.test(each)) + 1
    return { name, file, line: Math.max(line, 1), registry: 'npm' }
  } catch {
    return undefined
  }
}

/** https://packaging.python.org/en/latest/specifications/name-normalization/ */
export function normalized(name: string, registry: Registry): string {
  return registry === 'pypi' ? name.toLowerCase().replaceAll(/[-_.]+/g, '-') : name
}

/** What an index was, or will be, told about a release. */
export interface Told {
  /** Undefined for every environment. */
  readonly environment: string | undefined
  readonly project: string
  readonly workflow: string
  /** Where that is written: `repo.yaml`, `--project`; undefined if it is only what we would fill in. */
  readonly from: string | undefined
}

/** An index knows a release by project, workflow and environment: each must be what the files say. */
export function publisherFindings(
  publishing: readonly Publishing[],
  packages: readonly NamedPackage[],
  told: readonly Told[],
): readonly Finding[] {
  return publishing.flatMap(({ registry, environment, workflow, job }) => {
    const is = packages.find((each) => each.registry === registry)
    const isFor = (each: Told): boolean =>
      each.environment === undefined || each.environment.toLowerCase() === environment?.toLowerCase()
    const of = told.find(isFor)
    const findings: Finding[] = []
    if (told.length > 0 && !of && environment !== undefined && !environment.includes('${{'))
      findings.push(
        failing(
          'publisher',
          `${told[0]?.from} has no publisher for the environment ${environment}, only for ${told.map((each) => each.environment).join(', ')}`,
          'name the same environment in both, and at the index',
          { file: job.file, line: job.lineOf('environment') },
        ),
      )
    const file = workflow.file.split('/').at(-1) ?? ''
    if (of?.from !== undefined && of.workflow !== file)
      findings.push(
        failing(
          'publisher',
          `${of.from} registers the workflow ${of.workflow}, but ${file} publishes`,
          `write workflow: ${file} there, and at the index`,
          { file: workflow.file, line: 1 },
        ),
      )
    if (!is || !of) return findings
    const same = normalized(is.name, registry) === normalized(of.project, registry)
    const at = { file: is.file, line: is.line }
    if (same) findings.push(passing('package-name', `the package is called ${is.name}, as at the index`))
    else if (of.from !== undefined)
      findings.push(
        failing(
          'package-name',
          `the package is called ${is.name}, but ${of.from} registers the publisher for ${of.project}`,
          `use one name in both, and at the index`,
          at,
        ),
      )
    else
      findings.push(
        warning(
          'package-name',
          `the package is called ${is.name}, the repository ${of.project}`,
          `register the publisher for ${is.name}: reposmith repo env … --project ${is.name}`,
          { at },
        ),
      )
    return findings
  })
}
