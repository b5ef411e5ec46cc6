// Turns failed requests into failures of the command: the exit code, and what to do next.
import type { Failure, FailureKind } from '../failure.ts'
import { type Asked, type HeaderFields, type HostAnswer, word } from './asked.ts'
import { ELSEWHERE } from './foreign.ts'
import { missingScope, scopeAdvice } from './scopes.ts'

interface Said {
  readonly message?: unknown
  readonly errors?: unknown
  readonly documentation_url?: unknown
}

/** The host answered, but not with a success. */
export function refused(answer: HostAnswer, asked: Asked): Failure {
  const { method, path, host } = asked
  const { status, headers, data } = answer
  const isJson = typeof data === 'object' && data !== null
  const said = saidIn(data)
  const text = textOf(answer)
  const errors = errorsIn(said)
  const isForeign = status < 400 || (status < 500 && !isJson)
  const kind = kindOf({ status, headers, text: [text, ...errors.map(lineOf)].join(' '), isForeign })
  const retryable = kind === 'rate_limited' || status >= 500
  const wait = retryable ? (secondsToWait(headers) ?? secondaryWait(text)) : undefined
  return {
    code: kind === 'auth' || kind === 'scope' ? 3 : 4,
    message: `${method} ${path}: ${host} answered ${status}${text}`,
    remediation: remedy(kind, { status, headers, text, isForeign, wait }, asked),
    kind,
    ...(errors.length ? { details: errors.map(lineOf) } : {}),
    http: { status, method, path, request_id: word(headers['x-github-request-id']) ?? null },
    ...(errors.length ? { errors } : {}),
    retryable,
    ...(retryable ? { retry_after_s: wait ?? null } : {}),
    ...(typeof said.documentation_url === 'string' ? { docs: said.documentation_url } : {}),
  }
}

/** Ctrl-C was pressed while a request was under way. */
export function abandoned({ method, path }: Asked): Failure {
  return {
    code: 130,
    message: `stopped while ${method} ${path} was under way`,
    remediation: 'run the same command again: it reads first, and sends only what is missing',
    kind: 'interrupted',
  }
}

interface Refusal {
  readonly status: number
  readonly headers: HeaderFields
  readonly text: string
  /** Not by the API, which says why in JSON: by a proxy or a web server. */
  readonly isForeign: boolean
}

function kindOf({ status, headers, text, isForeign }: Refusal): FailureKind {
  if (status === 403 && isLimited(headers, text)) return 'rate_limited'
  if (status === 403 && isArchived(text)) return 'conflict'
  if (isBeyondPlan({ status, text })) return 'plan'
  // No API sends a page, plain text or nothing for what does not exist, or what the token may not do.
  if (isForeign && (status === 403 || status === 404)) return 'upstream'
  return KINDS[status] ?? 'upstream'
}

const KINDS: Readonly<Record<number, FailureKind>> = {
  400: 'validation',
  401: 'auth',
  403: 'scope',
  404: 'not_found',
  409: 'conflict',
  422: 'validation',
  429: 'rate_limited',
}

/** `Please ensure the billing plan supports the required reviewers protection rule`, `Upgrade to GitHub Pro or make …` */
function isBeyondPlan({ status, text }: Pick<Refusal, 'status' | 'text'>): boolean {
  return (
    (status === 403 || status === 422) && /\bbilling plan\b|\bupgrade to\b.*\bto enable this\b/i.test(text)
  )
}

/** What the owner's plan includes without it. */
function withoutPlan(path: string): string {
  const rest = /\/environments\//.test(path)
    ? 'without reviewers, wait time, branches and tags the environment works there'
    : 'the rest works without it'
  return `the plan of its owner does not include this for a private repository: ${rest}; or make it public, or upgrade the plan`
}

function isArchived(text: string): boolean {
  return /\barchived\b/i.test(text)
}

/** An address that an allow list lacks; a repository or an account that was blocked. */
const KEPT_OUT = /\ballow list\b|\bblocked\b|\bsuspended\b/i

/** A rate limit may arrive as 403: its headers or text tell it from a refusal. */
function isLimited(headers: HeaderFields, text: string): boolean {
  return (
    headers['retry-after'] !== undefined ||
    headers['x-ratelimit-remaining'] === '0' ||
    /\brate limit\b/i.test(text)
  )
}

function remedy(
  kind: FailureKind,
  { status, headers, text, isForeign, wait }: Refusal & { readonly wait: number | undefined },
  asked: Asked,
): string {
  if (isForeign && kind !== 'rate_limited') return ELSEWHERE
  if (kind === 'conflict' && isArchived(text))
    return 'an archived repository takes no changes: unarchive it first'
  if (kind === 'plan') return withoutPlan(asked.path)
  if (kind === 'scope' && KEPT_OUT.test(text))
    return 'the host says why, and another token or scope would not help: ask whoever runs the organization'
  if (kind === 'scope') return scopeAdvice(headers, asked.path)
  if (kind === 'auth')
    return `the token in ${asked.tokenVariable} is wrong or has expired: set it to a new one`
  if (kind === 'not_found') return whereToLook(headers, asked)
  if (wait !== undefined) {
    // A --max-wait as long as that was already allowed.
    const mayHelp = wait > asked.maxWaitSeconds && wait <= MAX_WAIT
    return `run it again in ${wait} s${mayHelp ? `, or let it wait: --max-wait ${wait}` : ''}`
  }
  if (kind === 'upstream' && status < 500)
    return 'it would answer the same again: read its answer, and check --api-url'
  return REMEDIES[kind] ?? 'the host has a problem: run it again later'
}

/** The host also answers 404 for what the token may not see or do. */
function whereToLook(headers: HeaderFields, { method, path }: Asked): string {
  if (path === '/user')
    return 'check --api-url (or CODEHOST_API_URL): the API may be under another path, such as /api/v3'
  const scope = missingScope(headers)
  if (scope !== undefined) return `check the owner and the name; the token also lacks the scope ${scope}`
  if (method === 'POST' && /^\/orgs\/[^/]+\/repos$/.test(path))
    return 'check the name of the organization, and that the token may see it; for your own account leave it out'
  // It was read before: what a token may read but not change, the host hides from its writes.
  if (method !== 'GET' && !path.endsWith('/generate'))
    return 'the token may not change this: it needs to administer the repository'
  if (/^\/repos\/[^/]+\/[^/]+(\/environments\/[^/]+)?$/.test(path))
    return 'check the owner and the name, or create it: reposmith repo create'
  return 'check the owner and the name; the token may also not be allowed to see it'
}

/** The most that `--max-wait` accepts. */
const MAX_WAIT = 3600

const REMEDIES: Partial<Readonly<Record<FailureKind, string>>> = {
  rate_limited: 'wait a while, then run it again',
  conflict:
    'something on the host conflicts with this, or a policy of the organization forbids it: check the settings there',
  validation: 'the host rejects these values: fix them, then run it again',
}

/** RFC 9110, 10.2.3: seconds, or a date. At least 1; undefined when it is neither or is missing. */
function retryAfter(headers: HeaderFields): number | undefined {
  const said = word(headers['retry-after']) ?? ''
  const seconds = /^\d+(\.\d+)?$/.test(said) ? Number(said) : (Date.parse(said) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(Math.ceil(seconds), 1)
}

/** Undefined when the host does not say. At least 1: the limit still holds, even if its end has passed by our clock. */
export function secondsToWait(headers: HeaderFields): number | undefined {
  return retryAfter(headers) ?? secondsToReset(headers)
}

/** When nothing remains of the rate limit. */
export function secondsToReset(headers: HeaderFields): number | undefined {
  // Every answer has a reset time, so it counts only when nothing remains.
  const reset = headers['x-ratelimit-remaining'] === '0' ? Number(headers['x-ratelimit-reset']) : Number.NaN
  return Number.isFinite(reset) ? Math.max(Math.ceil(reset - Date.now() / 1000) + 1, 1) : undefined
}

/**
 * https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api: of a secondary limit a minute, if the
 * host does not say more, and longer each time. In seconds; undefined for anything else.
 */
export function secondaryWait(text: string): number | undefined {
  return /\bsecondary rate\b/i.test(text) ? 60 : undefined
}

/** `: Not Found`, shortened: a proxy may answer with anything. */
export function textOf({ data, headers }: HostAnswer): string {
  const location = word(headers['location'])
  if (location !== undefined) return `, and leads to ${bounded(location)}`
  if (isPage(data)) return ' with a page'
  const text = bounded(word(saidIn(data).message) ?? (typeof data === 'string' ? data : ''))
  return text === '' ? '' : `: ${text}`
}

function saidIn(data: unknown): Said {
  return typeof data === 'object' && data !== null ? data : {}
}

function bounded(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  return flat.length > 200 ? `${flat.slice(0, 199)}…` : flat
}

/** An HTML page, where an API answers with JSON. */
function isPage(data: unknown): boolean {
  return typeof data === 'string' && data.trimStart().startsWith('<')
}

/** A list of objects or strings, or one string. */
function errorsIn({ errors }: Said): readonly unknown[] {
  if (Array.isArray(errors)) return errors
  return word(errors) === undefined ? [] : [errors]
}

/** `Repository.name: already_exists` */
function lineOf(error: unknown): string {
  if (typeof error === 'string') return error
  const { resource, field, code, message } = (error ?? {}) as Readonly<Record<string, unknown>>
  const where = [resource, field].filter((part) => typeof part === 'string').join('.')
  const what = word(message) ?? word(code)
  return where ? `${where}: ${what ?? ''}` : (what ?? JSON.stringify(error))
}
