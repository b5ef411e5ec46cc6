// Converts a manifest into the input of the steps.
import { done, wrong, type Answer } from '../failure.ts'
import { OWNER } from '../host/path.ts'
import type { Manifest, ManifestEnvironment } from '../manifest.ts'
import type { WantedEnvironment } from './environment.ts'
import { checkNames } from './names.ts'
import type { WantedPermissions } from './permissions.ts'
import { environmentAndIndex } from './publisher.ts'
import type { WantedRepository } from './repository.ts'
import { checkReviewers, type Reviewer } from './reviewers.ts'

export function checkManifest(manifest: Manifest): Answer<undefined> {
  const { environments = [] } = manifest
  const checked = checkWanted(wantedRepository(manifest), wantedPermissions(manifest))
  if (!checked.ok) return checked
  // The host ignores case here.
  const names = environments.map((each) => nameOf(each).toLowerCase())
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    return wrong(
      'invalid',
      `two environments are called ${twice}`,
      'remove one of them, or give one its own name:',
    )
  for (const environment of environments) {
    const named = checkNames({ environment: nameOf(environment), workflow: environment.workflow })
    if (!named.ok) return named
    const reviewers = checkReviewers(environment.reviewers ?? [])
    if (!reviewers.ok) return reviewers
  }
  return done(undefined)
}

/** Refuses what no host can do, or would do differently than meant. */
export function checkWanted(
  wanted: WantedRepository,
  { actions, allow }: WantedPermissions,
): Answer<undefined> {
  const { name, description, owner, org, topics, visibility, template, license, gitignore } = wanted
  const names = checkNames({
    repository: name,
    description,
    owner: org ? owner : undefined,
    topics,
    template,
  })
  if (!names.ok) return names
  if (visibility === 'internal' && !org)
    return wrong(
      'usage',
      'an internal repository needs an organization',
      'say which: --org, or org: in repo.yaml',
    )
  if (visibility === 'internal' && template !== undefined)
    return wrong(
      'usage',
      'the host cannot create an internal repository from a template',
      'create it as private, then make it internal by hand',
    )
  if (template !== undefined && (license !== undefined || gitignore !== undefined))
    return wrong('usage', 'a template brings its own files', 'leave out the license and .gitignore')
  if (allow.length > 0 && actions !== 'selected')
    return wrong(
      'usage',
      'a list of allowed actions needs actions set to selected',
      'set it (--actions selected, or allowed: selected), or leave out the list',
    )
  return done(undefined)
}

export function wantedRepository({ repository }: Manifest): WantedRepository {
  const { org, visibility = 'public', topics = [], ...rest } = repository
  return { ...rest, owner: org ?? OWNER, org: org !== undefined, visibility, topics }
}

export function wantedPermissions({ actions = {} }: Manifest): WantedPermissions {
  const { allowed, allow, workflow_token: workflowToken, approve_prs: approvePrs } = actions
  return withDefaults({ actions: allowed, allow, workflowToken, approvePrs })
}

/** Naming a default is asking for it. */
export function withDefaults(named: {
  readonly [Key in Exclude<keyof WantedPermissions, 'asked'>]: WantedPermissions[Key] | undefined
}): WantedPermissions {
  const { actions, allow = [], workflowToken, approvePrs } = named
  return {
    actions: actions ?? 'all',
    allow,
    workflowToken: workflowToken ?? 'read',
    approvePrs: approvePrs ?? false,
    asked: {
      actions: actions !== undefined,
      workflowToken: (workflowToken ?? approvePrs) !== undefined,
    },
  }
}

export function wantedEnvironment(
  environment: ManifestEnvironment,
  repository: WantedRepository,
  reviewers: readonly Reviewer[],
): WantedEnvironment {
  return {
    owner: repository.owner,
    repository: repository.name,
    name: nameOf(environment),
    branches: [...new Set(environment.branches)],
    tags: [...new Set(environment.tags)],
    reviewers,
    waitMinutes: environment.wait_minutes,
    reset: false,
  }
}

function nameOf(environment: ManifestEnvironment): string {
  return environmentAndIndex(environment).environment
}
