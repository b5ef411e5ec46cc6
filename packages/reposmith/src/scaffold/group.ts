// A command and everything it starts, as one process group, so that one signal reaches all of them.
import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { codeOf } from '../thrown.ts'

export type End =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'unstarted'; readonly why: string }

export interface Group {
  readonly stdout: Readable
  readonly stderr: Readable
  readonly ended: Promise<End>
  /** Sends SIGTERM, then SIGKILL if it does not end. */
  readonly end: () => void
}

/** From SIGTERM to SIGKILL; also from the command's exit to the killing of leftovers that hold its streams open. */
const GRACE_MS = 2000

export function startGroup(
  [file, ...args]: readonly [string, ...string[]],
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Group {
  // Detached: leader of its own group. The terminal's Ctrl-C then reaches this process alone, which passes it on.
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let grace: NodeJS.Timeout | undefined
  let isEnding = false
  const kill = (signal: NodeJS.Signals): void => signalGroup(child.pid, signal)
  const killLater = (): void => {
    grace ??= setTimeout(() => {
      kill('SIGKILL')
      child.stdout.destroy()
      child.stderr.destroy()
    }, GRACE_MS)
  }
  const end = (): void => {
    isEnding = true
    kill('SIGTERM')
    killLater()
  }
  const ended = new Promise<End>((resolve) => {
    child.once('error', (error) => resolve({ kind: 'unstarted', why: error.message }))
    child.once('exit', killLater)
    child.once('close', (code, signal) => {
      resolve(code === null ? { kind: 'signal', signal: signal ?? 'a signal' } : { kind: 'exit', code })
    })
  }).finally(() => {
    clearTimeout(grace)
    // For members that closed their streams and stayed.
    if (isEnding) kill('SIGKILL')
  })
  return { stdout: child.stdout, stderr: child.stderr, ended, end }
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    // The group is empty.
    if (codeOf(error) !== 'ESRCH') throw error
  }
}
