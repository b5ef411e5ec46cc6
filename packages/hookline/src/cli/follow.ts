// A command that streams: prints each event as it comes, until Ctrl-C or the server stops.
import type { LooseInput } from '../commands/input.ts'
import type { Command } from '../commands/command.ts'
import { findHome } from '../home/home.ts'
import { ask } from './ask.ts'
import { print, tell, toJson } from '../commands/terminal.ts'

const DRAIN_MS = 1_000

/** Exit code 0 after Ctrl-C or SIGTERM; otherwise it depends on the server's answer. */
export async function follow(command: Command, input: LooseInput, json: boolean): Promise<number> {
  const stopped = new AbortController()
  const stop = (): void => {
    stopped.abort()
    // A reader that does not read what is left would keep the process.
    setTimeout(() => process.exit(0), DRAIN_MS).unref()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  const onEvent = (event: object): void => {
    if (json) print(toJson(event))
    else command.show?.(event, input)
  }
  const answer = await ask(findHome(), command, input, { onEvent, signal: stopped.signal })
  if (stopped.signal.aborted || answer.ok) return 0
  return tell(answer.error, json)
}
