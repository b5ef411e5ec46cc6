// What `--json` prints, key by key, for `explain` and `--help --json`. The compiler checks that no key is missing.
import type { Bootstrapped } from '../verbs/prepared.ts'
import type { Created } from '../verbs/create.ts'
import type { Diagnosis } from '../verbs/doctor.ts'
import type { Imported } from '../verbs/import.ts'
import type { Many } from '../verbs/many.ts'
import type { Drifted } from '../verbs/drift.ts'
import type { EnvironmentSet } from '../verbs/env.ts'
import type { Scaffolded } from '../verbs/scaffolded.ts'

type Keys<Output> = Readonly<Record<keyof Output, string>>

const planned = {
  success: 'true, or false if a step failed',
  dry_run: 'true without --apply',
  plan: 'each step, and with --apply its outcome: `reposmith explain plan`',
}
const warnings = 'what differs and is left alone, each with `code` and `message`'
const repoUrl = 'where people see it; null if that is not known'

const many = {
  results: 'one object for each file: its `file`, what is said here of one, and `error` if it failed',
  requests: 'how many requests were sent',
  rate: 'how many the host allows for now: `remaining`, and when that is `reset`',
}
const forMany = Object.fromEntries(
  Object.entries(many).map(([key, what]) => [key, `of many manifests: ${what}`]),
)

const printed: {
  readonly 'repo create': Keys<Created>
  readonly 'repo scaffold': Keys<Scaffolded>
  readonly 'repo env': Keys<EnvironmentSet>
  readonly 'repo bootstrap': Keys<Bootstrapped>
  readonly 'repo apply': Keys<Many<Bootstrapped>>
  readonly 'repo drift': Keys<Drifted>
  readonly 'repo import': Keys<Imported>
  readonly doctor: Keys<Diagnosis>
} = {
  'repo create': {
    ...planned,
    endpoint: 'dry-run: the path of the request that creates it',
    would_post: 'dry-run: the body of that request; null if it exists already',
    created: "--apply: the host's answer, if it was created",
    already_existed: 'true if it was there before; else it is left out',
    repo: "the repository that was there, in the host's words",
    repo_url: 'its address, once it is known to be there',
    actions_permissions_set: '--apply: true once its Actions permissions are as asked for',
    warnings,
  },
  'repo scaffold': {
    ...planned,
    would_run: 'dry-run: the command of the tool, as a list of words',
    scaffold_report:
      '--apply: `out`, `written_count`, the files `written`, `kept` and `unchanged`, and `output` of the tool; null if it failed',
    note: 'what to know, in words',
    overwrite: 'true with --overwrite',
    preview: '--preview: each `file`, with `state` new, changed or same',
    warnings: `${warnings}, if there are any`,
  },
  'repo env': {
    ...planned,
    endpoint: 'dry-run: the method and the path of the request that sets it',
    would_put: 'dry-run: the body of that request; null if it is as wanted already',
    environment: "--apply: the host's answer",
    environment_url: 'where people see it',
    branch_policies: 'branches that may release to it',
    tag_policies: 'tags that may',
    note: 'what to know, in words',
    publisher:
      'what to enter at the index: `index`, `project`, `owner`, `repository`, `workflow`, `environment`',
    warnings,
  },
  'repo bootstrap': { ...planned, repo_url: repoUrl, warnings, ...forMany },
  'repo apply': { ...many, success: planned.success },
  'repo drift': {
    success: 'true: it could be read',
    in_sync: 'true if nothing differs',
    target: 'owner/name',
    drift: 'each difference, with `at`, `from` (the host) and `to` (the manifest)',
    remediation: 'the command that repairs it, if one does',
    warnings: 'what else there is to know, if there is anything',
    ...forMany,
  },
  'repo import': {
    success: 'true',
    target: 'owner/name',
    manifest: 'the manifest, as data',
    yaml: 'the same as YAML, which is all that it prints without --json',
    warnings: 'what a manifest cannot say',
  },
  doctor: {
    healthy: 'true if no check with severity error failed',
    checks:
      'each check, with `id`, `passed`, `severity` (error; warning if a release gets through, but less safely; info if it could not be made), `message`, `remediation`, `place` (file:line, or null) and `rule`, what zizmor or Scorecard call it',
    dry_run: '--fix: true without --apply',
    plan: '--fix: what mends it, and with --apply the outcome: `reposmith explain plan`',
  },
}

/** Undefined for commands that print a page or a script, and for `whoami`, which prints the host's own answer. */
export function printedBy(command: string): Readonly<Record<string, string>> | undefined {
  const all: Readonly<Record<string, Readonly<Record<string, string>>>> = printed
  return all[command]
}
