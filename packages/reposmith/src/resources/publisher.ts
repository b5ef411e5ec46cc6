// The package indexes: where to register a trusted publisher, and with which fields. None has an API for it; npm has a command.
import type { ManualStep, Step } from '../plan/step.ts'
import { quote } from '../plan/text.ts'
import type { INDEX_NAMES } from '../table/env.ts'

export const TRUSTED_PUBLISHING_DOCS = 'https://docs.pypi.org/trusted-publishers/'

export type IndexName = (typeof INDEX_NAMES)[number]

const PYPI = 'https://pypi.org/manage/account/publishing/'
const TESTPYPI = 'https://test.pypi.org/manage/account/publishing/'

/** Where each index has the form. */
const PAGES: Readonly<Record<IndexName, string>> = {
  index: PYPI,
  testindex: TESTPYPI,
  pypi: PYPI,
  testpypi: TESTPYPI,
  npm: 'https://www.npmjs.com/package/{project}/access',
}

export interface Publisher {
  readonly index: IndexName
  readonly project: string
  readonly owner: string
  readonly repository: string
  readonly workflow: string
  readonly environment: string
}

/** An environment as its user describes it. */
interface Given {
  readonly name?: string | undefined
  readonly index?: IndexName | undefined
}

/** An environment without a name is called like its index, and one that is called like an index is for that index. */
export function environmentAndIndex(given: Given): Pick<Publisher, 'environment' | 'index'> {
  const environment = given.name ?? given.index ?? 'index'
  return { environment, index: given.index ?? (isIndex(environment) ? environment : 'index') }
}

function isIndex(name: string): name is IndexName {
  return Object.hasOwn(PAGES, name)
}

/** The package is called like the repository unless the user says otherwise. */
export function publisherOf(
  given: Given & { readonly workflow: string; readonly project?: string | undefined },
  { owner, repository }: Pick<Publisher, 'owner' | 'repository'>,
): Publisher {
  const { workflow, project = repository } = given
  return { project, owner, repository, workflow, ...environmentAndIndex(given) }
}

/** A manual step with every field to enter on the index's page. npm has a command for it besides. */
export function publisherStep({ index, ...fields }: Publisher): ManualStep {
  const { environment, project } = fields
  return {
    kind: 'manual',
    id: `publisher:${environment}`,
    title: `register the trusted publisher at ${index}: enter these fields on its page`,
    url: PAGES[index].replace('{project}', encodeURIComponent(project)),
    ...(index === 'npm' ? { command: npmTrust(fields), first: NPM_FIRST } : {}),
    fields,
  }
}

/** https://docs.npmjs.com/cli/v11/commands/npm-trust */
function npmTrust({ project, workflow, owner, repository, environment }: Omit<Publisher, 'index'>): string {
  const words = ['npm', 'trust', 'github', project, '--file', workflow, '--repo', `${owner}/${repository}`]
  return [...words, '--env', environment, '--allow-publish'].map(quote).join(' ')
}

const NPM_FIRST =
  'npm 11.15, a second factor for your account, and the package: publish its first version by hand'

/**
 * The same steps, each for the right page: a project that the index does not have yet gets a pending publisher, one that
 * it has is set up in its own settings. Asks the index's public JSON; where that cannot be had, nothing changes.
 */
export async function withPages(steps: readonly Step[], env: NodeJS.ProcessEnv): Promise<readonly Step[]> {
  return await Promise.all(
    steps.map(async (step) =>
      step.kind === 'manual' && isForm(step.url) ? await withPage(step, env) : step,
    ),
  )
}

function isForm(url: string): boolean {
  return url === PYPI || url === TESTPYPI
}

async function withPage(step: ManualStep, env: NodeJS.ProcessEnv): Promise<ManualStep> {
  const { origin } = new URL(step.url)
  const project = encodeURIComponent(step.fields['project'] ?? '')
  const is = await isThere(`${mirrorOf(origin, env) ?? origin}/pypi/${project}/json`)
  if (is === undefined) return step
  return is
    ? { ...step, url: `${origin}/manage/project/${project}/settings/publishing/` }
    : {
        ...step,
        title: step.title.replace('the trusted publisher', 'a pending publisher, as the project is new,'),
      }
}

/** Where the index's public JSON is, if not at the index. */
function mirrorOf(origin: string, env: NodeJS.ProcessEnv): string | undefined {
  return env[TESTPYPI.startsWith(origin) ? 'REPOSMITH_TESTINDEX_URL' : 'REPOSMITH_INDEX_URL'] || undefined
}

const INDEX_MS = 5000

async function isThere(url: string): Promise<boolean | undefined> {
  try {
    const { status, body } = await fetch(url, { signal: AbortSignal.timeout(INDEX_MS) })
    await body?.cancel()
    return status === 200 ? true : status === 404 ? false : undefined
  } catch {
    return undefined
  }
}
