// A process that has loaded the command line, and runs one command after the other, each as if in a process of its own: with its
// arguments, environment, current folder and standard streams. It ends with the test's process that has started it.
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { runCommandLine } from '../../src/cli/commandline.ts'
import type { Asked, Told } from './frames.ts'

let isBusy = false
const exit = process.exit.bind(process)
const compileCache = process.env['NODE_COMPILE_CACHE']

const server = createServer({ allowHalfOpen: true }, (socket) => void serve(socket))
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => exit())

async function serve(socket: Socket): Promise<void> {
  // Whoever called may be gone, as at the head of a broken pipe: the command goes on to its end.
  const tell = (told: Told) => void socket.write(`${JSON.stringify(told)}\n`)
  const lines = createInterface({ input: socket })
  for (const each of [socket, lines]) each.on('error', () => undefined)
  const input = new Readable({ read: () => tell({ wants: true }) })
  let begin: (asked: Asked) => void
  const asked = new Promise<Asked>((resolve) => (begin = resolve))
  lines.on('line', (line) => {
    const said = JSON.parse(line) as Asked | { readonly stdin: string | null }
    if ('args' in said) begin(said)
    else input.push(said.stdin === null ? null : Buffer.from(said.stdin, 'base64'))
  })
  // A process of its own runs it then: commands that run at the same time shall.
  if (isBusy) return void socket.end(`${JSON.stringify({ busy: true } satisfies Told)}\n`)
  isBusy = true
  const code = await run(await asked, { input, tell })
  isBusy = false
  socket.end(`${JSON.stringify({ code } satisfies Told)}\n`)
}

async function run(
  { args, cwd, env }: Asked,
  { input, tell }: { input: Readable; tell: (told: Told) => void },
): Promise<number> {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name]
  Object.assign(process.env, compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache }, env)
  process.chdir(cwd)
  process.umask(0o022)
  process.argv.splice(2, Infinity, ...args)
  process.exitCode = undefined
  Object.defineProperty(process, 'stdin', { value: input, configurable: true })
  for (const name of ['stdout', 'stderr'] as const)
    process[name].write = (text: string | Uint8Array) => {
      tell({ [name]: Buffer.from(text).toString('base64') } as Told)
      return true
    }
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  process.exit = (code) => {
    resolve(Number(code ?? process.exitCode ?? 0))
    throw new Error('the command has ended')
  }
  runCommandLine(args).then(resolve, reject)
  // It keeps no folder of a test.
  return await promise.finally(() => process.chdir('/'))
}
