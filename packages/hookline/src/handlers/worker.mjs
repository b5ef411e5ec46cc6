// Runs one bot's handler.ts, .mjs or .js. Descriptor 3 is the server: JSON lines come in and answers go out; when it
// closes, the process ends. Plain JavaScript, because Node strips no types below node_modules, where this file may be installed.
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { Worker } from 'node:worker_threads'

// A thread holds the pipe, so that its end is noticed even while the handler computes; then the whole process group is killed.
// It waits in the event loop, since a blocking read would keep the process from exiting.
const server = new Worker(
  `const { Socket } = require('node:net')
  const { parentPort } = require('node:worker_threads')
  const pipe = new Socket({ fd: 3, readable: true, writable: true })
  let pieces = []
  pipe.on('data', (chunk) => {
    let start = 0
    for (let end; (end = chunk.indexOf(10, start)) !== -1; start = end + 1) {
      parentPort.postMessage(Buffer.concat([...pieces, chunk.subarray(start, end)]).toString())
      pieces = []
    }
    pieces.push(chunk.subarray(start))
  })
  pipe.on('error', () => {})
  pipe.on('close', () => process.kill(0, 'SIGKILL'))
  parentPort.on('message', (line) => pipe.write(line))`,
  // It computes nothing. V8 would reserve 512 MiB for its code, which counts as memory that the process may write to.
  { eval: true, resourceLimits: { codeRangeSizeMb: 8 } },
)
server.once('message', (line) => void start(JSON.parse(line)))

async function start(about) {
  let handle
  try {
    const module = await import(pathToFileURL(about.handler).href)
    // In CommonJS, Node finds names by reading the text, and not all: of `module.exports = { a: 1, handle }` only `a`.
    // A method of what is exported may need its `this`.
    const exported = module['module.exports']
    handle = exported?.handle?.bind?.(exported) ?? module.handle
    if (typeof handle !== 'function') {
      throw new Refused(
        'the handler exports no function handle: write `export async function handle(payload, bot)`',
      )
    }
  } catch (error) {
    return send({ ready: false, error: (await placeIn(about.handler, error)) + explain(error) })
  }
  let running
  server.on('message', (line) => {
    const request = JSON.parse(line)
    if ('cancel' in request) return running?.abort(new Error('cancelled'))
    running = new AbortController()
    void answer(about, handle, request, running.signal)
  })
  send({ ready: true })
}

async function answer(about, handle, request, signal) {
  try {
    const bot = { ...request.bot, state: JSON.parse(about.state), signal }
    const text = (await handle(request.payload, bot)) ?? null
    check(text, about.text_bytes)
    const state = dumpState(bot.state, about.state_bytes)
    const changed = state !== about.state
    about.state = state
    send({ call: request.call, text, ...(changed ? { state } : {}) })
  } catch (error) {
    send({ call: request.call, error: explain(error) })
  }
}

/** Where an ES module's syntax is wrong, which its error does not tell, unlike others: the line, and what is there. */
async function placeIn(path, error) {
  if (!(error instanceof SyntaxError) || !String(error.stack).startsWith('SyntaxError')) return ''
  const { spawnSync } = await import('node:child_process')
  const { stderr } = spawnSync(process.execPath, ['--check', path], { encoding: 'utf8', timeout: 5_000 })
  const place = /^\/[^]*?(?=^SyntaxError)/m.exec(stderr ?? '')?.[0] ?? ''
  // Of code without line breaks, only its path.
  return place.length <= 2_000 ? place : place.slice(0, place.indexOf('\n') + 1)
}

class Refused extends Error {}

function check(text, limit) {
  if (text === null) return
  if (typeof text !== 'string') {
    throw new Refused(
      `handle returned ${kindOf(text)}: return a string (the message) or null (nothing is posted)`,
    )
  }
  const size = Buffer.byteLength(text)
  if (size > limit) throw new Refused(`handle returned ${size} bytes: ${limit} are allowed`)
}

function dumpState(state, limit) {
  if (kindOf(state) !== 'object') throw new Refused(`bot.state is ${kindOf(state)}: it must stay an object`)
  let text
  try {
    text = JSON.stringify(state, refuseCollections)
  } catch (error) {
    throw new Refused(`bot.state is not JSON: ${error.message}`)
  }
  const size = Buffer.byteLength(text)
  if (size > limit) throw new Refused(`bot.state has ${size} bytes: ${limit} are allowed`)
  return text
}

// They would be stored as {}, and their contents lost.
function refuseCollections(_, value) {
  const isCollection = value instanceof Map || value instanceof Set
  if (isCollection) throw new Error(`a ${value.constructor.name} cannot be kept: use an object or an array`)
  return value
}

function kindOf(value) {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function explain(error) {
  if (error instanceof Refused) return error.message
  // A handler may throw anything, even something that fails when it is printed.
  let text
  try {
    text =
      error instanceof Error
        ? withCauses(error) + limitMet(error)
        : `thrown: ${typeof error === 'string' ? error : inspect(error, { breakLength: Infinity })}`
  } catch {
    text = 'thrown: something that cannot be printed'
  }
  return text.length <= 8192 ? text : `${text.slice(0, 8191)}…`
}

/** One line for errors that come from one of our limits, which their names do not tell. */
function limitMet(error) {
  const limits = {
    __proto__: null,
    EFBIG: 'the size of one file',
    EMFILE: 'open files',
    EAGAIN: 'processes and threads',
  }
  const isMemory = error instanceof RangeError && /allocat/.test(error.message)
  const met = isMemory ? 'memory' : limits[error.code]
  return met === undefined ? '' : `\nA handler has a limit on ${met}: see \`hookline explain handler\``
}

/** With the stacks of its causes, if they are few: `fetch failed` alone says nothing. */
function withCauses(error, depth = 0) {
  const stack = withoutOurs(String(error.stack ?? error))
  if (depth === 3) return stack
  const causes = [error.cause ?? [], error.errors ?? []].flat().filter((cause) => cause instanceof Error)
  const told = causes.slice(0, 5).map((cause) => `caused by: ${withCauses(cause, depth + 1)}`)
  return [stack, ...told].join('\n')
}

/** The stack without the frames of this file and of Node itself. */
function withoutOurs(stack) {
  const isOurs = (line) =>
    /^ +at /.test(line) && (line.includes(import.meta.url) || /\(node:|at (async )?node:/.test(line))
  return stack
    .split('\n')
    .filter((line) => !isOurs(line))
    .join('\n')
}

function send(message) {
  server.postMessage(`${JSON.stringify(message)}\n`)
}
