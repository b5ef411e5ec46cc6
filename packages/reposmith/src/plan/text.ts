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
  const sign = paint(LOOKS[kind], SIGNS[kind])
  const status = step.status === undefined ? '' : `  ${paint(LOOK_OF[step.status], outcomeOf(step))}`
  const lines = applied && step.kind !== 'manual' && step.kind !== 'blocked' ? [] : details(step)
  return [`  ${sign} ${step.title}${status}`, ...lines.map((line) => `      ${line}`)].join('\n')
}

function details(step: Step): readonly string[] {
  switch (step.kind) {
    case 'request':
      if (step.op === 'unchanged') return []
      return [
        `${step.method} ${step.path}`,
        ...Object.entries(step.body ?? {}).map(([key, value]) => `  ${key}: ${toJsonText(value)}`),
        ...(step.op === 'update' ? (step.diff ?? []).map(formatDifference) : []),
      ]
    case 'run':
      return step.op === 'unchanged' ? [] : [`${step.argv.map(quote).join(' ')}`, `in ${step.cwd}`]
    case 'manual':
      return [step.url, ...Object.entries(step.fields).map(([key, value]) => `  ${key}: ${value}`)]
    case 'blocked':
      return [step.reason]
  }
}

/** `allowed_actions: "selected" -> "all"` */
export function formatDifference({ at, from, to }: Difference): string {
  return `${at.slice(1)}: ${toJsonText(from)} -> ${toJsonText(to)}`
}

/** Quoted for a shell where needed. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll(`'`, `'\\''`)}'`
}

const SIGNS: Readonly<Record<keyof Summary, string>> = {
  create: '+',
  update: '~',
  delete: '-',
  unchanged: '=',
  run: '>',
  manual: '!',
  blocked: 'x',
}

const LOOKS = {
  create: 'green',
  update: 'yellow',
  delete: 'red',
  unchanged: 'dim',
  run: 'green',
  manual: 'yellow',
  blocked: 'red',
} as const

const LOOK_OF = {
  done: 'green',
  already: 'dim',
  failed: 'red',
  skipped: 'dim',
  not_reached: 'yellow',
} as const

function outcomeOf(step: Step): string {
  const name: Readonly<Record<Status, string>> = {
    done: 'done',
    already: 'already so',
    failed: 'failed',
    skipped: step.kind === 'manual' ? 'for you to do' : 'left out',
    not_reached: 'not reached',
  }
  const facts = [step.http, step.ms === undefined ? undefined : `${step.ms} ms`].filter(
    (fact) => fact !== undefined,
  )
  return `${name[step.status ?? 'not_reached']}${facts.length ? ` (${facts.join(', ')})` : ''}`
}

function planLine({ summary, state, steps }: Plan): string {
  const unread = state === 'unknown' && summary.create + summary.update > 0
  return [
    `Plan: ${countsOf(summary)}.`,
    ...(unread ? ['What is there now was not read: --refresh reads it and shows the differences.'] : []),
    whatNext(summary, steps),
  ].join('\n')
}

function whatNext({ create, update, delete: removed, run }: Plan['summary'], steps: Plan['steps']): string {
  if (steps.some((step) => step.kind === 'blocked' && step.asked))
    return 'With --apply all of it would be refused: leave out what is not possible.'
  return create + update + removed + run === 0
    ? 'There is nothing to apply.'
    : 'Nothing was applied; run it again with --apply.'
}

function outcomeLine({ steps }: Plan): string {
  const count = (status: Status): number => steps.filter((step) => step.status === status).length
  const parts = [
    `${count('done')} done`,
    `${count('already')} already so`,
    ...(count('failed') ? [`${count('failed')} failed`] : []),
    ...(count('not_reached') ? [`${count('not_reached')} not reached`] : []),
  ]
  return `Applied: ${parts.join(', ')}.`
}

function countsOf(summary: Summary): string {
  const words: Readonly<Record<keyof Summary, string>> = {
    create: 'to create',
    update: 'to change',
    delete: 'to remove',
    unchanged: 'unchanged',
    run: 'to run',
    manual: 'for you to do',
    blocked: 'not possible',
  }
  const parts = Object.entries(summary).flatMap(([kind, count]) =>
    count ? [`${count} ${words[kind as keyof Summary]}`] : [],
  )
  return parts.join(', ') || 'nothing'
}
