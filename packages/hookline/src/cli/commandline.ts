// The command line, from its arguments to the exit code. Help and version are answered before anything else is loaded.
import { cannot } from '../control/failure.ts'
import { isCode } from '../failure/thrown.ts'
import { helpFor, isCallForHelp } from './help.ts'
import { print, tell } from '../commands/terminal.ts'

/** `args` without node and script. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const json = args.includes('--json')
  try {
    if (isCallForHelp(args)) {
      print(await helpFor(args, json))
      return 0
    }
    if (isCallForVersion(args)) {
      const { versionText } = await import('./version.ts')
      print(versionText(json))
      return 0
    }
    if (args[0] === 'complete' && args[1] === '--') {
      const { complete } = await import('./completion.ts')
      await complete(args.slice(2))
      return 0
    }
    const { runProgram } = await import('./program.ts')
    return await runProgram(args)
  } catch (error) {
    return tell(await unexpected(error), json)
  }
}

function isCallForVersion(args: readonly string[]): boolean {
  const [asked, ...more] = args.filter((each) => each !== '--json')
  return (asked === '--version' || asked === '-V') && more.length === 0
}

async function unexpected(error: unknown) {
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  const trace =
    process.env['HOOKLINE_DEBUG'] === '1' && error instanceof Error ? (error.stack ?? '').split('\n') : []
  const hint = `set HOOKLINE_DEBUG=1 to see where; ${await whereToLook()}`
  return cannot('internal', message || 'something unexpected happened', hint, trace).error
}

async function whereToLook(): Promise<string> {
  const { findHome } = await import('../home/home.ts')
  try {
    return `the server's log is ${findHome().logFile}`
  } catch (error) {
    return isCode(error, 'ENOENT')
      ? 'the current folder has been removed'
      : 'the system knows no home folder of this user: set HOOKLINE_HOME'
  }
}
