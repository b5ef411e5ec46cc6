// A command with all that it starts, as one process group: one signal reaches every one of them.
import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'

export type End =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  /** Somebody ended us, and so it. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'unstarted'; readonly why: string }

export interface Group {
  readonly stdout: Readable
  readonly stderr: Readable
  readonly ended: Promise<End>
  /** Asks it to end, and makes it end when it does not. */
  readonly end: () => void
}

/** From asking to making; and from the end of the command to that of what it left behind, which would hold its streams open. */
const GRACE_MS = 2000

export function startGroup(
  [file, ...args]: readonly [string, ...string[]],
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Group {
  // Detached: the leader of a group of its own. The terminal's Ctrl-C then comes to us alone, and we pass it on.
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let grace: NodeJS.Timeout | undefined
  let isEnding = false
  let isStopped = false
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
  // Somebody ends us: the group would live on, and what it left half done would stay.
  const stop = (): void => {
    isStopped = true
    end()
  }
  const release = (): void => {
    clearTimeout(grace)
    for (const signal of PASSED) process.off(signal, stop)
  }
  for (const signal of PASSED) process.on(signal, stop)
  const ended = new Promise<End>((resolve) => {
    child.once('error', (error) => resolve({ kind: 'unstarted', why: error.message }))
    child.once('exit', killLater)
    child.once('close', (code, signal) => {
      if (isStopped) resolve({ kind: 'stopped' })
      else resolve(code === null ? { kind: 'signal', signal: signal ?? 'a signal' } : { kind: 'exit', code })
    })
  }).finally(() => {
    release()
    // Whoever closed its streams and stayed.
    if (isEnding) kill('SIGKILL')
  })
  return {
    stdout: child.stdout,
    stderr: child.stderr,
    ended,
    end,
  }
}

const PASSED = ['SIGTERM', 'SIGHUP'] as const

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    // Nobody is left in it.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
