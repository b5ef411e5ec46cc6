// A workflow file, as far as a release needs it: the job that publishes, and what starts it.
import { parseDocument } from 'yaml'
import { done, wrong, type Answer } from '../failure.ts'

export interface Release {
  /** Of the job that publishes. */
  readonly environment: string | undefined
  readonly idToken: boolean
  /** Patterns of the refs that start it; `*` where any does. */
  readonly branches: readonly string[]
  readonly tags: readonly string[]
}

type Group = Readonly<Record<string, unknown>>

export function readWorkflow(source: string, file: string): Answer<Release> {
  const document = parseDocument(source, { prettyErrors: false })
  let error: Error | undefined = document.errors[0]
  let root: unknown
  try {
    if (!error) root = document.toJS({ maxAliasCount: 100 })
  } catch (thrown) {
    // An alias of nothing, or a page of them that stands for gigabytes.
    error = thrown as Error
  }
  if (!isGroup(root)) {
    const why = error?.message ?? 'it holds no keys'
    return wrong('invalid', `${file} cannot be read: ${why}`, 'mend the YAML')
  }
  const jobs = Object.values(isGroup(root['jobs']) ? root['jobs'] : {}).filter(isGroup)
  const mayProve = (job: Group): boolean => hasIdToken(job['permissions'] ?? root['permissions'])
  // The job that publishes has both; a file that lacks one of them still tells us of the other.
  const job =
    jobs.find((each) => each['environment'] !== undefined && mayProve(each)) ??
    jobs.find((each) => each['environment'] !== undefined) ??
    jobs.find(mayProve)
  return done({
    environment: job && environmentOf(job),
    idToken: job !== undefined && mayProve(job),
    ...triggersOf(root['on']),
  })
}

function environmentOf({ environment }: Group): string | undefined {
  const name = isGroup(environment) ? environment['name'] : environment
  return typeof name === 'string' ? name : undefined
}

function hasIdToken(permissions: unknown): boolean {
  return permissions === 'write-all' || (isGroup(permissions) && permissions['id-token'] === 'write')
}

function triggersOf(on: unknown): Pick<Release, 'branches' | 'tags'> {
  const events: Group = isGroup(on) ? on : Object.fromEntries(words(on).map((event) => [event, null]))
  const push = isGroup(events['push']) ? events['push'] : {}
  const pushes = Object.hasOwn(events, 'push')
  const open = pushes && push['branches'] === undefined && push['tags'] === undefined
  // A release runs on its tag.
  const released = Object.hasOwn(events, 'release') && !words(push['tags']).length
  return {
    branches: open ? ['*'] : patterns(push['branches']),
    tags: [...(open || released ? ['*'] : []), ...patterns(push['tags'])],
  }
}

function words(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.filter((item): item is string => typeof item === 'string')
}

/** Those that start it; one with `!` takes some of them away again. */
function patterns(value: unknown): readonly string[] {
  return words(value).filter((item) => !item.startsWith('!'))
}

function isGroup(value: unknown): value is Group {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
