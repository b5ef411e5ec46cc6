// The package indexes: where to register a trusted publisher, and with which fields. None has an API for it.
import type { ManualStep } from '../plan/step.ts'
import type { INDEX_NAMES } from '../table/env.ts'

const PYTHON_DOCS = 'https://docs.pypi.org/trusted-publishers/'

const INDEXES = {
  index: { page: 'https://pypi.org/manage/account/publishing/', docs: PYTHON_DOCS },
  testindex: { page: 'https://test.pypi.org/manage/account/publishing/', docs: PYTHON_DOCS },
  npm: {
    page: 'https://www.npmjs.com/package/{project}/access',
    docs: 'https://docs.npmjs.com/trusted-publishers',
  },
} as const

export const TRUSTED_PUBLISHING_DOCS = PYTHON_DOCS

export type IndexName = (typeof INDEX_NAMES)[number]

const ALIASES: Readonly<Record<IndexName, keyof typeof INDEXES>> = {
  index: 'index',
  testindex: 'testindex',
  pypi: 'index',
  testpypi: 'testindex',
  npm: 'npm',
}

export interface Publisher {
  readonly index: IndexName
  readonly project: string
  readonly owner: string
  readonly repository: string
  readonly workflow: string
  readonly environment: string
}

/** An environment without a name is called like its index, and one that is called like an index is for that index. */
export function environmentAndIndex(given: {
  readonly name?: string | undefined
  readonly index?: IndexName | undefined
}): Pick<Publisher, 'environment' | 'index'> {
  const environment = given.name ?? given.index ?? 'index'
  return { environment, index: given.index ?? (isIndex(environment) ? environment : 'index') }
}

function isIndex(name: string): name is IndexName {
  return Object.hasOwn(ALIASES, name)
}

/** A manual step with every field to enter on the index's page. */
export function publisherStep({ index, ...publisher }: Publisher): ManualStep {
  const { page } = INDEXES[ALIASES[index]]
  const { project, owner, repository, workflow, environment } = publisher
  return {
    kind: 'manual',
    id: `publisher:${environment}`,
    title: `register the trusted publisher at ${index}: enter these fields on its page`,
    url: page.replace('{project}', encodeURIComponent(project)),
    fields: { project, owner, repository, workflow, environment },
  }
}
