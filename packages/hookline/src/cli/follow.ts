// `watch`: prints each event as it comes, until Ctrl-C or the server stops.
import type { LooseInput } from '../control/input.ts'
import type { Operation } from '../control/operation.ts'
import type { SpokenView } from '../control/outputs/chat.ts'
import { findHome } from '../home.ts'
import { ask } from './ask.ts'
import { spokenLine } from './chatlines.ts'
import { print, tell, toJson } from './terminal.ts'

/** Exit code 0 after Ctrl-C or SIGTERM; otherwise it depends on the server's answer. */
export async function follow(operation: Operation, input: LooseInput, json: boolean): Promise<number> {
  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort())
  const onEvent = (event: object): void => {
    const spoken = event as SpokenView
    print(json ? toJson(spoken) : spokenLine(spoken, { channel: input['channel'] === undefined }))
  }
  const answer = await ask(findHome(), operation, input, { onEvent, signal: stopped.signal })
  // What a reader that does not read has not taken yet would keep the process.
  if (stopped.signal.aborted && process.stdout.writableLength > 0) process.exit(0)
  if (stopped.signal.aborted || answer.ok) return 0
  return tell(answer.error, json)
}
