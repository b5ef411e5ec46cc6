// The command line without a process for each command: one process per test file has it loaded, which takes most of a command's time.
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Asked, Told } from './resident/frames.ts'

interface Host {
  readonly child: ChildProcess
  readonly port: Promise<number>
  /** Commands, or shells with commands, that it works for. */
  users: number
}

/** For tests that run side by side. */
const MOST = 3
const hosts: Host[] = []

/** `use` is given where one listens that has the least to do. */
export async function withResident<T>(use: (port: number) => Promise<T>): Promise<T> {
  const living = hosts.filter(({ child }) => child.exitCode === null)
  let [host] = living.toSorted((a, b) => a.users - b.users)
  if (host === undefined || (host.users > 0 && living.length < MOST)) hosts.push((host = start()))
  host.users++
  try {
    return await use(await host.port)
  } finally {
    host.users--
  }
}

function start(): Host {
  const child = fork(fileURLToPath(new URL('resident/host.ts', import.meta.url)), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [`--import=${import.meta.resolve('../../../scripts/sources.mjs')}`],
  })
  const port = once(child, 'message').then(([said]) => Number(said))
  // The test's process ends without it, and then it does.
  void port.finally(() => {
    child.unref()
    child.channel?.unref()
  })
  return { child, port, users: 0 }
}

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Undefined while it runs another: a process of its own shall run it. Its standard input is empty. */
export function runResident(asked: Asked): Promise<Ran | undefined> {
  return withResident((port) => run(port, asked))
}

async function run(port: number, asked: Asked): Promise<Ran | undefined> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.write(`${JSON.stringify(asked)}\n`)
  const ran = { stdout: '', stderr: '' }
  for await (const line of createInterface({ input: socket })) {
    const told = JSON.parse(line) as Told
    if ('busy' in told) return undefined
    if ('code' in told) return { ...ran, code: told.code }
    if ('wants' in told) socket.write(`${JSON.stringify({ stdin: null })}\n`)
    if ('stdout' in told) ran.stdout += Buffer.from(told.stdout, 'base64').toString()
    if ('stderr' in told) ran.stderr += Buffer.from(told.stderr, 'base64').toString()
  }
  return assert.fail(`the resident process has ended: ${ran.stderr}`)
}
