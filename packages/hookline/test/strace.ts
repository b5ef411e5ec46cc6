// The real server under strace, which records its system calls, or makes some of them fail.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Home } from '../src/home.ts'
import { commandLine, ready, type Started } from './command.ts'

export const cannotTrace =
  spawnSync('strace', ['-o', '/dev/null', 'true']).status !== 0 &&
  'strace is not installed, or may not trace here'

export interface Traced extends Pick<Started, 'ircPort' | 'url' | 'log'> {
  /** SIGTERM to the server; resolves when strace has ended, too. */
  stop(): Promise<void>
}

/** Resolves when the server is ready. `output` is the file that strace writes. */
export async function startTraced(home: Home, output: string, ...options: string[]): Promise<Traced> {
  const { command, args, env } = commandLine(home)
  const traced = ['-f', '--seccomp-bpf', '-o', output, ...options, command, ...args]
  const child = spawn('strace', traced, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = once(child, 'exit')
  return {
    ...(await ready(child)),
    async stop() {
      process.kill(Number(readFileSync(join(home.data, 'lock.pid'), 'utf8')), 'SIGTERM')
      await exit
    },
  }
}
