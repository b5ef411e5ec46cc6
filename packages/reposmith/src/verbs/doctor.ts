// `doctor`: would a trusted release succeed? It finds the step that publishes, and follows its job to the host.
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { cannot, done, wrong, type Answer, type Failure } from '../failure.ts'
import type { Client } from '../host/client.ts'
import type { Host } from '../host/host.ts'
import { path } from '../host/path.ts'
import { readManifest } from '../manifest.ts'
import { makePlan } from '../plan/plan.ts'
import { quote } from '../plan/text.ts'
import type { EditStep, Plan, Step } from '../plan/step.ts'
import { readCalled } from '../resources/called.ts'
import { readEnvironment } from '../resources/environment.ts'
import { checkNames, splitName, type FullName } from '../resources/names.ts'
import { originOf } from '../resources/origin.ts'
import { environmentAndIndex } from '../resources/publisher.ts'
import { hashOf } from '../resources/pins.ts'
import {
  actionsFindings,
  environmentFindings,
  type Found as Mended,
  type Permissions,
  type Selected,
} from '../resources/releasing.ts'
import { readRepository } from '../resources/repository.ts'
import type { Input } from '../table/commands.ts'
import { failing, passing, skipped, type Finding } from '../workflow/finding.ts'
import { hygieneFindings } from '../workflow/hygiene.ts'
import {
  npmPackage,
  publisherFindings,
  pythonPackage,
  type NamedPackage,
  type Told,
} from '../workflow/package.ts'
import { findPublishing, type Called, type Found, type Publishing } from '../workflow/publishing.ts'
import { releaseFindings, startFindings } from '../workflow/release.ts'
import type { Ref } from '../workflow/pattern.ts'
import { conditionsOf, startsOf, type Start } from '../workflow/starts.ts'
import { readWorkflow, type Workflow } from '../workflow/workflow.ts'
import { applyPlan } from './apply.ts'
import type { Context, Outcome } from './context.ts'
import { editsFor, rewrite } from './edits.ts'

export type Check = Finding

export interface Diagnosis {
  readonly healthy: boolean
  readonly checks: readonly Check[]
  /** With --fix: what can be mended, as a plan. */
  readonly plan?: Plan
  readonly dry_run?: boolean
}

const FOLDER = '.github/workflows'

type DoctorInput = Input<'doctor'>

export async function doctor(input: DoctorInput, context: Context): Promise<Answer<Outcome<Diagnosis>>> {
  if (context.apply && !input.fix) return wrong('usage', '--apply is for --fix', 'leave it out, or add --fix')
  const named = input.repo === undefined ? undefined : splitName(input.repo)
  if (input.repo !== undefined && !named)
    return wrong(
      'usage',
      `--repo ${JSON.stringify(input.repo)} is not a repository`,
      'write it as owner/name, without .git',
    )
  const checked = checkNames({ workflow: input.workflow })
  if (!checked.ok) return checked
  const folder = resolve(context.cwd, input.path ?? '.')
  const place = named ?? (await originOf(folder, context.host.name))
  const examined = await examine({ ...input, folder, place }, context)
  if (!input.fix) return outcome(examined)
  const connected = examined.failure ? undefined : await context.connect()
  const { edits, texts } = await editsFor(folder, examined.checks, async (uses) =>
    connected?.ok ? await hashOf(connected.output, uses) : undefined,
  )
  const target = place ? `${place.owner}/${place.name}` : folder
  const plan = makePlan({ host: context.host.api, target, state: 'read' }, [...examined.steps, ...edits])
  if (!context.apply) return outcome({ ...examined, plan, dry_run: true })
  const edit = async ({ file }: EditStep): Promise<Answer<unknown>> =>
    await rewrite(folder, file, texts.get(file) ?? '')
  const applied = await applyPlan(plan, { ...context, edit }, examined.client)
  if (!applied.ok) return applied
  const { failure, plan: after } = applied.output
  const left = await examine({ ...input, folder, place }, context)
  const { output, failure: unwell } = judged({ ...left, plan: after, dry_run: false })
  return done({ output, failure: failure ?? unwell })
}

interface Examined {
  readonly checks: readonly Check[]
  /** What would mend the host. */
  readonly steps: readonly Step[]
  readonly client?: Client | undefined
  /** The host could not be asked. The other checks are valid all the same. */
  readonly failure?: Failure
  readonly plan?: Plan
  readonly dry_run?: boolean
}

interface Patient extends DoctorInput {
  readonly folder: string
  readonly place: FullName | undefined
}

async function examine(patient: Patient, context: Context): Promise<Examined> {
  const { folder, workflow: name } = patient
  const file = `${FOLDER}/${name}`
  const read = async ({ file: each, from }: Called): Promise<Answer<Workflow>> => {
    if (!from) return await workflowAt(folder, each)
    const connected = await context.connect()
    return connected.ok ? await readCalled(connected.output, each, from) : connected
  }
  const workflow = await workflowAt(folder, file)
  if (!workflow.ok) {
    const { message, remediation } = workflow.error
    return { checks: [failing('workflow', message, remediation)], steps: [] }
  }
  const found = await findPublishing(workflow.output, read)
  const local = [
    passing('workflow', `${file} can be read`),
    ...releaseFindings(found, file),
    ...found.publishing.flatMap((each) => startFindings(each, startsFor(each, 'main', []))),
    ...publisherFindings(found.publishing, await packagesIn(folder), await toldOf(patient)),
    ...hygieneFindings(await allWorkflows(folder, found)),
  ]
  const remote = await remoteChecks(found, patient, context)
  if (remote.ok) {
    const { findings, steps, client } = remote.output
    return { checks: [...local, ...findings], steps, client }
  }
  const { error } = remote
  return { checks: [...local, failing('host', error.message, error.remediation)], steps: [], failure: error }
}

async function workflowAt(folder: string, file: string): Promise<Answer<Workflow>> {
  const source = await readFile(join(folder, file), 'utf8').catch((error: NodeJS.ErrnoException) => error)
  if (typeof source === 'string') return readWorkflow(source, file)
  const why =
    source.code === 'ENOENT'
      ? `there is no ${file} in ${folder}`
      : `${file} cannot be read: ${source.message}`
  return cannot('setup', why, 'create it, or name another with --workflow')
}

/** Those that publish, and the others of the folder. What is another repository's is mended there. */
async function allWorkflows(folder: string, { workflows }: Found): Promise<readonly Workflow[]> {
  const names = await readdir(join(folder, FOLDER)).catch(() => [])
  const files = names.filter((name) => /\.ya?ml$/.test(name)).map((name) => `${FOLDER}/${name}`)
  const own = workflows.filter(({ file }) => file.startsWith(FOLDER))
  const rest = files.filter((file) => workflows.every((each) => each.file !== file)).toSorted()
  const read = await Promise.all(rest.map(async (file) => await workflowAt(folder, file)))
  return [
    ...new Map(
      [...own, ...read.flatMap((each) => (each.ok ? each.output : []))].map((each) => [each.file, each]),
    ).values(),
  ]
}

async function packagesIn(folder: string): Promise<readonly NamedPackage[]> {
  const [toml, json] = await Promise.all(
    ['pyproject.toml', 'package.json'].map(
      async (name) => await readFile(join(folder, name), 'utf8').catch(() => ''),
    ),
  )
  return [pythonPackage(toml ?? ''), npmPackage(json ?? '')].filter((each) => each !== undefined)
}

/** What the index is told: by --project, by repo.yaml, or else what `repo env` would fill in. */
async function toldOf({ folder, place, project, workflow }: Patient): Promise<readonly Told[]> {
  const manifest = await readManifest('repo.yaml', { cwd: folder })
  const { environments = [], repository } = manifest.ok ? manifest.output : {}
  const told = environments.map((each) => ({
    environment: environmentAndIndex(each).environment,
    project: project ?? each.project ?? repository?.name ?? '',
    workflow: each.workflow,
    from: each.project === undefined && project !== undefined ? '--project' : 'repo.yaml',
  }))
  if (told.length > 0) return told
  const name = project ?? place?.name
  return name === undefined
    ? []
    : [
        {
          environment: undefined,
          project: name,
          workflow,
          from: project === undefined ? undefined : '--project',
        },
      ]
}

function startsFor(
  { workflow, within, job, callers }: Publishing,
  defaultBranch: string,
  tried: readonly Ref[],
): readonly Start[] {
  const conditions = [
    ...callers.flatMap((caller) => conditionsOf(caller, workflow.jobs)),
    ...conditionsOf(job, within.jobs),
  ]
  return startsOf(workflow.events, conditions, { defaultBranch, tried })
}

interface Asked {
  readonly findings: readonly Finding[]
  readonly steps: readonly Step[]
  readonly client?: Client
}

async function remoteChecks(found: Found, patient: Patient, context: Context): Promise<Answer<Asked>> {
  const { place } = patient
  const { host } = context
  const named = found.publishing.flatMap((each) =>
    each.environment === undefined ? [] : [{ ...each, environment: each.environment }],
  )
  const odd = named.flatMap(({ environment }) => unaskable(environment) ?? [])
  const askable = named.filter(({ environment }) => !unaskable(environment))
  if (found.publishing.length === 0) return done({ findings: [], steps: [] })
  const skip = (id: string, message: string, remediation?: string): Answer<Asked> =>
    done({ findings: [...odd, skipped(id, message, remediation)], steps: [] })
  if (!place) return skip('repository', 'cannot tell which repository this is', 'name it with --repo')
  if (!host.can.environments) return skip('host-environment', `${host.name} has no environments`)
  const connected = await context.connect()
  if (!connected.ok && connected.error.kind === 'no_token')
    return skip('host', `the host was not asked: ${connected.error.message}`, connected.error.remediation)
  if (!connected.ok) return connected
  const client = connected.output
  const repository = await readRepository(client, place.owner, place.name)
  if (!repository.ok) return repository
  if (repository.output.state !== 'there') {
    const former = repository.output.state === 'absent' ? repository.output.formerOf : undefined
    return done({ findings: [...odd, strayed(place, former)], steps: [], client })
  }
  const { default_branch: defaultBranch = 'main' } = repository.output.is
  const findings: Finding[] = [...odd]
  const steps: Step[] = []
  const actions = await actionsOf(client, place, found, host)
  if (!actions.ok) return actions
  findings.push(...actions.output.findings)
  steps.push(...actions.output.steps)
  for (const publishing of askable) {
    const { environment: name, job } = publishing
    const present = await readEnvironment(client, { owner: place.owner, repository: place.name, name })
    if (!present.ok) return present
    // It also prints the fields to enter at the index, of which the workflow is one.
    const workflow = `--workflow ${quote(patient.workflow)}`
    const command = `reposmith repo env ${place.owner}/${place.name} ${workflow} --name ${quote(name)}${context.hostFlags}`
    const starts = startsFor(publishing, defaultBranch, present.output?.policies ?? [])
    const asked = { place, name, publishing, starts, defaultBranch, command }
    const about = environmentFindings(asked, present.output, host)
    // With several jobs, each has checks of its own.
    const suffix = found.publishing.length === 1 ? '' : `:${job.name}`
    findings.push(...about.findings.map((each) => ({ ...each, id: each.id + suffix })))
    steps.push(...about.steps.filter(({ id }) => steps.every((each) => each.id !== id)))
  }
  return done({ findings, steps, client })
}

async function actionsOf(
  client: Client,
  place: FullName,
  { workflows }: Found,
  host: Host,
): Promise<Answer<Mended>> {
  if (!host.can.actionsPermissions) return done({ findings: [], steps: [] })
  const base = path('repos', place.owner, place.name, 'actions', 'permissions')
  const is = await client.read(base)
  // Who may not administer the repository may not see it.
  if (!is.ok && is.error.code !== 3) return is
  const known = is.ok ? (is.output as Permissions | undefined) : undefined
  const asks = known?.allowed_actions === 'selected'
  const selected = asks ? await client.read(`${base}/selected-actions`) : done(undefined)
  if (!selected.ok) return selected
  const uses = workflows.flatMap(({ jobs }) =>
    jobs.flatMap((job) => [...job.steps.map((step) => step.uses), job.calls ?? '']),
  )
  return done(
    actionsFindings(
      uses.filter((each) => each !== ''),
      known,
      selected.output as Selected | undefined,
      place,
    ),
  )
}

/** Why the host cannot be asked for it, if it cannot. */
function unaskable(environment: string): Finding | undefined {
  if (environment.includes('${{'))
    return skipped(
      'host-environment',
      `which environment ${environment} means is known only when the workflow runs`,
    )
  const checked = checkNames({ environment })
  return checked.ok
    ? undefined
    : failing('host-environment', checked.error.message, checked.error.remediation)
}

/** The host still answers to a repository's old name, but an index accepts no release from it. */
function strayed({ owner, name }: FullName, formerOf: string | undefined): Finding {
  return formerOf === undefined
    ? failing(
        'repository',
        `the host has no repository ${owner}/${name}, or the token may not see it`,
        'name it with --repo, or create it: reposmith repo create',
      )
    : failing(
        'repository',
        `${owner}/${name} is called ${formerOf} now`,
        `use that name, at the index too: --repo ${formerOf}, or: git remote set-url origin`,
      )
}

function outcome(examined: Examined): Answer<Outcome<Diagnosis>> {
  return done(judged(examined))
}

function judged({ checks, plan, dry_run, failure }: Examined): Outcome<Diagnosis> {
  const [first] = checks.filter(({ passed, severity }) => !passed && severity === 'error')
  const output = { healthy: first === undefined, checks, ...(plan ? { plan, dry_run } : {}) }
  if (!first || failure) return { output, failure }
  const { error } = cannot(
    'setup',
    `a trusted release would not get through: ${first.message}`,
    first.remediation,
  )
  return { output, failure: error }
}
