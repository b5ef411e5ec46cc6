// What a verb gets beside its input, and what it gives back.
import type { Answer, Failure } from '../failure.ts'
import type { Client } from '../host/client.ts'
import type { Host } from '../host/host.ts'
import type { Step, RunStep } from '../plan/step.ts'

export interface Context {
  readonly host: Host
  readonly apply: boolean
  /** Looks for the token and loads the client. A verb that asks nothing of the host does not call it. */
  readonly connect: () => Promise<Answer<Client>>
  readonly execute: (step: RunStep) => Promise<Answer<string>>
  /** Fires at Ctrl-C: no further step may begin. */
  readonly stop: AbortSignal
  readonly onStep: (step: Step) => void
  /** The command line that goes on after a failure. */
  readonly resume: string
  /** ` --host git.example.org` where it was typed: a command that we name has to reach the same host. */
  readonly hostFlags: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** `output` is what `--json` prints. With a failure beside it, it tells how far things came. */
export interface Outcome<T> {
  readonly output: T
  readonly failure?: Failure
}

/** Something that is otherwise than asked for, and was left. */
export interface Warning {
  readonly code: string
  readonly message: string
}
