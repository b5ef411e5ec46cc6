// The real command, as a child process or in one that is there already.
import assert from 'node:assert/strict'
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Home } from '../src/home/home.ts'
import { type Ran, runResident } from './resident.ts'

export const bin = fileURLToPath(new URL('../bin/hookline.js', import.meta.url))

/** In the log: the server survives its bugs, and a test might not notice them. */
export const BUG = 'because of a bug in hookline'

type Child = ChildProcessByStdio<null, Readable, Readable>

export interface Started extends AsyncDisposable {
  readonly child: Child
  readonly ircPort: number
  /** `http://127.0.0.1:12345` */
  readonly url: string
  /** Exit code and signal, once it has ended. */
  readonly exit: Promise<readonly unknown[]>
  /** Its log, once it has ended. */
  readonly log: Promise<string>
  /** SIGTERM; fails unless it ends as it should. Resolves with its log. */
  stop(): Promise<string>
}

/** `hookline server start`, on free ports unless told otherwise; resolves when it is ready. Killed when disposed, if it still runs. */
export function startCommand(home: Home, ...args: readonly string[]): Promise<Started> {
  return startBy([], home, ...args)
}

/** The same, with the words of what runs it before the command. */
export async function startBy(
  by: readonly string[],
  home: Home,
  ...args: readonly string[]
): Promise<Started> {
  const child = spawnCommand(by, home, 'server', 'start', '--name', 'spark', '--json', ...args)
  const exit = once(child, 'exit')
  const log = text(child.stderr)
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  if (value === undefined) assert.fail(`the server did not start: ${await log}`)
  const { irc, webhook } = JSON.parse(String(value)) as { irc: string; webhook: string }
  return {
    child,
    ircPort: Number(irc.split(':').at(-1)),
    url: webhook,
    exit,
    log,
    async stop() {
      child.kill('SIGTERM')
      assert.deepEqual(await exit, [0, null])
      return await log
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await exit
      assert.ok(!(await log).includes(BUG), await log)
    },
  }
}

export type { Ran }

/** Any command that ends by itself: by the resident process, if that is free. */
export async function hookline(home: Home, ...args: readonly string[]): Promise<Ran> {
  const asked = { args, cwd: process.cwd(), env: environment(home) }
  return (await runResident(asked)) ?? hooklineBy([], home, ...args)
}

/** In a process of its own. */
export async function hooklineBy(
  by: readonly string[],
  home: Home,
  ...args: readonly string[]
): Promise<Ran> {
  const child = spawnCommand(by, home, ...args)
  const exit = once(child, 'close') as Promise<[number | null]>
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exit])
  return { code, stdout, stderr }
}

/** What runs a command in a shell; `script` ends with `exec "$@"`. */
export function inShell(script: string): readonly string[] {
  return ['sh', '-c', script, 'sh']
}

export function spawnCommand(by: readonly string[], home: Home, ...args: readonly string[]): Child {
  const [command = '', ...rest] = [...by, process.execPath, bin, ...args]
  return spawn(command, rest, { env: environment(home), stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Not that of whoever runs the tests. */
export function environment({ folder }: Pick<Home, 'folder'>): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: folder,
    HOOKLINE_HOME: folder,
    HOOKLINE_PORT: '0',
    HOOKLINE_WEBHOOK_PORT: '0',
  }
}

/** A running process can open so many files more. */
export function leaveFiles({ pid }: { readonly pid?: number | undefined }, spare: number): void {
  const taken = new Set(readdirSync(`/proc/${pid}/fd`))
  let limit = 0
  for (let free = 0; free < spare || taken.has(String(limit)); limit++) if (!taken.has(String(limit))) free++
  const { status } = spawnSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:`])
  assert.equal(status, 0)
}
