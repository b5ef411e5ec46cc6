// A code host on 127.0.0.1 with state: repositories and all that a manifest can name of them; it fails on demand, and as hosts do.
import { createHash } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { RequestStep, Step } from '../src/plan/step.ts'
import { gitServer, isGit } from './git.ts'
import { listen, type Listening } from './listen.ts'

export interface Recorded {
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly headers: IncomingMessage['headers']
}

/** A request as received, with its answer: `interop/` checks both against the host's official description. */
export interface Exchange {
  readonly api: string
  readonly method: string
  readonly path: string
  readonly accept: string | undefined
  readonly type: string | undefined
  readonly body: string
  /** Null if the connection was dropped, or somebody else answered. */
  readonly reply: Reply | null
}

/** A failure, once unless it says how often. */
export interface Fault {
  /** `POST /user/repos`; `{id}` stands for one segment. */
  readonly on: string
  readonly times?: number
  /** Answer this instead of doing it. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Do it, then drop the connection: the answer is lost entirely or half-way. */
  readonly drop?: 'after commit' | 'in the answer'
  /** Not an answer of such a host, but of a proxy, say: not checked against its description. */
  readonly isForeign?: boolean
  /** Answer only when this resolves; `reached` signals that the request has arrived. */
  readonly until?: Promise<unknown>
  readonly reached?: () => void
}

interface Repo {
  readonly data: Record<string, unknown>
  actions: Record<string, unknown>
  selected: Record<string, unknown>
  workflow: Record<string, unknown>
  readonly environments: Map<string, EnvironmentState>
  readonly labels: Map<string, Record<string, unknown>>
  readonly variables: Map<string, string>
  /** As they were sent: sealed. */
  readonly secrets: Map<string, Record<string, unknown>>
  readonly rulesets: Map<string, Record<string, unknown>>
  /** Its files, each by its path and ref: `.github/workflows/x.yml@v1`. */
  readonly files: Map<string, string>
  /** Milliseconds of the host's clock: until then it is not known to all of its machines, or still copied. */
  hiddenUntil: number
  busyUntil: number
}

interface EnvironmentState {
  body: Record<string, unknown>
  policies: { id: number; name: string; type: string }[]
}

export interface Reply {
  readonly status: number
  readonly data?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface TestHost extends Listening {
  /** The folder of its bare repositories: `octo/widget.git`. */
  readonly git: string
  readonly requests: Recorded[]
  readonly repos: Map<string, Repo>
  /** Lowers the page size, so that few entries need several pages. */
  pageSize: number
  readonly fail: (fault: Fault) => void
  /** Adds a repository, as if it had been created before. */
  readonly seed: (name: string, data?: Record<string, unknown>) => Repo
  /** From then on its old name leads to the new one. */
  readonly rename: (from: string, to: string) => void
  /** People whose account is gone: an environment still lists them, without an id. */
  readonly gone: Set<number>
}

export const TOKEN = 'test-token-that-must-not-appear'

export interface HostOptions {
  /** Whom the token belongs to. */
  readonly login?: string
  /** The path of the API, such as `/api/v3`. */
  readonly prefix?: string
  /** Private repositories have no protection rules, nor rulesets. */
  readonly plan?: 'free'
  /** How long after its creation a repository is answered with 404. */
  readonly hiddenSeconds?: number
  /** How long the copy of a template takes: what changes it is refused meanwhile. */
  readonly busySeconds?: number
  /** For these two. */
  readonly clock?: { readonly now: () => number }
  /** A repository does not include its topics: they are requested separately. */
  readonly hidesTopics?: boolean
}

export async function startHost(options: HostOptions = {}): Promise<TestHost> {
  const { login = 'ada', prefix = '', hidesTopics = false, clock = performance } = options
  const { hiddenSeconds = 0, busySeconds = 0 } = options
  const requests: Recorded[] = []
  const repos = new Map<string, Repo>()
  const faults: { fault: Fault; left: number }[] = []
  const former = new Map<string, string>()
  const gone = new Set<number>()
  let ids = 100

  const git = gitServer(TOKEN)
  const server = createServer((request, response) => void handle(request, response))

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    if (isGit(request.url ?? '')) return await git.answer(request, response, chunks)
    const text = Buffer.concat(chunks).toString('utf8')
    const body = text === '' ? null : (JSON.parse(text) as unknown)
    const { method = '', url = '', headers } = request
    const path = url.slice(prefix.length)
    requests.push({ method, path, body, headers })
    const found = faults.find(
      ({ fault, left }) => left > 0 && endpointPattern(fault.on).test(`${method} ${path.split('?')[0]}`),
    )
    if (found) found.left--
    const fault = found?.fault
    fault?.reached?.()
    if (fault?.until) await fault.until
    // Both forms are the host's own; `gh` sends the older one.
    const isKnown = [`Bearer ${TOKEN}`, `token ${TOKEN}`].includes(headers.authorization ?? '')
    const reply = faultReply(fault) ?? (isKnown ? route(method, path, body) : BAD_TOKEN)
    const lost = fault?.drop !== undefined
    note({
      api: prefix,
      method,
      path,
      accept: headers.accept,
      type: headers['content-type'],
      body: text,
      reply: lost || fault?.isForeign === true ? null : reply,
    })
    if (fault?.drop === 'in the answer') answerHalf(response, reply)
    else if (lost) request.socket.destroy()
    else answer(response, reply)
  }

  function route(method: string, path: string, body: unknown): Reply {
    const url = new URL(path, 'http://host')
    const segments = url.pathname.split('/').slice(1).map(decodeURIComponent)
    const [first = '', owner = '', name = '', area, sub, ...rest] = segments
    const given = (body ?? {}) as Record<string, unknown>
    if (method === 'GET' && url.pathname === '/user')
      return { status: 200, data: { login, id: 7, type: 'User', name: 'Ada' } }
    if (first === 'users' && method === 'GET')
      return owner === 'nobody' ? NOT_FOUND : { status: 200, data: account(owner) }
    if (first === 'orgs' && name === 'teams')
      return { status: 200, data: { slug: area, id: idIn(area ?? '') ?? 42, type: 'organization' } }
    if (method === 'POST' && path === '/user/repos') return add(login, given)
    if (method === 'POST' && first === 'orgs' && name === 'repos') return add(owner, given)
    const full = `${owner}/${name}`.toLowerCase()
    const repo = repos.get(full)
    const now = former.get(full)
    if (first === 'repos' && !repo && now !== undefined) {
      const location = host.url + path.replace(/^\/repos\/[^/]+\/[^/?]+/, `/repos/${now}`)
      return { status: 301, data: { message: 'Moved Permanently', url: location }, headers: { location } }
    }
    if (first !== 'repos' || !repo || repo.hiddenUntil > clock.now()) return NOT_FOUND
    if (method !== 'GET' && area !== 'generate' && repo.busyUntil > clock.now()) return BUSY
    if (area === undefined) {
      if (method === 'PATCH') patch(repo, given)
      return { status: 200, data: hidesTopics ? { ...repo.data, topics: undefined } : repo.data }
    }
    if (area === 'generate') {
      const made = add(String(given['owner']), given)
      const copy = repos.get(`${String(given['owner'])}/${String(given['name'])}`.toLowerCase())
      if (copy && made.status === 201) copy.busyUntil = clock.now() + busySeconds * 1000
      return made
    }
    if (area === 'commits' && sub !== undefined) return commit(repo, sub)
    if (area === 'contents') return contents(repo, `${sub}@${url.searchParams.get('ref')}`)
    if (area === 'labels') return label(repo, method, sub, given, url)
    if (area === 'rulesets') return ruleset(repo, method, sub, given, url)
    if (area === 'actions' && sub === 'variables') return variable(repo, method, rest[0], given, url)
    if (area === 'actions' && sub === 'secrets') return secret(repo, method, rest[0], given, url)
    if (area === 'environments' && sub === undefined) {
      const all = [...repo.environments].map(([each, is]) => environmentData(each, is, gone))
      return paged(url, all, 'environments')
    }
    if (area === 'topics') {
      if (method === 'PUT') repo.data['topics'] = given['names'] ?? given['topics']
      const key = prefix === '/api/v1' ? 'topics' : 'names'
      return { status: 200, data: { [key]: repo.data['topics'] } }
    }
    if (area === 'branches' && method === 'GET' && sub !== undefined) {
      const isBegun = repo.data['auto_init'] !== false || git.has(owner, name, sub)
      return isBegun ? { status: 200, data: { name: sub } } : NOT_FOUND
    }
    if (area === 'actions') return permissions(repo, method, rest[0], given)
    return area === 'environments' && sub !== undefined
      ? environment(repo, method, [sub, ...rest], given, url)
      : NOT_FOUND
  }

  function add(login: string, asked: Record<string, unknown>): Reply {
    const given = Object.fromEntries(Object.entries(asked).filter(([key]) => key !== 'owner'))
    const full = `${login}/${String(given['name'])}`
    if (repos.has(full.toLowerCase())) return TAKEN
    const repo = seed(full, { has_issues: true, has_wiki: true, has_projects: true, ...given })
    repo.hiddenUntil = clock.now() + hiddenSeconds * 1000
    return { status: 201, data: repo.data }
  }

  function patch({ data }: Repo, given: Record<string, unknown>): void {
    Object.assign(data, given)
    if ('visibility' in given) data['private'] = given['visibility'] !== 'public'
    else if ('private' in given) data['visibility'] = given['private'] === true ? 'private' : 'public'
  }

  function commit({ data }: Repo, ref: string): Reply {
    const url = `https://git.example.org/${String(data['full_name'])}/commit`
    const sha = hashFor(String(data['full_name']), ref)
    const tree = { sha, url }
    const about = { author: null, committer: null, comment_count: 0, message: 'x', tree, url }
    const links = { url, html_url: url, comments_url: url, node_id: 'C', parents: [] }
    return { status: 200, data: { ...links, sha, author: {}, committer: {}, commit: about } }
  }

  function contents({ files, data }: Repo, key: string): Reply {
    const text = files.get(key)
    const [where = ''] = key.split('@')
    const url = `https://git.example.org/${String(data['full_name'])}/${where}`
    const links = { url, git_url: url, html_url: url, download_url: url }
    const about = { type: 'file', size: text?.length, name: where, path: where, sha: 'f', ...links }
    const content = Buffer.from(text ?? '').toString('base64')
    const _links = { git: url, html: url, self: url }
    return text === undefined
      ? NOT_FOUND
      : { status: 200, data: { ...about, encoding: 'base64', content, _links } }
  }

  function label(
    repo: Repo,
    method: string,
    name: string | undefined,
    given: Record<string, unknown>,
    url: URL,
  ): Reply {
    const key = (name ?? String(given['name'])).toLowerCase()
    const is = repo.labels.get(key)
    if (method === 'GET') {
      if (name !== undefined) return is ? { status: 200, data: { ...LABEL, ...is } } : NOT_FOUND
      return paged(
        url,
        [...repo.labels.values()].map((each) => ({ ...LABEL, ...each })),
      )
    }
    if (method === 'POST' && is) return { status: 422, data: { message: 'Validation Failed' } }
    if (method === 'PATCH' && !is) return NOT_FOUND
    const { new_name: renamed, ...rest } = given
    const label = { ...LABEL, ...is, ...rest, ...(renamed === undefined ? {} : { name: renamed }) }
    repo.labels.delete(key)
    repo.labels.set(String((label as { name?: unknown }).name).toLowerCase(), label)
    return { status: method === 'POST' ? 201 : 200, data: label }
  }

  function ruleset(
    repo: Repo,
    method: string,
    id: string | undefined,
    given: Record<string, unknown>,
    url: URL,
  ): Reply {
    if (isBeyondPlan(repo)) return UPGRADE
    const is = repo.rulesets.get(id ?? '')
    if (method === 'GET' && id === undefined) {
      const all = [...repo.rulesets.values()]
      return paged(
        url,
        all.map((each) => ({ ...each, rules: undefined, conditions: undefined, bypass_actors: undefined })),
      )
    }
    if (id !== undefined && !is) return NOT_FOUND
    if (method === 'GET') return { status: 200, data: is }
    const taken = [...repo.rulesets.values()].some((each) => each !== is && each['name'] === given['name'])
    if (taken) return { status: 422, data: { message: 'Validation Failed', errors: ['Name must be unique'] } }
    const number = is ? Number(is['id']) : ids++
    const made = {
      source_type: 'Repository',
      source: repo.data['full_name'],
      bypass_actors: [],
      ...is,
      ...given,
      id: number,
    }
    repo.rulesets.set(String(number), made)
    return { status: method === 'POST' ? 201 : 200, data: made }
  }

  function variable(
    repo: Repo,
    method: string,
    name: string | undefined,
    given: Record<string, unknown>,
    url: URL,
  ): Reply {
    const stamps = { created_at: WHEN, updated_at: WHEN }
    const shown = (each: string) => ({ name: each, value: repo.variables.get(each), ...stamps })
    if (method === 'GET') {
      if (name !== undefined) return repo.variables.has(name) ? { status: 200, data: shown(name) } : NOT_FOUND
      return paged(url, [...repo.variables.keys()].map(shown), 'variables')
    }
    const key = name ?? String(given['name'])
    if (method === 'POST' && repo.variables.has(key))
      return { status: 409, data: { message: 'Already exists' } }
    if (method === 'PATCH' && !repo.variables.has(key)) return NOT_FOUND
    repo.variables.set(key, String(given['value']))
    return method === 'POST' ? { status: 201, data: {} } : { status: 204 }
  }

  function secret(
    repo: Repo,
    method: string,
    name: string | undefined,
    given: Record<string, unknown>,
    url: URL,
  ): Reply {
    if (name === 'public-key')
      return { status: 200, data: { key_id: '568250167242549743', key: SEALING_KEY } }
    if (method === 'PUT' && name !== undefined) {
      const status = repo.secrets.has(name) ? 204 : 201
      repo.secrets.set(name, given)
      return status === 201 ? { status, data: {} } : { status }
    }
    const stamps = { created_at: WHEN, updated_at: WHEN }
    return paged(
      url,
      [...repo.secrets.keys()].map((each) => ({ name: each, ...stamps })),
      'secrets',
    )
  }

  function isBeyondPlan({ data }: Repo): boolean {
    return options.plan === 'free' && data['private'] === true
  }

  /** One page of a list, under its key if it has one. */
  function paged(url: URL, all: readonly unknown[], key?: string): Reply {
    const page = Number(url.searchParams.get('page') ?? 1)
    const shown = all.slice((page - 1) * host.pageSize, page * host.pageSize)
    const more = all.length > page * host.pageSize
    url.searchParams.set('page', String(page + 1))
    const next = `<${host.url}${url.pathname}${url.search}>; rel="next"`
    return {
      status: 200,
      data: key === undefined ? shown : { total_count: all.length, [key]: shown },
      ...(more ? { headers: { link: next } } : {}),
    }
  }

  function seed(full: string, data: Record<string, unknown> = {}): Repo {
    const [owner = '', name = ''] = full.split('/')
    const repo: Repo = {
      data: {
        id: ids++,
        name,
        full_name: full,
        html_url: `https://git.example.org/${full}`,
        owner: { login: owner },
        created_at: new Date().toISOString(),
        private: false,
        description: null,
        homepage: null,
        topics: [],
        ...data,
        visibility: data['visibility'] ?? (data['private'] === true ? 'private' : 'public'),
      },
      // Different from what anybody wants, so that a step that did not happen shows.
      actions: { enabled: false },
      selected: { github_owned_allowed: false, verified_allowed: false, patterns_allowed: [] },
      workflow: { default_workflow_permissions: 'write', can_approve_pull_request_reviews: false },
      environments: new Map(),
      labels: new Map(),
      variables: new Map(),
      secrets: new Map(),
      rulesets: new Map(),
      files: new Map(),
      hiddenUntil: 0,
      busyUntil: 0,
    }
    repos.set(full.toLowerCase(), repo)
    return repo
  }

  function permissions(
    repo: Repo,
    method: string,
    which: string | undefined,
    given: Record<string, unknown>,
  ): Reply {
    const key = which === 'workflow' ? 'workflow' : which === 'selected-actions' ? 'selected' : 'actions'
    // The list is there only while it is in use.
    const isUsed = repo.actions['enabled'] === true && repo.actions['allowed_actions'] === 'selected'
    if (key === 'selected' && !isUsed) return CONFLICT
    if (method === 'GET') return { status: 200, data: repo[key] }
    repo[key] = key === 'actions' ? given : { ...repo[key], ...given }
    return { status: 204 }
  }

  function environment(
    repo: Repo,
    method: string,
    [name = '', area, id]: readonly string[],
    given: Record<string, unknown>,
    url: URL,
  ): Reply {
    const is = repo.environments.get(name)
    if (area === undefined) {
      if (method === 'GET') return is ? { status: 200, data: environmentData(name, is, gone) } : NOT_FOUND
      const refusal = environmentRefusal(repo, given)
      if (refusal) return refusal
      const mode = given['deployment_branch_policy'] as { custom_branch_policies?: boolean } | undefined
      const made = { body: given, policies: mode?.custom_branch_policies ? (is?.policies ?? []) : [] }
      repo.environments.set(name, made)
      return { status: 200, data: environmentData(name, made, gone) }
    }
    if (!is) return NOT_FOUND
    if (method === 'POST') {
      const known = is.policies.some(
        (policy) => policy.name === given['name'] && policy.type === given['type'],
      )
      if (known) return { status: 303 }
      is.policies.push({
        id: ids++,
        name: String(given['name']),
        type: given['type'] === 'tag' ? 'tag' : 'branch',
      })
      return { status: 200, data: is.policies.at(-1) }
    }
    if (method === 'DELETE') {
      is.policies = is.policies.filter((policy) => String(policy.id) !== id)
      return { status: 204 }
    }
    return paged(url, is.policies, 'branch_policies')
  }

  /** The host refuses rules that the owner's plan lacks as soon as their keys are there, and people who are gone. */
  function environmentRefusal(repo: Repo, given: Record<string, unknown>): Reply | undefined {
    const rules = ['wait_timer', 'reviewers', 'prevent_self_review', 'deployment_branch_policy']
    if (isBeyondPlan(repo) && rules.some((key) => key in given)) return PLAN
    const reviewers = (given['reviewers'] ?? []) as { id: number }[]
    if (reviewers.some(({ id }) => gone.has(id) || typeof id !== 'number'))
      return { status: 422, data: { message: 'Validation Failed', errors: ['Reviewers is invalid'] } }
    return undefined
  }

  const listening = await listen(server)
  const host: TestHost = {
    ...listening,
    git: git.root,
    url: listening.url + prefix,
    requests,
    repos,
    pageSize: 100,
    async [Symbol.asyncDispose]() {
      await listening[Symbol.asyncDispose]()
      git[Symbol.dispose]()
    },
    fail: (fault) => void faults.push({ fault, left: fault.times ?? 1 }),
    seed,
    gone,
    rename(from, to) {
      const repo = repos.get(from.toLowerCase())
      if (!repo) throw new Error(`there is no ${from}`)
      repos.delete(from.toLowerCase())
      repos.set(to.toLowerCase(), repo)
      Object.assign(repo.data, { full_name: to, name: to.split('/')[1] })
      former.set(from.toLowerCase(), to)
    },
  }
  return host
}

/** `GET /repos/{owner}/{repo}` stands for every repository. */
export function endpointPattern(endpoint: string): RegExp {
  const parts = endpoint.split(/\{\w+\}/).map((part) => RegExp.escape(part))
  return new RegExp(`^${parts.join('[^/]+')}$`)
}

/** `GET /user`: each request in its order. */
export function asked({ requests }: TestHost): readonly string[] {
  return requests.map(({ method, path }) => `${method} ${path}`)
}

export function count(host: TestHost, request: string): number {
  return asked(host).filter((each) => each === request).length
}

/** The requests that change something. */
export function writes({ requests }: TestHost) {
  return requests
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, body }) => ({ method, path, body }))
}

/** The same of a plan, as `--json` prints it. */
export function planned({ plan }: { readonly plan: { readonly steps: readonly Step[] } }) {
  return plan.steps
    .filter((step): step is RequestStep => step.kind === 'request')
    .map(({ method, path, body }) => ({ method, path, body }))
}

/** The commit that a name means in a repository. */
export function hashFor(repository: string, ref: string): string {
  return createHash('sha1').update(`${repository}@${ref}`).digest('hex')
}

const NOT_FOUND: Reply = { status: 404, data: { message: 'Not Found' } }
const BAD_TOKEN: Reply = { status: 401, data: { message: 'Bad credentials' } }
const CONFLICT: Reply = { status: 409, data: { message: 'Conflict' } }
const BUSY: Reply = {
  status: 422,
  data: {
    message: 'A previous repository operation is still in progress.',
    documentation_url: 'https://docs.example/repos',
  },
}
const PLAN: Reply = {
  status: 422,
  data: {
    message:
      'Failed to create the environment protection rule. Please ensure the billing plan supports the required reviewers protection rule.',
    documentation_url: 'https://docs.example/environments',
  },
}
const UPGRADE: Reply = {
  status: 403,
  data: {
    message: 'Upgrade to GitHub Pro or make this repository public to enable this feature.',
    documentation_url: 'https://docs.example/rulesets',
  },
}
const LABEL = {
  id: 1,
  node_id: 'L',
  url: 'https://git.example.org/l',
  default: false,
  color: 'ededed',
  description: null,
}
const WHEN = '2026-01-01T00:00:00Z'
/** Of the pair, the half that seals; `SEALING_SECRET` opens what it sealed. */
export const SEALING_KEY = 'Jq816nw2EFSQOlwh6yeO5SVdOr2t+HIeN9hpTTJOMiI='
export const SEALING_SECRET = 'd7zjEAU2NHkJSpeZpaNunD7U3x18bmUD2tG25aqobhY='
const TAKEN: Reply = {
  status: 422,
  data: {
    message: 'Repository creation failed.',
    errors: [
      {
        resource: 'Repository',
        code: 'custom',
        field: 'name',
        message: 'name already exists on this account',
      },
    ],
    documentation_url: 'https://docs.example/repos',
  },
}

/** The answer has rules where the request had fields. */
function environmentData(name: string, { body }: EnvironmentState, gone: ReadonlySet<number>): unknown {
  const rules: unknown[] = []
  if (body['wait_timer']) rules.push({ type: 'wait_timer', wait_timer: body['wait_timer'] })
  const reviewers = (body['reviewers'] ?? []) as { type: string; id: number }[]
  if (reviewers.length) {
    rules.push({
      type: 'required_reviewers',
      prevent_self_review: body['prevent_self_review'] === true,
      reviewers: reviewers.map(({ type, id }) => ({
        type,
        reviewer: gone.has(id) ? null : reviewer(type, id),
      })),
    })
  }
  return {
    name,
    can_admins_bypass: body['can_admins_bypass'] !== false,
    protection_rules: rules,
    deployment_branch_policy: body['deployment_branch_policy'] ?? null,
  }
}

function faultReply({ status, body, headers = {} }: Partial<Fault> = {}): Reply | undefined {
  return status === undefined ? undefined : { status, data: body ?? { message: 'as asked' }, headers }
}

function note(exchange: Exchange): void {
  const file = process.env['REPOSMITH_EXCHANGES']
  if (file) appendFileSync(file, `${JSON.stringify(exchange)}\n`)
}

/** `user-7` and `team-7` have the id 7. */
function account(login: string): unknown {
  const id = idIn(login) ?? 41
  return { login, id, type: login === 'octo' ? 'Organization' : 'User' }
}

function reviewer(type: string, id: number): unknown {
  return type === 'Team'
    ? { id, slug: id === 42 ? 'release' : `team-${id}` }
    : { id, login: id === 41 ? 'grace' : `user-${id}` }
}

function idIn(name: string): number | undefined {
  const [, id] = /^(?:user|team)-(\d+)$/.exec(name) ?? []
  return id === undefined ? undefined : Number(id)
}

function answerHalf(response: ServerResponse, { status, data }: Reply): void {
  const text = JSON.stringify(data)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length })
  response.write(text.slice(0, text.length / 2), () => response.destroy())
}

function answer(response: ServerResponse, { status, data, headers = {} }: Reply): void {
  const text = typeof data === 'string' ? data : data === undefined ? '' : JSON.stringify(data)
  response.writeHead(status, {
    ...(text ? { 'content-type': 'application/json; charset=utf-8' } : {}),
    'x-github-request-id': 'R1',
    ...headers,
  })
  response.end(text)
}
