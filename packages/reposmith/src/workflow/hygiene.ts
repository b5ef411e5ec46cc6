// What makes any workflow safer: pins, credentials, permissions. The rules have the names that zizmor and Scorecard gave them.
import { passing, warning, type Finding } from './finding.ts'
import { groupOf, type Job, type Step, type Workflow } from './workflow.ts'

/** One finding for each spot; a rule that nothing breaks is one that passes. */
export function hygieneFindings(workflows: readonly Workflow[]): readonly Finding[] {
  return RULES.flatMap(({ id, well, look }) => {
    const found = workflows.flatMap(look)
    return found.length > 0 ? found : [passing(id, well)]
  })
}

interface Rule {
  readonly id: string
  readonly well: string
  readonly look: (workflow: Workflow) => readonly Finding[]
}

const RULES: readonly Rule[] = [
  { id: 'pin', well: 'every action is pinned by its hash', look: unpinned },
  { id: 'kept-credentials', well: 'no checkout keeps its credentials', look: keptCredentials },
  { id: 'permissions', well: 'every workflow says what its token may', look: wideTokens },
  {
    id: 'dangerous-trigger',
    well: 'no workflow runs code of others with a token of its own',
    look: dangerous,
  },
  { id: 'injection', well: 'no script has text of others in it', look: injected },
]

function unpinned({ jobs }: Workflow): readonly Finding[] {
  const used = jobs.flatMap((job) => [
    ...job.steps.flatMap(({ uses, file, line }) => (uses ? [{ uses, file, line }] : [])),
    ...(job.calls === undefined ? [] : [{ uses: job.calls, file: job.file, line: job.lineOf('uses') }]),
  ])
  return used.flatMap(({ uses, file, line }) =>
    isPinned(uses)
      ? []
      : [
          warning('pin', `${uses} is whatever that name means on the day of the release`, pinOf(uses), {
            at: { file, line },
            rule: 'zizmor: unpinned-uses; scorecard: Pinned-Dependencies',
          }),
        ],
  )
}

function isPinned(uses: string): boolean {
  return (
    uses.startsWith('./') || /@([\da-f]{40}|[\da-f]{64})$/.test(uses) || /@sha256:[\da-f]{64}$/.test(uses)
  )
}

function pinOf(uses: string): string {
  const [name, ref] = uses.split('@')
  return `write the hash of the commit: ${name}@HASH # ${ref ?? 'its version'}`
}

/** actions/checkout leaves the token in .git/config, for every later step and for what is uploaded. */
function keptCredentials({ jobs }: Workflow): readonly Finding[] {
  const kept = ({ uses, with: given }: Step): boolean =>
    /^actions\/checkout(@|$)/i.test(uses) && String(given['persist-credentials']) !== 'false'
  return jobs
    .flatMap(({ steps }) => steps.filter(kept))
    .map((step) =>
      warning(
        'kept-credentials',
        'checkout keeps its credentials in the folder',
        'add with: {persist-credentials: false}',
        {
          at: step,
          rule: 'zizmor: artipacked',
        },
      ),
    )
}

function wideTokens({ is, file, jobs, lineOf }: Workflow): readonly Finding[] {
  const rule = 'zizmor: excessive-permissions; scorecard: Token-Permissions'
  const { permissions } = is
  const silent = jobs.filter((job) => job.is['permissions'] === undefined)
  if (permissions === undefined && silent.length > 0)
    return silent
      .slice(0, 1)
      .map((job) =>
        warning(
          'permissions',
          `${file} does not say what its token may: then it may what the repository's default is`,
          'add permissions: {contents: read} at its top',
          { at: { file, line: job.lineOf() }, rule },
        ),
      )
  const wide = (given: unknown, line: number, who: string): readonly Finding[] =>
    given === 'write-all'
      ? [
          warning('permissions', `the token of ${who} may write everything`, 'name what it needs', {
            at: { file, line },
            rule,
          }),
        ]
      : []
  const written = Object.entries(groupOf(permissions)).filter(
    ([key, may]) => may === 'write' && key !== 'id-token',
  )
  return [
    ...wide(permissions, lineOf('permissions'), file),
    ...written.map(([key]) =>
      warning(
        'permissions',
        `every job of ${file} may write ${key}`,
        `move ${key}: write to the job that needs it`,
        {
          at: { file, line: lineOf('permissions', key) },
          rule,
        },
      ),
    ),
    ...jobs.flatMap((job) => wide(job.is['permissions'], job.lineOf('permissions'), `the job ${job.name}`)),
  ]
}

function dangerous({ events, file, lineOf }: Workflow): readonly Finding[] {
  return ['pull_request_target', 'workflow_run']
    .filter((event) => Object.hasOwn(events, event))
    .map((event) =>
      warning(
        'dangerous-trigger',
        `${event} gives a run that others can start a token and the secrets`,
        'use pull_request',
        {
          at: { file, line: lineOf('on', event) },
          rule: 'zizmor: dangerous-triggers; scorecard: Dangerous-Workflow',
        },
      ),
    )
}

/** Text that somebody else wrote, put into a script before a shell reads it. */
const FOREIGN =
  /\$\{\{[^}]*\b(github\.(event\.(?!number|after|before)|head_ref|ref_name|ref\b|base_ref)|inputs\.|needs\.\w+\.outputs)/

function injected({ jobs }: Workflow): readonly Finding[] {
  const isOpen = ({ run, uses, with: given }: Step): boolean =>
    FOREIGN.test(run) || (uses.startsWith('actions/github-script@') && FOREIGN.test(String(given['script'])))
  return jobs
    .flatMap(({ steps }: Job) => steps.filter(isOpen))
    .map((step) =>
      warning(
        'injection',
        'the script has ${{ … }} with text of others in it',
        'pass it by env:, and use "$NAME"',
        {
          at: { file: step.file, line: step.line },
          rule: 'zizmor: template-injection; scorecard: Dangerous-Workflow',
        },
      ),
    )
}
