// `repo env`: the environment in which a trusted release runs, and the fields for the package index.
import { done, failed, wrong, type Answer, type Failure } from '../failure.ts'
import type { Client } from '../host/client.ts'
import { makePlan } from '../plan/plan.ts'
import type { Body, Plan, RequestStep } from '../plan/step.ts'
import type { Input } from '../table/commands.ts'
import { applyPlan } from './apply.ts'
import type { Context, Outcome } from './context.ts'
import type { Warning } from '../resources/warning.ts'
import {
  environmentSteps,
  environmentUrl,
  readEnvironment,
  type PresentEnvironment,
  type WantedEnvironment,
} from '../resources/environment.ts'
import { checkNames, nameAdvice, splitName, unfit } from '../resources/names.ts'
import { environmentAndIndex, publisherOf, publisherStep, type Publisher } from '../resources/publisher.ts'
import { readRepository } from '../resources/repository.ts'
import { checkReviewers, findReviewers, unknownReviewers, type Reviewer } from '../resources/reviewers.ts'
import { ownLogin } from '../resources/user.ts'

/** The first keys are stable, because existing scripts parse them; new keys are added after them. */
export interface EnvironmentSet {
  readonly success: boolean
  readonly dry_run: boolean
  readonly endpoint?: string
  /** Null if it is already as wanted. */
  readonly would_put?: Body | null
  readonly environment?: unknown
  readonly environment_url: string
  readonly branch_policies: readonly string[]
  readonly tag_policies: readonly string[]
  readonly note: string
  readonly publisher: Publisher
  readonly warnings: readonly Warning[]
  readonly plan: Plan
}

type EnvInput = Input<'repo env'>

export async function env(input: EnvInput, context: Context): Promise<Answer<Outcome<EnvironmentSet>>> {
  const checked = placeFrom(input)
  if (!checked.ok) return checked
  const place = checked.output
  const { reviewer = [] } = input
  // Only a read shows what --reset would remove.
  const reads = context.apply || input.refresh === true || input.reset === true
  const connected = reads || place.owner === undefined ? await context.connect() : done(undefined)
  if (!connected.ok) return reads ? connected : nameTheOwner(connected.error)
  const client = connected.output
  const owner = client && place.owner === undefined ? await ownLogin(client) : done(place.owner ?? '')
  if (!owner.ok) return owner
  const asked = reads && context.host.can.environments ? client : undefined
  const reviewers = asked ? await findReviewers(asked, reviewer) : done(unknownReviewers(reviewer))
  if (!reviewers.ok) return reviewers
  const wanted = wantedFrom(input, { ...place, owner: owner.output }, reviewers.output)
  const present = asked ? await readThere(asked, wanted, context.apply) : done(undefined)
  if (!present.ok) return present

  const publisher = publisherOf(input, wanted)
  const plan = planFor(wanted, publisher, { present: present.output, read: reads }, context)
  const common = {
    environment_url: environmentUrl(wanted, context.host),
    branch_policies: wanted.branches,
    tag_policies: wanted.tags,
    note: NOTE,
    publisher,
    warnings: [],
  }
  if (!context.apply)
    return done({ output: { success: true, dry_run: true, ...wouldPut(plan), ...common, plan } })

  const applied = await applyPlan(plan, context, client)
  if (!applied.ok) return applied
  const { failure, replies } = applied.output
  const environment = replies.get(`env:${wanted.name}`) ?? present.output?.is ?? null
  const output = {
    success: failure === undefined,
    dry_run: false,
    environment,
    ...common,
    plan: applied.output.plan,
  }
  return done({ output, failure })
}

const NOTE = 'the trusted publisher itself is registered on the page of the package index, by hand'

interface Place {
  readonly owner: string | undefined
  readonly repository: string
  readonly name: string
}

/** The host was needed only to look up the owner. */
function nameTheOwner(error: Failure) {
  if (error.kind !== 'no_token') return failed(error)
  const remediation = `with --owner OWNER a dry-run needs no token; otherwise ${error.remediation}`
  return failed({ ...error, remediation })
}

function placeFrom(input: EnvInput): Answer<Place> {
  const isFull = input.repo.includes('/')
  const split = isFull ? splitName(input.repo) : undefined
  if (isFull && !split)
    return unfit(
      input.repo,
      'cannot be the name of a repository',
      nameAdvice(input.repo, 'write it as owner/name, or the name alone and --owner'),
    )
  // The host ignores case here.
  if (split && input.owner !== undefined && input.owner.toLowerCase() !== split.owner.toLowerCase())
    return wrong('usage', `${input.repo} names another owner than --owner`, 'give the owner once')
  const place = {
    owner: split?.owner ?? input.owner,
    repository: split?.name ?? input.repo,
    name: environmentAndIndex(input).environment,
  }
  const names = checkNames({
    repository: place.repository,
    owner: place.owner,
    environment: place.name,
    workflow: input.workflow,
  })
  if (!names.ok) return names
  const reviewers = checkReviewers(input.reviewer ?? [])
  return reviewers.ok ? done(place) : reviewers
}

/** The host still answers to a repository's old name, but an index accepts no release from it. */
async function readThere(
  client: Client,
  wanted: WantedEnvironment,
  isApplied: boolean,
): Promise<Answer<PresentEnvironment | undefined>> {
  const { owner, repository } = wanted
  const read = await readRepository(client, owner, repository)
  if (!read.ok) return read
  const { formerOf, refusal } = read.output.state === 'absent' ? read.output : {}
  if (formerOf !== undefined)
    return wrong('not_found', `${owner}/${repository} is called ${formerOf} now`, 'use that name')
  // With --apply the host itself refuses the write.
  if (!refusal || isApplied) return await readEnvironment(client, wanted)
  const message = `the host has no repository ${owner}/${repository}, or the token may not see it`
  return failed({ ...refusal, message })
}

function wantedFrom(
  input: EnvInput,
  place: Place & { readonly owner: string },
  reviewers: readonly Reviewer[],
): WantedEnvironment {
  const { branch = [], tag = [], waitMinutes, reset = false } = input
  return { ...place, branches: unique(branch), tags: unique(tag), reviewers, waitMinutes, reset }
}

function planFor(
  wanted: WantedEnvironment,
  publisher: Publisher,
  found: { readonly present: PresentEnvironment | undefined; readonly read: boolean },
  { host }: Context,
): Plan {
  const { owner, repository } = wanted
  return makePlan(
    { host: host.api, target: `${owner}/${repository}`, state: found.read ? 'read' : 'unknown' },
    [...environmentSteps(wanted, found.present, host), publisherStep(publisher)],
  )
}

function wouldPut({ steps }: Plan) {
  const put = steps.find((step): step is RequestStep => step.kind === 'request' && step.method === 'PUT')
  return put ? { endpoint: `PUT ${put.path}`, would_put: put.op === 'unchanged' ? null : put.body } : {}
}

function unique(list: readonly string[]): readonly string[] {
  return [...new Set(list)]
}
