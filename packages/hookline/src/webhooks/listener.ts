// The HTTP listener for webhooks. Checks in order: path and method, bot, address; then the intake: size, proof, JSON.
// docs/deliveries.md has every status.
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Bots } from '../bots/bots.ts'
import type { Log } from '../log/log.ts'
import { createServer } from '../net/http.ts'
import { isLoopback } from '../irc/address.ts'
import { hostAndPort, bindFailure } from '../net/listening.ts'
import { StartFailure } from '../failure/startfailure.ts'
import { Doorkeeper, parsePath } from './admission.ts'
import { notFound, refuse, refuseForNow, shuttingDown } from './answer.ts'
import { Connections } from './connections.ts'
import type { Deliveries } from './deliveries.ts'
import { guard } from './guard.ts'
import { Intake } from './intake.ts'
import type { Metrics } from './metrics.ts'
import { Refusals } from './refusals.ts'
import type { RefusedWebhooks } from './refused.ts'
import { rawReply, type Reply, replyOk, replyWith, send } from './reply.ts'
import { targetOf } from './target.ts'

export interface ListenerOptions {
  readonly bots: Pick<Bots, 'get'>
  readonly deliveries: Pick<Deliveries, 'accept' | 'acceptAll'>
  readonly metrics: Metrics
  readonly refused: Pick<RefusedWebhooks, 'note'>
  readonly log: Log
  readonly now: () => number
  /** Why nothing is accepted for now, whatever it is. */
  readonly trouble?: () => string | undefined
  /** Largest body in bytes; a larger one gets 413. */
  readonly bodyBytes: number
  /** Host names besides localhost that are accepted when bound to loopback; any other Host gets 421. */
  readonly allowedHosts?: readonly string[]
  /** Proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies?: readonly string[]
  /** Time for the whole request, in ms; a slower one gets 408. */
  readonly requestMs?: number
  /** Most connections; one more replaces the one that has gone longest without a whole request. */
  readonly connections?: number
  /** Total bytes of all incomplete bodies; beyond it the connection whose body began first is closed. */
  readonly unfinishedBytes?: number
}

export interface Listening {
  readonly host: string
  readonly port: number
  /** `http://127.0.0.1:7680` */
  readonly url: string
}

/**
 * Longer than proxies keep their idle connections (nginx 60 s, Caddy two minutes, Google's load balancer ten): of two that close at the
 * same moment, the proxy would send a webhook into a closed connection, answer 502, and the sender would not try again.
 */
const IDLE_MS = 620_000
/** Who asks for the health asks often, and wants to know soon when it is over. */
const HEALTH_RETRY_S = 5

export class WebhookListener {
  readonly #options: ListenerOptions
  readonly #server: Server
  readonly #refusals: Refusals
  readonly #connections: Connections
  readonly #doorkeeper: Doorkeeper
  readonly #intake: Intake
  #host = ''
  #isDraining = false

  constructor(options: ListenerOptions) {
    this.#options = options
    this.#refusals = new Refusals(options.log, options.refused)
    const requestTimeout = options.requestMs ?? 15_000
    this.#server = createServer({
      headersTimeout: Math.min(10_000, requestTimeout),
      requestTimeout,
      connectionsCheckingInterval: Math.min(1_000, requestTimeout),
      keepAliveTimeout: IDLE_MS,
      maxHeaderSize: 16 * 1024,
      // The host is checked here instead, for an answer like all others.
      requireHostHeader: false,
    })
    // More headers than this get 431.
    this.#server.maxHeadersCount = 100
    // A sender that half-closes after its request is still answered. Node's types lack this option.
    Object.assign(this.#server, { httpAllowHalfOpen: true })
    this.#connections = new Connections(this.#server, {
      connections: options.connections ?? 1_000,
      unfinishedBytes: options.unfinishedBytes ?? 128 * 1024 * 1024,
    })
    this.#doorkeeper = new Doorkeeper({ ...options, refusals: this.#refusals, host: () => this.#host })
    this.#intake = new Intake({
      ...options,
      connections: this.#connections,
      refusals: this.#refusals,
      doorkeeper: this.#doorkeeper,
    })
    this.#server.on('request', (request, response) => void this.#exchange(request, response, false))
    this.#server.on('checkContinue', (request, response) => void this.#exchange(request, response, true))
    // RFC 9110, 10.1.1: an unknown expectation may be ignored.
    this.#server.on('checkExpectation', (request, response) => void this.#exchange(request, response, false))
    // For an error in the bytes after a whole request, this event fires before that request has been read.
    this.#server.on('clientError', (error, socket) =>
      setImmediate(() => this.#refuseFraming(error, socket as Socket)),
    )
  }

  /** Port 0 is any free one. Rejects with the address and the reason when it cannot be bound. */
  async listen({ host, port }: { host: string; port: number }): Promise<Listening> {
    try {
      const listening = once(this.#server, 'listening')
      // Many come at once; the system's default of 511 would let some of them try again in a second.
      this.#server.listen({ host, port, backlog: 4096 })
      await listening
    } catch (error) {
      const text = `webhooks cannot listen on ${hostAndPort(host, port)}: ${bindFailure(error)}`
      throw new StartFailure('webhook listener', text, { cause: error })
    }
    this.#server.on('error', (error) =>
      this.#options.log.error({ err: error }, 'the webhook listener has a problem'),
    )
    this.#host = host
    const bound = (this.#server.address() as AddressInfo).port
    return { host, port: bound, url: `http://${hostAndPort(host, bound)}` }
  }

  /** Closes the connections that wait for their next request. */
  closeIdle(): void {
    this.#server.closeIdleConnections()
  }

  /** Accepts no more connections, answers what was accepted, then closes; after `ms` the rest is cut off. */
  async drain(ms = 10_000): Promise<void> {
    this.#isDraining = true
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#connections.endSilent()
    const timer = setTimeout(() => this.#server.closeAllConnections(), ms)
    await closed
    clearTimeout(timer)
  }

  async #exchange(
    request: IncomingMessage,
    response: ServerResponse,
    expectsContinue: boolean,
  ): Promise<void> {
    const began = performance.now()
    const { log, metrics } = this.#options
    try {
      const reply = await this.#reply(request, expectsContinue ? response : undefined)
      if (!reply || response.destroyed) return
      // After a refusal in place of 100 Continue, the sender may or may not send the body.
      const close = this.#isDraining || (expectsContinue && !request.complete) || !isHttp1(request)
      send(request, response, reply, close)
      metrics.answered(reply.status, (performance.now() - began) / 1000)
    } catch (error) {
      log.error({ err: error }, 'a webhook request failed because of a bug in hookline')
      if (response.headersSent) response.destroy()
      else send(request, response, replyWith(refuse(500, 'internal error')), true)
    } finally {
      // Behind the answer, and those of earlier requests before it.
      if (this.#connections.rest(request)) response.once('finish', () => request.socket.end())
    }
  }

  /** Undefined when the sender hung up before the body was complete: nothing is stored then. */
  #reply(request: IncomingMessage, waiting: ServerResponse | undefined): Reply | Promise<Reply | undefined> {
    if (this.#isDraining) return replyWith(shuttingDown)
    const { bots, now, allowedHosts = [] } = this.#options
    if (!isHttp1(request)) return replyWith(refuse(400, 'malformed request', 'use HTTP/1.1'))
    const target = targetOf(request)
    if (!target) return replyWith(refuse(400, 'malformed request', 'send one Host header'))
    const { path, host } = target
    const { bot: name, secret } = parsePath(path)
    const bot = name === undefined ? undefined : bots.get(name)
    const { method = '' } = request
    const isPost = method === 'POST'
    const refusal = guard(host, request.headers, { host: this.#host, allowedHosts })
    if (refusal) return bot && isPost ? this.#refusals.refuse(bot.name, refusal, now()) : replyWith(refusal)

    if (method === 'GET' || method === 'HEAD') {
      if (path === '/health') return this.#health()
      if (path === '/metrics' && isLocal(request)) return this.#metrics()
    }
    if (bot) {
      const turnedAway = this.#doorkeeper.turnAway(bot, secret, request)
      return turnedAway ?? this.#intake.take(bot, secret, request, waiting)
    }
    if (isPost) this.#refusals.noteUnknown(path, now())
    return replyWith(isPost ? notFound : nothingThere)
  }

  #health(): Reply {
    const detail = this.#options.trouble?.()
    if (detail !== undefined) return replyWith(refuseForNow(503, 'not serving', HEALTH_RETRY_S, detail))
    return replyOk('application/json', '{"status":"ok"}')
  }

  async #metrics(): Promise<Reply> {
    const { type, text } = await this.#options.metrics.text()
    return replyOk(type, text)
  }

  #refuseFraming(error: Error & { readonly code?: string }, socket: Socket): void {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    // While a request is being answered, this error would be taken for its answer.
    else if (!this.#connections.endAnswered(socket)) socket.end(rawReply(error.code))
  }
}

// Whoever looks around asks for no bot.
const nothingThere = refuse(404, 'not found', 'POST JSON to /<bot>; GET /health answers')

/** Node also takes a request line without a version (HTTP/0.9), and HTTP/2.0 in the form of 1.1. */
function isHttp1({ httpVersionMajor }: IncomingMessage): boolean {
  return httpVersionMajor === 1
}

/** From this machine, and not by way of a proxy on it that says for whom it asks, or that it is one. */
function isLocal({ socket, headers }: IncomingMessage): boolean {
  return isLoopback(socket.remoteAddress ?? '') && !Object.keys(headers).some((name) => BY_PROXY.test(name))
}

const BY_PROXY =
  /^(?:via|forwarded|x-forwarded.*|x-real-.*|x-original-.*|(?:x-|x-cluster-|true-|fastly-)client-ip|cf-.*|cdn-loop)$/
