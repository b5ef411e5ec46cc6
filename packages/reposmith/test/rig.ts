// The command line, in this process or one of its own, with its own folder and nothing from the environment of whoever runs the tests.
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { reposmith as run } from '../src/cli/reposmith.ts'
import { TOKEN } from './host.ts'

export const bin = fileURLToPath(new URL('../bin/reposmith.js', import.meta.url))
const DEADLINE_MS = 120_000
/** Where runs remember what they have begun, for all of one test file. */
const state = mkdtempSync(join(tmpdir(), 'reposmith-state-'))
process.on('exit', () => rmSync(state, { recursive: true, force: true }))

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  /** The API's address; without it there is no host. */
  readonly url?: string
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
}

interface ProcessOptions extends RunOptions {
  readonly onStart?: (child: ChildProcess) => void
  /** Nobody reads its stderr: the first write there breaks the pipe. */
  readonly isDeaf?: boolean
}

/** Who commits, for git. */
export const AS_ADA = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
}

/** No test asks an index: nobody listens on this port. */
export const NO_INDEX = {
  REPOSMITH_INDEX_URL: 'http://127.0.0.1:9',
  REPOSMITH_TESTINDEX_URL: 'http://127.0.0.1:9',
}

/** Runs `reposmith args…` in this process, with a token for the host. */
export async function reposmith(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const printed = { stdout: '', stderr: '' }
  const streamTo = (key: keyof typeof printed) => ({ write: (text: string) => void (printed[key] += text) })
  // Nobody sends it a signal.
  const signals = new EventEmitter()
  const code = await run(args, {
    env: environmentOf(options),
    stdin: Readable.from([Buffer.from(options.stdin ?? '')]),
    stdout: streamTo('stdout'),
    stderr: streamTo('stderr'),
    cwd: () => options.cwd ?? tmpdir(),
    on: (signal, listener) => signals.on(signal, listener),
    off: (signal, listener) => signals.off(signal, listener),
  })
  return { code, ...printed }
}

function environmentOf({ url, cwd = tmpdir(), env = {} }: RunOptions): NodeJS.ProcessEnv {
  return {
    PATH: dirname(process.execPath) + delimiter + '/usr/bin:/bin',
    HOME: cwd,
    XDG_STATE_HOME: state,
    LANG: 'C.UTF-8',
    ...AS_ADA,
    ...NO_INDEX,
    ...(url ? { CODEHOST_API_URL: url, CODEHOST_TOKEN: TOKEN } : {}),
    ...env,
  }
}

/** The same as a process of its own: for signals, pipes, and what only Node's own environment changes. */
export async function reposmithProcess(
  args: readonly string[],
  options: ProcessOptions = {},
): Promise<Ended> {
  const { cwd = tmpdir(), isDeaf = false } = options
  const child = spawn(process.execPath, [bin, ...args], {
    cwd,
    env: environmentOf(options),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  options.onStart?.(child)
  if (isDeaf) child.stderr.destroy()
  const timer = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS)
  const closed = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  const remarks = isDeaf ? '' : text(child.stderr)
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), remarks, closed])
  clearTimeout(timer)
  return { code, stdout, stderr }
}

/** Runs it with `--json` among its arguments, and returns the result. */
export async function succeed<T = Record<string, unknown>>(
  args: readonly string[],
  options: RunOptions = {},
): Promise<T> {
  const { code, stdout, stderr } = await reposmith(args, options)
  assert.equal(code, 0, stderr)
  return asJson<T>(stdout)
}

export function asJson<T = Record<string, unknown>>(printed: string): T {
  return JSON.parse(printed) as T
}

/** A tool for a scaffold to run, whose folder is first on PATH. */
export function writeTool(file: string, script: string): void {
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

/** A folder that is removed with the test. */
export function temporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'reposmith-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
