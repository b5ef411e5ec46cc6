// The server side of the control socket: JSON lines on a unix socket that only this user can open. `{id, operation,
// input}` → `{id, ok: true, output}` or `{id, error}`; while `watch` runs, `{id, event}`.
import { chmodSync, rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { closeWithin } from '../net/listening.ts'
import type { Log } from '../log/log.ts'
import { StartFailure } from '../failure/startfailure.ts'
import { alreadyRunning, ANSWER_BYTES, connectControl } from '../control/client.ts'
import type { Context } from '../commands/context.ts'
import { brokenInside, cannot, wrong, type Answer } from '../control/failure.ts'
import { serve as run } from '../commands/perform.ts'
import { createLineReader } from '../control/lines.ts'
import { loadCommand } from '../commands/list.ts'
import { loadAll } from '../commands/loadall.ts'
import { isCode, messageOf } from '../failure/thrown.ts'

export interface ControlSocket {
  /** Resolves when every command is loaded. Calls wait for it. */
  readonly loaded: Promise<void>
  /** Disconnects every client and removes the socket file. Waits only briefly for a client that reads nothing. */
  close(): Promise<void>
}

/** sun_path has 108 bytes on Linux and 104 on macOS, including a NUL at the end. */
const PATH_BYTES = 100
/** No valid request is longer: the client gets an error and is cut off. */
const LINE_BYTES = 1024 * 1024
/** One more client gets an error and is cut off. An idle client costs only a file descriptor. */
const CLIENTS = 16
/** Concurrent calls per client; one more is refused. */
const CALLS = 16
/**
 * With more than this unread, a client that watches is cut off at the next event, and the requests of others wait. A single
 * answer may be longer.
 */
const UNREAD_BYTES = 4 * 1024 * 1024
/** How often it looks whether its file is still there. */
const LOOK_MS = 2_000
/** At the end a client has this long to read what was sent to it. */
const FAREWELL_MS = 1_000

/**
 * Listens on `home.socket`. Replaces the file of a dead server; if a server answers there, throws and names its
 * pid. Throws if the path is too long for a unix socket.
 */
export async function listenControl(context: Context, options: { log: Log }): Promise<ControlSocket> {
  const path = context.home.socket
  const bytes = Buffer.byteLength(path)
  if (bytes > PATH_BYTES) {
    throw new StartFailure(
      'control socket',
      `the path of the control socket has ${bytes} bytes, but a unix socket may have only ${PATH_BYTES}: ` +
        `set HOOKLINE_HOME to a folder with a shorter path than ${context.home.folder}`,
    )
  }
  await removeStale(context)
  const clients = new Set<Socket>()
  /** The clients, and whoever was refused and has not hung up. */
  const sockets = new Set<Socket>()
  const accept = (socket: Socket): void => {
    // Those that are refused and do not hang up hold a file each.
    if (sockets.size >= 2 * CLIENTS) return void socket.destroy()
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    if (clients.size >= CLIENTS) {
      const { error } = cannot(
        'busy',
        `${CLIENTS} control clients are connected`,
        'stop a `hookline watch`, then try again',
      )
      // A socket whose request nobody reads is never closed.
      socket.on('error', () => socket.destroy()).resume()
      socket.end(`${JSON.stringify({ id: null, error })}\n`)
      return
    }
    clients.add(socket)
    socket.on('close', () => clients.delete(socket))
    serve(socket, context, { ...options, loaded })
  }
  let server = await listen(accept, path)
  // Only now, as it takes a tenth of the start.
  const loaded = loadAll((error, command) =>
    options.log.error(
      { err: error, command },
      'a command cannot be loaded: it is tried again when it is called. If that fails too, look at its files, and restart the server',
    ),
  )
  // Who cleans up in the home, or in /tmp, may remove it.
  const looking = setInterval(() => {
    stat(path)
      .catch(async (error: unknown) => {
        if (!isCode(error, 'ENOENT') || !server.listening) return
        // First, as this removes the file at its path. Its clients stay.
        server.close()
        server = await listen(accept, path)
        options.log.warn({ path }, 'the control socket was gone, and is put back')
      })
      .catch((error: unknown) =>
        options.log.error({ err: error, path }, 'the control socket is gone: restart the server'),
      )
  }, LOOK_MS).unref()
  return {
    loaded,
    close() {
      clearInterval(looking)
      const closed = closeWithin(FAREWELL_MS, server, sockets)
      // Lets answers on their way out finish: end, not destroy.
      for (const socket of sockets) socket.end(() => socket.destroy())
      return closed
    },
  }
}

function serve(
  socket: Socket,
  context: Context,
  { log, loaded }: { readonly log: Log; readonly loaded: Promise<void> },
): void {
  const gone = new AbortController()
  let calls = 0
  const send = (line: string): void => {
    if (!socket.writable || socket.write(`${line}\n`) || socket.writableLength <= UNREAD_BYTES) return
    if (!socket.isPaused()) socket.pause().once('drain', () => socket.resume())
  }
  const emit = (line: string): void => {
    if (socket.writableLength > UNREAD_BYTES) socket.destroy()
    else send(line)
  }
  const refuse = (id: unknown, answer: { readonly error: object }): void =>
    send(JSON.stringify({ id, error: answer.error }))

  const receive = createLineReader(LINE_BYTES, {
    line(text) {
      const request = parseRequest(text)
      if (!request)
        return refuse(null, wrong('usage', 'not a request', 'send {"id":…,"operation":…,"input":{…}}'))
      if (calls >= CALLS)
        return refuse(request.id, cannot('busy', `${CALLS} calls are under way`, 'wait for an answer'))
      calls++
      const call = {
        log,
        emit: (event: object) => emit(JSON.stringify({ id: request.id, event })),
        signal: gone.signal,
      }
      // Whoever comes right after the start waits until all is loaded.
      const answered = loaded.then(() => answer(request, context, call))
      void answered.then((line) => {
        calls--
        send(line)
      })
    },
    tooLong() {
      refuse(null, wrong('usage', `a line has more than ${LINE_BYTES} bytes`, 'send less at once'))
      socket.end(() => socket.destroy())
    },
  })
  socket.on('data', receive)
  socket.on('error', () => socket.destroy())
  socket.on('close', () => gone.abort())
}

interface Request {
  readonly id: string | number
  readonly operation: string
  readonly input: unknown
}

/** Never rejects: errors become answers. */
async function answer(
  { id, operation, input }: Request,
  context: Context,
  call: { log: Log; emit(event: object): void; signal: AbortSignal },
): Promise<string> {
  try {
    const result = await run(context, operation, input, call)
    if (result.ok) await note(operation, input, call.log)
    return lineOf(id, result)
  } catch (error) {
    call.log.error({ err: error, operation }, 'a control operation failed')
    return lineOf(id, brokenInside(operation))
  }
}

/** Logs what a command changed, and of its input no more than what it was about: the rest may be a secret or a message. */
async function note(name: string, input: unknown, log: Log): Promise<void> {
  const command = await loadCommand(name)
  if (!command?.changes) return
  const [first] = command.arguments
  const about = first === undefined ? undefined : (input as Readonly<Record<string, unknown>>)[first.name]
  log.info({ command: name, about }, 'a command from this machine')
}

function lineOf(id: Request['id'], result: Answer<unknown>): string {
  if (!result.ok) return JSON.stringify({ id, error: result.error })
  try {
    const line = JSON.stringify({ id, ok: true, output: result.output })
    if (Buffer.byteLength(line) <= ANSWER_BYTES) return line
  } catch (error) {
    // Strings over 512 MB cannot exist.
    if (!(error instanceof RangeError)) throw error
  }
  const most = ANSWER_BYTES / 1024 / 1024
  return lineOf(
    id,
    wrong('refused', `the answer has more than ${most} MiB`, 'ask for less at once: --limit 5'),
  )
}

function parseRequest(line: string): Request | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { id, operation, input = {} } = value as { id?: unknown; operation?: unknown; input?: unknown }
  if (typeof id !== 'string' && typeof id !== 'number') return undefined
  return typeof operation === 'string' ? { id, operation, input } : undefined
}

async function removeStale({ home }: Context): Promise<void> {
  const found = await connectControl(home)
  if (found.ok) throw new StartFailure('other server', await alreadyRunning(home, found.client))
  const { kind, message, remediation } = found.error
  if (kind !== 'not_running') throw new Error(`${message}: ${remediation}`)
  try {
    rmSync(home.socket, { force: true })
  } catch (error) {
    throw cannotOpen(home.socket, error)
  }
}

async function listen(accept: (socket: Socket) => void, path: string): Promise<Server> {
  const server = createServer(accept)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotOpen(path, error)))
    server.listen(path, resolve)
  })
  chmodSync(path, 0o600)
  return server
}

/** Something else is in its place, or it is on a file system that has no sockets. */
function cannotOpen(path: string, error: unknown): StartFailure {
  const text = `cannot open the control socket ${path}: ${messageOf(error)}: remove what is there, or set HOOKLINE_HOME to a folder on a local disk`
  return new StartFailure('control socket', text, { cause: error })
}
