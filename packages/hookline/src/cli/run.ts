// Runs one command: from the parsed input to the exit code.
import type { Answer } from '../control/failure.ts'
import { checkInput, type LooseInput } from '../commands/input.ts'
import type { Command } from '../commands/command.ts'
import { findHome } from '../home/home.ts'
import { ask } from './ask.ts'
import { print, tell, toJson } from '../commands/terminal.ts'

/** Prepares the input, runs the command, prints the outcome. */
export async function runCommand(command: Command, typed: LooseInput, json: boolean): Promise<number> {
  const { prepare } = await import('./prepare.ts')
  const prepared = await prepare(command, typed, json)
  if (!prepared.ok) return tell(prepared.error, json)
  const checked = checkInput(command, prepared.output)
  if (!checked.ok) return tell(checked.error, json)
  const input = checked.output
  if (command.where === 'here') return await runHere(command, input, json)
  if (command.streams) {
    const { follow } = await import('./follow.ts')
    return await follow(command, input, json)
  }
  const home = findHome()
  const answer = await ask(home, command, input)
  const settled = await settle(command, answer)
  if (settled.ok) report(command, input, settled.output, json)
  else if (settled.found !== undefined) report(command, input, settled.found, json)
  return settled.ok ? 0 : tell(settled.error, json)
}

function report({ show }: Command, input: LooseInput, output: unknown, json: boolean): void {
  if (json) print(toJson(output))
  else show?.(output, input)
}

/** `server stop` is done when the process has exited, not when it has agreed to. */
async function settle(command: Command, answer: Answer<unknown>): Promise<Answer<unknown>> {
  if (command.name !== 'server stop' || !answer.ok) return answer
  const { untilGone } = await import('./untilexit.ts')
  return await untilGone(answer.output as { pid: number })
}

async function runHere(command: Command, input: LooseInput, json: boolean): Promise<number> {
  switch (command.name) {
    case 'server start': {
      const { serverStart } = await import('./start.ts')
      return await serverStart(input, json)
    }
    case 'learn': {
      const { learn } = await import('./learn.ts')
      const markdown = await learn()
      print(json ? JSON.stringify({ markdown }) : markdown)
      return 0
    }
    case 'explain': {
      const { explain } = await import('./explain.ts')
      const answer = await explain(typeof input['path'] === 'string' ? input['path'] : '')
      if (!answer.ok) return tell(answer.error, json)
      print(json ? JSON.stringify(answer.output) : answer.output.markdown)
      return 0
    }
    case 'completion': {
      const { printScript } = await import('./completion.ts')
      printScript(String(input['shell']), json)
      return 0
    }
    default:
      throw new Error(`nothing here does ${command.name}`)
  }
}
