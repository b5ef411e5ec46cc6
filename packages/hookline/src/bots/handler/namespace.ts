// Where the system allows it, a worker runs in namespaces of its own: it sees only the processes that it started, so it can
// signal no others, and the kernel kills all of them with the first, even if they detached themselves.
import { execFile } from 'node:child_process'
import { type Refusable, refuse } from '../../refusal.ts'

export type Namespace = Refusable<{ readonly command: readonly string[] }>

/** The command to put before a worker's. Tried once in the life of the server. Never rejects. */
export function findNamespace(): Promise<Namespace> {
  found ??= tryOut()
  return found
}

let found: Promise<Namespace> | undefined

// When the server dies, so does setpriv (PR_SET_PDEATHSIG), which by then is unshare; and with it the first process within.
const ENTER = ['setpriv', '--pdeathsig', 'KILL', 'unshare', '--user', '--map-current-user', '--pid', '--fork']
const ENDS = '--kill-child'
// In many containers /proc cannot be mounted again. Then the worker sees other processes, but still cannot signal them.
const ways = [
  [...ENTER, ENDS, '--mount-proc'],
  [...ENTER, ENDS],
] as const

async function tryOut(): Promise<Namespace> {
  if (process.platform !== 'linux') return refuse(`${process.platform} has no namespaces`)
  let reason = ''
  for (const command of ways) {
    const answer = await firstProcess(command)
    if (answer.trim() === '1') return { ok: true, command }
    reason = answer.trim().split('\n').at(-1) ?? ''
  }
  return refuse(reason === '' ? 'unshare gave no answer' : reason)
}

/** The pid of a shell started with `command`, which is 1 in a namespace of its own; or why there is none. */
function firstProcess([program = '', ...args]: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = { timeout: 5_000, killSignal: 'SIGKILL', env: { PATH: process.env['PATH'] } } as const
    execFile(program, [...args, '/bin/sh', '-c', 'echo $$'], options, (error, stdout, stderr) =>
      resolve(error ? stderr || error.message : stdout),
    )
  })
}
