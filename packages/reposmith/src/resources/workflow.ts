// The parts of a workflow file that matter to a release: the jobs that publish, and what triggers them.
import { done, wrong, type Answer } from '../failure.ts'
import { parseYaml } from '../yaml.ts'
import { messageOf } from '../thrown.ts'

/** A job that publishes. */
export interface Release {
  readonly job: string
  readonly environment: string | undefined
  /** The workflow that it calls; such a job can have no environment. */
  readonly calls: string | undefined
  readonly idToken: boolean
  /** Patterns of the refs that start it; `*` for any ref. */
  readonly branches: readonly string[]
  readonly tags: readonly string[]
}

type Group = Readonly<Record<string, unknown>>

/** At least one: if no job publishes, the closest candidate. */
export function readWorkflow(source: string, file: string): Answer<readonly Release[]> {
  const parsed = parseGroup(source, file)
  if (!parsed.ok) return parsed
  const root = parsed.output
  const jobs = Object.entries(isGroup(root['jobs']) ? root['jobs'] : {}).flatMap(([name, job]) =>
    isGroup(job) ? [{ name, job }] : [],
  )
  const hasPlace = ({ job }: Named): boolean => job['environment'] !== undefined
  const mayProve = ({ job }: Named): boolean => hasIdToken(job['permissions'] ?? root['permissions'])
  const whole = jobs.filter((each) => hasPlace(each) && mayProve(each))
  // A publishing job has both; if a file lacks one of them, the other is still checked.
  const nearest = jobs.find(hasPlace) ?? jobs.find(mayProve) ?? { name: '', job: {} }
  return done(
    (whole.length > 0 ? whole : [nearest]).map((each) => ({
      job: each.name,
      environment: environmentOf(each.job),
      calls: words(each.job['uses'])[0],
      idToken: mayProve(each),
      ...refsOf(eventsOf(root['on']), each.job),
    })),
  )
}

function parseGroup(source: string, file: string): Answer<Group> {
  const { document, tell } = parseYaml(source, file)
  const [mistake] = document.errors
  if (mistake) return wrong('invalid', tell(mistake), 'fix the YAML')
  const refuse = (why: string): Answer<never> =>
    wrong('invalid', `${file} cannot be read: ${why}`, 'fix the YAML')
  try {
    const root: unknown = document.toJS({ maxAliasCount: 100 })
    return isGroup(root) ? done(root) : refuse('it holds no keys')
  } catch (thrown) {
    // An unresolved alias, or so many that they expand to gigabytes.
    return refuse(messageOf(thrown))
  }
}

interface Named {
  readonly name: string
  readonly job: Group
}

/** An empty name is none to the host. */
function environmentOf({ environment }: Group): string | undefined {
  return words(isGroup(environment) ? environment['name'] : environment)[0] || undefined
}

function hasIdToken(permissions: unknown): boolean {
  return permissions === 'write-all' || (isGroup(permissions) && permissions['id-token'] === 'write')
}

type Refs = Pick<Release, 'branches' | 'tags'>

/** The workflow's trigger refs, narrowed to those that the job's `if:` lets through. */
function refsOf(events: Group, job: Group): Refs {
  const { event, only, isForTags, isForBranches } = readCondition(job['if'])
  // In a called workflow, the event is the caller's.
  const isOwn = event !== undefined && !Object.hasOwn(events, 'workflow_call')
  const entries = Object.entries(events).filter(([name]) => !isOwn || name === event)
  const narrowed = (patterns: readonly string[]): readonly string[] =>
    only === undefined || patterns.length === 0 ? patterns : [only]
  const startedBy = (some: typeof entries): Refs => {
    const { branches, tags } = triggersOf(Object.fromEntries(some))
    return { branches: isForTags ? [] : narrowed(branches), tags: isForBranches ? [] : narrowed(tags) }
  }
  const refs = startedBy(entries)
  if (refs.branches.length + refs.tags.length > 0) return refs
  // Nothing pushed or released starts it, but somebody may by hand, on such a ref.
  return startedBy(entries.filter(([name]) => name !== 'push' && name !== 'release'))
}

/** What it asks of the event and the ref, where it is simple enough to tell. */
function readCondition(condition: unknown) {
  const text = typeof condition === 'string' && !/\|\||!/.test(condition) ? condition : ''
  const [, event] = /\bgithub\.event_name *== *'(\w+)'/.exec(text) ?? []
  const [, only] = /\bgithub\.ref *== *'refs\/(?:heads|tags)\/([^']+)'/.exec(text) ?? []
  // startsWith(github.ref, 'refs/tags/v'), github.ref == 'refs/heads/main', github.ref_type == 'tag'
  const isFor = (kind: 'tag' | 'branch', folder: 'tags' | 'heads'): boolean =>
    new RegExp(String.raw`\bgithub\.ref(_type *== *'${kind}'| *(==|,) *'refs/${folder}\b)`).test(text)
  return { event, only, isForTags: isFor('tag', 'tags'), isForBranches: isFor('branch', 'heads') }
}

function eventsOf(on: unknown): Group {
  return isGroup(on) ? on : Object.fromEntries(words(on).map((event) => [event, null]))
}

/** https://docs.github.com/en/actions/reference/workflows-and-actions/events-that-trigger-workflows: GITHUB_REF */
const ALSO_ON_TAGS = [
  'workflow_dispatch',
  'workflow_call',
  'create',
  'deployment',
  'deployment_status',
  'registry_package',
]

function triggersOf(events: Group): Refs {
  const has = (event: string): boolean => Object.hasOwn(events, event)
  if (Object.keys(events).length > 0 && !has('push') && !has('release')) {
    // A schedule, for example, runs on a branch.
    return { branches: ['*'], tags: ALSO_ON_TAGS.some(has) ? ['*'] : [] }
  }
  const push = isGroup(events['push']) ? events['push'] : {}
  const isFiltered = (kind: string): boolean =>
    push[kind] !== undefined || push[`${kind}-ignore`] !== undefined
  const pushed = (kind: keyof Refs, other: keyof Refs): readonly string[] => {
    if (!has('push')) return []
    if (push[kind] !== undefined) return patterns(push[kind])
    // A filter for one kind only excludes the other kind.
    return isFiltered(kind) || !isFiltered(other) ? ['*'] : []
  }
  const tags = pushed('tags', 'branches')
  // A release runs on its tag.
  const released = has('release') && tags.length === 0 ? ['*'] : []
  return { branches: pushed('branches', 'tags'), tags: [...tags, ...released] }
}

/** The host takes a number for a text. */
function words(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.filter((item) => typeof item === 'string' || typeof item === 'number').map(String)
}

/** The patterns that include refs; those with `!` only exclude. */
function patterns(value: unknown): readonly string[] {
  return words(value).filter((item) => !item.startsWith('!'))
}

function isGroup(value: unknown): value is Group {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
