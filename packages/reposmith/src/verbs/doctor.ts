// `doctor`: would a trusted release get through? Most refusals at an index come from names that do not match.
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { cannot, done, wrong, type Answer } from '../failure.ts'
import type { Input } from '../table/commands.ts'
import type { Context, Outcome } from './context.ts'
import { readEnvironment, type PresentEnvironment } from './environment.ts'
import { splitName } from './names.ts'
import { readWorkflow, type Release } from './workflow.ts'

export interface Check {
  readonly id: string
  readonly passed: boolean
  /** `info`: it could not be checked, which is no fault. */
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
  if (input.repo !== undefined && !splitName(input.repo))
    return wrong('usage', `--repo ${JSON.stringify(input.repo)} is no repository`, 'write it as owner/name')
  const source = await readFile(join(folder, file), 'utf8').catch((error: NodeJS.ErrnoException) => error)
  if (typeof source !== 'string') {
    const why =
      source.code === 'ENOENT'
        ? `there is no ${file} in ${folder}`
        : `${file} cannot be read: ${source.message}`
    return outcome([failing('workflow', why, 'write it, or name another with --workflow')])
  }
  const release = readWorkflow(source, file)
  if (!release.ok) return outcome([failing('workflow', release.error.message, release.error.remediation)])
  const local = [passing('workflow', `${file} can be read`), ...localChecks(release.output, file)]
  const place = input.repo === undefined ? await originOf(folder, context.host.name) : splitName(input.repo)
  const remote = await remoteChecks(release.output, place, context)
  return remote.ok ? outcome([...local, ...remote.output]) : remote
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

function localChecks({ environment, idToken }: Release, file: string): readonly Check[] {
  return [
    environment === undefined
      ? failing(
          'environment',
          `no job in ${file} has an environment:`,
          'add environment: NAME to the job that publishes',
        )
      : passing('environment', `the job that publishes runs in the environment ${environment}`),
    idToken
      ? passing('id-token', 'the job may ask for an identity token')
      : failing(
          'id-token',
          'the job that publishes lacks id-token: write',
          'add permissions: with id-token: write to that job',
        ),
  ]
}

type Place = { readonly owner: string; readonly name: string } | undefined

async function remoteChecks(
  release: Release,
  place: Place,
  context: Context,
): Promise<Answer<readonly Check[]>> {
  const { environment } = release
  if (environment === undefined) return done([])
  if (!place)
    return done([skipped('policy', 'which repository this is, is not known', 'name it with --repo')])
  if (!context.host.can.environments)
    return done([skipped('policy', `${context.host.name} has no environments`, '')])
  const connected = await context.connect()
  if (!connected.ok && connected.error.kind === 'no_token')
    return done([skipped('policy', 'the host was not asked: there is no token', connected.error.remediation)])
  if (!connected.ok) return connected
  const where = { owner: place.owner, repository: place.name, name: environment }
  const present = await readEnvironment(connected.output, where)
  if (!present.ok) return present
  if (!present.output) {
    const command = `reposmith repo env ${place.owner}/${place.name} --name ${environment}`
    return done([
      failing('host-environment', `the host has no environment ${environment}`, `make it: ${command}`),
    ])
  }
  return done([
    passing('host-environment', `the host has the environment ${environment}`),
    policyCheck(release, present.output, environment),
  ])
}

/** Each ref that starts the workflow must pass the policy of the environment. */
function policyCheck({ branches, tags }: Release, { is, policies }: PresentEnvironment, name: string): Check {
  const mode = is.deployment_branch_policy
  if (!mode) return passing('policy', `every branch and tag may release to ${name}`)
  if (mode.protected_branches) {
    return tags.length
      ? failing(
          'policy',
          `${name} takes protected branches alone, and a tag starts the release`,
          `let tags release: reposmith repo env … --name ${name} --tag '*' --reset`,
        )
      : passing('policy', `protected branches may release to ${name}`)
  }
  const refused = [
    ...branches.filter((branch) => !covers(policies, 'branch', branch)).map((each) => `--branch '${each}'`),
    ...tags.filter((tag) => !covers(policies, 'tag', tag)).map((each) => `--tag '${each}'`),
  ]
  return refused.length
    ? failing(
        'policy',
        `${name} lets no release through from ${refused.join(' ')}`,
        `add it: reposmith repo env … --name ${name} ${refused.join(' ')}`,
      )
    : passing('policy', `${name} lets the release through`)
}

/** A pattern of the policy that takes all that the pattern of the trigger can be; `v*` takes `v*` and `v1`. */
function covers(policies: PresentEnvironment['policies'], type: 'branch' | 'tag', ref: string): boolean {
  return policies.some(
    (policy) => policy.type === type && (policy.name === ref || pattern(policy.name).test(ref)),
  )
}

/** `*` stays within one level of a name. */
function pattern(glob: string): RegExp {
  const parts = glob.split(/(\*\*?|\?)/).map((part) => {
    if (part === '**') return '.*'
    if (part === '*') return '[^/]*'
    return part === '?' ? '[^/]' : RegExp.escape(part)
  })
  return new RegExp(`^${parts.join('')}$`)
}

/** From the folder's own git settings; undefined where there are none, or where they name another host than the one we ask. */
async function originOf(folder: string, host: string): Promise<Place> {
  const config = await readFile(join(folder, '.git', 'config'), 'utf8').catch(() => '')
  const url = /\[remote "origin"\][^[]*?^\s*url\s*=\s*(\S+)/m.exec(config)?.[1]
  // The host of `git@work:octo/widget.git` may be a name of ssh's own.
  const page = /^https?:/.test(url ?? '') ? URL.parse(url ?? '') : null
  if (page && page.host !== host) return undefined
  const [, owner = '', name = ''] = /[/:]([^/:]+)\/([^/]+?)(?:\.git)?\/?$/.exec(url ?? '') ?? []
  return splitName(`${owner}/${name}`)
}

function passing(id: string, message: string): Check {
  return { id, passed: true, severity: 'error', message, remediation: '' }
}

function failing(id: string, message: string, remediation: string): Check {
  return { id, passed: false, severity: 'error', message, remediation }
}

function skipped(id: string, message: string, remediation: string): Check {
  return { id, passed: false, severity: 'info', message, remediation }
}
