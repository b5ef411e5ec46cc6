// `doctor`: would a trusted release succeed? Most refusals by an index come from names that do not match.
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { cannot, done, wrong, type Answer } from '../failure.ts'
import { quote } from '../plan/text.ts'
import type { Input } from '../table/commands.ts'
import type { Context, Outcome } from './context.ts'
import { readEnvironment, type PresentEnvironment } from '../resources/environment.ts'
import { checkNames, splitName, type FullName } from '../resources/names.ts'
import { originOf } from '../resources/origin.ts'
import { asPolicy, covers, isAny, type Ref } from '../resources/refs.ts'
import { readRepository } from '../resources/repository.ts'
import { readWorkflow, type Release } from '../resources/workflow.ts'

export interface Check {
  readonly id: string
  readonly passed: boolean
  /** `info`: it could not be checked, which is not a failure. */
  readonly severity: 'error' | 'info'
  readonly message: string
  readonly remediation: string
}

export interface Diagnosis {
  readonly healthy: boolean
  readonly checks: readonly Check[]
}

export async function doctor(input: Input<'doctor'>, context: Context): Promise<Answer<Outcome<Diagnosis>>> {
  const folder = resolve(context.cwd, input.path ?? '.')
  const file = `.github/workflows/${input.workflow}`
  const named = input.repo === undefined ? undefined : splitName(input.repo)
  if (input.repo !== undefined && !named)
    return wrong(
      'usage',
      `--repo ${JSON.stringify(input.repo)} is not a repository`,
      'write it as owner/name, without .git',
    )
  const checked = checkNames({ workflow: input.workflow })
  if (!checked.ok) return checked
  const read = await readReleases(folder, file)
  if (!read.ok) return outcome([failing('workflow', read.error.message, read.error.remediation)])
  const releases = read.output
  const local = [passing('workflow', `${file} can be read`), ...localChecks(releases, file)]
  const place = named ?? (await originOf(folder, context.host.name))
  const remote = await remoteChecks(releases, place, { ...context, workflow: input.workflow })
  if (remote.ok) return outcome([...local, ...remote.output])
  // The local checks are valid, whatever the host answers.
  const { error } = remote
  const checks = [...local, failing('host', error.message, error.remediation)]
  return done({ output: { healthy: false, checks }, failure: error })
}

async function readReleases(folder: string, file: string): Promise<Answer<readonly Release[]>> {
  const source = await readFile(join(folder, file), 'utf8').catch((error: NodeJS.ErrnoException) => error)
  if (typeof source === 'string') return readWorkflow(source, file)
  const why =
    source.code === 'ENOENT'
      ? `there is no ${file} in ${folder}`
      : `${file} cannot be read: ${source.message}`
  return cannot('setup', why, 'create it, or name another with --workflow')
}

function outcome(checks: readonly Check[]): Answer<Outcome<Diagnosis>> {
  const failed = checks.filter(({ passed, severity }) => !passed && severity === 'error')
  const output = { healthy: failed.length === 0, checks }
  const [first] = failed
  if (!first) return done({ output })
  const { error } = cannot(
    'setup',
    `a trusted release would not get through: ${first.message}`,
    first.remediation,
  )
  return done({ output, failure: error })
}

function localChecks(releases: readonly Release[], file: string): readonly Check[] {
  const names = releases.flatMap(({ environment }) => environment ?? [])
  const isOne = releases.length === 1
  const place = isOne ? 'the job that publishes runs in the environment' : 'the jobs that publish run in'
  return [
    names.length === 0 ? nowhere(releases, file) : passing('environment', `${place} ${names.join(', ')}`),
    releases.every(({ idToken }) => idToken)
      ? passing('id-token', `${isOne ? 'the job' : 'each'} may ask for an identity token`)
      : failing(
          'id-token',
          'the job that publishes lacks id-token: write',
          'add permissions: with id-token: write to that job',
        ),
    ...releases
      .filter(({ job, branches, tags }) => job !== '' && branches.length + tags.length === 0)
      .map(({ job }) =>
        failing('trigger', `nothing starts the job ${job}`, `fix its if:, or the on: of ${file}`),
      ),
  ]
}

function nowhere(releases: readonly Release[], file: string): Check {
  const caller = releases.find(({ calls }) => calls !== undefined)
  if (!caller)
    return failing(
      'environment',
      `no job in ${file} has an environment:`,
      'add environment: NAME to the job that publishes',
    )
  const [, called] = /^\.\/\.github\/workflows\/(.+)$/.exec(caller.calls ?? '') ?? []
  const there = called === undefined ? '' : `, or check the called one: --workflow ${quote(called)}`
  return failing(
    'environment',
    `no job in ${file} has an environment: the job ${caller.job} calls another workflow`,
    `publish in a job of ${file} itself, as an index may refuse a called workflow${there}`,
  )
}

async function remoteChecks(
  releases: readonly Release[],
  place: FullName | undefined,
  context: Context & Pick<Input<'doctor'>, 'workflow'>,
): Promise<Answer<readonly Check[]>> {
  const named = releases.filter((release): release is Named => release.environment !== undefined)
  const checks: Check[] = named.flatMap(({ environment }) => unaskable(environment) ?? [])
  const askable = named.filter(({ environment }) => !unaskable(environment))
  if (askable.length === 0) return done(checks)
  const skip = (id: string, message: string, remediation?: string): Answer<readonly Check[]> =>
    done([...checks, skipped(id, message, remediation)])
  if (!place) return skip('repository', 'cannot tell which repository this is', 'name it with --repo')
  if (!context.host.can.environments)
    return skip('host-environment', `${context.host.name} has no environments`)
  const connected = await context.connect()
  if (!connected.ok && connected.error.kind === 'no_token')
    return skip('host', `the host was not asked: ${connected.error.message}`, connected.error.remediation)
  if (!connected.ok) return connected
  const { owner, name } = place
  const repository = await readRepository(connected.output, owner, name)
  if (!repository.ok) return repository
  if (repository.output.state === 'absent')
    return done([...checks, strayed(place, repository.output.formerOf)])
  for (const release of askable) {
    const where = { owner, repository: name, name: release.environment }
    const present = await readEnvironment(connected.output, where)
    if (!present.ok) return present
    // It also prints the fields to enter at the index, of which the workflow is one.
    const workflow = `--workflow ${quote(context.workflow)}`
    const command = `reposmith repo env ${owner}/${name} ${workflow} --name ${quote(release.environment)}${context.hostFlags}`
    // With several jobs, each has checks of its own.
    const suffix = releases.length === 1 ? '' : `:${release.job}`
    const found = environmentChecks(release, present.output, command)
    checks.push(...found.map((each) => ({ ...each, id: each.id + suffix })))
  }
  return done(checks)
}

interface Named extends Release {
  readonly environment: string
}

/** Why the host cannot be asked for it, if it cannot. */
function unaskable(environment: string): Check | undefined {
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
function strayed({ owner, name }: FullName, formerOf: string | undefined): Check {
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

function environmentChecks(
  release: Named,
  present: PresentEnvironment | undefined,
  command: string,
): readonly Check[] {
  const { environment } = release
  if (!present)
    return [
      failing('host-environment', `the host has no environment ${environment}`, `create it: ${command}`),
    ]
  return [
    passing('host-environment', `the host has the environment ${environment}`),
    policyCheck(release, present, command),
  ]
}

/** Every ref that starts the workflow must pass the environment's policy. */
function policyCheck(
  { environment: name, branches, tags }: Named,
  { is, policies }: PresentEnvironment,
  command: string,
): Check {
  const mode = is.deployment_branch_policy
  if (!mode) return passing('policy', `every branch and tag may release to ${name}`)
  const refs: readonly Ref[] = [
    ...branches.map((each) => ({ type: 'branch', name: asPolicy(each) }) as const),
    ...tags.map((each) => ({ type: 'tag', name: asPolicy(each) }) as const),
  ]
  const isLet = (ref: Ref): boolean =>
    mode.protected_branches ? ref.type === 'branch' : policies.some((policy) => covers(policy, ref))
  // Where any ref starts the job, the policy does the choosing: it is enough that branches or tags get through.
  const mayAny = refs.some((ref) => isAny(ref) && isLet(ref))
  const refused = refs.filter((ref) => !isLet(ref) && !(isAny(ref) && mayAny))
  if (refused.length === 0) return passing('policy', `${name} lets the release through`)
  // --reset ends what protected branches may, so that they have to be named too.
  const missing = mode.protected_branches ? refs : refused
  const flags = missing.map((ref) => `--${ref.type} ${quote(ref.name)}`).join(' ')
  return mode.protected_branches
    ? failing(
        'policy',
        `${name} accepts only protected branches, but a tag starts the release`,
        `let tags release, and name the reviewers and --wait-minutes that are to stay: ${command} ${flags} --reset`,
      )
    : failing('policy', `${name} lets no release through from ${flags}`, `add it: ${command} ${flags}`)
}

function passing(id: string, message: string): Check {
  return { id, passed: true, severity: 'error', message, remediation: '' }
}

function failing(id: string, message: string, remediation: string): Check {
  return { id, passed: false, severity: 'error', message, remediation }
}

/** Only what the host has to say is ever skipped. */
function skipped(id: string, message: string, remediation = ''): Check {
  return { id, passed: false, severity: 'info', message, remediation }
}
