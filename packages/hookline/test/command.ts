// The real command, as a child process.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
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
}

/** `hookline server start`, on free ports unless told otherwise; resolves when it is ready. Killed when disposed, if it still runs. */
export async function startCommand(home: Home, ...args: readonly string[]): Promise<Started> {
  const child = spawn(process.execPath, [bin, 'server', 'start', '--name', 'spark', '--json', ...args], {
    env: environment(home),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exit = once(child, 'exit')
  const complaints = text(child.stderr)
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  if (value === undefined) assert.fail(`the server did not start: ${await complaints}`)
  const { irc, webhook } = JSON.parse(String(value)) as { irc: string; webhook: string }
  return {
    child,
    ircPort: Number(irc.split(':').at(-1)),
    url: webhook,
    exit,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await exit
    },
  }
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
