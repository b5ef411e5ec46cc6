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
}

let host: Host | undefined

/** Where it listens, once it does. */
export function residentPort(): Promise<number> {
  if (host === undefined || host.child.exitCode !== null) host = start()
  return host.port
}

function start(): Host {
  const child = fork(fileURLToPath(new URL('resident/host.ts', import.meta.url)), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const port = once(child, 'message').then(([said]) => Number(said))
  // The test's process ends without it, and then it does.
  void port.finally(() => {
    child.unref()
    child.channel?.unref()
  })
  return { child, port }
}

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Undefined while it runs another: a process of its own shall run it. Its standard input is empty. */
export async function runResident(asked: Asked): Promise<Ran | undefined> {
  const socket = connect({ port: await residentPort(), host: '127.0.0.1', noDelay: true })
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
