// Runs a command: on a running server, or on the files.
import { cannot, notRunning, wrong, type Answer } from '../control/failure.ts'
import { messageOf } from '../failure/thrown.ts'
import type { Command } from './command.ts'
import type { Call, Context } from './context.ts'
import { hintForDisk } from './diskfailure.ts'
import { checkInput, type LooseInput } from './input.ts'
import { loadCommand } from './list.ts'

/** What a client asks of a running server: checks its input, and runs it. */
export async function serve(
  context: Context,
  name: string,
  input: unknown,
  call: Call,
): Promise<Answer<unknown>> {
  const command = await loadCommand(name)
  if (command?.run === undefined) {
    // Our own commands name none that their version does not have.
    return wrong(
      'usage',
      `the server has no operation called ${JSON.stringify(name.slice(0, 64))}`,
      'if hookline was updated while it ran, restart the server; else see: hookline --help',
    )
  }
  if (command.where === 'files')
    return cannot('refused', `${name} works on the files, not through the server`, 'run it directly')
  const checked = checkInput(command, input)
  return checked.ok ? await perform(command, context, checked.output, call) : checked
}

/** Its input is checked. Throws only for a bug or a broken machine. */
export async function perform(
  { name, where, needs, run }: Command,
  context: Context,
  input: LooseInput,
  call: Call,
): Promise<Answer<unknown>> {
  if (!context.running && where === 'server') return notRunning(context.home.folder)
  if (run === undefined) throw new Error(`nothing here does ${name}`)
  try {
    return await run(context, input, call, await needs?.())
  } catch (error) {
    // A command that knows more has reported it itself.
    const hint = hintForDisk(error)
    if (hint === undefined) throw error
    return cannot('setup', `${name}: ${messageOf(error)}`, hint)
  }
}
