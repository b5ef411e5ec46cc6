// What is wrong with a bot's files, found before it starts.
import type { BotOnDisk } from './disk.ts'
import { checkHandlers } from './handler/check.ts'
import { findHandler } from './handler/find.ts'
import type { HandlerLimits } from './handler/limits.ts'
import { findNamespace } from './handler/namespace.ts'
import type { Logger } from './logger.ts'

export interface Flaws {
  /** Of bot.yaml, which takes effect only as a whole. */
  readonly file: readonly string[]
  /** Of the handler, which is read for each delivery. */
  readonly handler: readonly string[]
}

/** What is wrong with handlers, by path. One without an entry is fine, or was not checked. */
export type WrongHandlers = ReadonlyMap<string, string>

export function flawsOf(disk: BotOnDisk, wrong: WrongHandlers): Flaws {
  const { handler, problem } = findHandler(disk.folder)
  const found = problem ?? (handler && wrong.get(handler.path))
  return {
    file: disk.problems.filter((each) => each !== problem),
    handler: found === undefined ? [] : [found],
  }
}

/** Checks the handlers of bots, without running them. */
export class HandlerInspector {
  readonly #log: Pick<Logger, 'warn'>
  #mayWarn: boolean

  constructor(log: Pick<Logger, 'warn'>, isolation: HandlerLimits['isolation']) {
    this.#log = log
    this.#mayWarn = isolation === 'auto'
  }

  /** Warns once there are any, if nothing isolates them. */
  async inspect(folders: readonly string[]): Promise<WrongHandlers> {
    const handlers = folders.flatMap((folder) => findHandler(folder).handler ?? [])
    if (handlers.length > 0) await this.#warnOnce()
    return await checkHandlers(handlers)
  }

  async #warnOnce(): Promise<void> {
    if (!this.#mayWarn) return
    this.#mayWarn = false
    const namespace = await findNamespace()
    if (!namespace.ok) this.#log.warn({}, notIsolated(namespace.reason))
  }
}

function notIsolated(reason: string): string {
  return (
    `handlers are not isolated (${reason}): they can signal every process of this user, including the server. ` +
    'Run only handlers you trust. To turn off this warning, set handlers.isolation: none in server.yaml'
  )
}
