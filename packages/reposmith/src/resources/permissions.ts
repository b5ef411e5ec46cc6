// Which actions may run in a repository, and what a workflow's token may do.
import { done, failed, type Answer, type Failure } from '../failure.ts'
import type { Client } from '../host/client.ts'
import type { Host } from '../host/host.ts'
import { path } from '../host/path.ts'
import type { Manifest, WrittenManifest } from '../manifest.ts'
import { differences } from '../plan/diff.ts'
import type { Body, Plan, Step } from '../plan/step.ts'
import type { FullName } from './names.ts'
import { resource, type Rules } from './resource.ts'
import type { Warning } from './warning.ts'

/** What was asked for; what is left out is set for a new repository only. */
export interface WantedPermissions {
  readonly actions?: 'all' | 'local_only' | 'selected' | 'off' | undefined
  /** With `selected`: patterns, as `octo/*`. */
  readonly allow?: readonly string[] | undefined
  readonly allowOwned?: boolean | undefined
  readonly allowVerified?: boolean | undefined
  readonly workflowToken?: 'read' | 'write' | undefined
  readonly approvePrs?: boolean | undefined
}

/** Undefined where not read, or where the host does not show it. */
export interface PresentPermissions {
  readonly actions?: Body | undefined
  readonly selected?: Body | undefined
  readonly workflow?: Body | undefined
}

/** What a new repository gets where nothing else is asked for. */
const DEFAULTS = { actions: 'all', workflowToken: 'read', approvePrs: false } as const
const SELECTED = { github_owned_allowed: true, verified_allowed: false, patterns_allowed: [] } as const

export const permissions = resource<WantedPermissions, PresentPermissions>('actions', {
  title: 'set the Actions permissions',
  // A new repository gets them also where the manifest says nothing of them.
  wanted: wantedPermissions,
  // Of a default of ours it is no matter.
  lacks: () => undefined,
  async read({ client, place, exists, isNew, host }, wanted) {
    if (!exists || !host.can.actionsPermissions || !(isNew || isAsked(wanted))) return done({})
    const read = await readPermissions(client, place, isNew ? {} : wanted)
    const hidden = read.ok ? hiddenPermissions(place, wanted, read.output) : undefined
    return hidden ? failed(hidden) : read
  },
  steps: permissionSteps,
  written: writtenPermissions,
})

export function isAsked(wanted: WantedPermissions): boolean {
  return Object.values(wanted).some((value) => value !== undefined)
}

export function wantedPermissions({ actions = {} }: Manifest): WantedPermissions {
  const { allowed, allow, allow_owned: allowOwned, allow_verified: allowVerified } = actions
  const { workflow_token: workflowToken, approve_prs: approvePrs } = actions
  return { actions: allowed, allow, allowOwned, allowVerified, workflowToken, approvePrs }
}

/** Reads what is asked for; all of it if nothing is. */
export async function readPermissions(
  client: Client,
  { owner, name }: FullName,
  wanted: WantedPermissions = {},
): Promise<Answer<PresentPermissions>> {
  const base = path('repos', owner, name, 'actions', 'permissions')
  const isAll = !isAsked(wanted)
  const asksActions = isAll || wanted.actions !== undefined
  const asksToken = isAll || (wanted.workflowToken ?? wanted.approvePrs) !== undefined
  const actions = asksActions ? await client.read(base) : done(undefined)
  if (!actions.ok) return actions
  const is = actions.output as Body | undefined
  // The host has this list only while it is in use, and otherwise answers 409.
  const selected =
    is?.['enabled'] === true && is['allowed_actions'] === 'selected'
      ? await client.read(`${base}/selected-actions`)
      : done(undefined)
  if (!selected.ok) return selected
  const workflow = asksToken ? await client.read(`${base}/workflow`) : done(undefined)
  if (!workflow.ok) return workflow
  return done({
    actions: is,
    selected: selected.output as Body | undefined,
    workflow: workflow.output as Body | undefined,
  })
}

/** A host that shows a repository, and not its permissions, hides them from the token: that is no difference. */
function hiddenPermissions(
  { owner, name }: FullName,
  wanted: WantedPermissions,
  present: PresentPermissions,
): Failure | undefined {
  const isShown =
    (present.actions || wanted.actions === undefined) &&
    (present.workflow || (wanted.workflowToken ?? wanted.approvePrs) === undefined)
  if (isShown) return undefined
  return {
    code: 3,
    kind: 'scope',
    message: `the host does not show this token the Actions permissions of ${owner}/${name}`,
    remediation:
      'use the token of somebody who administers the repository, or leave actions out of the manifest',
  }
}

/** Sets what was asked for, and all of it in a new repository. */
export function permissionSteps(
  { owner, name }: FullName,
  wanted: WantedPermissions,
  present: PresentPermissions,
  { host, isNew }: Pick<Rules, 'host' | 'isNew'>,
): readonly Step[] {
  const asked = isAsked(wanted)
  if (!asked && !isNew) return []
  if (!host.can.actionsPermissions) {
    const reason = `${host.name} has no such permissions for a repository`
    return [{ kind: 'blocked', id: 'actions', title: 'set the Actions permissions', reason, asked }]
  }
  const base = path('repos', owner, name, 'actions', 'permissions')
  return [
    ...actionsSteps(base, wanted, present.actions, isNew),
    ...selectedSteps(`${base}/selected-actions`, wanted, present, isNew),
    ...tokenSteps(`${base}/workflow`, wanted, present.workflow, isNew),
  ]
}

function actionsSteps(
  where: string,
  { actions: named }: WantedPermissions,
  present: Body | undefined,
  isNew: boolean,
): readonly Step[] {
  const actions = named ?? (isNew ? DEFAULTS.actions : undefined)
  if (actions === undefined) return []
  const which = WHICH[actions]
  const body = actions === 'off' ? { enabled: false } : { enabled: true, allowed_actions: actions }
  const place = { id: 'actions', path: where, words: `let ${which} run`, now: `${which} may run` }
  return [put(place, body, { present, asked: named !== undefined })]
}

const WHICH = {
  all: 'all actions',
  local_only: "the owner's own actions",
  selected: 'selected actions',
  off: 'no actions',
} as const

/** The list is there only while it is in use. */
function selectedSteps(
  where: string,
  { actions, allow, allowOwned, allowVerified }: WantedPermissions,
  present: PresentPermissions,
  isNew: boolean,
): readonly Step[] {
  if (actions !== 'selected') return []
  const named = {
    ...(allowOwned === undefined ? {} : { github_owned_allowed: allowOwned }),
    ...(allowVerified === undefined ? {} : { verified_allowed: allowVerified }),
    ...(allow === undefined ? {} : { patterns_allowed: allow }),
  }
  const begins = isNew || !present.selected
  if (!begins && Object.keys(named).length === 0) return []
  const body = { ...SELECTED, ...(isNew ? {} : present.selected), ...named }
  const whose = body.github_owned_allowed ? "the host's own actions" : "not the host's own actions"
  const which = [whose, ...(body.verified_allowed ? ['verified ones'] : []), ...(allow ?? [])].join(' and ')
  const words = { words: `select ${which}`, now: `selected are ${which}` }
  const { github_owned_allowed, verified_allowed, patterns_allowed } = body
  const all = { github_owned_allowed, verified_allowed, patterns_allowed }
  return [
    put({ id: 'actions:selected', path: where, ...words }, all, {
      present: present.selected,
      compared: begins ? all : named,
      asked: true,
    }),
  ]
}

function tokenSteps(
  where: string,
  { workflowToken, approvePrs }: WantedPermissions,
  present: Body | undefined,
  isNew: boolean,
): readonly Step[] {
  const asked = (workflowToken ?? approvePrs) !== undefined
  if (!asked && !isNew) return []
  const named = {
    ...(workflowToken === undefined ? {} : { default_workflow_permissions: workflowToken }),
    ...(approvePrs === undefined ? {} : { can_approve_pull_request_reviews: approvePrs }),
  }
  const rest = isNew
    ? {
        default_workflow_permissions: DEFAULTS.workflowToken,
        can_approve_pull_request_reviews: DEFAULTS.approvePrs,
      }
    : present
  const body: Body = { ...rest, ...named }
  const level = body['default_workflow_permissions'] === 'write' ? 'read and write' : 'read'
  const approve =
    body['can_approve_pull_request_reviews'] === true ? ', and workflows approve pull requests' : ''
  const words = `let a workflow's token ${level}${approve}`
  const now = `a workflow's token may ${level}${approve}`
  const compared = isNew ? body : named
  return [put({ id: 'workflow-token', path: where, words, now }, body, { present, compared, asked })]
}

function put(
  place: { readonly id: string; readonly path: string; readonly words: string; readonly now: string },
  body: Body,
  about: { readonly present: Body | undefined; readonly compared?: Body; readonly asked: boolean },
): Step {
  const { id, path, words, now } = place
  const { present, compared = body, asked } = about
  const diff = present ? differences(present, compared) : []
  if (present && diff.length === 0) return { kind: 'unchanged', id, title: now }
  return {
    kind: 'request',
    id,
    title: words,
    op: 'update',
    method: 'PUT',
    path,
    body,
    ...(diff.length ? { diff } : {}),
    asked,
  }
}

async function writtenPermissions(
  client: Client,
  place: FullName,
  { can }: Host,
): Promise<Answer<Pick<WrittenManifest, 'actions'>>> {
  if (!can.actionsPermissions) return done({})
  const read = await readPermissions(client, place)
  if (!read.ok) return read
  const { actions, selected, workflow } = read.output
  const hidden = hiddenPermissions(place, { actions: 'all', workflowToken: 'read' }, read.output)
  if (hidden) return failed(hidden)
  const allowed = actions?.['enabled'] === true ? actions['allowed_actions'] : 'off'
  return done({
    actions: {
      allowed: allowed as 'all',
      ...(selected
        ? {
            allow: selected['patterns_allowed'] as string[],
            allow_owned: selected['github_owned_allowed'] === true,
            allow_verified: selected['verified_allowed'] === true,
          }
        : {}),
      workflow_token: workflow?.['default_workflow_permissions'] as 'read',
      approve_prs: workflow?.['can_approve_pull_request_reviews'] === true,
    },
  })
}

/** One for each default that a setting of the organization or enterprise did not permit. */
export function policyWarnings({ steps }: Plan): readonly Warning[] {
  return steps
    .filter((step) => step.kind === 'request' && step.status === 'skipped')
    .map(({ title }) => ({
      code: 'policy',
      message: `left out, because a setting of the organization or enterprise does not permit it: ${title}`,
    }))
}
