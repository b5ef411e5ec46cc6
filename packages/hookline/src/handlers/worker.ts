// The process that runs one bot's handler: started with a minimal environment, spoken to over one pipe, killed with all it started.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Duplex } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { pass } from '../process/runningtime.ts'
import { messageOf } from '../failure/thrown.ts'
import { howItEnded } from './ending.ts'
import type { HandlerFile } from './find.ts'
import type { HandlerLimits } from './limits.ts'
import { PipeLines } from './lines.ts'
import type { Namespace } from './namespace.ts'
import type { Prints } from './prints.ts'
import { sweep, WORKER_MARK } from './sweep.ts'

export interface WorkerOptions {
  readonly bot: string
  /** The worker's current folder. */
  readonly folder: string
  /** From `launch`. */
  readonly command: readonly string[]
  readonly isIsolated: boolean
  readonly handler: HandlerFile
  readonly limits: HandlerLimits
  readonly namespace: Namespace
  readonly prints: Prints
}

/** A message from the worker, or how it ended: `exit code 1`, `signal SIGKILL`. */
export type Heard =
  | { readonly kind: 'message'; readonly message: object }
  | { readonly kind: 'ended'; readonly how: string }

export class Worker {
  readonly stamp: string
  readonly #child: ChildProcess
  readonly #pipe: Duplex
  readonly #limits: HandlerLimits
  readonly #namespace: Namespace
  readonly #mark = randomUUID()
  /** Resolves when the process is gone and what it printed has been read. */
  readonly ended: Promise<string>
  #hear: ((heard: Heard) => void) | undefined
  #how: string | undefined
  #broken: string | undefined

  constructor(options: WorkerOptions) {
    const { handler, limits, namespace, prints } = options
    this.stamp = handler.stamp
    this.#limits = limits
    this.#namespace = namespace
    const [command = '', ...args] = options.command
    this.#child = spawn(command, args, {
      cwd: options.folder,
      env: {
        ...environment(options.bot),
        ...(options.isIsolated ? { HOME: '/tmp' } : {}),
        [WORKER_MARK]: this.#mark,
      },
      // A group of its own, so that a handler's children can be ended with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    })
    // Told by `ended`, or thrown here: without descriptors to spare there are not even pipes.
    this.#child.on('error', () => {})
    const { stdout, stderr, stdio }: Partial<ChildProcess> = this.#child
    const pipe = stdio?.[3]
    if (!(pipe instanceof Duplex) || !stdout || !stderr)
      throw new Error('handler did not start: the server has too many open files')
    this.#pipe = pipe
    prints.follow([stdout, stderr], limits.printBytes, (why) => this.#break(why))
    this.#listen()
    this.ended = this.#untilEnded(options.folder)
  }

  /** Sends a line and waits for the next message, at most `ms`; undefined when that passes. Never rejects. */
  async ask(line: string, ms: number): Promise<Heard | undefined> {
    if (this.#how !== undefined) return { kind: 'ended', how: this.#how }
    const heard = new Promise<Heard>((resolve) => (this.#hear = resolve))
    const timer = new AbortController()
    this.#pipe.write(`${line}\n`)
    try {
      return await Promise.race([heard, pass(ms, timer.signal).then(nothing, nothing)])
    } finally {
      timer.abort()
      this.#hear = undefined
    }
  }

  /** Ends the process and everything in its group, whatever they are doing; in a namespace that is all it ever started. */
  kill(): void {
    const { pid } = this.#child
    if (pid === undefined || this.#how !== undefined) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // ESRCH: there is nobody left in the group.
    }
  }

  /** False also for one that is being killed: the next call gets a new worker. */
  get isAlive(): boolean {
    return this.#how === undefined && this.#broken === undefined
  }

  #listen(): void {
    const lines = new PipeLines(this.#limits.lineBytes)
    this.#pipe.on('error', () => {}) // a worker that dies during a write: `exit` tells of its end
    this.#pipe.on('data', (chunk: Buffer) => {
      for (const line of lines.push(chunk)) this.#receive(line)
      if (lines.isOverfull) this.#break('its answer is too long')
    })
  }

  #receive(line: string): void {
    const message = objectIn(line)
    // One answer to each question: a worker that sends more could keep the server reading for ever.
    if (!message || !this.#hear) return this.#break('it wrote to descriptor 3')
    this.#hear({ kind: 'message', message })
    this.#hear = undefined
  }

  #break(why: string): void {
    this.#broken ??= why
    this.kill()
  }

  async #untilEnded(folder: string): Promise<string> {
    const closed = once(this.#child, 'close')
    closed.catch(() => {})
    try {
      const [code, signal] = (await once(this.#child, 'exit')) as [number | null, string | null]
      this.kill()
      this.#pipe.end()
      // A process that left the group may hold the pipes open: then the last output is lost.
      await Promise.race([closed, wait(500, undefined, { ref: false })])
      if (!this.#namespace.ok) await sweep(this.#mark)
      this.#how = this.#broken ?? howItEnded(code, signal)
    } catch (error) {
      // Node's own words name the program then, which is there.
      this.#how = existsSync(folder)
        ? `it cannot be started: ${messageOf(error)}`
        : `its folder is gone: ${folder}`
    }
    this.#pipe.destroy()
    this.#hear?.({ kind: 'ended', how: this.#how })
    return this.#how
  }
}

function nothing(): undefined {
  return undefined
}

/** What a handler sees of our environment: nothing that is likely to hold a secret. */
export function environment(bot: string): Record<string, string> {
  const passed = ['PATH', 'HOME', 'LANG', 'TZ'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(passed), HOOKLINE_BOT: bot }
}

/** Undefined for text that is not a JSON object. */
export function objectIn(json: string): object | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
