// Where the system lets us, a worker lives in namespaces of its own: it sees the processes that it started and no others,
// so it can signal nobody else, and the kernel ends all of them with the first, however they detached themselves.
import { execFile } from 'node:child_process'

export type Namespace =
  | { readonly ok: true; readonly command: readonly string[] }
  | { readonly ok: false; readonly reason: string }

/** The command that a worker's command follows. Tried out once in the life of the server. Rejects never. */
export function findNamespace(): Promise<Namespace> {
  found ??= tryOut()
  return found
}

let found: Promise<Namespace> | undefined

// The server's end ends setpriv (PR_SET_PDEATHSIG), which by then is unshare, whose end ends the first process within.
const enter = ['setpriv', '--pdeathsig', 'KILL', 'unshare', '--user', '--map-current-user', '--pid', '--fork']
const ends = '--kill-child'
// Within many containers /proc cannot be mounted anew. Then the worker sees other processes, and still cannot signal them.
const ways = [
  [...enter, ends, '--mount-proc'],
  [...enter, ends],
] as const

async function tryOut(): Promise<Namespace> {
  if (process.platform !== 'linux') return { ok: false, reason: `${process.platform} has no namespaces` }
  let reason = ''
  for (const command of ways) {
    const answer = await firstProcess(command)
    if (answer.trim() === '1') return { ok: true, command }
    reason = answer.trim().split('\n').at(-1) ?? ''
  }
  return { ok: false, reason: reason === '' ? 'unshare gave no answer' : reason }
}

/** The id that a shell started with `command` has, which is 1 in a namespace of its own; or why there is none. */
function firstProcess([program = '', ...args]: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = { timeout: 5_000, killSignal: 'SIGKILL', env: { PATH: process.env['PATH'] } } as const
    execFile(program, [...args, '/bin/sh', '-c', 'echo $$'], options, (error, stdout, stderr) =>
      resolve(error ? stderr || error.message : stdout),
    )
  })
}
