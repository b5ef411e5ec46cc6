// `watch`: prints each event as it comes, until Ctrl-C or the server stops.
import type { LooseInput } from '../commands/input.ts'
import type { Operation } from '../commands/command.ts'
import type { SpokenView } from '../control/outputs/chat.ts'
import { findHome } from '../home.ts'
import { ask } from './ask.ts'
import { spokenLine } from './chatlines.ts'
import { print, tell, toJson } from '../commands/terminal.ts'

const DRAIN_MS = 1_000

/** Exit code 0 after Ctrl-C or SIGTERM; otherwise it depends on the server's answer. */
export async function follow(operation: Operation, input: LooseInput, json: boolean): Promise<number> {
  const stopped = new AbortController()
  const stop = (): void => {
    stopped.abort()
    // A reader that does not read what is left would keep the process.
    setTimeout(() => process.exit(0), DRAIN_MS).unref()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  const onEvent = (event: object): void => {
    const spoken = event as SpokenView
    print(json ? toJson(spoken) : spokenLine(spoken, { channel: input['channel'] === undefined }))
  }
  const answer = await ask(findHome(), operation, input, { onEvent, signal: stopped.signal })
  if (stopped.signal.aborted || answer.ok) return 0
  return tell(answer.error, json)
}
