// Which host is used, where its API is, and what it supports.
import { cannot, done, wrong, type Answer } from '../failure.ts'

export interface Host {
  readonly kind: keyof typeof CAPABILITIES
  /** As shown to people: `git.example.org`. */
  readonly name: string
  /** Base address of the API, without a slash at the end. */
  readonly api: string
  /** Base address of the web pages. */
  readonly web: string
  readonly can: Capabilities
}

interface Capabilities {
  readonly environments: boolean
  readonly actionsPermissions: boolean
  /** Set by Reposmith: where false, the host lacks it or has it in another way. */
  readonly labels: boolean
  readonly merge: boolean
  readonly rulesets: boolean
  readonly secrets: boolean
  readonly variables: boolean
  /** Visibility to everybody in an enterprise. */
  readonly internal: boolean
  /** Accepts `has_issues`, `has_wiki` and `has_projects` when a repository is created. */
  readonly features: boolean
  /** Most topics per repository. */
  readonly topicsMost: number
  /** Keys of a request's body: the list of topics, the homepage, the license, the .gitignore. */
  readonly topics: 'names' | 'topics'
  readonly homepage: 'homepage' | 'website'
  readonly license: 'license_template' | 'license'
  readonly gitignore: 'gitignore_template' | 'gitignores'
}

const CAPABILITIES = {
  /** The public host, and enterprise hosts. */
  github: {
    environments: true,
    actionsPermissions: true,
    labels: true,
    merge: true,
    rulesets: true,
    secrets: true,
    variables: true,
    internal: true,
    features: true,
    topicsMost: 20,
    topics: 'names',
    homepage: 'homepage',
    license: 'license_template',
    gitignore: 'gitignore_template',
  },
  /** Also Forgejo, which has the same API. */
  gitea: {
    environments: false,
    actionsPermissions: false,
    labels: false,
    merge: false,
    rulesets: false,
    secrets: false,
    variables: false,
    internal: false,
    features: false,
    topicsMost: 25,
    topics: 'topics',
    homepage: 'website',
    license: 'license',
    gitignore: 'gitignores',
  },
} as const satisfies Record<string, Capabilities>

const PUBLIC_API = 'https://api.github.com'

export interface Whereabouts {
  readonly host?: string | undefined
  readonly apiUrl?: string | undefined
}

/** From `--api-url`, else `--host`, else CODEHOST_API_URL, else GH_HOST, else the public host. */
export function findHost(typed: Whereabouts, env: NodeJS.ProcessEnv): Answer<Host> {
  const { host, apiUrl } = typed
  if (host !== undefined && apiUrl !== undefined)
    return wrong('usage', '--host and --api-url say the same thing', 'leave one of them out')
  const { from, address } = named(typed, env)
  const url = address === undefined ? null : URL.parse(address)
  // A wrong flag is a usage error; a wrong variable is a setup error.
  const refuse = (why: string, remedy: string): Answer<never> =>
    from.startsWith('--') ? wrong('usage', why, remedy) : cannot('setup', why, remedy)
  if (!url && (from === '--host' || from === 'GH_HOST'))
    return refuse(`${from} is not the name of a host`, 'use one such as git.example.org')
  if (!url || !isBase(url))
    return refuse(`${from} is not the address of an API`, 'use one such as https://git.example.org/api/v3')
  if (/\/api\/v4\/?$/.test(url.pathname))
    return refuse(
      `${from} is the API of GitLab, which Reposmith does not speak`,
      'use a host of another kind',
    )
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return refuse(`${from} is not encrypted: the token would be sent in plain text`, 'use https://')
  return done(describe(url))
}

/** The address of the API, and what gave it; undefined when `--host` or GH_HOST is no host name. */
function named({ host, apiUrl }: Whereabouts, env: NodeJS.ProcessEnv) {
  if (apiUrl !== undefined) return { from: '--api-url', address: apiUrl }
  if (host !== undefined) return { from: '--host', address: apiOf(host) }
  const { CODEHOST_API_URL: api, GH_HOST: gh } = env
  if (!api && gh) return { from: 'GH_HOST', address: apiOf(gh) }
  return { from: 'CODEHOST_API_URL', address: api || PUBLIC_API }
}

/** Paths can be appended to it, and it holds no password. */
function isBase({ protocol, username, password, search, hash }: URL): boolean {
  return /^https?:$/.test(protocol) && username + password + search + hash === ''
}

/** This machine itself. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

export function isPublic(api: string): boolean {
  return new URL(api).origin === PUBLIC_API
}

/** `git.example.org` → `https://git.example.org/api/v3`; undefined when it is no host name. */
function apiOf(name: string): string | undefined {
  const host = name.toLowerCase()
  if (!/^[a-z\d]([a-z\d.-]*[a-z\d])?(:\d+)?$/.test(host)) return undefined
  if (host === 'github.com' || host === 'api.github.com') return PUBLIC_API
  // Tenants of the public host's enterprise cloud have their API at the subdomain `api`.
  if (host.endsWith('.ghe.com')) return `https://api.${host.replace(/^api\./, '')}`
  return `https://${host}/api/v3`
}

function describe(url: URL): Host {
  const api = url.href.replace(/\/+$/, '')
  const kind = api.endsWith('/api/v1') ? 'gitea' : 'github'
  // The API has a path or a subdomain of its own, not both.
  const web = /\/api\/v\d$/.test(api) ? api.slice(0, -'/api/v3'.length) : api.replace('://api.', '://')
  return { kind, name: new URL(web).host, api, web, can: CAPABILITIES[kind] }
}
