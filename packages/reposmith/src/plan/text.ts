// A plan as lines for people: `+` made, `~` changed, `-` removed, `=` as it is, `>` a command, `!` for you to do, `x` not possible.
import { toJsonText } from '../json.ts'
import { kindOf } from './plan.ts'
import type { Difference, Plan, Status, Step, Summary } from './step.ts'

export type Paint = (look: 'green' | 'yellow' | 'red' | 'dim' | 'bold', text: string) => string

/** Before `--apply` it shows what would be sent; afterwards, the outcome of each step. */
export function formatPlan(plan: Plan, paint: Paint): string {
  const applied = plan.steps.some((step) => step.status !== undefined)
  const head = `${paint('bold', plan.target)} on ${plan.host}`
  const steps = plan.steps.map((step) => formatStep(step, applied, paint))
  // Outcomes take a line each; requests are followed by their bodies.
  const body = steps.join(applied ? '\n' : '\n\n')
  return [head, body, applied ? outcomeLine(plan) : planLine(plan)].join('\n\n')
}

function formatStep(step: Step, applied: boolean, paint: Paint): string {
  const kind = kindOf(step)
  const { sign, look } = KINDS[kind]
  // Once it is applied, its outcome tells enough.
  const lines = kind === 'unchanged' || (applied && 'op' in step) ? [] : details(step)
  return [
    `  ${paint(look, sign)} ${inLine(step.title)}${outcomeOf(step, paint)}`,
    ...lines.map((line) => `      ${line}`),
  ].join('\n')
}

function details(step: Step): readonly string[] {
  switch (step.kind) {
    case 'request':
      return [
        `${step.method} ${step.path}`,
        ...Object.entries(step.body ?? {}).map(([key, value]) => `  ${key}: ${toJsonText(value)}`),
        ...(step.op === 'update' ? (step.diff ?? []).map(formatDifference) : []),
      ]
    case 'unchanged':
      return []
    case 'run':
      return [step.argv.map(quote).join(' '), `in ${step.cwd}`]
    case 'edit':
      return step.patch.trimEnd().split('\n')
    case 'manual':
      return [
        step.url,
        ...(step.command === undefined ? [] : [step.command]),
        ...(step.first === undefined ? [] : [`first: ${step.first}`]),
        ...Object.entries(step.fields).flatMap(([key, value]) =>
          // A patch has lines of its own.
          value.trimEnd().includes('\n') ? value.trimEnd().split('\n') : [`  ${key}: ${value}`],
        ),
      ]
    case 'blocked':
      return [step.reason]
  }
}

/** `allowed_actions: "selected" -> "all"` */
export function formatDifference({ at, from, to }: Difference): string {
  return `${at.replace(/^\//, '')}: ${toJsonText(from)} -> ${toJsonText(to)}`
}

/** What a host or a template calls something must not add lines to a plan. */
export function inLine(name: string): string {
  return /\p{Cc}/u.test(name) ? toJsonText(name) : name
}

/** Quoted for a shell where needed. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll(`'`, `'\\''`)}'`
}

/** By what a step does; `count` follows the number of such steps. */
const KINDS = {
  create: { sign: '+', look: 'green', count: 'to create' },
  update: { sign: '~', look: 'yellow', count: 'to change' },
  delete: { sign: '-', look: 'red', count: 'to remove' },
  unchanged: { sign: '=', look: 'dim', count: 'unchanged' },
  run: { sign: '>', look: 'green', count: 'to run' },
  manual: { sign: '!', look: 'yellow', count: 'for you to do' },
  blocked: { sign: 'x', look: 'red', count: 'not possible' },
} as const

const OUTCOMES = {
  done: { look: 'green', words: 'done' },
  already: { look: 'dim', words: 'already so' },
  failed: { look: 'red', words: 'failed' },
  skipped: { look: 'dim', words: 'left out' },
  manual: { look: 'yellow', words: KINDS.manual.count },
  not_reached: { look: 'yellow', words: 'not reached' },
} as const

/** Empty before `--apply`. */
function outcomeOf({ status, http, ms }: Step, paint: Paint): string {
  if (status === undefined) return ''
  const { look, words } = OUTCOMES[status]
  const facts = [http, ms === undefined ? undefined : `${ms} ms`].filter((fact) => fact !== undefined)
  return `  ${paint(look, facts.length ? `${words} (${facts.join(', ')})` : words)}`
}

function planLine(plan: Plan): string {
  const { summary, state } = plan
  const unread = state === 'unknown' && summary.create + summary.update > 0
  return [
    `Plan: ${countsOf(summary)}.`,
    ...(unread ? ['What is there now was not read: --refresh reads it and shows the differences.'] : []),
    whatNext(plan),
  ].join('\n')
}

function whatNext({ summary, refusal }: Plan): string {
  const { create, update, delete: removed, run } = summary
  if (refusal !== null) return 'With --apply all of it would be refused: leave out what is not possible.'
  return create + update + removed + run === 0
    ? 'There is nothing to apply.'
    : 'Nothing was applied; run it again with --apply.'
}

/** In a table: `3 done, 2 already so`, or before it is applied `1 to create, 3 to change`. */
export function sumOf(plan: Plan): string {
  return plan.steps.some(({ status }) => status !== undefined) ? outcomesOf(plan) : countsOf(plan.summary)
}

function outcomeLine(plan: Plan): string {
  return `Applied: ${outcomesOf(plan)}.`
}

function outcomesOf({ steps }: Plan): string {
  const count = (status: Status): number => steps.filter((step) => step.status === status).length
  const parts = [
    `${count('done')} done`,
    `${count('already')} already so`,
    ...(count('failed') ? [`${count('failed')} failed`] : []),
    ...(count('not_reached') ? [`${count('not_reached')} not reached`] : []),
  ]
  return parts.join(', ')
}

function countsOf(summary: Summary): string {
  const parts = Object.entries(summary).flatMap(([kind, count]) =>
    count ? [`${count} ${KINDS[kind as keyof Summary].count}`] : [],
  )
  return parts.join(', ') || 'nothing'
}
