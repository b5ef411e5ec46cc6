// What a verb gets besides its input, and what it returns.
import type { Answer, Failure } from '../failure.ts'
import type { Client } from '../host/client.ts'
import type { Host } from '../host/host.ts'
import type { Execute } from '../plan/run.ts'
import type { RunStep, Step } from '../plan/step.ts'

export interface Context {
  readonly host: Host
  readonly apply: boolean
  /** Finds the token and loads the client, once. A verb that needs no host does not call it. */
  readonly connect: () => Promise<Answer<Client>>
  /** Runs a tool; resolves with what it printed. */
  readonly execute: Execute<string>
  /** Runs `git push`, with the token at hand if the remote is over HTTPS. */
  readonly push: (step: RunStep, remote: string) => Promise<Answer<string>>
  /** Fires at Ctrl-C: no further step may begin. */
  readonly stop: AbortSignal
  readonly onStep: (step: Step) => void
  /** The command line that continues after a failure. */
  readonly resume: string
  /** ` --host git.example.org` if it was typed: suggested commands must reach the same host. */
  readonly hostFlags: string
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly stdin: () => AsyncIterable<Buffer>
}

/** `output` is what `--json` prints. If there is a failure too, it shows how far the command got. */
export interface Outcome<T> {
  readonly output: T
  readonly failure?: Failure | undefined
  /** The exit code of a result that is no failure. */
  readonly exit?: number | undefined
}
