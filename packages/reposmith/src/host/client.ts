// The API client: @octokit/core with its plugins, bounded. A fault of the host is a value, never an exception.
import { Octokit } from '@octokit/core'
import { retry } from '@octokit/plugin-retry'
import { throttling } from '@octokit/plugin-throttling'
import Bottleneck from 'bottleneck'
import { done, failed, STOPPED, whyAgain, type Answer } from '../failure.ts'
import { createBudget, type Budget } from './budget.ts'
import {
  abandoned,
  failureOf,
  isAway,
  isUntrusted,
  secondsToWait,
  Unreadable,
  unsaid,
  type Fault,
} from './faults.ts'
import { hostFetch } from './fetch.ts'
import type { Host } from './host.ts'
import type { Token } from './token.ts'

export interface Reply {
  readonly status: number
  readonly data: unknown
  /** The header that names the next page. */
  readonly link: string
}

export interface Client {
  /** Sends one request. Reads, PUT, PATCH and DELETE are retried within the bounds; POST is not. */
  readonly send: (
    method: string,
    path: string,
    body?: Readonly<Record<string, unknown>>,
  ) => Promise<Answer<Reply>>
  /** Undefined when the host answers 404; a 404 that is a web page is a failure. */
  readonly read: (path: string) => Promise<Answer<unknown>>
  /** All entries of a list that comes in pages. Each page is a list, or has one under `key`. */
  readonly list: (path: string, key?: string) => Promise<Answer<readonly unknown[]>>
  /** Waits, until Ctrl-C at most; or returns false when the wait budget is used up or the command was stopped before. */
  readonly pause: (seconds: number, why: string) => Promise<boolean>
}

export interface ClientOptions {
  readonly host: Host
  readonly token: Token
  readonly version: string
  readonly timeoutSeconds: number
  readonly maxWaitSeconds: number
  /** Fires at Ctrl-C: nothing more is sent, except the read that shows whether a write was done. */
  readonly stop: AbortSignal
  /** Fires when the running request is to be given up. */
  readonly abandon: AbortSignal
  /** Called before each wait, to report it. */
  readonly onWait: (seconds: number, why: string) => void
}

const TRIES_AGAIN = 3
/** Each of 100 entries. */
const PAGES_MAX = 100

export function createClient(options: ClientOptions): Client {
  const { host, token, timeoutSeconds, maxWaitSeconds, stop, abandon } = options
  const budget = createBudget(maxWaitSeconds)
  const octokit = connect(options, budget)
  let hasWritten = false

  const send: Client['send'] = async (method, path, body) => {
    const asked = {
      method,
      path,
      host: host.name,
      tokenVariable: token.variable,
      timeoutSeconds,
      maxWaitSeconds,
    }
    // After a write, a read shows whether it was done.
    if (stop.aborted && !(hasWritten && method === 'GET'))
      return failed(hasWritten ? abandoned(asked) : STOPPED)
    hasWritten ||= method !== 'GET'
    const request = { method: method as 'GET', url: path, ...(body ? { data: body } : {}) }
    try {
      // Octokit's wait between retries ignores signals, so it is raced against the signal instead.
      const response = await Promise.race([octokit.request(request), rejectOn(abandon)])
      const { status, data, headers } = response as Received
      // A redirect that arrives here was not followed: a 303, or one to another host, to plain HTTP, or in a loop.
      if (status >= 300) return failed(failureOf({ status, response }, asked))
      return done({ status, data, link: headers.link ?? '' })
    } catch (error) {
      const isStopped = abandon.aborted || error instanceof Stopped
      return failed(isStopped ? abandoned(asked) : failureOf(error, asked))
    }
  }

  return {
    send,
    async read(path) {
      const reply = await send('GET', path)
      if (reply.ok) return done(reply.output.data)
      return reply.error.kind === 'not_found' ? done(undefined) : reply
    },
    list: async (path, key) => await readPages(send, path, key),
    async pause(seconds, why) {
      if (stop.aborted || !budget.take(seconds)) return false
      options.onWait(seconds, why)
      const waited = new Promise<void>((resolve) => void setTimeout(resolve, seconds * 1000))
      await Promise.race([waited, rejectOn(stop)]).catch(() => undefined)
      return true
    },
  }
}

async function readPages(
  send: Client['send'],
  path: string,
  key: string | undefined,
): Promise<Answer<readonly unknown[]>> {
  const entries: unknown[] = []
  let next: string | undefined = `${path}?per_page=100`
  for (let pages = 0; next !== undefined && pages < PAGES_MAX; pages++) {
    const reply = await send('GET', next)
    if (!reply.ok) return reply
    const { data, link } = reply.output
    const page = key === undefined ? data : (data as Readonly<Record<string, unknown>>)[key]
    // Some hosts have null for an empty list.
    if (page !== null && !Array.isArray(page)) return failed(unsaid(path, 'what is on the list'))
    entries.push(...((page ?? []) as readonly unknown[]))
    next = /<([^<>]+)>;\s*rel="next"/.exec(link)?.[1]
  }
  return next === undefined ? done(entries) : failed(unsaid(path, 'where the list ends'))
}

function connect(options: ClientOptions, budget: Budget) {
  const { host, version, stop, onWait } = options
  const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore }
  const mayWait: MayWait = ({ seconds, why }, tries) => {
    const may = tries < TRIES_AGAIN && !stop.aborted && budget.take(seconds)
    if (may) onWait(seconds, why)
    return may
  }
  return new (Octokit.plugin(bounded(options, mayWait), retry, throttling))({
    baseUrl: host.api,
    userAgent: `reposmith/${version}`,
    log: silent,
    request: {
      log: silent,
      fetch: hostFetch({
        api: host.api,
        token: options.token.text,
        timeoutMs: options.timeoutSeconds * 1000,
        abandon: options.abandon,
      }),
    },
    // None by the plugin itself: all waits are decided above.
    retry: { doNotRetry: Array.from({ length: 200 }, (_, i) => 400 + i) },
    throttle: {
      // Ten writes at once, then one per second, as the host asks of heavy writers.
      write: new Bottleneck.Group({
        maxConcurrent: 1,
        reservoir: 10,
        reservoirIncreaseAmount: 1,
        reservoirIncreaseInterval: 1000,
        reservoirIncreaseMaximum: 10,
      }),
      // The primary limit is handled above: the plugin would not wait at all for a reset that has passed by the local
      // clock.
      onRateLimit: () => false,
      onSecondaryRateLimit: (seconds, _request, _octokit, tries) => mayWait({ seconds, why: LIMITED }, tries),
    },
  })
}

interface Wait {
  readonly seconds: number
  readonly why: string
}

type MayWait = (wait: Wait, tries: number) => boolean

/** The first plugin is the innermost: it sees an error before the retry plugin does, and tells it whether to retry. */
function bounded({ host, stop }: ClientOptions, mayWait: MayWait) {
  return (octokit: Octokit): object => {
    octokit.hook.before('request', (request) => {
      // Ctrl-C came during the wait before this try.
      if (stop.aborted && triesOf(request) > 0) throw new Stopped()
      Object.assign(request.headers, headersFor(host))
      // Octokit shares this object between requests, and its plugins store each request's retry count in it.
      request.request = { ...request.request }
    })
    octokit.hook.after('request', ({ status, data }, { method }) => {
      if (status < 300 && !isAnswer(data, method)) throw new Unreadable(status)
    })
    octokit.hook.error('request', (error, request) => {
      const fault: Fault = error
      const tries = triesOf(request)
      const wait = waitAfter(fault, request.method, tries)
      if (wait !== undefined && mayWait(wait, tries))
        Object.assign(fault.request ?? {}, {
          request: { ...request.request, retries: TRIES_AGAIN, retryAfter: wait.seconds },
        })
      throw error
    })
    return {}
  }
}

/** How often it was sent before. */
function triesOf({ request }: { readonly request?: object }): number {
  return (request as { readonly retryCount?: number } | undefined)?.retryCount ?? 0
}

class Stopped extends Error {
  /** The Octokit plugins expect this on every error. */
  readonly request = {}
}

function headersFor({ kind }: Host): Readonly<Record<string, string>> {
  return kind === 'gitea'
    ? { accept: 'application/json' }
    : {
        accept: 'application/vnd.github+json, application/json;q=0.9',
        'x-github-api-version': '2022-11-28',
      }
}

interface Received extends Omit<Reply, 'link'> {
  readonly headers: { readonly link?: string }
}

const LIMITED = 'the host has a rate limit'

/** The wait before another try; undefined if none would help, or, for a POST, if this one may have had its effect. */
function waitAfter(fault: Fault, method: string, tries: number): Wait | undefined {
  const { response, status = 0 } = fault
  const said = secondsToWait(response?.headers ?? {})
  if (isLimited(fault) && said !== undefined) return { seconds: said, why: LIMITED }
  const isWorthAnother = status >= 500 && !isUntrusted(fault) && !isAway(fault)
  if (method === 'POST' || !isWorthAnother) return undefined
  return { seconds: said ?? 2 ** tries, why: whyAgain(response && status) }
}

/** By a primary rate limit. Secondary limits are left to the throttling plugin. */
function isLimited({ status, message = '' }: Fault): boolean {
  return (status === 429 || status === 403) && !/\bsecondary rate\b/i.test(message)
}

/** Every read returns an object or a list; a write may return nothing. */
function isAnswer(data: unknown, method: string): boolean {
  return (typeof data === 'object' && data !== null) || (method !== 'GET' && !data)
}

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(new Error('given up'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

function ignore(): void {
  // Keeps Octokit from writing to stdout and stderr.
}
