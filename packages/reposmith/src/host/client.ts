// The API client, with bounded waits. A fault of the host is a value, never an exception.
import { backoff, done, failed, STOPPED, whyAgain, type Answer, type Failure } from '../failure.ts'
import { word, type Asked, type Fault, type HeaderFields, type HostAnswer } from './asked.ts'
import { CLOCK, type Clock } from './clock.ts'
import { abandoned, refused, secondaryWait, secondsToReset, secondsToWait, textOf } from './faults.ts'
import { askerFor } from './fetch.ts'
import { unreadable, unsaid } from './foreign.ts'
import type { Host } from './host.ts'
import type { Token } from './token.ts'
import { isAway, unanswered } from './unanswered.ts'

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
  /** What was sent so far, and what the host allows for now, if it says so. */
  readonly spent: () => Spent
}

export interface Spent {
  readonly requests: number
  readonly rate: { readonly remaining: number | null; readonly reset: string | null }
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
  readonly clock?: Clock
}

/** Each of 100 entries. */
const PAGES_MAX = 100

export function createClient(options: ClientOptions): Client {
  const { host, token, version, timeoutSeconds, maxWaitSeconds, stop, abandon, clock = CLOCK } = options
  const headers = { ...headersFor(host), 'user-agent': `reposmith/${version}` }
  const timeoutMs = timeoutSeconds * 1000
  const ask = askerFor({ api: host.api, token: token.text, headers, timeoutMs, abandon })
  let hasWritten = false
  let requests = 0
  let rate: Spent['rate'] = { remaining: null, reset: null }
  let msLeft = maxWaitSeconds * 1000
  let mayWriteAt = -Infinity
  let mayAskAt = -Infinity
  let waitsUntil = -Infinity

  const send: Client['send'] = async (method, path, body) => {
    const asked = {
      method,
      path,
      host: host.name,
      tokenVariable: token.variable,
      timeoutSeconds,
      maxWaitSeconds,
    }
    for (let tries = 0; ; tries++) {
      if (method !== 'GET') await pace()
      await turn()
      // After a write, a read shows whether it was done.
      const isProof = hasWritten && method === 'GET' && tries === 0
      if (stop.aborted && !isProof) return failed(hasWritten && tries > 0 ? abandoned(asked) : STOPPED)
      hasWritten ||= method !== 'GET'
      requests++
      const outcome = await ask(method, path, body).catch((fault: Fault) => new Unanswered(fault))
      if (!(outcome instanceof Unanswered)) noteRate(outcome)
      if (!(outcome instanceof Unanswered) && outcome.status < 300) return replyOf(outcome, asked)
      if (abandon.aborted) return failed(abandoned(asked))
      const wait = waitAfter(outcome, method, tries)
      if (!wait) return failed(failureOf(outcome, asked))
      const before = mayAskAt
      if (wait.isLimit) mayAskAt = Math.max(mayAskAt, clock.now() + wait.seconds * 1000)
      if (await pause(wait.seconds, wait.why)) continue
      mayAskAt = before
      return failed(failureOf(outcome, asked))
    }
  }

  /** The last request that the limit allows is not followed by one that it refuses. */
  const noteRate = ({ status, headers }: HostAnswer): void => {
    rate = rateIn(headers) ?? rate
    const wait = status < 300 ? secondsToReset(headers) : undefined
    if (wait !== undefined) mayAskAt = Math.max(mayAskAt, clock.now() + wait * 1000)
  }

  /** Ten writes at once, then one per second, as the host asks of heavy writers. */
  const pace = async (): Promise<void> => {
    const now = clock.now()
    // Each write moves it on by a second, from ten seconds ago at the earliest.
    mayWriteAt = Math.max(mayWriteAt, now - 10_000) + 1000
    if (mayWriteAt > now) await clock.sleep(mayWriteAt - now, stop)
  }

  /** The host's rate limit is one for all: while it is waited for, nothing is sent. */
  const turn = async (): Promise<void> => {
    const left = mayAskAt - clock.now()
    // A timer may wake a millisecond early. What is too long to wait for the host refuses itself.
    if (left > 1) await pause(Math.ceil(left / 1000), LIMITED)
  }

  const pause: Client['pause'] = async (seconds, why) => {
    if (stop.aborted) return false
    const now = clock.now()
    const until = now + seconds * 1000
    // Waits that go on at the same time count once.
    const more = until - Math.max(now, waitsUntil)
    // The clock has fractions.
    if (more > msLeft + 1) return false
    if (more > 0) {
      msLeft -= more
      waitsUntil = until
      options.onWait(seconds, why)
    }
    await clock.sleep(until - now, stop)
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
    spent: () => ({ requests, rate }),
  }
}

const LIMITED = 'the host has a rate limit'

function rateIn(headers: HeaderFields): Spent['rate'] | undefined {
  const [remaining, reset] = [headers['x-ratelimit-remaining'], headers['x-ratelimit-reset']].map(Number)
  if (!Number.isFinite(remaining)) return undefined
  const at = Number.isFinite(reset) ? new Date(Number(reset) * 1000).toISOString() : null
  return { remaining: Number(remaining), reset: at }
}

/** No answer came. */
class Unanswered {
  readonly fault: Fault
  constructor(fault: Fault) {
    this.fault = fault
  }
}

function replyOf({ status, headers, data }: HostAnswer, asked: Asked): Answer<Reply> {
  return isAnswer(data, asked.method)
    ? done({ status, data, link: word(headers['link']) ?? '' })
    : failed(unreadable(status, asked))
}

/** A redirect that arrives here was not followed: a 303, or one to another host or in a loop. */
function failureOf(outcome: HostAnswer | Unanswered, asked: Asked): Failure {
  return outcome instanceof Unanswered ? unanswered(outcome.fault, asked) : refused(outcome, asked)
}

async function readPages(
  { send, api }: Pick<Client, 'send'> & Pick<Host, 'api'>,
  path: string,
  key: string | undefined,
): Promise<Answer<readonly unknown[]>> {
  const entries: unknown[] = []
  let next: string | undefined = `${path}${path.includes('?') ? '&' : '?'}per_page=100`
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

function headersFor({ kind }: Host): Readonly<Record<string, string>> {
  return kind === 'gitea'
    ? { accept: 'application/json' }
    : {
        accept: 'application/vnd.github+json, application/json;q=0.9',
        'x-github-api-version': '2022-11-28',
      }
}

interface Wait {
  readonly seconds: number
  readonly why: string
  /** It holds for every request. */
  readonly isLimit?: true
}

/** The wait before another try; undefined if none would help, or, for a POST, if this one may have had its effect. */
function waitAfter(outcome: HostAnswer | Unanswered, method: string, tries: number): Wait | undefined {
  if (outcome instanceof Unanswered)
    return method === 'POST' || isAway(outcome.fault)
      ? undefined
      : { seconds: backoff(tries), why: whyAgain(undefined) }
  const { status, headers } = outcome
  const said = secondsToWait(headers)
  if (status === 429 || status === 403) {
    const secondary = secondaryWait(textOf(outcome))
    const seconds = said ?? (secondary && secondary * 2 ** tries)
    return seconds === undefined ? undefined : { seconds, why: LIMITED, isLimit: true }
  }
  if (method === 'POST' || status < 500) return undefined
  return { seconds: said ?? backoff(tries), why: whyAgain(status) }
}

/** Every read returns an object or a list; a write may return nothing. */
function isAnswer(data: unknown, method: string): boolean {
  return (typeof data === 'object' && data !== null) || (method !== 'GET' && !data)
}
