// Converts a manifest into the input of the steps.
import { done, wrong, type Answer } from '../failure.ts'
import { OWNER } from '../host/path.ts'
import type { Manifest } from '../manifest.ts'
import { checkNames } from './names.ts'
import { wantedPermissions, type WantedPermissions } from './permissions.ts'
import { environmentAndIndex } from './publisher.ts'
import type { WantedRepository } from './repository.ts'
import { checkReviewers } from './reviewers.ts'

export function checkManifest(manifest: Manifest): Answer<undefined> {
  const { environments = [], labels = [], rulesets = [] } = manifest
  const checked = checkWanted(wantedRepository(manifest), wantedPermissions(manifest))
  if (!checked.ok) return checked
  const lists = {
    environments: environments.map((each) => environmentAndIndex(each).environment),
    labels: labels.map(({ name }) => name),
    rulesets: rulesets.map(({ name }) => name),
  }
  for (const [kind, list] of Object.entries(lists)) {
    // The host ignores case here.
    const names = list.map((name) => name.toLowerCase())
    const twice = names.find((name, index) => names.indexOf(name) !== index)
    if (twice !== undefined)
      return wrong(
        'invalid',
        `two ${kind} are called ${twice}`,
        'remove one of them, or give one its own name:',
      )
  }
  for (const environment of environments) {
    const { environment: name } = environmentAndIndex(environment)
    const named = checkNames({ environment: name, workflow: environment.workflow })
    if (!named.ok) return named
    const reviewers = checkReviewers(environment.reviewers ?? [])
    if (!reviewers.ok) return reviewers
    const mode = checkMode(environment)
    if (!mode.ok) return mode
  }
  return done(undefined)
}

/** The host has either patterns or this. */
export function checkMode(environment: {
  readonly protected_branches?: boolean | undefined
  readonly branches?: readonly string[] | undefined
  readonly tags?: readonly string[] | undefined
}): Answer<undefined> {
  const { protected_branches: isProtected, branches = [], tags = [] } = environment
  return isProtected && branches.length + tags.length > 0
    ? wrong(
        'usage',
        'an environment takes either protected branches or patterns of branches and tags',
        'leave one of them out',
      )
    : done(undefined)
}

/** Refuses what no host can do, or would do differently than meant. */
export function checkWanted(
  wanted: WantedRepository,
  { actions, allow = [], allowOwned, allowVerified }: WantedPermissions,
): Answer<undefined> {
  const { name, description, owner, org, topics = [], visibility, template, license, gitignore } = wanted
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
  const selects = allow.length > 0 || allowOwned !== undefined || allowVerified !== undefined
  if (selects && actions !== 'selected')
    return wrong(
      'usage',
      'a list of allowed actions needs actions set to selected',
      'set it (--actions selected, or allowed: selected), or leave out the list',
    )
  return done(undefined)
}

export function wantedRepository({ repository, scaffold }: Manifest): WantedRepository {
  const { org, ...rest } = repository
  return { ...rest, owner: org ?? OWNER, org: org !== undefined, isEmpty: scaffold !== undefined }
}
