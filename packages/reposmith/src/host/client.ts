// The API client: @octokit/core, with bounded tries and waits. A fault of the host is a value, never an exception.
import { setTimeout } from 'node:timers/promises'
import { Octokit } from '@octokit/core'
import { done, failed, STOPPED, whyAgain, type Answer } from '../failure.ts'
import type { Fault } from './asked.ts'
import { abandoned, failureOf, secondaryWait, secondsToWait } from './faults.ts'
import { hostFetch } from './fetch.ts'
import { unreadable, unsaid } from './foreign.ts'
import type { Host } from './host.ts'
import type { Token } from './token.ts'
import { isAway } from './unanswered.ts'

export interface Reply {
  readonly status: number
  readonly data: unknown
  /** The header that names the next page. */
  readonly link: string
}

export interface Client {
  /** Sends one request, and again within the bounds; a POST only if a rate limit kept it from being done. */
  readonly send: (
    method: string,
    path: string,
    body?: Readonly<Record<string, unknown>>,
  ) => Promise<Answer<Reply>>
  /** Undefined when the host answers 404; a 404 that is no JSON is a failure. */
  readonly read: (path: string) => Promise<Answer<unknown>>
  /** All entries of a list that comes in pages. Each page is a list, or has one under `key`. */
  readonly list: (path: string, key?: string) => Promise<Answer<readonly unknown[]>>
  /** Waits, until Ctrl-C at most; or returns false when --max-wait is used up or the command was stopped before. */
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
  const octokit = connect(options)
  const headers = headersFor(host)
  let hasWritten = false
  let secondsLeft = maxWaitSeconds
  let mayWriteAt = -Infinity

  const send: Client['send'] = async (method, path, body) => {
    const asked = {
      method,
      path,
      host: host.name,
      tokenVariable: token.variable,
      timeoutSeconds,
      maxWaitSeconds,
    }
    const request = { method: method as 'GET', url: path, headers, ...(body ? { data: body } : {}) }
    for (let tries = 0; ; tries++) {
      if (method !== 'GET') await pace()
      // After a write, a read shows whether it was done.
      const isProof = hasWritten && method === 'GET' && tries === 0
      if (stop.aborted && !isProof) return failed(hasWritten && tries > 0 ? abandoned(asked) : STOPPED)
      hasWritten ||= method !== 'GET'
      try {
        const response = await octokit.request(request)
        const { status, data, headers } = response as Received
        // A redirect that arrives here was not followed: a 303, or one to another host or in a loop.
        if (status >= 300) return failed(failureOf({ status, response }, asked))
        if (!isAnswer(data, method)) return failed(unreadable(status, asked))
        return done({ status, data, link: headers.link ?? '' })
      } catch (error) {
        if (abandon.aborted) return failed(abandoned(asked))
        const fault = error as Fault
        const wait = tries < TRIES_AGAIN ? waitAfter(fault, method, tries) : undefined
        if (!wait || !(await pause(wait.seconds, wait.why))) return failed(failureOf(fault, asked))
      }
    }
  }

  /** Ten writes at once, then one per second, as the host asks of heavy writers. */
  const pace = async (): Promise<void> => {
    const now = performance.now()
    // Each write moves it on by a second, from ten seconds ago at the earliest.
    mayWriteAt = Math.max(mayWriteAt, now - 10_000) + 1000
    if (mayWriteAt > now) await sleep(mayWriteAt - now)
  }

  const sleep = async (ms: number): Promise<void> =>
    await setTimeout(ms, undefined, { signal: stop }).catch(() => undefined)

  const pause: Client['pause'] = async (seconds, why) => {
    if (stop.aborted || seconds > secondsLeft) return false
    secondsLeft -= seconds
    options.onWait(seconds, why)
    await sleep(seconds * 1000)
    return true
  }

  return {
    send,
    async read(path) {
      const reply = await send('GET', path)
      if (reply.ok) return done(reply.output.data)
      return reply.error.kind === 'not_found' ? done(undefined) : reply
    },
    list: async (path, key) => await readPages({ send, api: host.api }, path, key),
    pause,
  }
}

async function readPages(
  { send, api }: Pick<Client, 'send'> & Pick<Host, 'api'>,
  path: string,
  key: string | undefined,
): Promise<Answer<readonly unknown[]>> {
  const entries: unknown[] = []
  let next: string | undefined = `${path}?per_page=100`
  // Another host would get no token: what it answers is not about this list.
  const isOwn = (link: string): boolean => URL.parse(link, api)?.origin === new URL(api).origin
  for (let pages = 0; next !== undefined && isOwn(next) && pages < PAGES_MAX; pages++) {
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

function connect({ host, token, version, timeoutSeconds, abandon }: ClientOptions): Octokit {
  const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore }
  return new Octokit({
    baseUrl: host.api,
    userAgent: `reposmith/${version}`,
    log: silent,
    request: {
      log: silent,
      fetch: hostFetch({ api: host.api, token: token.text, timeoutMs: timeoutSeconds * 1000, abandon }),
    },
  })
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

interface Wait {
  readonly seconds: number
  readonly why: string
}

/** The wait before another try; undefined if none would help, or, for a POST, if this one may have had its effect. */
function waitAfter(fault: Fault, method: string, tries: number): Wait | undefined {
  const { response, status = 0, message = '' } = fault
  const said = secondsToWait(response?.headers ?? {})
  if (status === 429 || status === 403) {
    const secondary = secondaryWait(message)
    const seconds = said ?? (secondary && secondary * 2 ** tries)
    return seconds === undefined ? undefined : { seconds, why: 'the host has a rate limit' }
  }
  if (method === 'POST' || status < 500 || isAway(fault)) return undefined
  return { seconds: said ?? 2 ** tries, why: whyAgain(response && status) }
}

/** Every read returns an object or a list; a write may return nothing. */
function isAnswer(data: unknown, method: string): boolean {
  return (typeof data === 'object' && data !== null) || (method !== 'GET' && !data)
}

function ignore(): void {
  // Keeps Octokit from writing to stdout and stderr.
}
