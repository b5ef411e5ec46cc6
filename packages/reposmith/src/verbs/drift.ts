// `repo drift`: where a repository differs from its manifest. Only what the manifest names is compared.
import { done, failed, type Answer, type Failure } from '../failure.ts'
import type { Manifest } from '../manifest.ts'
import { differences } from '../plan/diff.ts'
import type { Step } from '../plan/step.ts'
import { quote } from '../plan/text.ts'
import type { Input } from '../table/commands.ts'
import type { Context, Outcome } from './context.ts'
import { environmentsOf, loadManifest, type Loaded, type ManifestedEnvironment } from './load.ts'
import { surplusOf } from '../resources/environment.ts'
import { permissionSteps } from '../resources/permissions.ts'
import {
  isArchived,
  repositoryDifferences,
  repositorySteps,
  type Repository,
} from '../resources/repository.ts'
import { wantedPermissions } from '../resources/wanted.ts'

export interface Drifted {
  readonly success: true
  readonly in_sync: boolean
  readonly target: string
  readonly drift: readonly Drift[]
  /** The command that repairs the drift, if it repairs any. */
  readonly remediation?: string
}

interface Drift {
  /** `actions/allowed_actions` */
  readonly at: string
  readonly from: unknown
  readonly to: unknown
}

export async function drift(input: Input<'repo drift'>, context: Context): Promise<Answer<Outcome<Drifted>>> {
  const loaded = await loadManifest(input.file, context, { onlyNamed: true })
  if (!loaded.ok) return loaded
  const refused = refusesHidden(loaded.output, context)
  if (refused) return failed(refused)
  const { wanted, present } = loaded.output
  const target = `${wanted.owner}/${wanted.name}`
  const remediation = `reposmith repo bootstrap -f ${quote(input.file)}${context.hostFlags} --apply`
  const environments = await environmentsOf(loaded.output, context)
  // That a repository is missing is known, whatever its environments want.
  if (!environments.ok && present.repository.state === 'there') return environments
  const repository = repositorySteps(wanted, present.repository, context.host)
  const steps = [
    ...repository.filter(({ id }) => id === 'topics'),
    ...permissionsSteps(loaded.output, context),
    ...(environments.ok ? environments.output.flatMap((each) => each.steps) : []),
  ]
  // Bootstrap refuses what the host lacks, a reviewer that it does not know, and any change to an archived repository.
  const isRefused =
    !environments.ok ||
    isArchived(present.repository) ||
    [...repository, ...steps].some(({ kind }) => kind === 'blocked')
  if (present.repository.state !== 'there') {
    const former = present.repository.state === 'absent' ? present.repository.formerOf : undefined
    const missing = [{ at: 'repository', from: former ?? null, to: target }]
    const output = { success: true, in_sync: false, target, drift: missing } as const
    // For a renamed repository, bootstrap creates no other one.
    return done({ output: former === undefined && !isRefused ? { ...output, remediation } : output })
  }
  const surplus = environments.ok ? environments.output.flatMap(surplusDrift) : []
  const left = [...aboutDrift(loaded.output, present.repository.is), ...surplus]
  const found = [...left, ...steps.flatMap(driftOf)]
  const output = { success: true, in_sync: found.length === 0, target, drift: found } as const
  // Bootstrap leaves what an existing repository has.
  const setting = repository.some(({ id }) => id === 'settings')
  const mends = (setting || found.length > left.length) && !isRefused
  return done({ output: mends ? { ...output, remediation } : output })
}

/** A host that shows a repository, and not its permissions, hides them from the token: that is no difference. */
function refusesHidden({ manifest, wanted, present }: Loaded, { host }: Context): Failure | undefined {
  const { repository, permissions } = present
  if (repository.state !== 'there' || !host.can.actionsPermissions) return undefined
  const { asked } = wantedPermissions(manifest)
  const isShown = (permissions.actions || !asked.actions) && (permissions.workflow || !asked.workflowToken)
  if (isShown) return undefined
  return {
    code: 3,
    kind: 'scope',
    message: `the host does not show this token the Actions permissions of ${wanted.owner}/${wanted.name}`,
    remediation:
      'use the token of somebody who administers the repository, or leave actions out of the manifest',
  }
}

function aboutDrift({ manifest }: Loaded, is: Repository): readonly Drift[] {
  return repositoryDifferences(manifest.repository, is).map((each) => ({
    ...each,
    at: `repository${each.at}`,
  }))
}

/** Whom else it lets release or approve than the manifest says, where that says something. Only `repo env --reset` ends it. */
function surplusDrift({ named, wanted, present }: ManifestedEnvironment): readonly Drift[] {
  if (!present) return []
  const { policies, reviewers } = surplusOf(wanted, present)
  const at = `env:${wanted.name}`
  return [
    ...((named.branches ?? named.tags) ? policies : []).map(({ type, name }) => ({
      at: `${at}/${type}`,
      from: name,
      to: null,
    })),
    ...(named.reviewers ? reviewers : []).map((reviewer) => ({
      at: `${at}/reviewers`,
      from: reviewer,
      to: null,
    })),
  ]
}

/** Defaults are not wishes: a key that the manifest lacks is not compared. */
function permissionsSteps({ manifest, wanted, present }: Loaded, { host }: Context): readonly Step[] {
  const named = namedKeys(manifest.actions ?? {})
  if (named.length === 0) return []
  const steps = permissionSteps(wanted, wantedPermissions(manifest), present.permissions, host)
  return steps.flatMap((step): readonly Step[] => {
    if (step.kind !== 'request') return [step]
    // The list of selected actions is there only while it is in use.
    const diff = (step.diff ?? differences({}, step.body ?? {})).filter(({ at }) => named.includes(at))
    return diff.length ? [{ ...step, diff }] : []
  })
}

function namedKeys(actions: NonNullable<Manifest['actions']>): readonly string[] {
  return [
    ...(actions.allowed === undefined ? [] : ['/enabled', '/allowed_actions']),
    ...(actions.allow === undefined ? [] : ['/patterns_allowed']),
    ...(actions.workflow_token === undefined ? [] : ['/default_workflow_permissions']),
    ...(actions.approve_prs === undefined ? [] : ['/can_approve_pull_request_reviews']),
  ]
}

/** The differences that a step would change. */
function driftOf(step: Step): readonly Drift[] {
  if (step.kind === 'blocked') return [{ at: step.id, from: step.reason, to: step.title }]
  if (step.kind !== 'request') return []
  if (!step.diff?.length) return [{ at: step.id, from: null, to: step.body }]
  return step.diff.map(({ at, from, to }) => ({ at: `${step.id}${at}`, from, to }))
}
