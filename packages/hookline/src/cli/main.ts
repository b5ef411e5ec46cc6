// Entry point of the command line.
import { endQuietlyOnBrokenPipe } from '../commands/terminal.ts'
import { runCommandLine } from './commandline.ts'

endQuietlyOnBrokenPipe()
process.exitCode = await runCommandLine(process.argv.slice(2))
