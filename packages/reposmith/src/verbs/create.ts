// `repo create`: creates a repository, then sets its topics and permissions. A plain dry-run makes no request.
import { done, wrong, type Answer } from '../failure.ts'
import { OWNER } from '../host/path.ts'
import { makePlan } from '../plan/plan.ts'
import type { Applied } from '../plan/run.ts'
import type { Body, Plan } from '../plan/step.ts'
import type { Input } from '../table/commands.ts'
import { applyPlan } from './apply.ts'
import type { Context, Outcome } from './context.ts'
import { journalIn } from './journal.ts'
import type { Warning } from '../resources/warning.ts'
import {
  isAsked,
  permissionSteps,
  policyWarnings,
  readPermissions,
  type PresentPermissions,
  type WantedPermissions,
} from '../resources/permissions.ts'
import { readPresent, withOwner } from '../resources/present.ts'
import {
  createPath,
  type PresentRepository,
  repositorySteps,
  repositoryWarnings,
  type Repository,
  unlessArchived,
  type WantedRepository,
} from '../resources/repository.ts'
import { placeFrom } from '../resources/names.ts'
import { checkWanted } from '../resources/wanted.ts'

/** The first keys are stable, because existing scripts parse them; new keys are added after them. */
export interface Created {
  readonly success: boolean
  readonly dry_run: boolean
  readonly endpoint?: string
  /** Null if the repository exists already. */
  readonly would_post?: Body | null
  readonly created?: unknown
  readonly already_existed?: true
  readonly repo?: unknown
  readonly repo_url?: string | null
  readonly actions_permissions_set?: boolean
  readonly warnings: readonly Warning[]
  readonly plan: Plan
}

export async function create(
  input: Input<'repo create'>,
  context: Context,
): Promise<Answer<Outcome<Created>>> {
  const permissions = permissionsFrom(input)
  const checked = wantedFrom(input, permissions)
  if (!checked.ok) return checked
  if (!context.apply && !input.refresh) {
    const plan = planFor({ ...UNREAD, wanted: checked.output, permissions }, context)
    return done({ output: { ...dryRun(plan, checked.output), warnings: presumed(checked.output), plan } })
  }

  const connected = await context.connect()
  if (!connected.ok) return connected
  const client = connected.output
  const owned = await withOwner(checked.output, client)
  if (!owned.ok) return owned
  const wanted = owned.output
  const there = await readPresent(client, wanted, context.host)
  if (!there.ok) return there
  const repository = there.output
  const target = { host: context.host.api, target: `${wanted.owner}/${wanted.name}` }
  const isNew =
    repository.state !== 'there' || journalIn(context.env).isUnfinished(target, repository.is.created_at)
  const isNamed = isNew || isAsked(permissions)
  const asks = repository.state === 'there' && isNamed && context.host.can.actionsPermissions
  const read = asks ? await readPermissions(client, wanted, isNew ? {} : permissions) : done({})
  if (!read.ok) return read
  const plan = planFor({ wanted, permissions, repository, present: read.output, isNew }, context)
  const rules = { host: context.host, isNew, enforce: false, allowPublic: false }
  const warnings = repositoryWarnings(wanted, repository, rules)
  if (!context.apply) {
    const already = repository.state === 'there' ? found(repository.is) : {}
    return done({ output: { ...dryRun(plan, wanted), ...already, warnings, plan } })
  }

  const applied = await applyPlan(plan, context, client)
  if (!applied.ok) return applied
  const { failure, plan: after } = applied.output
  const output: Created = {
    success: failure === undefined,
    dry_run: false,
    ...outcomeOf(repository, applied.output),
    actions_permissions_set: isSet(after, isNew),
    warnings: [...warnings, ...policyWarnings(after)],
    plan: after,
  }
  return done({ output, failure })
}

function wantedFrom(input: Input<'repo create'>, permissions: WantedPermissions): Answer<WantedRepository> {
  const { description, homepage, topic = [], template, license, gitignore } = input
  const place = placeFrom(input.name, input.org, 'org')
  if (!place.ok) return place
  const { owner, repository: name } = place.output
  const visibility = input.visibility ?? (input.private ? 'private' : undefined)
  if (input.private && visibility === 'public')
    return wrong('usage', '--private and --visibility public contradict each other', 'leave one of them out')
  const wanted: WantedRepository = {
    owner: owner ?? OWNER,
    org: owner !== undefined,
    mayBeOwn: input.org === undefined,
    name,
    visibility,
    description,
    homepage,
    topics: topic,
    template,
    license,
    gitignore,
  }
  const checked = checkWanted(wanted, permissions)
  return checked.ok ? done(wanted) : checked
}

/** Whether an owner is an organization only the host can tell, which a plain dry-run does not ask. */
function presumed({ owner, org, mayBeOwn }: WantedRepository): readonly Warning[] {
  if (!org || !mayBeOwn) return []
  const message = `${owner} is taken for an organization here; if it is your own account, --apply sends POST /user/repos`
  return [{ code: 'owner', message }]
}

function permissionsFrom(input: Input<'repo create'>): WantedPermissions {
  const { actions, allowAction: allow, workflowToken, workflowApprovePrs: approvePrs } = input
  return { actions, allow, workflowToken, approvePrs }
}

interface Situation {
  readonly wanted: WantedRepository
  readonly permissions: WantedPermissions
  readonly repository: PresentRepository
  readonly present: PresentPermissions
  /** It is to be created, or was in a run that was cut off. */
  readonly isNew: boolean
}

/** A plain dry-run shows what a new one gets. */
const UNREAD = { repository: { state: 'unknown' }, present: {}, isNew: true } as const

function planFor(situation: Situation, { host }: Context): Plan {
  const { wanted, permissions, repository, present, isNew } = situation
  const rules = { host, isNew, enforce: false, allowPublic: false }
  return makePlan(
    {
      host: host.api,
      target: `${wanted.owner}/${wanted.name}`,
      state: repository.state === 'unknown' ? 'unknown' : 'read',
    },
    unlessArchived(repository, [
      ...repositorySteps(wanted, repository, rules),
      ...permissionSteps(wanted, permissions, present, rules),
    ]),
  )
}

function dryRun({ steps }: Plan, wanted: WantedRepository) {
  const repo = steps.find(({ id }) => id === 'repo')
  return {
    success: true,
    dry_run: true,
    ...(repo ? { endpoint: createPath(wanted), would_post: 'body' in repo ? repo.body : null } : {}),
  } as const
}

/** Somebody else may have created it since it was looked for. */
function outcomeOf(before: PresentRepository, { plan, replies }: Applied): Partial<Created> {
  if (before.state === 'there') return found(before.is)
  const repo = replies.get('repo') as Repository | undefined
  if (!repo) return {}
  const isRaced = plan.steps.some(({ id, status }) => id === 'repo' && status === 'already')
  return isRaced ? found(repo) : { created: repo, repo_url: repo.html_url ?? null }
}

function found(repo: Repository) {
  return { already_existed: true, repo, repo_url: repo.html_url ?? null } as const
}

/** Of a repository that was there before, only what was asked for had to be set. */
function isSet({ steps }: Plan, isNew: boolean): boolean {
  const step = steps.find(({ id }) => id === 'actions')
  return step ? step.status === 'done' || step.status === 'already' : !isNew
}
