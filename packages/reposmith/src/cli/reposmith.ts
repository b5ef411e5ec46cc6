// The command line. Help and version are answered before anything else is loaded.
import { helpFor, isCallForHelp } from './help.ts'
import { terminalOf } from './terminal.ts'
import type { World } from './world.ts'

/** Runs `reposmith args…`, and resolves with the exit code. Never throws. */
export async function reposmith(args: readonly string[], world: World): Promise<number> {
  const json = args.includes('--json')
  const terminal = terminalOf(world)
  const { print } = terminal
  try {
    if (isCallForHelp(args)) {
      print(helpFor(args, json))
      return 0
    }
    if (isCallForVersion(args)) {
      const { versionText } = await import('./version.ts')
      print(versionText(json))
      return 0
    }
    if (args[0] === 'complete' && args[1] === '--') {
      const { complete } = await import('./completion.ts')
      print(complete(args.slice(2)))
      return 0
    }
    const { runProgram } = await import('./program.ts')
    return await runProgram(args, world, terminal)
  } catch (error) {
    return terminal.tell(unexpected(error, world.env), json)
  }
}

function isCallForVersion(args: readonly string[]): boolean {
  const [asked, ...more] = args.filter((each) => each !== '--json')
  return (asked === '--version' || asked === '-V') && more.length === 0
}

function unexpected(error: unknown, env: NodeJS.ProcessEnv) {
  const debug = env['REPOSMITH_DEBUG'] === '1'
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  return {
    code: 1,
    message: `unexpected: ${message}`,
    remediation: 'this is a bug: report it, with what REPOSMITH_DEBUG=1 shows',
    kind: 'internal',
    ...(debug && error instanceof Error ? { details: (error.stack ?? '').split('\n') } : {}),
  } as const
}
