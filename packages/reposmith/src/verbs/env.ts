// `repo env`: the environment in which a trusted release runs, and the fields for the package index.
import { done, failed, wrong, type Answer, type Failure } from '../failure.ts'
import type { Client } from '../host/client.ts'
import { makePlan } from '../plan/plan.ts'
import type { Body, Plan, Step } from '../plan/step.ts'
import type { Input } from '../table/commands.ts'
import { applyPlan } from './apply.ts'
import type { Context, Outcome } from './context.ts'
import type { Warning } from '../resources/warning.ts'
import { checkMode } from '../resources/wanted.ts'
import {
  goneReviewers,
  environmentEndpoint,
  environmentSteps,
  environmentUrl,
  readEnvironment,
  type PresentEnvironment,
  type WantedEnvironment,
} from '../resources/environment.ts'
import { checkNames, placeFrom, type Place } from '../resources/names.ts'
import {
  environmentAndIndex,
  publisherOf,
  publisherStep,
  withPages,
  type Publisher,
} from '../resources/publisher.ts'
import { readRepository, unlessArchived, type PresentRepository } from '../resources/repository.ts'
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
  const named = namedIn(input)
  if (!named.ok) return named
  // Only a read shows what --reset would remove.
  const reads = context.apply || input.refresh === true || input.reset === true
  const reached = await reach(named.output, reads, context)
  if (!reached.ok) return reached
  const { client, place } = reached.output
  const asked = reads && context.host.can.environments ? client : undefined
  const { reviewer = [] } = input
  const reviewers = asked ? await findReviewers(asked, reviewer) : done(unknownReviewers(reviewer))
  if (!reviewers.ok) return reviewers
  const wanted = wantedFrom(input, place, reviewers.output)
  const read = asked ? await readThere(asked, wanted) : done(UNREAD)
  if (!read.ok) return read
  const { repository, environment } = read.output

  const publisher = publisherOf(input, wanted)
  const plan = makePlan(
    {
      host: context.host.api,
      target: `${wanted.owner}/${wanted.repository}`,
      state: reads ? 'read' : 'unknown',
    },
    unlessArchived(repository, [
      ...environmentSteps(wanted, environment, context.host, { reset: input.reset ?? false, exact: false }),
      ...(reads ? await withPages([publisherStep(publisher)], context.env) : [publisherStep(publisher)]),
    ]),
  )
  const common = {
    environment_url: environmentUrl(wanted, context.host),
    branch_policies: wanted.branches ?? [],
    tag_policies: wanted.tags ?? [],
    note: NOTE,
    publisher,
    warnings: goneReviewers(wanted, environment),
  }
  if (!context.apply)
    return done({ output: { success: true, dry_run: true, ...wouldPut(plan, wanted), ...common, plan } })

  const applied = await applyPlan(plan, context, client)
  if (!applied.ok) return applied
  const { failure, replies } = applied.output
  const output = {
    success: failure === undefined,
    dry_run: false,
    environment: replies.get(`env:${wanted.name}`) ?? environment?.is ?? null,
    ...common,
    warnings: [...common.warnings, ...(input.open ? await opened(applied.output.plan.steps, context) : [])],
    plan: applied.output.plan,
  }
  return done({ output, failure })
}

/** Loaded only when it is asked for. */
async function opened(steps: readonly Step[], context: Context): Promise<readonly Warning[]> {
  const { openPages } = await import('./open.ts')
  return await openPages(steps, context)
}

const NOTE = 'the trusted publisher itself is registered on the page of the package index, by hand'

/** Which environment. */
interface Named extends Place {
  readonly name: string
}

function namedIn(input: EnvInput): Answer<Named> {
  const named = placeFrom(input.repo, input.owner, 'owner')
  if (!named.ok) return named
  const { owner, repository } = named.output
  const { environment } = environmentAndIndex(input)
  const names = checkNames({ repository, owner, environment, workflow: input.workflow })
  if (!names.ok) return names
  const { branch: branches, tag: tags, protectedBranches } = input
  const mode = checkMode({ branches, tags, protected_branches: protectedBranches })
  if (!mode.ok) return mode
  const reviewers = checkReviewers(input.reviewer ?? [])
  return reviewers.ok ? done({ owner, repository, name: environment }) : reviewers
}

type Found = Named & { readonly owner: string }

/** The place with its owner; and the client, unless nothing has to be asked. */
async function reach(
  named: Named,
  reads: boolean,
  context: Context,
): Promise<Answer<{ readonly client?: Client; readonly place: Found }>> {
  const { owner } = named
  if (owner !== undefined && !reads) return done({ place: { ...named, owner } })
  const connected = await context.connect()
  if (!connected.ok) return reads ? connected : nameTheOwner(connected.error)
  const client = connected.output
  const login = owner === undefined ? await ownLogin(client) : done(owner)
  return login.ok ? done({ client, place: { ...named, owner: login.output } }) : login
}

/** The host was needed only to look up the owner. */
function nameTheOwner(error: Failure) {
  if (error.kind !== 'no_token') return failed(error)
  const remediation = `with --owner OWNER a dry-run needs no token; otherwise ${error.remediation}`
  return failed({ ...error, remediation })
}

function wantedFrom(input: EnvInput, place: Found, reviewers: readonly Reviewer[]): WantedEnvironment {
  const { branch = [], tag = [], waitMinutes } = input
  return {
    ...place,
    branches: [...new Set(branch)],
    tags: [...new Set(tag)],
    protectedBranches: input.protectedBranches,
    reviewers,
    preventSelfReview: input.preventSelfReview,
    adminsBypass: input.forbidBypass ? false : undefined,
    waitMinutes,
  }
}

interface Present {
  readonly repository: PresentRepository
  readonly environment: PresentEnvironment | undefined
}

const UNREAD: Present = { repository: { state: 'unknown' }, environment: undefined }

/** The host still answers to a repository's old name, but an index accepts no release from it. */
async function readThere(client: Client, wanted: WantedEnvironment): Promise<Answer<Present>> {
  const { owner, repository } = wanted
  const read = await readRepository(client, owner, repository)
  if (!read.ok) return read
  const { formerOf, refusal } = read.output.state === 'absent' ? read.output : {}
  if (formerOf !== undefined)
    return wrong('not_found', `${owner}/${repository} is called ${formerOf} now`, 'use that name')
  if (refusal) {
    const message = `the host has no repository ${owner}/${repository}, or the token may not see it`
    return failed({ ...refusal, message })
  }
  const environment = await readEnvironment(client, wanted)
  return environment.ok ? done({ repository: read.output, environment: environment.output }) : environment
}

function wouldPut({ steps }: Plan, wanted: WantedEnvironment) {
  const put = steps.find(({ id }) => id === `env:${wanted.name}`)
  if (put?.kind !== 'request' && put?.kind !== 'unchanged') return {}
  return { endpoint: environmentEndpoint(wanted), would_put: put.kind === 'request' ? put.body : null }
}
