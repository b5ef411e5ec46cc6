// Where a command runs: on the running server if there is one, else on the files.
import { connectControl, type CallOptions } from '../control/client.ts'
import type { Answer } from '../control/failure.ts'
import type { LooseInput } from '../commands/input.ts'
import type { Command } from '../commands/command.ts'
import type { Home } from '../home/home.ts'

/** The answer, whichever side gives it. File-only commands never ask the server. */
export async function ask(
  home: Home,
  command: Command,
  input: LooseInput,
  options: CallOptions = {},
): Promise<Answer<unknown>> {
  if (command.where !== 'files') {
    const connected = await connectControl(home)
    if (connected.ok) {
      try {
        return await connected.client.call(command.name, input, options)
      } finally {
        connected.client.close()
      }
    }
    if (command.where === 'server' || connected.error.kind !== 'not_running') return connected
  }
  const { performOnFiles } = await import('./files.ts')
  return await performOnFiles(home, command, input)
}
