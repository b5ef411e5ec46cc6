// Runs one command: from the parsed input to the exit code.
import { STOPPED, type Answer } from '../failure.ts'
import type { CommandName, Input, NamedCommand } from '../table/commands.ts'
import { checkInput, type LooseInput } from '../table/input.ts'
import type { Context, Outcome } from '../verbs/context.ts'
import { contextFor } from './context.ts'
import { watchInterrupts } from './interrupt.ts'
import { show, warningsOf } from './show.ts'
import { toJson, type Terminal } from './terminal.ts'
import type { World } from './world.ts'

interface Typed {
  readonly command: NamedCommand
  readonly input: LooseInput
  readonly json: boolean
  readonly args: readonly string[]
}

/** The commands that ask nobody, and read only what is here. */
type About = 'learn' | 'explain' | 'completion'

export async function runCommand(
  { command, input: typed, json, args }: Typed,
  world: World,
  terminal: Terminal,
): Promise<number> {
  const { print, remark, tell } = terminal
  const { name } = command
  const checked = checkInput(command, typed)
  if (!checked.ok) return tell(checked.error, json)
  const input = checked.output
  if (name === 'learn' || name === 'explain' || name === 'completion')
    return await tellAbout(name, input, { ...terminal, json })
  const interrupts = watchInterrupts(world, () =>
    json ? undefined : remark('stopping once the current request has finished'),
  )
  const about = { args, json, asksHost: command.endpoints.length > 0, interrupts }
  const context = contextFor(input, about, world, terminal)
  const answer = context.ok ? await perform(name, input, context.output) : context
  interrupts.close()
  if (!answer.ok) return tell(answer.error, json)
  const { output, failure, exit = 0 } = answer.output
  // Nothing was applied that would have to be reported, and an exit with 0 would let a script go on.
  if (interrupts.stop.aborted && !failure && !input['apply']) return tell(STOPPED, json)
  print(json ? toJson(output) : show(name, output, terminal))
  if (!json) warningsOf(name, output).forEach(remark)
  return failure ? tell(failure, json) : exit
}

/** Each verb imports its own libraries, so none is loaded for another. */
async function perform(
  name: Exclude<CommandName, About>,
  input: LooseInput,
  context: Context,
): Promise<Answer<Outcome<unknown>>> {
  switch (name) {
    case 'whoami':
      return await (await import('../verbs/whoami.ts')).whoami(context)
    case 'repo create':
      return await (await import('../verbs/create.ts')).create(input as Input<typeof name>, context)
    case 'repo scaffold':
      return await (await import('../verbs/scaffold.ts')).scaffold(input as Input<typeof name>, context)
    case 'repo env':
      return await (await import('../verbs/env.ts')).env(input as Input<typeof name>, context)
    case 'repo bootstrap':
      return await (await import('../verbs/bootstrap.ts')).bootstrap(input as Input<typeof name>, context)
    case 'repo apply':
      return await (await import('../verbs/saved.ts')).apply(input as Input<typeof name>, context)
    case 'repo import':
      return await (await import('../verbs/import.ts')).importRepository(input as Input<typeof name>, context)
    case 'repo drift':
      return await (await import('../verbs/drift.ts')).drift(input as Input<typeof name>, context)
    case 'doctor':
      return await (await import('../verbs/doctor.ts')).doctor(input as Input<typeof name>, context)
  }
}

async function tellAbout(
  name: About,
  input: LooseInput,
  { print, tell, json }: Terminal & { readonly json: boolean },
): Promise<number> {
  if (name === 'learn') {
    const { learn, learnAsData } = await import('./learn.ts')
    print(json ? toJson(learnAsData()) : learn())
    return 0
  }
  if (name === 'completion') {
    const { scriptFor } = await import('./completion.ts')
    const shell = String(input['shell'])
    const script = scriptFor(shell)
    print(json ? JSON.stringify({ shell, script }) : script)
    return 0
  }
  const { explain } = await import('./explain.ts')
  const answer = explain(String(input['path']))
  if (!answer.ok) return tell(answer.error, json)
  print(json ? toJson(answer.output) : answer.output.markdown)
  return 0
}
