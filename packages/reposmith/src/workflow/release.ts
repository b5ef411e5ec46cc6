// What a publishing step needs for a trusted release, as far as the files tell.
import { failing, passing, skipped, warning, type Finding } from './finding.ts'
import { commandsOf, type Found, type Publishing } from './publishing.ts'
import type { Start } from './starts.ts'
import { groupOf, words } from './workflow.ts'

/** Findings about the step itself: does it publish with a proof of who it is, from a job that may have one? */
export function releaseFindings(found: Found, file: string): readonly Finding[] {
  const { publishing, unread } = found
  const elsewhere = unread.map(({ job, calls }) =>
    skipped(
      'called',
      `${calls} was not read`,
      'it publishes? An index takes a release only from a job of the workflow that it was told of',
      { file: job.file, line: job.lineOf('uses') },
    ),
  )
  if (publishing.length === 0) return [nothing(found, file), ...elsewhere]
  const places = publishing.map(({ by, step }) => `${by} (${step.file}:${step.line})`)
  return [
    passing('publishes', `${places.join(', ')} ${places.length === 1 ? 'publishes' : 'publish'}`),
    ...environments(publishing),
    ...publishing.flatMap((each) => [...proofOf(each), ...passwordOf(each), ...attestationOf(each)]),
    ...publishing.flatMap(calledFrom),
    ...elsewhere,
  ]
}

function nothing({ workflows }: Found, file: string): Finding {
  const others = workflows.length > 1 ? ', nor in the workflows that it calls' : ''
  const message = `no step in ${file} publishes to an index${others}`
  return failing(
    'publishes',
    message,
    'add a job with pypa/gh-action-pypi-publish, uv publish or npm publish, or name the workflow that has one: --workflow',
    { file, line: 1 },
  )
}

function environments(publishing: readonly Publishing[]): readonly Finding[] {
  const named = [...new Set(publishing.flatMap(({ environment }) => environment ?? []))]
  const isOne = publishing.length === 1
  const place = isOne ? 'the job that publishes runs in the environment' : 'the jobs that publish run in'
  const without = publishing.filter(({ environment }) => environment === undefined)
  return without.length === 0
    ? [passing('environment', `${place} ${named.join(', ')}`)]
    : without.map(({ job }) =>
        failing(
          'environment',
          `the job ${job.name} publishes, and has no environment:`,
          `add environment: NAME to the job ${job.name}, and the same name at the index`,
          { file: job.file, line: job.lineOf() },
        ),
      )
}

function proofOf({ job, within, callers, idToken, step }: Publishing): readonly Finding[] {
  const at = { file: job.file, line: job.lineOf('permissions') }
  if (!idToken) {
    const caller = callers.at(-1)
    const place = caller ? `the jobs ${caller.name} and ${job.name}` : `the job ${job.name}`
    return [
      failing(
        'id-token',
        `the job that publishes lacks id-token: write`,
        `add permissions: with id-token: write to ${place}`,
        at,
      ),
    ]
  }
  const own = groupOf(job.is['permissions'])['id-token'] === 'write'
  const isWide = !own && callers.length === 0
  const others = job.steps.filter((each) => each !== step && each.run !== '' && builds(each.run))
  return [
    passing('id-token', `the job ${job.name} may ask for an identity token`),
    ...(isWide
      ? [
          warning(
            'id-token-scope',
            `every job of ${within.file} may ask for an identity token, not only ${job.name}`,
            `move id-token: write to the job ${job.name}`,
            {
              at: { file: within.file, line: within.lineOf('permissions', 'id-token') },
              rule: 'zizmor: excessive-permissions',
            },
          ),
        ]
      : []),
    ...others
      .slice(0, 1)
      .map((each) =>
        warning(
          'id-token-scope',
          `the job ${job.name}, which may ask for an identity token, also runs ${commandsOf(each.run)[0] ?? 'a command'}`,
          'build in a job of its own, and hand the files over: actions/upload-artifact, actions/download-artifact',
          { at: each, rule: 'scorecard: Token-Permissions' },
        ),
      ),
  ]
}

/** It runs code of others, which could ask for the token as well. */
function builds(script: string): boolean {
  return commandsOf(script).some((line) =>
    /\b(pip|uv|npm|pnpm|yarn|bun|poetry|pdm|hatch|make|tox|nox) +(install|ci|sync|run|build|pip|test)\b|\bpython3? +-m +(build|pip)\b/.test(
      line,
    ),
  )
}

const SECRET_VARIABLES =
  /^(TWINE_PASSWORD|UV_PUBLISH_(TOKEN|PASSWORD)|POETRY_PYPI_TOKEN_\w+|PDM_PUBLISH_PASSWORD|HATCH_INDEX_AUTH|FLIT_PASSWORD|NODE_AUTH_TOKEN|NPM_TOKEN|NPM_CONFIG__AUTH\w*)$/

/** A password, or a token in its place: then nothing is asked for, and nothing proven. */
function passwordOf({ step, job, within, by }: Publishing): readonly Finding[] {
  const tell = (what: string, line: number, file: string): Finding => ({
    ...failing(
      'password',
      `${by} is given ${what}: then it publishes with that, not as a trusted publisher`,
      'remove it, and delete that token at the index',
      { file, line },
    ),
    rule: 'zizmor: use-trusted-publishing',
  })
  const found: Finding[] = ['password', 'token'].flatMap((key) =>
    step.with[key] === undefined ? [] : [tell(key, step.lineOf('with', key), step.file)],
  )
  for (const [env, line, file] of [
    [step.is['env'], (name: string) => step.lineOf('env', name), step.file],
    [job.is['env'], (name: string) => job.lineOf('env', name), job.file],
    [within.is['env'], (name: string) => within.lineOf('env', name), within.file],
  ] as const) {
    for (const [name, value] of Object.entries(groupOf(env)))
      if (SECRET_VARIABLES.test(name) && value !== '' && value !== null)
        found.push(tell(name, line(name), file))
  }
  const [flag] = / (--token|--password|-p|--otp)[ =]/.exec(step.run) ?? []
  if (flag !== undefined) found.push(tell(flag.trim(), step.line, step.file))
  return found
}

function attestationOf({ step, by, registry }: Publishing): readonly Finding[] {
  const warn = (message: string, mend: string, line = step.line): readonly Finding[] => [
    warning('attestation', message, mend, {
      at: { file: step.file, line },
      rule: 'scorecard: Signed-Releases',
    }),
  ]
  const off = (value: unknown): boolean => words(value)[0] === 'false' || value === false
  if (off(step.with['attestations']))
    return warn(`${by} attests nothing`, 'remove attestations: false', step.lineOf('with', 'attestations'))
  if (by === 'twine upload' && !step.run.includes('--attestations'))
    return warn(
      'twine upload attests nothing',
      'use pypa/gh-action-pypi-publish, which does, or --attestations',
    )
  const isOff =
    off(groupOf(step.is['env'])['NPM_CONFIG_PROVENANCE']) ||
    /--(no-provenance|provenance[= ]false)/.test(step.run)
  if (registry === 'npm' && isOff)
    return warn(`${by} attests nothing`, 'let it: a trusted publisher does so by itself')
  return []
}

/** https://docs.pypi.org/trusted-publishers/troubleshooting/: reusable workflows cannot be the publisher. */
function calledFrom({ callers, registry, job, step, workflow }: Publishing): readonly Finding[] {
  const caller = callers[0]
  if (!caller) return []
  const at = { file: caller.file, line: caller.lineOf('uses') }
  const message = `the job ${caller.name} calls ${job.file}, which publishes`
  return registry === 'pypi'
    ? [
        failing(
          'called',
          `${message}: the index refuses a called workflow`,
          `publish in a job of ${workflow.file} itself`,
          at,
        ),
      ]
    : [passing('called', `${message}; the index is told of ${workflow.file} (${step.file}:${step.line})`)]
}

/** Something has to start it. */
export function startFindings(publishing: Publishing, starts: readonly Start[]): readonly Finding[] {
  const { job, workflow } = publishing
  if (starts.length > 0) return []
  return [
    failing('trigger', `nothing starts the job ${job.name}`, `fix its if:, or the on: of ${workflow.file}`, {
      file: job.file,
      line: job.lineOf('if'),
    }),
  ]
}
