// What the host refused or failed at, as one of our failures: which exit code, and what to do next.
import type { Failure, FailureKind } from '../failure.ts'
import { scopeAdvice } from './scopes.ts'

/** What was asked. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly host: string
  readonly timeoutSeconds: number
}

/** The parts of octokit's RequestError that we look at. */
interface Fault {
  readonly status?: number
  readonly cause?: unknown
  readonly message?: string
  readonly response?: { readonly headers?: Readonly<Record<string, unknown>>; readonly data?: unknown }
}

interface Said {
  readonly message?: unknown
  readonly errors?: unknown
  readonly documentation_url?: unknown
}

/** An answer that is no JSON, though its status says that all is well: a login page, or some proxy's. */
export class Unreadable extends Error {
  readonly status: number
  /** The plugins look into that of every error. */
  readonly request = {}

  constructor(status: number) {
    super('the answer is no JSON')
    this.status = status
  }
}

export function failureOf(error: unknown, asked: Asked): Failure {
  if (error instanceof Unreadable) return unreadable(error, asked)
  const fault = error as Fault
  const { response } = fault
  if (!response) return unanswered(fault, asked)
  const status = fault.status ?? 0
  const headers = response.headers ?? {}
  const said = (typeof response.data === 'object' && response.data !== null ? response.data : {}) as Said
  const kind = kindOf(status, headers, textOf(said, response.data))
  const wait = kind === 'rate_limited' ? secondsToWait(headers) : null
  const errors = Array.isArray(said.errors) ? (said.errors as readonly unknown[]) : []
  return {
    code: kind === 'auth' || kind === 'scope' ? 3 : 4,
    message: `${asked.method} ${asked.path}: ${asked.host} answered ${status}${textOf(said, response.data)}`,
    remediation: remedy(kind, headers, wait, asked),
    kind,
    ...(errors.length ? { details: errors.map(lineOf) } : {}),
    http: {
      status,
      method: asked.method,
      path: asked.path,
      request_id: word(headers['x-github-request-id']) ?? null,
    },
    ...(errors.length ? { errors } : {}),
    retryable: kind === 'rate_limited' || status >= 500,
    ...(kind === 'rate_limited' ? { retry_after_s: wait } : {}),
    ...(typeof said.documentation_url === 'string' ? { docs: said.documentation_url } : {}),
  }
}

/** Somebody pressed Ctrl-C while the host was asked. */
export function abandoned({ method, path }: Asked): Failure {
  return {
    code: 130,
    message: `stopped while ${method} ${path} was under way`,
    remediation: 'run the same command again: it reads first, and sends only what is missing',
    kind: 'interrupted',
  }
}

function unreadable({ status }: Unreadable, { method, path, host }: Asked): Failure {
  return {
    code: 4,
    message: `${method} ${path}: ${host} answered ${status}, and nothing that is of its API`,
    remediation: 'check --api-url, and whether a proxy or a login page answers in its place',
    kind: 'upstream',
    http: { status, method, path, request_id: null },
    retryable: false,
  }
}

function unanswered(fault: Fault, asked: Asked): Failure {
  const cause = fault.cause as { name?: string; cause?: { code?: string } } | undefined
  const kind = cause?.name === 'TimeoutError' ? 'timeout' : 'network'
  const why = cause?.cause?.code ?? fault.message ?? 'no answer'
  return {
    code: 4,
    message:
      kind === 'timeout'
        ? `${asked.method} ${asked.path}: no answer from ${asked.host} in ${asked.timeoutSeconds} s`
        : `${asked.method} ${asked.path}: cannot reach ${asked.host}: ${why}`,
    remediation:
      kind === 'timeout'
        ? 'run it again, or allow more time with --timeout'
        : 'check the network and --api-url, then run it again',
    kind,
    http: { status: 0, method: asked.method, path: asked.path, request_id: null },
    retryable: true,
  }
}

/** A rate limit looks like a refusal: 403, told apart by its headers or its words. */
function kindOf(status: number, headers: Readonly<Record<string, unknown>>, text: string): FailureKind {
  if (status === 401) return 'auth'
  if (status === 429) return 'rate_limited'
  if (status === 403) {
    const limited =
      headers['retry-after'] !== undefined ||
      headers['x-ratelimit-remaining'] === '0' ||
      /\brate limit\b/i.test(text)
    return limited ? 'rate_limited' : 'scope'
  }
  if (status === 404) return 'not_found'
  if (status === 409) return 'conflict'
  return status === 422 || status === 400 ? 'validation' : 'upstream'
}

function remedy(
  kind: FailureKind,
  headers: Readonly<Record<string, unknown>>,
  wait: number | null,
  asked: Asked,
): string {
  if (kind === 'scope') return scopeAdvice(headers, asked.path)
  if (kind === 'rate_limited' && wait !== null)
    return `run it again in ${wait} s, or let it wait: --max-wait ${wait}`
  return REMEDIES[kind] ?? 'the host is in trouble: run it again later'
}

const REMEDIES: Partial<Readonly<Record<FailureKind, string>>> = {
  auth: 'the token is wrong or has expired: make a new one, and set CODEHOST_TOKEN',
  rate_limited: 'wait a while, then run it again',
  not_found: 'check the owner and the name; the token may also not be allowed to see it',
  conflict: 'the host has it otherwise, or a policy of the organization forbids it: look at its settings',
  validation: 'the host does not take these values: mend them, then run it again',
}

function secondsToWait(headers: Readonly<Record<string, unknown>>): number | null {
  const after = Number(headers['retry-after'] ?? Number.NaN)
  if (Number.isFinite(after)) return after
  const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN)
  return Number.isFinite(reset) ? Math.max(Math.ceil(reset - Date.now() / 1000) + 1, 0) : null
}

/** `: Not Found`, bounded: a proxy may answer with a whole page. */
function textOf(said: Said, data: unknown): string {
  const text = word(said.message) ?? (typeof data === 'string' ? data : '')
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  return flat === '' ? '' : `: ${flat.length > 200 ? `${flat.slice(0, 199)}…` : flat}`
}

/** `Repository.name: already_exists` */
function lineOf(error: unknown): string {
  const { resource, field, code, message } = (error ?? {}) as Readonly<Record<string, unknown>>
  const where = [resource, field].filter((part) => typeof part === 'string').join('.')
  return where ? `${where}: ${word(message) ?? word(code) ?? ''}` : JSON.stringify(error)
}

function word(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
