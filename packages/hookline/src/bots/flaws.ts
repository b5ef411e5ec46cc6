// What is wrong with a bot's files, found before it starts.
import type { BotOnDisk } from './disk.ts'
import { checkHandlers } from '../handlers/check.ts'
import { findHandler } from '../handlers/find.ts'
import type { HandlerLimits } from '../handlers/limits.ts'
import { findNamespace } from '../handlers/namespace.ts'
import type { Log } from '../log/log.ts'

export interface Flaws {
  /** Of bot.yaml, which takes effect only as a whole. */
  readonly file: readonly string[]
  /** Of the handler, which is read for each delivery. */
  readonly handler: readonly string[]
}

/** Checks the handlers of bots, without running them. */
export class HandlerInspector {
  readonly #log: Log
  #mayWarn: boolean
  /** What is wrong with handlers, by path, and with which version of the file. One without an entry is fine, or was not checked. */
  readonly #wrong = new Map<string, { readonly stamp: string; readonly problem: string }>()

  constructor(log: Log, isolation: HandlerLimits['isolation']) {
    this.#log = log
    this.#mayWarn = isolation !== 'none'
  }

  /** Warns once there are any, if nothing isolates them. */
  async inspect(folders: readonly string[]): Promise<void> {
    const handlers = folders.flatMap((folder) => findHandler(folder).handler ?? [])
    // Each starts processes: at the same time, so that a start with handlers waits for the slower one alone.
    const [wrong] = await Promise.all([checkHandlers(handlers), handlers.length > 0 && this.#warnOnce()])
    for (const { path, stamp } of handlers) {
      const problem = wrong.get(path)
      if (problem === undefined) this.#wrong.delete(path)
      else this.#wrong.set(path, { stamp, problem })
    }
  }

  /** Of the handler, what its last inspection found, unless it was edited since. */
  flawsOf(disk: BotOnDisk): Flaws {
    const { handler, problem } = findHandler(disk.folder)
    const known = handler && this.#wrong.get(handler.path)
    const found = problem ?? (known?.stamp === handler?.stamp ? known?.problem : undefined)
    return {
      file: disk.problems.filter((each) => each !== problem),
      handler: found === undefined ? [] : [found],
    }
  }

  forget(path: string): void {
    this.#wrong.delete(path)
  }

  async #warnOnce(): Promise<void> {
    if (!this.#mayWarn) return
    this.#mayWarn = false
    const namespace = await findNamespace()
    if (!namespace.ok) this.#log.warn({}, notIsolated(namespace.reason))
    else if (namespace.bare) this.#log.warn({}, NOT_APART)
  }
}

function notIsolated(reason: string): string {
  return (
    `handlers are not isolated (${reason}): they can signal every process of this user, including the server. ` +
    'Run only handlers you trust. With handlers.isolation: required in server.yaml none of them runs; with none, this warning is gone'
  )
}

const NOT_APART =
  'handlers are only partly isolated, also those whose bot.yaml asks for it: they have processes of their own, but nothing can be mounted for them here, ' +
  'so they reach files, the network and the control socket. Run only handlers you trust. With handlers.isolation: required in server.yaml none of them runs'
