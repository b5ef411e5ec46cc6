// What starts a job: each event, on which branches and tags.
import { mayRun, textsOf } from './condition.ts'
import { examplesOf, isAny, matches, type Ref } from './pattern.ts'
import { groupOf, isGroup, words, type Group, type Job } from './workflow.ts'

export interface Start {
  readonly event: string
  readonly type: Ref['type']
  /** As the workflow has it; `*` for any ref. */
  readonly filter: string
  /** Refs that it matches, and that the job's condition lets through. */
  readonly examples: readonly string[]
}

/** The events of `on:`, less those with which no condition on the way to the job holds. */
export function startsOf(
  on: Group,
  conditions: readonly string[],
  { defaultBranch, tried }: { readonly defaultBranch: string; readonly tried: readonly Ref[] },
): readonly Start[] {
  const texts = conditions.flatMap(textsOf)
  return Object.entries(on).flatMap(([event, filters]) =>
    filtersOf(event, filters, defaultBranch).flatMap(({ type, filter }) => {
      const folder = type === 'tag' ? 'refs/tags/' : 'refs/heads/'
      const plain = isAny(filter)
        ? [...usual(type, defaultBranch), ...namesOf(tried, type)]
        : examplesOf(filter)
      // A condition may ask for a name, or for a part of one.
      const asked = texts.flatMap((text) => {
        const name = text.replace(/^refs\/(heads|tags)\//, '')
        return text.startsWith('refs/') && !text.startsWith(folder)
          ? []
          : [name, ...plain.flatMap((each) => [each + name, name + each])]
      })
      const passes = (name: string): boolean =>
        conditions.every((each) =>
          mayRun(each, { event: event === 'workflow_call' ? undefined : event, type, name }),
        )
      const examples = plain.filter(passes)
      const others = (): readonly string[] => asked.filter((name) => matches(name, filter)).filter(passes)
      const found = examples.length > 0 ? examples : others()
      return found.length > 0 ? [{ event, type, filter, examples: found }] : []
    }),
  )
}

/** The conditions on the way to a job: where one that it needs is left out, so is it. */
export function conditionsOf(job: Job, jobs: readonly Job[], seen = new Set<string>()): readonly string[] {
  if (seen.has(job.name)) return []
  seen.add(job.name)
  const own = job.condition === undefined ? [] : [job.condition]
  if (/\b(always|cancelled|failure)\s*\(/.test(job.condition ?? '')) return own
  const needed = jobs.filter(({ name }) => job.needs.includes(name))
  return [...own, ...needed.flatMap((each) => conditionsOf(each, jobs, seen))]
}

function usual(type: Ref['type'], defaultBranch: string): readonly string[] {
  return type === 'tag' ? ['v1.2.3', '1.2.3'] : [defaultBranch]
}

function namesOf(refs: readonly Ref[], type: Ref['type']): readonly string[] {
  return refs.filter((ref) => ref.type === type).flatMap(({ name }) => examplesOf(name))
}

interface Filter {
  readonly type: Ref['type']
  readonly filter: string
}

/** https://docs.github.com/en/actions/reference/workflows-and-actions/events-that-trigger-workflows: GITHUB_REF */
const ON_ANY_REF = [
  'workflow_dispatch',
  'workflow_call',
  'create',
  'deployment',
  'deployment_status',
  'registry_package',
]

function filtersOf(event: string, given: unknown, defaultBranch: string): readonly Filter[] {
  const all = (type: Ref['type'], filters: readonly string[]): readonly Filter[] =>
    filters.map((filter) => ({ type, filter }))
  if (event === 'push') {
    const push = groupOf(given)
    return [
      ...all('branch', pushed(push, 'branches', 'tags')),
      ...all('tag', pushed(push, 'tags', 'branches')),
    ]
  }
  // A release runs on its tag.
  if (event === 'release') return all('tag', ['*'])
  if (ON_ANY_REF.includes(event)) return [...all('branch', ['*']), ...all('tag', ['*'])]
  return all('branch', [isGroup(given) && given['branches'] !== undefined ? '*' : defaultBranch])
}

function pushed(push: Group, kind: 'branches' | 'tags', other: 'branches' | 'tags'): readonly string[] {
  // Patterns with `!` only exclude.
  if (push[kind] !== undefined) return words(push[kind]).filter((item) => !item.startsWith('!'))
  const isFiltered = (key: string): boolean => push[key] !== undefined || push[`${key}-ignore`] !== undefined
  // A filter for one kind only excludes the other kind.
  return isFiltered(kind) || !isFiltered(other) ? ['*'] : []
}
