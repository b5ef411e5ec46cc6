// What a manifest asks for, in the words of the steps.
import { done, type Answer } from '../failure.ts'
import { OWNER } from '../host/path.ts'
import type { Manifest, ManifestEnvironment } from '../manifest.ts'
import type { WantedEnvironment } from './environment.ts'
import { checkNames } from './names.ts'
import type { WantedPermissions } from './permissions.ts'
import type { Publisher } from './publisher.ts'
import type { Wanted } from './repository.ts'
import { checkReviewers, type Reviewer } from './reviewers.ts'

export function checkManifest({ repository, environments = [] }: Manifest): Answer<undefined> {
  const { name, org, topics = [], template } = repository
  const names = checkNames({ repository: name, owner: org, topics, template })
  if (!names.ok) return names
  for (const environment of environments) {
    const checked = checkNames({ environment: nameOf(environment) })
    if (!checked.ok) return checked
    const reviewers = checkReviewers(environment.reviewers ?? [])
    if (!reviewers.ok) return reviewers
  }
  return done(undefined)
}

export function wantedRepository({ repository }: Manifest): Wanted {
  const { org, visibility = 'public', topics = [], ...rest } = repository
  return { ...rest, owner: org ?? OWNER, org: org !== undefined, visibility, topics }
}

export function wantedPermissions({ actions }: Manifest): WantedPermissions {
  return {
    actions: actions?.allowed ?? 'all',
    allow: actions?.allow ?? [],
    workflowToken: actions?.workflow_token ?? 'read',
    approvePrs: actions?.approve_prs ?? false,
    asked: actions !== undefined,
  }
}

export function wantedEnvironment(
  environment: ManifestEnvironment,
  repository: Wanted,
  reviewers: readonly Reviewer[],
): WantedEnvironment {
  return {
    owner: repository.owner,
    repository: repository.name,
    name: nameOf(environment),
    branches: environment.branches ?? [],
    tags: environment.tags ?? [],
    reviewers,
    waitMinutes: environment.wait_minutes,
    reset: false,
  }
}

export function publisherOf(environment: ManifestEnvironment, { owner, name }: Wanted): Publisher {
  const { index, workflow, project = name } = environment
  return { index, project, owner, repository: name, workflow, environment: nameOf(environment) }
}

function nameOf({ name, index }: ManifestEnvironment): string {
  return name ?? index
}
