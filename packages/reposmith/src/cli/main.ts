// Entry point of the command: runs it with the process that this is.
import { reposmith } from './reposmith.ts'
import { endQuietlyOnBrokenPipe } from './terminal.ts'

endQuietlyOnBrokenPipe()
process.exitCode = await reposmith(process.argv.slice(2), process)
// A request that was given up must not keep the process alive, as one that still looks up the host's name.
if (process.exitCode === 130) process.exit()
