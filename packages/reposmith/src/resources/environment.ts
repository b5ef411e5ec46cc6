// An environment as wanted and as present, and the steps between. Settings made by hand are kept.
import { done, failed, type Answer } from '../failure.ts'
import type { Client } from '../host/client.ts'
import { unsaid } from '../host/foreign.ts'
import type { Host } from '../host/host.ts'
import { path } from '../host/path.ts'
import { differences } from '../plan/diff.ts'
import type { Body, RequestStep, Step } from '../plan/step.ts'
import { REVIEWERS_MAX } from '../table/env.ts'
import type { Reviewer } from './reviewers.ts'
import type { Warning } from './warning.ts'

/** Which environment. */
interface Place {
  readonly owner: string
  readonly repository: string
  readonly name: string
}

export interface WantedEnvironment extends Place {
  /** What is undefined is not asked for. */
  readonly branches?: readonly string[] | undefined
  readonly tags?: readonly string[] | undefined
  readonly protectedBranches?: boolean | undefined
  readonly reviewers?: readonly Reviewer[] | undefined
  readonly preventSelfReview?: boolean | undefined
  readonly adminsBypass?: boolean | undefined
  readonly waitMinutes?: number | undefined
}

/** What happens to what is there and not asked for. */
export interface Fate {
  /** Settings that are not asked for are removed. */
  readonly reset: boolean
  /** Lists that are asked for become just that. */
  readonly exact: boolean
}

export interface Environment {
  readonly name?: string
  readonly can_admins_bypass?: boolean
  readonly protection_rules?: readonly Rule[] | null
  readonly deployment_branch_policy?: BranchMode | null
}

interface Rule {
  readonly type: string
  readonly wait_timer?: number
  readonly prevent_self_review?: boolean
  readonly reviewers?: readonly {
    readonly type: 'User' | 'Team'
    /** Null if the account is gone. */
    readonly reviewer: { readonly id: number; readonly login?: string; readonly slug?: string } | null
  }[]
}

interface BranchMode {
  readonly protected_branches: boolean
  readonly custom_branch_policies: boolean
}

export interface Policy {
  readonly id: number
  readonly name: string
  readonly type: 'branch' | 'tag'
}

export interface PresentEnvironment {
  readonly is: Environment
  readonly policies: readonly Policy[]
}

/** Undefined if there is none. */
export async function readEnvironment(
  client: Client,
  place: Place,
): Promise<Answer<PresentEnvironment | undefined>> {
  const base = pathOf(place)
  const read = await client.read(base)
  if (!read.ok || read.output === undefined) return read.ok ? done(undefined) : read
  const is = read.output as Environment
  // Taken for one without rules, it would lose those that people set.
  if (typeof is.name !== 'string') return failed(unsaid(base, 'which environment that is'))
  if (!is.deployment_branch_policy?.custom_branch_policies) return done({ is, policies: [] })
  const listed = await client.list(`${base}/deployment-branch-policies`, 'branch_policies')
  if (!listed.ok) return listed
  // Hosts older than tag policies send no type.
  const policies = (listed.output as readonly Partial<Policy>[]).map(
    ({ id = 0, name = '', type = 'branch' }) => ({ id, name, type }),
  )
  return done({ is, policies })
}

/** `present` is undefined if the environment does not exist or was not read. */
export function environmentSteps(
  wanted: WantedEnvironment,
  present: PresentEnvironment | undefined,
  host: Host,
  fate: Fate,
): readonly Step[] {
  const id = `env:${wanted.name}`
  const body = environmentBody(wanted, present?.is, fate)
  const reason = whyNot(wanted, present?.is, body, { host, fate })
  if (reason !== undefined)
    return [{ kind: 'blocked', id, title: `set the environment ${wanted.name}`, reason, asked: true }]
  const policies = present?.policies ?? []
  return [
    mainStep(id, wanted, body, { present, title: opening(wanted, policies, fate) }),
    ...policySteps(wanted, isDropped(body) ? [] : policies, id, fate),
  ]
}

/** Together with the mode the host drops the policies. */
function isDropped({ deployment_branch_policy: mode }: WantedBody): boolean {
  return mode !== undefined && !mode?.custom_branch_policies
}

/** When --reset removes all patterns, the host drops them together with the mode: no step of its own names them. */
function opening(wanted: WantedEnvironment, present: readonly Policy[], { reset }: Fate): string {
  if (!reset || hasPatterns(wanted) || wanted.protectedBranches || present.length === 0) return ''
  return `; every branch and tag may release then, not only ${present.map(wordsFor).join(', ')}`
}

/** Why the host would not make it as wanted. */
function whyNot(
  wanted: WantedEnvironment,
  is: Environment | undefined,
  { reviewers, prevent_self_review: prevents }: WantedBody,
  { host: { name, can }, fate }: { readonly host: Host; readonly fate: Fate },
): string | undefined {
  if (!can.environments) return `${name} has no environments`
  if (hasPatterns(wanted) && !fate.reset && !fate.exact && is?.deployment_branch_policy?.protected_branches)
    return 'only protected branches may release, as set on the host; repo env --reset replaces that'
  const count = reviewers?.length ?? 0
  // https://github.com/github-community-projects/safe-settings/issues/628
  if (prevents && count === 0) return 'nobody reviews it, whose own review it could prevent: name a reviewer'
  return count > REVIEWERS_MAX
    ? `with the present ones it would have ${count} reviewers, and at most ${REVIEWERS_MAX} are allowed; repo env --reset replaces them`
    : undefined
}

function mainStep(
  id: string,
  wanted: WantedEnvironment,
  body: WantedBody,
  { present, title }: { readonly present: PresentEnvironment | undefined; readonly title: string },
): Step {
  const { name } = wanted
  const diff = present && differences(presentBody(present.is), body)
  if (diff?.length === 0) return { kind: 'unchanged', id, title: `the environment ${name} is as wanted` }
  const verb = present ? 'update' : 'create'
  return {
    kind: 'request',
    id,
    title: `${verb} the environment ${name}${title}`,
    op: verb,
    method: 'PUT',
    path: pathOf(wanted),
    body,
    ...(diff ? { diff } : {}),
    asked: true,
  }
}

/** The request that sets it. */
export function environmentEndpoint(place: Place): string {
  return `PUT ${pathOf(place)}`
}

/** The web page of the environments. */
export function environmentUrl({ owner, repository }: Place, { web }: Host): string {
  return `${web}${path(owner, repository)}/settings/environments`
}

/**
 * What is asked for, and what is there: the host refuses keys of protection rules where the owner's plan lacks them, also
 * such as remove what is not there (google/go-github#2611).
 */
function environmentBody(
  wanted: WantedEnvironment,
  is: Environment | undefined,
  { reset, exact }: Fate,
): WantedBody {
  const was = is ? presentBody(is) : NOTHING
  const kept = reset ? NOTHING : was
  const asked = wanted.reviewers ?? []
  const others = exact && wanted.reviewers ? [] : (kept.reviewers ?? [])
  const reviewers = [...others, ...asked].filter(
    (each, index, all) => all.findIndex(({ type, id }) => type === each.type && id === each.id) === index,
  )
  const minutes = wanted.waitMinutes ?? kept.wait_timer
  const prevents = wanted.preventSelfReview ?? (kept.prevent_self_review && reviewers.length > 0)
  const bypass = wanted.adminsBypass ?? kept.can_admins_bypass
  const mode = modeOf(wanted, kept.deployment_branch_policy, exact)
  return {
    ...(minutes || was.wait_timer ? { wait_timer: minutes } : {}),
    ...(prevents || was.prevent_self_review ? { prevent_self_review: prevents } : {}),
    // Older hosts do not permit the key, and do not return it. The API's description lacks it: google/go-github#2725.
    ...(bypass && was.can_admins_bypass ? {} : { can_admins_bypass: bypass }),
    ...(reviewers.length || was.reviewers ? { reviewers: reviewers.length ? reviewers : null } : {}),
    ...(mode || was.deployment_branch_policy ? { deployment_branch_policy: mode } : {}),
  }
}

function modeOf(
  { branches, tags, protectedBranches, ...rest }: WantedEnvironment,
  kept: BranchMode | null,
  exact: boolean,
): BranchMode | null {
  if (protectedBranches) return PROTECTED
  if (hasPatterns({ ...rest, branches, tags })) return CUSTOM
  if (protectedBranches === false && kept?.protected_branches) return null
  // Named and empty: any may.
  return exact && branches && tags ? null : kept
}

function hasPatterns({ branches = [], tags = [] }: WantedEnvironment): boolean {
  return branches.length + tags.length > 0
}

/** Undefined: the key is not sent. */
interface WantedBody extends Body {
  readonly wait_timer?: number
  readonly prevent_self_review?: boolean
  readonly can_admins_bypass?: boolean
  readonly reviewers?: readonly Reviewer[] | null
  readonly deployment_branch_policy?: BranchMode | null
}

type EnvironmentBody = Required<Pick<WantedBody, Keys>>
type Keys =
  | 'wait_timer'
  | 'prevent_self_review'
  | 'can_admins_bypass'
  | 'reviewers'
  | 'deployment_branch_policy'

/** No rule at all. */
const NOTHING: EnvironmentBody = {
  wait_timer: 0,
  prevent_self_review: false,
  can_admins_bypass: true,
  reviewers: null,
  deployment_branch_policy: null,
}

const PROTECTED: BranchMode = { protected_branches: true, custom_branch_policies: false }
const CUSTOM: BranchMode = { protected_branches: false, custom_branch_policies: true }

/** The host returns rules but takes a body of another shape. */
function presentBody({
  can_admins_bypass = true,
  protection_rules: given,
  deployment_branch_policy: mode = null,
}: Environment): EnvironmentBody {
  const rules = given ?? []
  const timer = rules.find(({ type }) => type === 'wait_timer')
  const review = rules.find(({ type }) => type === 'required_reviewers')
  const reviewers = (review?.reviewers ?? []).flatMap(({ type, reviewer }) =>
    reviewer ? [{ type, id: reviewer.id }] : [],
  )
  return {
    wait_timer: timer?.wait_timer ?? 0,
    prevent_self_review: review?.prevent_self_review ?? false,
    can_admins_bypass,
    reviewers: reviewers.length ? reviewers : null,
    deployment_branch_policy: mode && {
      protected_branches: mode.protected_branches,
      custom_branch_policies: mode.custom_branch_policies,
    },
  }
}

function policySteps(
  wanted: WantedEnvironment,
  present: readonly Policy[],
  id: string,
  { reset, exact }: Fate,
): readonly Step[] {
  const all = patternsOf(wanted)
  const base = `${pathOf(wanted)}/deployment-branch-policies`
  const idOf = ({ name, type }: Pattern): string => `${id}/policy:${type}:${name}`
  const added = all.map((policy): Step => {
    const words = wordsFor(policy)
    if (present.some(isLike(policy)))
      return { kind: 'unchanged', id: idOf(policy), title: `${words} may release already` }
    return {
      kind: 'request',
      id: idOf(policy),
      title: `let ${words} release`,
      op: 'create',
      method: 'POST',
      path: base,
      body: policy,
      proof: { path: base, list: 'branch_policies', match: policy },
      asked: true,
    }
  })
  const isAsked = ({ type }: Policy): boolean =>
    (type === 'tag' ? wanted.tags : wanted.branches) !== undefined
  const spare = present.filter((policy) => (reset || (exact && isAsked(policy))) && !all.some(isLike(policy)))
  const removed = spare.map((policy): RequestStep => ({
    kind: 'request',
    id: idOf(policy),
    title: `no longer let ${wordsFor(policy)} release`,
    op: 'delete',
    method: 'DELETE',
    path: `${base}/${policy.id}`,
    body: null,
    diff: [{ at: '', from: policy.name, to: null }],
    asked: true,
  }))
  return [...added, ...removed]
}

/** Reviewers without an account are no longer listed with an id, and sent back they would be refused. */
export function goneReviewers({ name }: Place, present: PresentEnvironment | undefined): readonly Warning[] {
  const gone = (present?.is.protection_rules ?? [])
    .flatMap(({ reviewers = [] }) => reviewers)
    .filter(({ reviewer }) => !reviewer)
  const [who, its] =
    gone.length === 1 ? ['a reviewer', 'its account is'] : [`${gone.length} reviewers`, 'their accounts are']
  const message = `${who} of the environment ${name} cannot approve any more: ${its} gone; an update leaves them out`
  return gone.length ? [{ code: 'reviewer_gone', message }] : []
}

function patternsOf({ branches = [], tags = [] }: WantedEnvironment): readonly Pattern[] {
  return [
    ...branches.map((name) => ({ name, type: 'branch' }) as const),
    ...tags.map((name) => ({ name, type: 'tag' }) as const),
  ]
}

type Pattern = Pick<Policy, 'name' | 'type'>

function isLike(one: Pattern): (other: Pattern) => boolean {
  return (other) => other.name === one.name && other.type === one.type
}

function wordsFor({ name, type }: Pattern): string {
  return `${type === 'tag' ? 'tags' : 'branches'} ${name}`
}

function pathOf({ owner, repository, name }: Place): string {
  return path('repos', owner, repository, 'environments', name)
}
