// Formats results for people.
import { formatDifference, formatPlan, inLine, sumOf } from '../plan/text.ts'
import type { CommandName } from '../table/commands.ts'
import type { Warning } from '../resources/warning.ts'
import type { Bootstrapped } from '../verbs/prepared.ts'
import type { Imported } from '../verbs/import.ts'
import type { Many } from '../verbs/many.ts'
import type { Created } from '../verbs/create.ts'
import type { Diagnosis } from '../verbs/doctor.ts'
import type { Drifted } from '../verbs/drift.ts'
import type { Scaffolded } from '../verbs/scaffolded.ts'
import type { User } from '../resources/user.ts'
import { fields } from './columns.ts'
import { stripControls, type Paint, type Terminal } from './terminal.ts'

/** The text for stdout. */
export function show(
  name: CommandName,
  output: unknown,
  { colour, isWatched }: Pick<Terminal, 'colour' | 'isWatched'>,
): string {
  const text = textOf(name, output, colour)
  return isWatched ? keepColours(text) : text
}

/** Lines for stderr: about the result, but not part of it. */
export function warningsOf(name: CommandName, output: unknown): readonly string[] {
  // whoami prints the host's own answer, whatever fields it has.
  if (name === 'whoami') return []
  if (isMany(output))
    return output.results.flatMap((each) => {
      const lines = each.warnings?.map(({ message }) => `warning: ${each.file}: ${message}`) ?? []
      return each.error ? [...lines, `${each.file}: ${each.error.message}`] : lines
    })
  const { warnings = [] } = output as { readonly warnings?: readonly Warning[] }
  return warnings.map(({ message }) => `warning: ${message}`)
}

function isMany(output: unknown): output is Many<Bootstrapped & Drifted> {
  return typeof output === 'object' && output !== null && 'results' in output
}

/** What each came to, then a table. */
function showMany(
  name: CommandName,
  { results, requests }: Many<Bootstrapped & Drifted>,
  colour: Paint,
): string {
  const parts = results.flatMap((each) => {
    if (name === 'repo drift') return each.drift?.length ? [showDrift(each as Drifted)] : []
    return each.plan ? [formatPlan(each.plan, colour)] : []
  })
  const rows = results.map((each): readonly [string, string] => [
    each.plan?.target ?? each.target ?? each.file,
    each.error ? colour('red', 'failed') : outcomeOf(each),
  ])
  return [...parts, `${fields(rows)}\n${requests} requests were sent.`].join('\n\n')
}

function outcomeOf({ plan, in_sync: same, drift = [] }: Partial<Bootstrapped & Drifted>): string {
  if (plan) return sumOf(plan)
  return same ? 'as its manifest says' : `differs in ${drift.length}`
}

/** Keeps the codes of reposmith's own colours and strips every other control character: 8 would hide what follows. */
function keepColours(text: string): string {
  const [first = '', ...rest] = text.split(ESCAPE)
  const parts = rest.map((part) => (/^\[([12]|22|3[123]|39)m/.test(part) ? ESCAPE : '') + stripControls(part))
  return stripControls(first) + parts.join('')
}

const ESCAPE = '\u001b'

function textOf(name: CommandName, output: unknown, colour: Paint): string {
  if (name === 'whoami') return showUser(output as User)
  if (name === 'repo import') return (output as Imported).yaml.trimEnd()
  if (isMany(output)) return showMany(name, output, colour)
  if (name === 'repo drift') return showDrift(output as Drifted)
  if (name === 'doctor') return showDiagnosis(output as Diagnosis, colour)
  if (name === 'repo scaffold') return showScaffold(output as Scaffolded, colour)
  return showPlan(output as Planned, colour)
}

/** What `repo create`, `repo env` and `repo bootstrap` have in common. */
type Planned = Pick<Created, 'plan' | 'dry_run' | 'repo_url' | 'already_existed'>

function showUser(user: User): string {
  const keys = ['login', 'id', 'type', 'name'] as const
  return fields(keys.map((key) => [key, String((user[key] as string | number | null) ?? '') || '-']))
}

function showPlan(output: Planned, colour: Paint): string {
  const { plan, repo_url: url, already_existed: existed } = output
  return [
    formatPlan(plan, colour),
    ...(existed ? ['The repository already existed; what is not listed above was left unchanged.'] : []),
    ...(url && !output.dry_run ? [url] : []),
  ].join('\n')
}

function showScaffold(
  { plan, preview, scaffold_report: report, overwrite }: Scaffolded,
  colour: Paint,
): string {
  const fate = overwrite ? 'replaced' : 'left; --overwrite replaces it'
  const mark = { new: colour('green', '+'), changed: colour('yellow', '~'), same: colour('dim', '=') }
  const files = (preview ?? []).map(
    ({ file, state }) => `  ${mark[state]} ${inLine(file)}${state === 'changed' ? ` (${fate})` : ''}`,
  )
  return [
    formatPlan(plan, colour),
    ...(preview ? ['', 'Files:', ...files] : []),
    ...(report ? [`${report.written_count} written, ${report.unchanged.length} the same.`] : []),
    ...(report?.kept ?? []).map((file) => `different, and left: ${inLine(file)} (--overwrite replaces it)`),
  ].join('\n')
}

function showDrift({ in_sync: same, target, drift, remediation }: Drifted): string {
  if (same) return `${target} is as the manifest says.`
  const lines = drift.map((each) => `  ~ ${formatDifference(each)}`)
  return [
    `${target} differs (is -> should be):`,
    ...lines,
    ...(remediation === undefined ? [] : [`To fix what can be fixed: ${remediation}`]),
  ].join('\n')
}

function showDiagnosis({ checks, plan }: Diagnosis, colour: Paint): string {
  const lines = checks.flatMap((check) => {
    const { message, remediation, place, rule } = check
    const at = place === null ? '' : `${place}: `
    return [
      `${markOf(check, colour)}  ${inLine(message)}`,
      ...(remediation ? [`      ${at}${inLine(remediation)}${rule === undefined ? '' : ` (${rule})`}`] : []),
    ]
  })
  return [...lines, ...(plan ? ['', formatPlan(plan, colour)] : [])].join('\n')
}

function markOf({ passed, severity }: Diagnosis['checks'][number], colour: Paint): string {
  if (passed) return colour('green', 'ok  ')
  if (severity === 'error') return colour('red', 'FAIL')
  return severity === 'warning' ? colour('yellow', 'warn') : colour('dim', 'skip')
}
