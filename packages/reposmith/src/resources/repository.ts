// A repository as wanted and as present, and the steps between.
import { done, failed, type Answer, type Failure } from '../failure.ts'
import type { Client } from '../host/client.ts'
import { unsaid } from '../host/foreign.ts'
import type { Host } from '../host/host.ts'
import { path } from '../host/path.ts'
import type { Body, Difference, RequestStep, Step } from '../plan/step.ts'
import type { Warning } from './warning.ts'
import { splitName } from './names.ts'

export interface WantedRepository {
  /** A login, or `{owner}` until it is looked up. */
  readonly owner: string
  readonly name: string
  /** The owner is an organization. */
  readonly org: boolean
  /** It may as well be the token's own account, which has to be looked up. */
  readonly mayBeOwn?: boolean
  readonly visibility: 'public' | 'private' | 'internal'
  readonly description?: string | undefined
  readonly homepage?: string | undefined
  readonly topics: readonly string[]
  readonly template?: string | undefined
  readonly license?: string | undefined
  readonly gitignore?: string | undefined
}

/** The fields of the host's answer that are used. */
export interface Repository {
  readonly full_name?: string
  readonly html_url?: string
  readonly private?: boolean
  readonly archived?: boolean
  readonly visibility?: string
  readonly description?: string | null
  readonly homepage?: string | null
  readonly website?: string | null
  readonly topics?: readonly string[]
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
  host: Host,
): readonly Step[] {
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
    proof: { path: path('repos', wanted.owner, wanted.name), match: { full_name: full } },
    asked: true,
  }
  return [
    present.state === 'there' ? there : create,
    ...settingsStep(wanted, present, host),
    ...topicsStep(wanted, present, host),
  ]
}

export function isArchived(present: PresentRepository): boolean {
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
  host: Host,
): readonly Warning[] {
  const full = `${wanted.owner}/${wanted.name}`
  if (present.state === 'absent' && present.formerOf !== undefined) {
    const message = `${full} is what ${present.formerOf} was called: links to the old name lead to the new repository from now on`
    return [{ code: 'renamed', message }]
  }
  if (present.state !== 'there') return []
  const { is } = present
  const sets = homepageToSet(wanted, is, host) !== undefined
  const left = repositoryDifferences(wanted, is).filter(({ at }) => !(sets && at === '/homepage'))
  return [...left, ...featureDifferences(wanted, is, host)].map(({ at, from, to }) => ({
    code: 'differs',
    message: `${full} has ${at.slice(1)} ${JSON.stringify(from)}, not ${JSON.stringify(to)}: it was left unchanged`,
  }))
}

export function repositoryDifferences(
  wanted: { readonly [Key in 'visibility' | 'description' | 'homepage']?: WantedRepository[Key] | undefined },
  is: Repository,
): readonly Difference[] {
  const visibility = is.visibility ?? (is.private ? 'private' : 'public')
  const pairs = [
    ['visibility', visibility, wanted.visibility],
    ['description', is.description ?? '', wanted.description],
    ['homepage', homepageOf(is), wanted.homepage],
  ] as const
  return pairs
    .filter(([, from, to]) => to !== undefined && from !== to)
    .map(([key, from, to]) => ({ at: `/${key}`, from, to }))
}

/** Features that a separate request sets: an earlier run may have ended before sending it. */
function featureDifferences(wanted: WantedRepository, is: Repository, host: Host): readonly Difference[] {
  if (!needsSettings(wanted, host)) return []
  return Object.entries(FEATURES)
    .map(([key, to]) => ({ at: `/${key}`, from: is[key as keyof typeof FEATURES], to }))
    .filter(({ from, to }) => from !== undefined && from !== to)
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
  const { name, description, homepage, license, gitignore, visibility, org } = wanted
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
    auto_init: true,
    ...(can.features ? FEATURES : {}),
    ...about,
    ...(homepage && can.features ? { homepage } : {}),
    ...(license ? { [can.license]: license } : {}),
    ...(gitignore ? { [can.gitignore]: gitignore } : {}),
  }
}

const FEATURES = { has_issues: true, has_wiki: false, has_projects: false } as const

/** Sets what the creating request does not accept. For an existing repository it only sets a missing homepage. */
function settingsStep(wanted: WantedRepository, present: PresentRepository, host: Host): readonly Step[] {
  if (!needsSettings(wanted, host)) return []
  const there = present.state === 'there'
  const missing = homepageToSet(wanted, there ? present.is : {}, host)
  const homepage = missing === undefined ? {} : { [host.can.homepage]: missing }
  const body = { ...(there ? {} : FEATURES), ...homepage }
  if (Object.keys(body).length === 0) return []
  const { owner, name } = wanted
  return [
    {
      kind: 'request',
      id: 'settings',
      title: there ? `set the homepage ${wanted.homepage}` : 'set what it has: issues, no wiki, no projects',
      op: 'update',
      method: 'PATCH',
      path: path('repos', owner, name),
      body,
      asked: true,
    },
  ]
}

/** The wanted homepage, if a request of its own sets it: only where there is none. */
function homepageToSet(wanted: WantedRepository, is: Repository, host: Host): string | undefined {
  return wanted.homepage && homepageOf(is) === '' && needsSettings(wanted, host) ? wanted.homepage : undefined
}

/** Gitea calls it website. */
function homepageOf({ homepage, website }: Repository): string {
  return homepage ?? website ?? ''
}

/** Adds topics; those that people set are kept. */
function topicsStep(wanted: WantedRepository, present: PresentRepository, { can }: Host): readonly Step[] {
  if (wanted.topics.length === 0) return []
  const has = present.state === 'there' ? (present.is.topics ?? []) : []
  const all = [...new Set([...has, ...wanted.topics])]
  const missing = all.length > has.length
  if (missing && all.length > can.topicsMost) {
    const would = has.length > 0 ? 'with the present ones it would have' : 'it would have'
    const reason = `${would} ${all.length}, and at most ${can.topicsMost} are allowed`
    return [{ kind: 'blocked', id: 'topics', title: 'add topics', reason, asked: true }]
  }
  if (!missing) return [{ kind: 'unchanged', id: 'topics', title: 'the topics are there' }]
  return [
    {
      kind: 'request',
      id: 'topics',
      title: `set the topics ${all.join(', ')}`,
      op: 'update',
      method: 'PUT',
      path: path('repos', wanted.owner, wanted.name, 'topics'),
      body: { [can.topics]: all },
      ...(present.state === 'there' ? { diff: [{ at: `/${can.topics}`, from: has, to: all }] } : {}),
      asked: true,
    },
  ]
}
