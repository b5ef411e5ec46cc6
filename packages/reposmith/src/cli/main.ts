// Entry point of the command line. Help and version are answered before anything else is loaded.
import { helpFor, isCallForHelp } from './help.ts'
import { endQuietlyOnBrokenPipe, print, tell } from './terminal.ts'

endQuietlyOnBrokenPipe()
process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  const json = args.includes('--json')
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
      complete(args.slice(2))
      return 0
    }
    const { runProgram } = await import('./program.ts')
    return await runProgram(args)
  } catch (error) {
    return tell(unexpected(error), json)
  }
}

function isCallForVersion(args: readonly string[]): boolean {
  const [asked, ...more] = args.filter((each) => each !== '--json')
  return (asked === '--version' || asked === '-V') && more.length === 0
}

function unexpected(error: unknown) {
  const debug = process.env['REPOSMITH_DEBUG'] === '1'
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  return {
    code: 1,
    message: `unexpected: ${message}`,
    remediation: 'this is a bug: report it, with what REPOSMITH_DEBUG=1 shows',
    kind: 'internal',
    ...(debug && error instanceof Error ? { details: (error.stack ?? '').split('\n') } : {}),
  } as const
}
