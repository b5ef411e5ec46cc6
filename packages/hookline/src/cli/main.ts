// Entry point of the command line.
import { nameByNpx } from '../commands/called.ts'
import { commands } from '../commands/list.ts'
import { endQuietlyOnBrokenPipe } from '../commands/terminal.ts'
import { runCommandLine } from './commandline.ts'

endQuietlyOnBrokenPipe()
// npm says so to what it runs.
if (process.env['npm_command'] === 'exec')
  nameByNpx([...commands.map(({ name }) => name.split(' ')[0] ?? name), '--help', '--version'])
process.exitCode = await runCommandLine(process.argv.slice(2))
