// Which actions may run in a repository, and what a workflow's token may do.
import { done, type Answer } from '../failure.ts'
import type { Client } from '../host/client.ts'
import type { Host } from '../host/host.ts'
import { path } from '../host/path.ts'
import { differences } from '../plan/diff.ts'
import type { Body, Plan, Step } from '../plan/step.ts'
import type { FullName } from './names.ts'
import type { Warning } from './warning.ts'

export interface WantedPermissions {
  readonly actions: 'all' | 'local_only' | 'selected' | 'off'
  /** With `selected`: patterns, as `octo/*`. */
  readonly allow: readonly string[]
  readonly workflowToken: 'read' | 'write'
  readonly approvePrs: boolean
  /** Which of the two the user asked for; the other is a default of ours. */
  readonly asked: { readonly actions: boolean; readonly workflowToken: boolean }
}

/** Undefined where not read. */
export interface PresentPermissions {
  readonly actions?: Body | undefined
  readonly selected?: Body | undefined
  readonly workflow?: Body | undefined
}

export async function readPermissions(
  client: Client,
  { owner, name }: FullName,
  wanted: WantedPermissions,
): Promise<Answer<PresentPermissions>> {
  const base = path('repos', owner, name, 'actions', 'permissions')
  const actions = await client.read(base)
  if (!actions.ok) return actions
  const is = actions.output as Body | undefined
  // The host has this list only while it is in use, and otherwise answers 409.
  const asks = wanted.actions === 'selected' && is?.['allowed_actions'] === 'selected'
  const selected = asks ? await client.read(`${base}/selected-actions`) : done(undefined)
  if (!selected.ok) return selected
  const workflow = await client.read(`${base}/workflow`)
  if (!workflow.ok) return workflow
  return done({
    actions: is,
    selected: selected.output as Body | undefined,
    workflow: workflow.output as Body | undefined,
  })
}

/** Sets whatever differs, whoever set it. */
export function permissionSteps(
  { owner, name }: FullName,
  wanted: WantedPermissions,
  present: PresentPermissions,
  host: Host,
): readonly Step[] {
  if (!host.can.actionsPermissions) {
    const title = 'set the Actions permissions'
    const reason = `${host.name} has no such permissions for a repository`
    return [
      { kind: 'blocked', id: 'actions', title, reason, asked: Object.values(wanted.asked).includes(true) },
    ]
  }
  const base = path('repos', owner, name, 'actions', 'permissions')
  return [
    actionsStep(base, wanted, present.actions),
    ...(wanted.actions === 'selected'
      ? [selectedStep(`${base}/selected-actions`, wanted, present.selected)]
      : []),
    tokenStep(`${base}/workflow`, wanted, present.workflow),
  ]
}

function actionsStep(where: string, { actions, asked }: WantedPermissions, present: Body | undefined): Step {
  const which = WHICH[actions]
  const body = actions === 'off' ? { enabled: false } : { enabled: true, allowed_actions: actions }
  return put({ id: 'actions', path: where, words: `let ${which} run`, now: `${which} may run` }, body, {
    present,
    asked: asked.actions,
  })
}

const WHICH = {
  all: 'all actions',
  local_only: "the owner's own actions",
  selected: 'selected actions',
  off: 'no actions',
} as const

function selectedStep(where: string, { allow, asked }: WantedPermissions, present: Body | undefined): Step {
  const which = `the host's own actions${allow.length ? ` and ${allow.join(', ')}` : ''}`
  const [words, now] = [`select ${which}`, `selected are ${which}`]
  const body = { github_owned_allowed: true, verified_allowed: false, patterns_allowed: allow }
  return put({ id: 'actions:selected', path: where, words, now }, body, { present, asked: asked.actions })
}

function tokenStep(
  where: string,
  { workflowToken, approvePrs, asked }: WantedPermissions,
  present: Body | undefined,
): Step {
  const level = workflowToken === 'write' ? 'read and write' : 'read'
  const approve = approvePrs ? ', and workflows approve pull requests' : ''
  const words = `let a workflow's token ${level}${approve}`
  const now = `a workflow's token may ${level}${approve}`
  const body = { default_workflow_permissions: workflowToken, can_approve_pull_request_reviews: approvePrs }
  return put({ id: 'workflow-token', path: where, words, now }, body, { present, asked: asked.workflowToken })
}

function put(
  place: { readonly id: string; readonly path: string; readonly words: string; readonly now: string },
  body: Body,
  { present, asked }: { readonly present: Body | undefined; readonly asked: boolean },
): Step {
  const { id, path, words, now } = place
  const diff = present ? differences(present, body) : []
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

/** One for each default that a setting of the organization or enterprise did not permit. */
export function policyWarnings({ steps }: Plan): readonly Warning[] {
  return steps
    .filter((step) => step.kind === 'request' && step.status === 'skipped')
    .map(({ title }) => ({
      code: 'policy',
      message: `left out, because a setting of the organization or enterprise does not permit it: ${title}`,
    }))
}
