// A code host on 127.0.0.1 with state: repositories, Actions permissions, environments, policies; it fails on demand.
import { appendFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { RequestStep, Step } from '../src/plan/step.ts'
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
  readonly requests: Recorded[]
  readonly repos: Map<string, Repo>
  /** Lowers the page size, so that few entries need several pages. */
  pageSize: number
  readonly fail: (fault: Fault) => void
  /** Adds a repository, as if it had been created before. */
  readonly seed: (name: string, data?: Record<string, unknown>) => Repo
}

export const TOKEN = 'test-token-that-must-not-appear'

interface HostOptions {
  /** Whom the token belongs to. */
  readonly login?: string
  /** The path of the API, such as `/api/v3`. */
  readonly prefix?: string
  /** A repository does not include its topics: they are requested separately. */
  readonly hidesTopics?: boolean
}

export async function startHost(options: HostOptions = {}): Promise<TestHost> {
  const { login = 'ada', prefix = '', hidesTopics = false } = options
  const requests: Recorded[] = []
  const repos = new Map<string, Repo>()
  const faults: { fault: Fault; left: number }[] = []
  let ids = 100

  const server = createServer((request, response) => void handle(request, response))

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
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
      return { status: 200, data: { slug: area, id: 42, type: 'organization' } }
    if (method === 'POST' && path === '/user/repos') return add(login, given)
    if (method === 'POST' && first === 'orgs' && name === 'repos') return add(owner, given)
    const repo = repos.get(`${owner}/${name}`.toLowerCase())
    if (first !== 'repos' || !repo) return NOT_FOUND
    if (area === undefined) {
      if (method === 'PATCH') Object.assign(repo.data, given)
      return { status: 200, data: hidesTopics ? { ...repo.data, topics: undefined } : repo.data }
    }
    if (area === 'generate') return add(String(given['owner']), given)
    if (area === 'topics') {
      if (method === 'PUT') repo.data['topics'] = given['names'] ?? given['topics']
      const key = prefix === '/api/v1' ? 'topics' : 'names'
      return { status: 200, data: { [key]: repo.data['topics'] } }
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
    return { status: 201, data: seed(full, given).data }
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
    if (method === 'GET') return { status: 200, data: repo[key] }
    repo[key] = given
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
      if (method === 'GET') return is ? { status: 200, data: environmentData(name, is) } : NOT_FOUND
      const policies = given['deployment_branch_policy'] ? (is?.policies ?? []) : []
      const made = { body: given, policies }
      repo.environments.set(name, made)
      return { status: 200, data: environmentData(name, made) }
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
    const page = Number(url.searchParams.get('page') ?? 1)
    const shown = is.policies.slice((page - 1) * host.pageSize, page * host.pageSize)
    const more = is.policies.length > page * host.pageSize
    url.searchParams.set('page', String(page + 1))
    const next = `<${host.url}${url.pathname}${url.search}>; rel="next"`
    return {
      status: 200,
      data: { total_count: is.policies.length, branch_policies: shown },
      ...(more ? { headers: { link: next } } : {}),
    }
  }

  const listening = await listen(server)
  const host: TestHost = {
    ...listening,
    url: listening.url + prefix,
    requests,
    repos,
    pageSize: 100,
    fail: (fault) => void faults.push({ fault, left: fault.times ?? 1 }),
    seed,
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

const NOT_FOUND: Reply = { status: 404, data: { message: 'Not Found' } }
const BAD_TOKEN: Reply = { status: 401, data: { message: 'Bad credentials' } }
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
function environmentData(name: string, { body }: EnvironmentState): unknown {
  const rules: unknown[] = []
  if (body['wait_timer']) rules.push({ type: 'wait_timer', wait_timer: body['wait_timer'] })
  const reviewers = (body['reviewers'] ?? []) as { type: string; id: number }[]
  if (reviewers.length) {
    rules.push({
      type: 'required_reviewers',
      prevent_self_review: body['prevent_self_review'] === true,
      reviewers: reviewers.map(({ type, id }) => ({ type, reviewer: { id } })),
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

function account(login: string): unknown {
  return { login, id: 41, type: login === 'octo' ? 'Organization' : 'User' }
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
