// `server start --detach`: starts a background process, and waits for its readiness or error.
import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Answer, cannot, done, type Failure } from '../control/failure.ts'
import { flagOf } from '../commands/command.ts'
import { loadCommand } from '../commands/list.ts'
import type { StartInput } from '../commands/server/start.ts'
import type { Exposure } from '../config/exposure.ts'
import type { Home } from '../home/home.ts'
import { warnOf } from '../commands/server/exposurelines.ts'
import { print, tell } from '../commands/terminal.ts'
import { isCode, messageOf } from '../failure/thrown.ts'
import { readyLine } from './ready.ts'

/** Loading a home full of bots with handlers takes seconds; a server that is silent for longer is stuck. */
const PATIENCE_MS = 60_000
/** A log larger than this is renamed to server.log.1 at the next start. */
const LOG_BYTES = 16 * 1024 * 1024

/** Exit code 0 when the server is ready, else a failure's. Its stdout is read until then; its stderr goes to the log. */
export async function startDetached(home: Home, input: StartInput, json: boolean): Promise<number> {
  const opened = openLog(home.logFile)
  if (!opened.ok) return tell(opened.error, json)
  const log = opened.output
  const from = statSync(home.logFile).size
  const main = fileURLToPath(new URL(`./main${import.meta.url.slice(-3)}`, import.meta.url))
  const args = await argsOf(input)
  const child = spawn(process.execPath, [...process.execArgv, main, ...args], {
    detached: true,
    stdio: ['ignore', 'pipe', log],
    cwd: process.cwd(),
  })
  closeSync(log)
  const outcome = await firstWord(child)
  child.stdout?.destroy()
  child.unref()
  if (outcome.kind === 'ready') {
    const { server: name, listeners: irc, webhook, pid, warnings } = outcome.line
    print(readyLine({ name, irc, webhook: webhook ?? undefined, pid, warnings }, json))
    // They are in the log, where nobody looks.
    if (!json) warnOf(warnings)
    return 0
  }
  if (outcome.kind === 'silent') child.kill('SIGTERM')
  return tell(
    outcome.kind === 'ended' ? (lastFailure(home.logFile, from) ?? ended(home, from)) : silent(home),
    json,
  )
}

interface Ready {
  readonly event: 'ready'
  readonly server: string
  readonly listeners: readonly string[]
  readonly webhook: string | null
  readonly pid: number
  readonly warnings: readonly Exposure[]
}

type FirstWord = { readonly kind: 'ready'; readonly line: Ready } | { readonly kind: 'ended' | 'silent' }

function firstWord(child: ChildProcess): Promise<FirstWord> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ kind: 'silent' }), PATIENCE_MS)
    const settle = (word: FirstWord): void => {
      clearTimeout(timer)
      resolve(word)
    }
    if (child.stdout) {
      createInterface({ input: child.stdout }).once('line', (line) => settle(readyIn(line)))
    }
    child.once('error', () => settle({ kind: 'ended' }))
    child.once('close', () => settle({ kind: 'ended' }))
  })
}

function readyIn(line: string): FirstWord {
  try {
    return { kind: 'ready', line: JSON.parse(line) as Ready }
  } catch {
    return { kind: 'ended' }
  }
}

async function argsOf(input: StartInput): Promise<readonly string[]> {
  const options = (await loadCommand('server start'))?.options ?? []
  const args = options.flatMap((option) => {
    const value = (input as Readonly<Record<string, string | number | boolean | undefined>>)[option.name]
    if (value === undefined || option.name === 'detach') return []
    return value === true ? [flagOf(option)] : [`${flagOf(option)}=${value}`]
  })
  return ['server', 'start', ...args, '--json']
}

/** The child's last error: with `--json` it is one line among those of the log. */
function lastFailure(logFile: string, from: number): Failure | undefined {
  const lines = readFileSync(logFile).subarray(from).toString('utf8').trimEnd().split('\n')
  for (const line of lines.toReversed()) {
    try {
      const failure = JSON.parse(line) as Partial<Failure>
      if (failure.code && failure.kind && failure.message && failure.remediation) return failure as Failure
    } catch {
      // Not every line of a log is JSON.
    }
  }
  return undefined
}

function ended({ logFile }: Home, from: number): Failure {
  const what = 'the server ended before it was ready'
  // The disk may be full, or the process was killed.
  return statSync(logFile).size > from
    ? cannot('setup', what, `see ${logFile}`).error
    : cannot('setup', `${what}, and nothing is in ${logFile}`, 'start it without --detach to see why').error
}

function silent(home: Home): Failure {
  return cannot(
    'setup',
    `the server was not ready in ${PATIENCE_MS / 1000} s and was stopped`,
    `see ${home.logFile}`,
  ).error
}

function openLog(logFile: string): Answer<number> {
  try {
    turnOver(logFile)
    return done(openSync(logFile, 'a', 0o600))
  } catch (error) {
    const hint = isCode(error, 'ENOSPC')
      ? 'make room on the disk'
      : 'it must be a file of the user who starts the server: move it away, or start without --detach'
    return cannot('setup', `${logFile} cannot be used: ${messageOf(error)}`, hint)
  }
}

function turnOver(logFile: string): void {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
  if (size > LOG_BYTES) renameSync(logFile, `${logFile}.1`)
}
