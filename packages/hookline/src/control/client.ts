// The client side of the control socket. It imports little, as commands must start fast.
import { readFileSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import type { Home } from '../home/home.ts'
import { cannot, notRunning, type Answer, type Failure } from './failure.ts'
import { createLineReader } from './lines.ts'

export interface ControlClient {
  /** Calls one operation. Events of a streaming one go to `onEvent`; `signal` ends it by hanging up. */
  call(operation: string, input: object, options?: CallOptions): Promise<Answer<unknown>>
  close(): void
}

export interface CallOptions {
  readonly onEvent?: (event: object) => void
  readonly signal?: AbortSignal
}

export type Connected =
  | { readonly ok: true; readonly client: ControlClient }
  | { readonly ok: false; readonly error: Failure }

/** Has room for the largest payload and its message, as JSON within JSON. The server refuses to send a longer line. */
export const ANSWER_BYTES = 64 * 1024 * 1024

/** A live server answers these at once; others may take long, and the server is pinged meanwhile. */
const PROMPT = new Set(['server status', 'server stop'])
const PATIENCE_MS = 10_000

/** `not_running` if nobody listens; `unreachable` if the socket cannot be used. */
export function connectControl(home: Home, patienceMs = PATIENCE_MS): Promise<Connected> {
  return new Promise((resolve) => {
    const socket = createConnection(home.socket)
    socket.once('connect', () => {
      socket.removeAllListeners('error')
      resolve({ ok: true, client: new Client(socket, () => stuck(home, patienceMs), patienceMs) })
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.destroy()
      resolve(whyNot(home, error))
    })
  })
}

/** Asks the server for its pid, and hangs up. */
export async function alreadyRunning(home: Home, client: ControlClient): Promise<string> {
  const status = await client.call('server status', {})
  client.close()
  const pid = status.ok ? ` (pid ${(status.output as { pid: number }).pid})` : ''
  return `a server is already running in ${home.folder}${pid}`
}

function whyNot(home: Home, error: NodeJS.ErrnoException) {
  // ENOENT: never started, or shut down properly. ECONNREFUSED: a dead server left its file. EINVAL: the path is too
  // long for any server.
  const pid = error.code === 'ENOENT' ? runningPid(home) : undefined
  if (pid !== undefined) return withoutSocket(home, pid)
  const nobody = ['ENOENT', 'ECONNREFUSED', 'ENOTDIR', 'EINVAL', 'ENAMETOOLONG']
  if (nobody.includes(error.code ?? '')) return notRunning(home.folder)
  const hint =
    error.code === 'EACCES'
      ? 'the server belongs to another user: run this as that user, or set HOOKLINE_HOME'
      : `check ${home.socket}, or restart the server`
  return cannot(
    'unreachable',
    `the server in ${home.folder} cannot be reached (${error.code ?? error.message})`,
    hint,
  )
}

/** Of the server that has noted its pid in the home, if it still runs. */
function runningPid({ pidFile }: Home): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10)
    if (!(pid > 0)) return undefined
    process.kill(pid, 0)
    return isServer(pid) ? pid : undefined
  } catch {
    return undefined
  }
}

/** By now the pid of a dead server may be that of something else. */
function isServer(pid: number): boolean {
  if (process.platform !== 'linux') return true
  return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('server\0start')
}

function withoutSocket({ folder, socket }: Home, pid: number) {
  return cannot(
    'unreachable',
    `a server is running in ${folder} (pid ${pid}), but its control socket ${socket} is gone`,
    'it puts it back in a few seconds, unless it is stopping: run this again',
  )
}

interface Waiting {
  readonly settle: (answer: Answer<unknown>) => void
  readonly onEvent: ((event: object) => void) | undefined
}

class Client implements ControlClient {
  readonly #socket: Socket
  readonly #late: () => Answer<unknown>
  readonly #patienceMs: number
  readonly #waiting = new Map<number, Waiting>()
  #last = 0
  #hasBeenHeard = true

  constructor(socket: Socket, late: () => Answer<unknown>, patienceMs: number) {
    this.#socket = socket
    this.#late = late
    this.#patienceMs = patienceMs
    const receive = createLineReader(ANSWER_BYTES, {
      line: (text) => this.#take(text),
      tooLong: () => socket.destroy(),
    })
    // At the end of the turn: data that came while this process was stopped is read first.
    const looking = setInterval(() => setImmediate(() => this.#look()), patienceMs).unref()
    socket.on('data', (bytes: Buffer) => {
      this.#hasBeenHeard = true
      receive(bytes)
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      clearInterval(looking)
      this.#settleAll(hungUp())
    })
  }

  call(operation: string, input: object, { onEvent, signal }: CallOptions = {}): Promise<Answer<unknown>> {
    return new Promise((resolve) => {
      if (!this.#socket.writable || signal?.aborted) return resolve(hungUp())
      const giveUp = (): void => {
        resolve(this.#late())
        this.#socket.destroy()
      }
      const timer = PROMPT.has(operation) ? setTimeout(giveUp, this.#patienceMs) : undefined
      const settle = (answer: Answer<unknown>): void => {
        clearTimeout(timer)
        resolve(answer)
      }
      signal?.addEventListener('abort', () => this.#socket.destroy(), { once: true })
      this.#waiting.set(this.#send(operation, input), { settle, onEvent })
    })
  }

  close(): void {
    this.#socket.end()
  }

  #send(operation: string, input: object): number {
    const id = ++this.#last
    this.#socket.write(`${JSON.stringify({ id, operation, input })}\n`)
    return id
  }

  #take(line: string): void {
    const message = parse(line)
    if (!message) return void this.#socket.destroy()
    if (message.id === null) return this.#settleAll(answerOf(message))
    const call = this.#waiting.get(message.id)
    if (!call) return
    if (message.event) return call.onEvent?.(message.event)
    this.#waiting.delete(message.id)
    call.settle(answerOf(message))
  }

  #settleAll(answer: Answer<unknown>): void {
    for (const { settle } of this.#waiting.values()) settle(answer)
    this.#waiting.clear()
  }

  /** Gives up on a server that has not been heard since the last look. */
  #look(): void {
    if (this.#waiting.size === 0) {
      this.#hasBeenHeard = true
      return
    }
    if (!this.#hasBeenHeard) {
      this.#settleAll(this.#late())
      return void this.#socket.destroy()
    }
    this.#hasBeenHeard = false
    // Nobody waits for this answer: its arrival is enough.
    this.#send('server status', {})
  }
}

interface Message {
  /** Null if the server could not tell which call it answers. */
  readonly id: number | null
  readonly event?: object
  readonly output?: unknown
  readonly error?: Failure
}

function parse(line: string): Message | undefined {
  try {
    return JSON.parse(line) as Message
  } catch {
    return undefined
  }
}

function answerOf(message: { readonly output?: unknown; readonly error?: Failure }): Answer<unknown> {
  return message.error ? { ok: false, error: message.error } : { ok: true, output: message.output }
}

function stuck(home: Home, patienceMs: number) {
  const pid = runningPid(home)
  const what = `the server has not answered in ${patienceMs / 1000} s`
  if (pid === undefined || !isStopped(pid))
    return cannot('unreachable', what, `it may be stuck; its pid is in ${home.pidFile}`)
  const then = 'what was asked of it is done then'
  return cannot(
    'unreachable',
    `${what}: it was stopped by a signal`,
    `let it go on: kill -CONT ${pid}; ${then}`,
  )
}

/** proc(5): the state follows the name, which may contain anything, even `)`. */
function isStopped(pid: number): boolean {
  if (process.platform !== 'linux') return false
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return status.startsWith('T', status.lastIndexOf(')') + 2)
  } catch {
    return false
  }
}

function hungUp() {
  return cannot(
    'unreachable',
    'the server closed the connection: it may have stopped',
    'see: hookline server status',
  )
}
