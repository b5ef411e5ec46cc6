// What a verb is given: the host, and a client that is created only when needed.
import { cannot, done, type Answer } from '../failure.ts'
import type { Client } from '../host/client.ts'
import { findHost, type Host } from '../host/host.ts'
import { findToken, hasToken, tokenOfGh, type Token } from '../host/token.ts'
import { quote } from '../plan/text.ts'
import type { Input } from '../table/commands.ts'
import type { LooseInput } from '../table/input.ts'
import type { Context } from '../verbs/context.ts'
import type { Interrupts } from './interrupt.ts'
import type { Terminal } from './terminal.ts'
import { readVersion } from './version.ts'
import type { World } from './world.ts'

interface Typed {
  /** When false, the host's environment variables are ignored, so a wrong one cannot get in the way. */
  readonly asksHost: boolean
  readonly args: readonly string[]
  /** Then stderr has nothing but one line, the error. */
  readonly json: boolean
  readonly interrupts: Interrupts
}

/** What verbs that ask the host have in common, and `--apply`. `repo scaffold` has no host, and never connects. */
type HostInput = Input<'whoami'> & { readonly apply?: boolean }

export function contextFor(
  input: LooseInput,
  { args, json, asksHost, interrupts }: Typed,
  world: World,
  { remark }: Terminal,
): Answer<Context> {
  const { env } = world
  const say = json ? undefined : remark
  const { host: named, apiUrl, timeout, maxWait, apply = false } = input as HostInput
  const host = findHost({ host: named, apiUrl }, asksHost ? env : {})
  if (!host.ok) return host
  const cwd = currentFolder(world)
  if (!cwd.ok) return cwd
  let found: Promise<Answer<Token>> | undefined
  const token = async (): Promise<Answer<Token>> => await (found ??= tokenFor(host.output, env, say))
  let connected: Promise<Answer<Client>> | undefined
  const connect = async (): Promise<Answer<Client>> => {
    const own = await token()
    if (!own.ok) return own
    interrupts.listen()
    const { createClient } = await import('../host/client.ts')
    return done(
      createClient({
        host: host.output,
        token: own.output,
        version: readVersion(),
        timeoutSeconds: timeout,
        maxWaitSeconds: maxWait,
        stop: interrupts.stop,
        abandon: interrupts.abandon,
        onWait: (seconds, why) => say?.(`waiting ${seconds} s: ${why}`),
      }),
    )
  }
  return done({
    host: host.output,
    apply,
    connect: async () => await (connected ??= connect()),
    async execute(step) {
      interrupts.listen()
      const { runTool } = await import('../scaffold/tools.ts')
      return await runTool(step, env, say, { stop: interrupts.stop })
    },
    async push(step, remote) {
      const own = remote.startsWith('http') ? await token() : undefined
      if (own?.ok === false) return own
      interrupts.listen()
      const [{ runTool }, { pushed, pushEnvironment }] = await Promise.all([
        import('../scaffold/tools.ts'),
        import('../scaffold/git.ts'),
      ])
      const secret = own?.output.text
      const more = secret === undefined ? {} : pushEnvironment(remote, secret)
      const lines: string[] = []
      const onLine = (line: string): void => {
        lines.push(line)
        say?.(line)
      }
      return pushed(await runTool(step, env, onLine, { stop: interrupts.stop, more, secret }), lines)
    },
    stop: interrupts.stop,
    onStep({ title }) {
      // For a person watching; a program that reads stderr gets results alone.
      if (world.stderr.isTTY) say?.(`${title} …`)
    },
    resume: ['reposmith', ...args.map(quote)].join(' '),
    hostFlags: (named ? ` --host ${quote(named)}` : '') + (apiUrl ? ` --api-url ${quote(apiUrl)}` : ''),
    cwd: cwd.output,
    env,
    stdin: () => world.stdin,
  })
}

/** Of the environment, else of `gh`, which is said. */
async function tokenFor(
  host: Host,
  env: NodeJS.ProcessEnv,
  say: ((text: string) => void) | undefined,
): Promise<Answer<Token>> {
  const found = findToken(host, env)
  if (found.ok || hasToken(host, env)) return found
  const token = await tokenOfGh(host, env)
  if (!token) return found
  say?.(`no token is set: the one that gh has for ${host.name} is used (gh auth token)`)
  return done(token)
}

function currentFolder(world: World): Answer<string> {
  try {
    return done(world.cwd())
  } catch {
    return cannot(
      'setup',
      'the current folder has been removed',
      'change to a folder that exists, then run it again',
    )
  }
}
