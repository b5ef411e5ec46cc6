// One bot's handler: calls run one after the other, each in bounded time, in a warm worker that may crash. docs/handlers.md
import { setTimeout as wait } from 'node:timers/promises'
import { refuse } from '../failure/refusal.ts'
import { messageOf } from '../failure/thrown.ts'
import type { Secluded } from './enclosure.ts'
import { whatToDo } from './ending.ts'
import type { HandlerFile } from './find.ts'
import type { HandlerLimits } from './limits.ts'
import { findNamespace, type Namespace, whyNotIsolated } from './namespace.ts'
import { type Isolation, ISOLATES } from './openfiles.ts'
import { launch } from './launch.ts'
import { type PrintLog, Prints } from './prints.ts'
import type { Starts } from './starts.ts'
import type { Warm } from './warm.ts'
import { objectIn, Worker } from './worker.ts'

export interface HandlerCall {
  readonly file: HandlerFile
  /** Of bot.yaml, as it is now. */
  readonly isolation: Isolation | undefined
  /** Compact JSON on one line; the worker reads these very digits. */
  readonly payload: string
  /** The attributes of `bot`. */
  readonly about: Readonly<
    Record<string, string | boolean | null | readonly string[] | Readonly<Record<string, string>>>
  >
}

/** A null text: nothing is to be posted. */
export type HandlerAnswer =
  | { readonly ok: true; readonly text: string | null }
  | { readonly ok: false; readonly error: string }

export interface HandlerOptions {
  readonly bot: string
  readonly folder: string
  readonly home: Secluded
  readonly limits: HandlerLimits
  readonly log: PrintLog
  /** Shared with all other handlers. */
  readonly starts: Starts
  readonly warm: Warm
  readonly state: HandlerState
}

/** Keeps bot.state between workers, as JSON text. `save` may wait for the disk until `stopped`. */
export interface HandlerState {
  load(bot: string): Promise<string | undefined>
  save(bot: string, json: string, stopped: AbortSignal): Promise<void>
}

export class Handler {
  readonly #options: HandlerOptions
  readonly #prints: Prints
  readonly #closing = new AbortController()
  #worker: Worker | undefined
  #isStale = false
  #tail: Promise<unknown> = Promise.resolve()
  readonly #waiting = { calls: 0, bytes: 0 }
  readonly #crashes = { inARow: 0, lastAt: -Infinity, stamp: '' }
  #calls = 0
  #idle: NodeJS.Timeout | undefined

  constructor(options: HandlerOptions) {
    this.#options = options
    this.#prints = new Prints(options.bot, options.log)
  }

  /** Calls are answered in the order in which they came. Never rejects: a failure is an answer too. */
  call(call: HandlerCall): Promise<HandlerAnswer> {
    const { limits } = this.#options
    const waiting = this.#waiting
    const size = call.payload.length
    if (waiting.calls >= limits.queueCalls || waiting.bytes + size > limits.queueBytes) {
      const error = `handler queue full: ${waiting.calls} calls wait; replay this delivery later`
      return Promise.resolve(failed(error))
    }

    waiting.calls++
    waiting.bytes += size
    const answer = this.#tail.then(async () => {
      try {
        return await this.#run(call)
      } catch (error) {
        return failed(messageOf(error))
      } finally {
        waiting.calls--
        waiting.bytes -= size
        this.#restWhenIdle()
      }
    })
    this.#tail = answer
    return answer
  }

  /**
   * Ends the worker once its calls are answered, since what the handler imports may have changed. After crashes the next one starts
   * at once.
   */
  renew(): void {
    this.#crashes.inARow = 0
    if (this.#waiting.calls === 0) void this.#stopWorker()
    else this.#isStale = true
  }

  /** Ends the worker if it is at rest: the next call starts another. */
  cool(): void {
    if (this.#waiting.calls === 0) void this.#stopWorker()
  }

  /** Kills the worker and fails what waits. Resolves when the process is gone. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all([this.#stopWorker(), this.#tail])
  }

  async #run({ file, isolation, payload, about }: HandlerCall): Promise<HandlerAnswer> {
    clearTimeout(this.#idle)
    // Another worker when either changes.
    const stamp = `${file.stamp} ${JSON.stringify(isolation)}`
    const refusal = await this.#bringUp({ ...file, stamp }, isolation)
    if (refusal) return refusal
    const worker = this.#worker
    if (!worker || this.#closing.signal.aborted) return failed(STOPPED)
    this.#options.warm.work(this)

    const id = ++this.#calls
    const line = `{"call":${id},"bot":${JSON.stringify(about)},"payload":${payload}}`
    const heard = (await worker.ask(line, this.#options.limits.callMs)) ?? (await this.#cancel(worker, id))
    if (heard.kind === 'ended') return this.#crashed(this.#ended('handler crashed', heard.how))
    if (heard.kind === 'late') {
      return worker.isAlive ? failed(heard.error) : this.#crashed(heard.error)
    }
    this.#crashes.inARow = 0
    return await this.#accept(heard.message)
  }

  /** Leaves a live worker with the present file, or answers why there is none. */
  async #bringUp(file: HandlerFile, isolation: Isolation | undefined): Promise<HandlerAnswer | undefined> {
    const isOld = this.#isStale || this.#worker?.stamp !== file.stamp || !this.#worker.isAlive
    this.#isStale = false
    if (this.#worker && isOld) await this.#stopWorker()
    if (this.#worker) return undefined
    await this.#rest(file)
    if (this.#closing.signal.aborted) return failed(STOPPED)
    const refused = await this.#options.starts.run(() => this.#start(file, isolation), this.#closing.signal)
    return refused === undefined ? undefined : this.#crashed(refused)
  }

  async #accept(message: object): Promise<HandlerAnswer> {
    const { bot, limits, state } = this.#options
    const error = errorIn(message)
    if (error !== undefined) return failed(error)
    const text = 'text' in message && typeof message.text === 'string' ? message.text : null
    if (text !== null && Buffer.byteLength(text) > limits.textBytes) return failed('the answer is too long')
    if ('state' in message && typeof message.state === 'string') {
      // The worker has checked this, but the handler can forge what it says, and the next worker has to start with it.
      if (message.state.length > limits.stateBytes || !objectIn(message.state)) {
        await this.#stopWorker()
        return failed('bot.state came back damaged: write nothing to descriptor 3')
      }
      try {
        await state.save(bot, message.state, this.#closing.signal)
      } catch (error) {
        // The worker's state is ahead of the saved one, with which the next worker starts.
        await this.#stopWorker()
        throw new Error('bot.state could not be saved: see the server log', { cause: error })
      }
    }
    return { ok: true, text }
  }

  /** Starts a worker; answers with the reason when that fails. */
  async #start(file: HandlerFile, isolation: Isolation | undefined): Promise<string | undefined> {
    const { bot, folder, home, limits, state } = this.#options
    if (this.#closing.signal.aborted) return STOPPED
    const kept = (await state.load(bot)) ?? '{}'
    const namespace = await this.#namespace()
    const problem = limits.isolation === 'required' ? notIsolated(namespace, isolation) : undefined
    if (problem !== undefined) return problem
    const place = { folder, home }
    const launched = await launch({ handler: file, limits, namespace, place, isolation })
    if (!launched.ok) return launched.reason
    if (this.#closing.signal.aborted) return STOPPED
    const { command } = launched
    const isIsolated = isolation !== undefined && namespace.ok && namespace.bare === undefined
    const shared = { bot, folder, handler: file, limits, namespace, prints: this.#prints }
    const worker = new Worker({ ...shared, command, isIsolated })
    this.#worker = worker
    this.#options.warm.work(this)
    const heard = await worker.ask(
      JSON.stringify({
        handler: file.path,
        state: kept,
        memory_bytes: limits.memoryBytes,
        text_bytes: limits.textBytes,
        state_bytes: limits.stateBytes,
      }),
      limits.startMs,
    )
    if (heard?.kind === 'message' && 'ready' in heard.message && heard.message.ready === true)
      return undefined

    await this.#stopWorker()
    if (!heard)
      return `handler took longer than ${limits.startMs / 1000} s to import: do less outside of handle`
    if (heard.kind === 'ended') return this.#ended('handler did not start', heard.how)
    return errorIn(heard.message) ?? 'handler did not start'
  }

  /** Cancels first; kills after the grace period. */
  async #cancel(worker: Worker, id: number): Promise<{ kind: 'late'; error: string }> {
    const { callMs, graceMs } = this.#options.limits
    const heard = await worker.ask(`{"cancel":${id}}`, graceMs)
    const message = heard?.kind === 'message' ? heard.message : undefined
    // A worker that answers after all has a state ahead of the saved one, with which the next worker starts.
    if (!message || 'state' in message) await this.#stopWorker()
    const ended = message ? 'cancelled' : 'killed'
    const error = `handler took longer than ${callMs / 1000} s and was ${ended}: do less in it, or raise handlers.timeout_ms in server.yaml`
    return { kind: 'late', error: message ? `${error}${whereIn(message)}` : error }
  }

  #crashed(error: string): HandlerAnswer {
    this.#crashes.inARow++
    this.#crashes.lastAt = performance.now()
    this.#worker = undefined
    this.#options.warm.leave(this)
    return failed(this.#closing.signal.aborted ? STOPPED : error)
  }

  /** Waits as the number of crashes in a row demands; not at all if the file was edited since. */
  async #rest(file: HandlerFile): Promise<void> {
    const crashes = this.#crashes
    if (crashes.stamp !== file.stamp) crashes.inARow = 0
    crashes.stamp = file.stamp
    if (crashes.inARow === 0) return
    const [first, last] = this.#options.limits.backOffMs
    const left = crashes.lastAt + Math.min(last, first * 2 ** (crashes.inARow - 1)) - performance.now()
    if (left > 0) await wait(left, undefined, { signal: this.#closing.signal }).catch(() => {})
  }

  #restWhenIdle(): void {
    if (this.#waiting.calls > 0 || !this.#worker) return
    this.#idle = setTimeout(() => this.cool(), this.#options.limits.idleMs)
    this.#idle.unref()
    this.#options.warm.rest(this)
  }

  async #stopWorker(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    this.#options.warm.leave(this)
    worker?.kill()
    await worker?.ended
  }

  #namespace(): Promise<Namespace> {
    const isWanted = this.#options.limits.isolation !== 'none'
    return isWanted ? findNamespace() : Promise.resolve(refuse('not wanted'))
  }

  /** The first line says what happened, the last one what to do; between them, what the handler printed last. */
  #ended(what: string, how: string): string {
    const { last } = this.#prints
    const said = last === '' ? `${what} (${how})` : `${what} (${how}):\n${last}`
    return `${said}\n${whatToDo(how)}`.trimEnd()
  }
}

const STOPPED = 'the bot was stopped'

/** Why `handlers.isolation: required` refuses it. */
function notIsolated(namespace: Namespace, isolation: Isolation | undefined): string | undefined {
  const why = whyNotIsolated(namespace) ?? (isolation ? undefined : `add this line to bot.yaml: ${ISOLATES}`)
  return why && `the handler is not isolated, and server.yaml has handlers.isolation: required: ${why}`
}

/** The traceback of a cancelled call shows where it was; an error without one adds nothing. */
function whereIn(message: object): string {
  const told = errorIn(message) ?? ''
  return told.includes('\n') ? `\n${told}` : ''
}

function errorIn(message: object): string | undefined {
  return 'error' in message ? String(message.error).slice(0, 2 * 8192) : undefined
}

function failed(error: string): HandlerAnswer {
  return { ok: false, error }
}
