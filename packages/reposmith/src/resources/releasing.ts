// What the host does to a release: may its actions run, is the environment there, does its policy let the ref through?
import type { Host } from '../host/host.ts'
import { path } from '../host/path.ts'
import { quote } from '../plan/text.ts'
import type { Body, RequestStep, Step } from '../plan/step.ts'
import { failing, passing, skipped, warning, type Finding } from '../workflow/finding.ts'
import { asPolicy, isAny, lets, matches, type Ref } from '../workflow/pattern.ts'
import type { Publishing } from '../workflow/publishing.ts'
import type { Start } from '../workflow/starts.ts'
import { environmentSteps, type Environment, type PresentEnvironment } from './environment.ts'
import type { FullName } from './names.ts'

/** Findings, and the steps that would mend them. */
export interface Found {
  readonly findings: readonly Finding[]
  readonly steps: readonly Step[]
}

export interface Permissions {
  readonly enabled?: boolean
  readonly allowed_actions?: string
  readonly sha_pinning_required?: boolean
}

export interface Selected {
  readonly github_owned_allowed?: boolean
  readonly verified_allowed?: boolean
  readonly patterns_allowed?: readonly string[]
}

/** May the actions that the workflows use run in this repository? `is` is undefined if the token may not see that. */
export function actionsFindings(
  uses: readonly string[],
  is: Permissions | undefined,
  selected: Selected | undefined,
  place: FullName,
): Found {
  if (!is) {
    const why = 'the token may not see which actions may run'
    return { findings: [skipped('actions', why, 'use one that may administer the repository')], steps: [] }
  }
  const { owner, name } = place
  const foreign = [...new Set(uses.filter((each) => !/^(\.\/|docker:)/.test(each)))]
  const own = (each: string): boolean => each.toLowerCase().startsWith(`${owner.toLowerCase()}/`)
  const refused =
    is.allowed_actions === 'local_only'
      ? foreign.filter((each) => !own(each))
      : is.allowed_actions === 'selected'
        ? foreign.filter((each) => !own(each) && !isSelected(each, selected))
        : []
  if (is.enabled === true && refused.length === 0) {
    const loose =
      is.sha_pinning_required === true ? foreign.filter((each) => !/@[\da-f]{40}$/.test(each)) : []
    const unpinned = failing(
      'actions',
      `${owner}/${name} runs only actions that are pinned by their hash, and not ${loose.join(', ')}`,
      'write the hash of the commit after the @',
    )
    return {
      findings: [loose.length > 0 ? unpinned : passing('actions', 'the actions that it uses may run')],
      steps: [],
    }
  }
  const why =
    is.enabled === true
      ? `${owner}/${name} does not let ${refused.join(', ')} run (${is.allowed_actions})`
      : `Actions are disabled in ${owner}/${name}: nothing runs`
  const stopped = is.enabled === true ? refused : foreign.filter((each) => !own(each))
  const others = stopped.filter((each) => !isOwned(each)).map((each) => `${each.split('@')[0]}@*`)
  const all = [...new Set([...(selected?.patterns_allowed ?? []), ...others])]
  const list = {
    github_owned_allowed: selected?.github_owned_allowed === true || stopped.some(isOwned),
    verified_allowed: selected?.verified_allowed ?? false,
    patterns_allowed: all,
  }
  return {
    findings: [failing('actions', why, 'let them run: reposmith doctor --fix, or in Settings, Actions')],
    steps: actionsSteps(place, list, is.enabled === true && is.allowed_actions === 'selected'),
  }
}

function isSelected(uses: string, selected: Selected = {}): boolean {
  const { github_owned_allowed: owned, verified_allowed: verified, patterns_allowed: patterns } = selected
  if (owned === true && isOwned(uses)) return true
  // Which creators are verified, the host alone knows.
  return verified === true || (patterns ?? []).some((pattern) => matchesAction(uses, pattern))
}

/** Of the host itself. */
function isOwned(uses: string): boolean {
  return /^(actions|github)\//.test(uses)
}

/** `octo/*` stands for all of them at any version: a star goes beyond slashes. */
function matchesAction(uses: string, pattern: string): boolean {
  const flat = (text: string): string => text.toLowerCase().replaceAll('/', ':')
  const versioned = pattern.includes('@') || pattern.endsWith('*') ? pattern : `${pattern}@*`
  return matches(flat(uses), flat(versioned))
}

/** No more than what the release needs: selected actions, of which these are new. */
function actionsSteps(
  { owner, name }: FullName,
  list: Required<Selected>,
  isListUsed: boolean,
): readonly Step[] {
  const base = path('repos', owner, name, 'actions', 'permissions')
  const request = (id: string, title: string, where: string, body: Body): RequestStep => ({
    kind: 'request',
    id,
    title,
    op: 'update',
    method: 'PUT',
    path: where,
    body,
    asked: true,
  })
  const which = [...(list.github_owned_allowed ? ["the host's own actions"] : []), ...list.patterns_allowed]
  const select = request('actions:selected', `select ${which.join(', ')}`, `${base}/selected-actions`, list)
  const body = { enabled: true, allowed_actions: 'selected' }
  return isListUsed ? [select] : [request('actions', 'let selected actions run', base, body), select]
}

/** What is asked of one environment, by the jobs that release to it. */
export interface Asked {
  readonly place: FullName
  readonly name: string
  readonly publishing: Publishing
  readonly starts: readonly Start[]
  readonly defaultBranch: string
  /** The command that sets the environment. */
  readonly command: string
}

export function environmentFindings(
  asked: Asked,
  present: PresentEnvironment | undefined,
  host: Host,
): Found {
  const { name, command, starts, place, defaultBranch } = asked
  const wanted = flagsOf(starts, defaultBranch)
  const steps = environmentSteps(
    {
      owner: place.owner,
      repository: place.name,
      name,
      branches: wanted.filter(({ type }) => type === 'branch').map((ref) => ref.name),
      tags: wanted.filter(({ type }) => type === 'tag').map((ref) => ref.name),
    },
    present,
    host,
    { reset: false, exact: false },
  )
  if (!present)
    return {
      findings: [
        failing(
          'host-environment',
          `the host has no environment ${name}`,
          `create it: ${[command, ...wanted.map(flag)].join(' ')}`,
        ),
      ],
      steps,
    }
  const policy = policyFindings(asked, present)
  const open = unprotected(asked, present.is)
  return {
    findings: [passing('host-environment', `the host has the environment ${name}`), ...policy, ...open],
    steps: [...policy, ...open].some(({ passed }) => !passed) ? steps : [],
  }
}

/** Every ref that starts the job must pass. Where any ref may start it, it is enough that one does. */
function policyFindings(asked: Asked, { is, policies }: PresentEnvironment): readonly Finding[] {
  const { name, starts, command, defaultBranch } = asked
  const mode = is.deployment_branch_policy
  if (!mode) return [passing('policy', `every branch and tag may release to ${name}`)]
  const isLet = (ref: Ref): boolean =>
    mode.protected_branches ? ref.type === 'branch' : policies.some((policy) => lets(policy, ref))
  const passes = ({ type, filter, examples }: Start): boolean => {
    const through = (example: string): boolean => isLet({ type, name: example })
    return isAny(filter) ? examples.some(through) : examples.every(through)
  }
  const byHand = starts.filter(({ event }) => event === 'workflow_dispatch')
  const others = starts.filter(({ event }) => event !== 'workflow_dispatch')
  const anyPasses = others.some((start) => isAny(start.filter) && passes(start))
  const refused = others.filter((start) => !passes(start) && !(isAny(start.filter) && anyPasses))
  const fromDefault = byHand.find(({ type }) => type === 'branch')
  // By hand it starts on the default branch, unless whoever starts it chooses another ref.
  const isStuck = fromDefault !== undefined && !isLet({ type: 'branch', name: defaultBranch })
  const only = policies.map(({ name: each }) => each).join(', ')
  if (refused.length === 0 && !isStuck) return [passing('policy', `${name} lets the release through`)]
  if (refused.length === 0 && others.length > 0)
    return [
      passing('policy', `${name} lets the release through`),
      warning(
        'default-ref',
        `started by hand on ${defaultBranch}, it does not: ${name} lets only ${only} through`,
        `start it on a ref that may release, or let ${defaultBranch}: ${command} --branch ${quote(defaultBranch)}`,
      ),
    ]
  if (mode.protected_branches) {
    const flags = flagsOf(starts, defaultBranch).map(flag).join(' ')
    return [
      failing(
        'policy',
        `${name} accepts only protected branches, but a tag starts the release`,
        `let tags release, and name the reviewers and --wait-minutes that are to stay: ${command} ${flags} --reset`,
      ),
    ]
  }
  const missing = [
    ...flagsOf(refused, defaultBranch),
    ...(isStuck ? [{ type: 'branch', name: defaultBranch } as const] : []),
  ]
  const flags = [...new Set(missing.map(flag))].join(' ')
  const why = isStuck
    ? `${name} lets only ${only || 'nothing'} through, but the release is started by hand, on ${defaultBranch}`
    : `${name} lets no release through from ${flags}`
  return [failing('policy', why, `add it: ${command} ${flags}`)]
}

/** Then whoever may push to any branch may release. */
function unprotected({ name, command, starts, defaultBranch }: Asked, is: Environment): readonly Finding[] {
  const rules = (is.protection_rules ?? []).filter(({ type }) => type !== 'branch_policy')
  if (is.deployment_branch_policy || rules.length > 0) return []
  const flags = flagsOf(starts, defaultBranch).map(flag).join(' ')
  const mend = `say from where it may come, or who must approve: ${command}${flags && ` ${flags}`} --reviewer WHO`
  return [
    warning('unprotected', `${name} protects nothing: whoever may push a branch may release from it`, mend, {
      rule: 'scorecard: Branch-Protection',
    }),
  ]
}

function flag(ref: Ref): string {
  return `--${ref.type} ${quote(ref.name)}`
}

/** The refs that start it, as policies. What is started by hand comes from the default branch. */
function flagsOf(starts: readonly Start[], defaultBranch: string): readonly Ref[] {
  const byHand = starts.every(({ event }) => event === 'workflow_dispatch')
  const named = byHand
    ? starts
        .filter(({ type }) => type === 'branch')
        .map(() => ({ type: 'branch', name: defaultBranch }) as const)
    : starts
        .filter(({ event }) => event !== 'workflow_dispatch')
        .map(({ type, filter }) => ({ type, name: asPolicy(filter) }))
  return named.filter(
    (ref, index) => named.findIndex((each) => each.type === ref.type && each.name === ref.name) === index,
  )
}
