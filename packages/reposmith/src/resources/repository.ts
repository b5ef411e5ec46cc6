// A repository as wanted and as present, and the steps between.
import { done, failed, type Answer, type Failure } from '../failure.ts'
import type { Client } from '../host/client.ts'
import { unsaid } from '../host/foreign.ts'
import type { Host } from '../host/host.ts'
import { path } from '../host/path.ts'
import type { Body, Difference, RequestStep, Step } from '../plan/step.ts'
import { splitName } from './names.ts'
import type { Rules } from './resource.ts'
import type { Warning } from './warning.ts'

export interface WantedRepository {
  /** A login, or `{owner}` until it is looked up. */
  readonly owner: string
  readonly name: string
  /** The owner is an organization. */
  readonly org: boolean
  /** It may as well be the token's own account, which has to be looked up. */
  readonly mayBeOwn?: boolean
  /** Public, if a new one is not told otherwise. */
  readonly visibility?: 'public' | 'private' | 'internal' | undefined
  readonly description?: string | undefined
  readonly homepage?: string | undefined
  readonly topics?: readonly string[] | undefined
  readonly template?: string | undefined
  readonly license?: string | undefined
  readonly gitignore?: string | undefined
  /** Without a first commit: a scaffold is pushed to it. */
  readonly isEmpty?: boolean
}

/** The fields of the host's answer that are used. */
export interface Repository {
  readonly full_name?: string
  readonly created_at?: string
  readonly html_url?: string
  readonly private?: boolean
  readonly archived?: boolean
  readonly visibility?: string
  readonly description?: string | null
  readonly homepage?: string | null
  readonly website?: string | null
  readonly topics?: readonly string[]
  readonly default_branch?: string
  readonly has_issues?: boolean
  readonly has_wiki?: boolean
  readonly has_projects?: boolean
}

export type PresentRepository =
  | { readonly state: 'unknown' }
  /**
   * `formerOf`: the repository that had this name before, such as `octo/new`; the host still redirects there.
   * `refusal`: the 404, if it does not.
   */
  | { readonly state: 'absent'; readonly formerOf?: string; readonly refusal?: Failure }
  | { readonly state: 'there'; readonly is: Repository }

/** A renamed repository answers to its old name too: under that name it counts as absent. */
export async function readRepository(
  client: Client,
  owner: string,
  name: string,
): Promise<Answer<PresentRepository>> {
  const where = path('repos', owner, name)
  const read = await client.send('GET', where)
  if (!read.ok) return read.error.kind === 'not_found' ? done({ state: 'absent', refusal: read.error }) : read
  const is = read.output.data as Repository
  if (typeof is.full_name !== 'string') return failed(unsaid(where, 'which repository that is'))
  const same = is.full_name.toLowerCase() === `${owner}/${name}`.toLowerCase()
  return done(same ? { state: 'there', is } : { state: 'absent', formerOf: is.full_name })
}

export function repositorySteps(
  wanted: WantedRepository,
  present: PresentRepository,
  rules: RepositoryRules,
): readonly Step[] {
  const { host } = rules
  const full = `${wanted.owner}/${wanted.name}`
  if (wanted.visibility === 'internal' && !host.can.internal) {
    const title = 'make the repository internal'
    const reason = `${host.name} has no internal repositories`
    return [{ kind: 'blocked', id: 'visibility', title, reason, asked: true }]
  }
  const there: Step = { kind: 'unchanged', id: 'repo', title: `${full} is there` }
  const create: RequestStep = {
    kind: 'request',
    id: 'repo',
    title: `create the repository ${full}`,
    op: 'create',
    method: 'POST',
    path: createPath(wanted),
    body: createBody(wanted, host),
    proof: {
      path: path('repos', wanted.owner, wanted.name),
      match: { full_name: full },
      ignoresCase: true,
    },
    asked: true,
  }
  return [
    present.state === 'there' ? there : create,
    ...settingsSteps(wanted, present, rules),
    ...topicsStep(wanted, present, rules),
  ]
}

/** `isNew`: it is to be created, or was in a run that was cut off. */
type RepositoryRules = Pick<Rules, 'host' | 'enforce' | 'allowPublic' | 'isNew'>

function isArchived(present: PresentRepository): boolean {
  return present.state === 'there' && present.is.archived === true
}

/** The same steps, of which none that changes something is possible in an archived repository. */
export function unlessArchived(present: PresentRepository, steps: readonly Step[]): readonly Step[] {
  if (!isArchived(present)) return steps
  return steps.map((step): Step => {
    if (step.kind !== 'request') return step
    const { id, title, asked } = step
    return { kind: 'blocked', id, title, reason: 'the repository is archived: unarchive it first', asked }
  })
}

/**
 * Where an existing repository differs, which is left alone as it may be deliberate. Also warns if a new one ends the
 * redirect from an old name.
 */
export function repositoryWarnings(
  wanted: WantedRepository,
  present: PresentRepository,
  rules: RepositoryRules,
): readonly Warning[] {
  const full = `${wanted.owner}/${wanted.name}`
  if (present.state === 'absent' && present.formerOf !== undefined) {
    const message = `${full} is what ${present.formerOf} was called: links to the old name lead to the new repository from now on`
    return [{ code: 'renamed', message }]
  }
  if (present.state !== 'there') return []
  const sets = settingsToSet(wanted, present.is, rules).map(({ at }) => at)
  return repositoryDifferences(wanted, present.is)
    .filter(({ at }) => !sets.includes(at))
    .map(({ at, from, to }) => ({
      code: 'differs',
      message: `${full} has ${at.slice(1)} ${JSON.stringify(from)}, not ${JSON.stringify(to)}: it was left unchanged`,
    }))
}

function repositoryDifferences(wanted: WantedRepository, is: Repository): readonly Difference[] {
  const pairs = [
    ['visibility', visibilityOf(is), wanted.visibility],
    ['description', is.description ?? '', wanted.description],
    ['homepage', homepageOf(is), wanted.homepage],
  ] as const
  return pairs
    .filter(([, from, to]) => to !== undefined && from !== to)
    .map(([key, from, to]) => ({ at: `/${key}`, from, to }))
}

export function visibilityOf(is: Repository): string {
  return is.visibility ?? (is.private ? 'private' : 'public')
}

/** What of a repository that is there is changed: all of it to enforce it, else what an earlier run may not have come to. */
function settingsToSet(
  wanted: WantedRepository,
  is: Repository,
  { host, enforce, isNew }: RepositoryRules,
): readonly Difference[] {
  const differing = repositoryDifferences(wanted, is)
  if (enforce) return differing
  if (!needsSettings(wanted, host)) return []
  const features = Object.entries(FEATURES)
    .map(([key, to]) => ({ at: `/${key}`, from: is[key as keyof typeof FEATURES], to }))
    .filter(({ from, to }) => isNew && from !== undefined && from !== to)
  return [...features, ...differing.filter(({ at, from }) => at === '/homepage' && from === '')]
}

/** Whether a second request must set what the creating one does not accept. */
function needsSettings({ template }: WantedRepository, { can }: Host): boolean {
  return template !== undefined || !can.features
}

/** Where it is created. */
export function createPath({ template, org, owner }: WantedRepository): string {
  const from = template === undefined ? undefined : splitName(template)
  if (from) return path('repos', from.owner, from.name, 'generate')
  return org ? path('orgs', owner, 'repos') : path('user', 'repos')
}

function createBody(wanted: WantedRepository, { can }: Host): Body {
  const {
    name,
    description,
    homepage,
    license,
    gitignore,
    visibility = 'public',
    org,
    isEmpty = false,
  } = wanted
  const about = description ? { description } : {}
  const isPrivate = visibility !== 'public'
  if (wanted.template !== undefined) {
    // While the login is unknown, the host's default owner is that same login.
    const copies = can.features ? { include_all_branches: false } : { git_content: true }
    return { owner: wanted.owner, name, private: isPrivate, ...copies, ...about }
  }
  return {
    name,
    private: isPrivate,
    ...(org && visibility === 'internal' ? { visibility } : {}),
    auto_init: !isEmpty,
    ...(can.features ? FEATURES : {}),
    ...about,
    ...(homepage && can.features ? { homepage } : {}),
    // Each would be a first commit too.
    ...(license && !isEmpty ? { [can.license]: license } : {}),
    ...(gitignore && !isEmpty ? { [can.gitignore]: gitignore } : {}),
  }
}

const FEATURES = { has_issues: true, has_wiki: false, has_projects: false } as const

/** Sets what the creating request does not accept, and what of an existing repository may be changed. */
function settingsSteps(
  wanted: WantedRepository,
  present: PresentRepository,
  rules: RepositoryRules,
): readonly Step[] {
  const { host, allowPublic } = rules
  const { owner, name, homepage } = wanted
  const step = { kind: 'request', id: 'settings', op: 'update', method: 'PATCH', asked: true } as const
  const where = path('repos', owner, name)
  if (present.state !== 'there') {
    if (!needsSettings(wanted, host)) return []
    const body = { ...FEATURES, ...(homepage ? { [host.can.homepage]: homepage } : {}) }
    return [{ ...step, title: 'set what it has: issues, no wiki, no projects', path: where, body }]
  }
  const diff = settingsToSet(wanted, present.is, rules)
  if (diff.length === 0) return []
  if (!allowPublic && diff.some(({ at, to }) => at === '/visibility' && to === 'public')) {
    const reason = 'everybody could read it, and all that it ever held: --allow-public allows that'
    return [{ kind: 'blocked', id: 'settings', title: 'make it public', reason, asked: true }]
  }
  const title = `set ${diff.map(({ at, to }) => `${WORDS[at] ?? at.slice(1)} ${String(to)}`).join(', ')}`
  const body = Object.fromEntries(diff.map(({ at, to }) => settingOf(at, to, host)))
  return [{ ...step, title, path: where, body, diff }]
}

const WORDS: Readonly<Record<string, string>> = {
  '/visibility': 'the visibility',
  '/description': 'the description',
  '/homepage': 'the homepage',
}

function settingOf(at: string, to: unknown, { can, kind }: Host): readonly [string, unknown] {
  if (at === '/homepage') return [can.homepage, to]
  if (at === '/visibility' && kind === 'gitea') return ['private', to !== 'public']
  return [at.slice(1), to]
}

/** Gitea calls it website. */
export function homepageOf({ homepage, website }: Repository): string {
  return homepage ?? website ?? ''
}

/** Adds topics, and keeps those that people set unless it enforces just these. */
function topicsStep(
  { owner, name, topics }: WantedRepository,
  present: PresentRepository,
  { host: { can }, enforce }: RepositoryRules,
): readonly Step[] {
  if (!topics || (topics.length === 0 && !enforce)) return []
  const has = present.state === 'there' ? (present.is.topics ?? []) : []
  const all = [...new Set([...(enforce ? [] : has), ...topics])]
  const isSame = all.length === has.length && all.every((topic) => has.includes(topic))
  if (isSame)
    return present.state === 'there'
      ? [{ kind: 'unchanged', id: 'topics', title: 'the topics are there' }]
      : []
  if (all.length > can.topicsMost) {
    const would = has.length > 0 ? 'with the present ones it would have' : 'it would have'
    const reason = `${would} ${all.length}, and at most ${can.topicsMost} are allowed`
    return [{ kind: 'blocked', id: 'topics', title: 'add topics', reason, asked: true }]
  }
  return [
    {
      kind: 'request',
      id: 'topics',
      title: all.length ? `set the topics ${all.join(', ')}` : 'remove the topics',
      op: 'update',
      method: 'PUT',
      path: path('repos', owner, name, 'topics'),
      body: { [can.topics]: all },
      ...(present.state === 'there' ? { diff: [{ at: `/${can.topics}`, from: has, to: all }] } : {}),
      asked: true,
    },
  ]
}
