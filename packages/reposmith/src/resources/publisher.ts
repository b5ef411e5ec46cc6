// The package indexes: where to register a trusted publisher, and with which fields. None has an API for it.
import type { ManualStep } from '../plan/step.ts'
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

/** A manual step with every field to enter on the index's page. */
export function publisherStep({ index, ...fields }: Publisher): ManualStep {
  return {
    kind: 'manual',
    id: `publisher:${fields.environment}`,
    title: `register the trusted publisher at ${index}: enter these fields on its page`,
    url: PAGES[index].replace('{project}', encodeURIComponent(fields.project)),
    fields,
  }
}
