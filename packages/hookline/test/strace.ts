// The real server under strace, which records its system calls, or makes some of them fail.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Home } from '../src/home/home.ts'
import { startBy, type Started } from './command.ts'

export const cannotTrace =
  spawnSync('strace', ['-o', '/dev/null', 'true']).status !== 0 &&
  'strace is not installed, or may not trace here'

/** Killed when disposed, if it still runs. */
export interface Traced extends Pick<Started, 'ircPort' | 'url'>, AsyncDisposable {
  /** SIGTERM to the server; resolves with its log when strace has ended, too. */
  stop(): Promise<string>
}

/** Resolves when the server is ready. `output` is the file that strace writes. */
export async function startTraced(home: Home, output: string, ...options: string[]): Promise<Traced> {
  const by = ['strace', '-f', '--seccomp-bpf', '-o', output, ...options]
  const { child, ircPort, url, exit, log } = await startBy(by, home)
  const kill = (signal: NodeJS.Signals) =>
    process.kill(Number(readFileSync(join(home.data, 'lock.pid'), 'utf8')), signal)
  return {
    ircPort,
    url,
    async stop() {
      kill('SIGTERM')
      await exit
      return await log
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) kill('SIGKILL')
      await exit
    },
  }
}
