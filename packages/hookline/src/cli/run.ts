// Runs one command: from the parsed input to the exit code.
import type { Answer } from '../control/failure.ts'
import { checkInput, type LooseInput } from '../commands/input.ts'
import type { Operation } from '../commands/command.ts'
import { findHome } from '../home.ts'
import { ask } from './ask.ts'
import { print, tell, toJson } from '../commands/terminal.ts'

/** Prepares the input, runs the operation, prints the outcome. */
export async function runOperation(operation: Operation, typed: LooseInput, json: boolean): Promise<number> {
  const { prepare } = await import('./prepare.ts')
  const prepared = await prepare(operation, typed, json)
  if (!prepared.ok) return tell(prepared.error, json)
  const checked = checkInput(operation, prepared.output)
  if (!checked.ok) return tell(checked.error, json)
  const input = checked.output
  if (operation.where === 'here') return await runHere(operation, input, json)
  if (operation.streams) {
    const { follow } = await import('./follow.ts')
    return await follow(operation, input, json)
  }
  const home = findHome()
  const answer = await ask(home, operation, input)
  const settled = await settle(operation, answer)
  if (settled.ok) await report(operation, settled.output, json)
  else if (settled.found !== undefined) await report(operation, settled.found, json)
  return settled.ok ? 0 : tell(settled.error, json)
}

async function report(operation: Operation, output: unknown, json: boolean): Promise<void> {
  if (json) return print(toJson(output))
  const { show } = await import('./show.ts')
  show(operation, output)
}

/** `server stop` is done when the process has exited, not when it has agreed to. */
async function settle(operation: Operation, answer: Answer<unknown>): Promise<Answer<unknown>> {
  if (operation.name !== 'server stop' || !answer.ok) return answer
  const { untilGone } = await import('./gone.ts')
  return await untilGone(answer.output as { pid: number })
}

async function runHere(operation: Operation, input: LooseInput, json: boolean): Promise<number> {
  switch (operation.name) {
    case 'server start': {
      const { serverStart } = await import('./start.ts')
      return await serverStart(input, json)
    }
    case 'learn': {
      const { learn } = await import('./learn.ts')
      print(json ? JSON.stringify({ markdown: learn() }) : learn())
      return 0
    }
    case 'explain': {
      const { explain } = await import('./explain.ts')
      const answer = explain(typeof input['path'] === 'string' ? input['path'] : '')
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
      throw new Error(`nothing here does ${operation.name}`)
  }
}
