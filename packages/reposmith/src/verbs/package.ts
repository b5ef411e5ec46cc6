// What the manifest says of the package that a scaffold begins.
import type { Host } from '../host/host.ts'
import type { Manifest } from '../manifest.ts'
import type { BlockedStep } from '../plan/step.ts'
import { environmentAndIndex } from '../resources/publisher.ts'
import type { FullName } from '../resources/names.ts'
import { spdxOf } from '../scaffold/variables.ts'
import { normalized, type NamedPackage } from '../workflow/package.ts'

/** The tools that fill the template which comes with reposmith. */
function hasOwnTemplate(tool: string): boolean {
  return tool === 'cookiecutter' || tool === 'copier'
}

/** `name=value` for the built-in template. What `var` has besides wins. */
export function variablesOf(
  manifest: Manifest,
  { owner, name, branch }: FullName & { readonly branch: string },
  { web }: Host,
): readonly string[] {
  const { repository, scaffold, environments } = manifest
  if (!scaffold || !hasOwnTemplate(scaffold.with)) return scaffold?.var ?? []
  const { description, homepage, license } = repository
  const jobs = (environments ?? []).map(environmentAndIndex)
  const jobFor = (...indexes: readonly string[]): string | undefined =>
    environments && (jobs.find(({ index }) => indexes.includes(index))?.environment ?? '')
  const [project] = projectsOf(manifest)
  const values = {
    project_name: name,
    project_slug: project === undefined ? undefined : normalized(project, 'pypi'),
    description: description?.replaceAll(/\s+/g, ' ') || undefined,
    author: scaffold.author,
    email: scaffold.email,
    license: license === undefined ? undefined : (spdxOf(license) ?? license),
    python_version: scaffold.python_version,
    default_branch: branch,
    repository: `${web}/${owner}/${name}`,
    homepage: homepage || undefined,
    environment: jobFor('index', 'pypi'),
    test_environment: jobFor('testindex', 'testpypi'),
  }
  const given = scaffold.var ?? []
  const named = new Set(given.map((item) => item.split('=')[0]))
  const known = Object.entries(values).filter(([key, value]) => value !== undefined && !named.has(key))
  return [...known.map(([key, value]) => `${key}=${value}`), ...given]
}

/** For which packages the manifest registers publishers, at indexes of Python. */
function projectsOf({ environments = [], repository }: Manifest): readonly string[] {
  const python = environments.filter((each) => environmentAndIndex(each).index !== 'npm')
  return [...new Set(python.map(({ project }) => project ?? repository.name))]
}

/** The index takes a release only for the package that it was told of: then nothing at all is applied. */
export function packageSteps(
  manifest: Manifest,
  made: Partial<NamedPackage> | undefined,
): readonly BlockedStep[] {
  const { environments = [], scaffold } = manifest
  const blocked = (reason: string): BlockedStep => ({
    kind: 'blocked',
    id: 'package',
    title: 'begin the package',
    reason,
    asked: true,
  })
  const name = made?.name
  const other = projectsOf(manifest).find(
    (project) => name !== undefined && normalized(project, 'pypi') !== normalized(name, 'pypi'),
  )
  if (other !== undefined)
    return [
      blocked(
        `it is called ${name}, but the publisher is registered for ${other}: write project: ${name}, or rename it`,
      ),
    ]
  if (!scaffold || !hasOwnTemplate(scaffold.with)) return []
  const odd = environments.find(({ workflow }) => workflow !== 'publish.yml')
  if (odd)
    return [blocked(`its workflow is publish.yml, but the publisher is registered for ${odd.workflow}`)]
  const npm = environments.find((each) => environmentAndIndex(each).index === 'npm')
  return npm ? [blocked('it is a Python package, which npm does not take')] : []
}
