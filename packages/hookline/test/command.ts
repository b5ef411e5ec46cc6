// The real command, as a child process.
import assert from 'node:assert/strict'
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Home } from '../src/home.ts'

const bin = fileURLToPath(new URL('../bin/hookline.js', import.meta.url))

export interface Started extends AsyncDisposable {
  readonly child: ChildProcess
  readonly ircPort: number
  /** `http://127.0.0.1:12345` */
  readonly url: string
  /** Exit code and signal, once it has ended. */
  readonly exit: Promise<readonly unknown[]>
  /** Its log, once it has ended. */
  readonly log: Promise<string>
}

/** `hookline server start`, on free ports unless told otherwise; resolves when it is ready. Killed when disposed, if it still runs. */
export async function startCommand(home: Home, ...args: readonly string[]): Promise<Started> {
  const line = commandLine(home, ...args)
  const child = spawn(line.command, line.args, { env: line.env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = once(child, 'exit')
  return {
    child,
    ...(await ready(child)),
    exit,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await exit
    },
  }
}

/** What starts the server, for a test that starts it through something else. */
export function commandLine(home: Home, ...args: readonly string[]) {
  const start = [bin, 'server', 'start', '--name', 'spark', '--json', ...args]
  return { command: process.execPath, args: start, env: environment(home) }
}

/** Resolves when the server of that child is ready. */
export async function ready({
  stdout,
  stderr,
}: ChildProcessByStdio<null, Readable, Readable>): Promise<Pick<Started, 'ircPort' | 'url' | 'log'>> {
  const complaints = text(stderr)
  const { value } = await createInterface({ input: stdout })[Symbol.asyncIterator]().next()
  if (value === undefined) assert.fail(`the server did not start: ${await complaints}`)
  const { irc, webhook } = JSON.parse(String(value)) as { irc: string; webhook: string }
  return { ircPort: Number(irc.split(':').at(-1)), url: webhook, log: complaints }
}

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Any other command, to its end. */
export async function hookline(home: Home, ...args: readonly string[]): Promise<Ran> {
  const child = spawn(process.execPath, [bin, ...args], {
    env: environment(home),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exit = once(child, 'close') as Promise<[number | null]>
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exit])
  return { code, stdout, stderr }
}

function environment(home: Home): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: home.folder,
    HOOKLINE_HOME: home.folder,
    HOOKLINE_PORT: '0',
    HOOKLINE_WEBHOOK_PORT: '0',
  }
}
