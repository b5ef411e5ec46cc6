// A command and everything it starts, as one process group, so that one signal reaches all of them.
import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { codeOf } from '../thrown.ts'

export type End =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'unstarted'; readonly why: string }
  /** `until` fired. */
  | { readonly kind: 'cut' }

export interface Group {
  readonly stdout: Readable
  readonly stderr: Readable
  readonly ended: Promise<End>
}

/** From SIGTERM to SIGKILL; also from the command's exit to the killing of leftovers that hold its streams open. */
const GRACE_MS = 2000

/** When `until` fires it is sent SIGTERM, then SIGKILL if it does not end. */
export function startGroup(
  [file, ...args]: readonly [string, ...string[]],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  until: AbortSignal,
): Group {
  // Detached: leader of its own group. The terminal's Ctrl-C then reaches this process alone, which passes it on.
  const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let grace: NodeJS.Timeout | undefined
  let isCut = false
  const killLater = (): void => {
    grace ??= setTimeout(() => {
      signalGroup(child.pid, 'SIGKILL')
      child.stdout.destroy()
      child.stderr.destroy()
    }, GRACE_MS)
  }
  const cut = (): void => {
    isCut = true
    signalGroup(child.pid, 'SIGTERM')
    killLater()
  }
  until.addEventListener('abort', cut, { once: true })
  const ended = new Promise<End>((resolve) => {
    child.once('error', (error) => resolve({ kind: 'unstarted', why: error.message }))
    child.once('exit', killLater)
    child.once('close', (code, signal) => {
      if (isCut) resolve({ kind: 'cut' })
      else resolve(code === null ? { kind: 'signal', signal: signal ?? 'a signal' } : { kind: 'exit', code })
    })
  }).finally(() => {
    clearTimeout(grace)
    until.removeEventListener('abort', cut)
    // For members that closed their streams and stayed.
    if (isCut) signalGroup(child.pid, 'SIGKILL')
  })
  return { stdout: child.stdout, stderr: child.stderr, ended }
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
