// Where the system allows it, a worker runs in namespaces of its own: it sees only the processes that it started, so it can
// signal no others, and the kernel kills all of them with the first, even if they detached themselves. Which files it sees, and
// whether a network, depends on its bot.yaml.
import { execFile } from 'node:child_process'
import { type Refusable, refuse } from '../failure/refusal.ts'
import { BARE_WAYS, type Enclosure, enclosed } from './enclosure.ts'
import { systemPaths } from './interpreter.ts'

/** `bare` is what comes before a worker where nothing can be mounted, so that files and the network stay open to it. */
export type Namespace = Refusable<{ readonly bare: readonly string[] | undefined }>

/** Tried once in the life of the server. Never rejects. */
export function findNamespace(): Promise<Namespace> {
  found ??= tryOut()
  return found
}

let found: Promise<Namespace> | undefined

/** Why not even a handler whose bot.yaml asks for it is isolated; undefined if it is. */
export function whyNotIsolated(namespace: Namespace): string | undefined {
  if (!namespace.ok) return `this system has no namespaces for it (${namespace.reason})`
  return namespace.bare && 'this system lets it have no file system of its own'
}

async function tryOut(): Promise<Namespace> {
  if (process.platform !== 'linux') return refuse(`${process.platform} has no namespaces`)
  const shown = systemPaths().map((path) => ({ path, isWritable: false }))
  const nowhere = { folder: '/nowhere', socket: '', data: '/nowhere', isListening: () => false }
  const whole = await ask(() => enclosed(shown, { folder: '/usr', home: nowhere, network: false }))
  if (whole === '') return { ok: true, bare: undefined }
  let reason = ''
  for (const bare of BARE_WAYS) {
    reason = await ask(() => ({ enter: bare, prepare: ['[ $$ = 1 ] || exit 1'], leave: [] }))
    if (reason === '') return { ok: true, bare }
  }
  return refuse(reason)
}

/** Empty if a shell runs in it, else why not. */
async function ask(make: () => Enclosure): Promise<string> {
  const { enter, prepare, leave } = make()
  const [program = '', ...args] = enter
  const shell = ['/bin/sh', '-c', [...prepare, '"$@"', 'exit $?'].join('\n'), 'sh']
  const options = { timeout: 5_000, killSignal: 'SIGKILL', env: { PATH: process.env['PATH'] } } as const
  return await new Promise((resolve) => {
    execFile(
      program,
      [...args, ...shell, ...leave, '/bin/sh', '-c', 'echo in'],
      options,
      (error, stdout, stderr) => {
        const said = stderr.trim().split('\n').at(-1) || (error?.message ?? '')
        resolve(!error && stdout.trim() === 'in' ? '' : said || 'unshare gave no answer')
      },
    )
  })
}
