// Accepted deliveries without an outcome: resumed when their bot starts, failed when it is deleted. A deleted bot's
// state is forgotten.
import type { Bots } from '../bots/bots.ts'
import type { Log } from '../log/log.ts'
import type { Removed } from '../bots/trash.ts'
import type { PendingRow } from '../store/deliveryrows.ts'
import { insist, type Insisting } from '../store/retrywrites.ts'
import type { Store } from '../store/store.ts'
import type { Poster } from './poster.ts'
import type { Runner } from './runner.ts'
import type { Settler } from './settler.ts'

export interface ResumerOptions extends Insisting {
  readonly bots: Pick<Bots, 'get' | 'removed' | 'allRemoved'>
  readonly store: Store
  readonly log: Log
  readonly poster: Poster
  readonly settler: Settler
  readonly runner: Runner
}

/** By bot, in the order they came. */
type Pending = ReadonlyMap<string, readonly PendingRow[]>

export class Resumer {
  readonly #options: ResumerOptions
  /** The read under way. */
  #lastPending: Promise<unknown> = Promise.resolve()
  /** The next read, not begun yet. */
  #nextPending: Promise<Pending> | undefined

  constructor(options: ResumerOptions) {
    this.#options = options
  }

  /**
   * Resumes accepted deliveries without an outcome, in order, before anything new of their bot. Call before the
   * listener opens, and when a bot starts. Resolves when everything is queued.
   */
  async resumePending(bot?: string): Promise<void> {
    if (bot !== undefined) return this.#resume(bot, () => this.#pending())
    const pending = await this.#pending()
    for (const name of pending.keys()) this.#resume(name, async () => pending)
  }

  /**
   * Call when a bot is deleted: its accepted deliveries fail, and its owner gets one notice. Its state is forgotten at
   * once, as a new bot of that name may exist before its turn comes, and again in its turn, when the handler's last
   * state is on disk.
   */
  async abandon(bot: string, removed: Removed): Promise<void> {
    const { runner, store } = this.#options
    // The next start looks only for bots that were deleted after the last one forgotten.
    const forgotten = insist(() => store.botState.forget([bot], removed.at), this.#options)
    await Promise.all([
      forgotten,
      runner.abandon(bot, async () => {
        await forgotten
        await this.#giveUp(bot, removed)
        await insist(() => store.botState.save(bot, null), this.#options)
      }),
    ])
  }

  /**
   * Bots deleted while no server ran: call before bots are loaded, for those that have their names now. At the first look, the
   * state of bots deleted earlier cannot be attributed and stays.
   */
  async forgetRemoved(): Promise<void> {
    const { bots, store, log } = this.#options
    try {
      const until = await store.botState.forgotten()
      const all = bots.allRemoved()
      const names = all.filter(({ at }) => at > (until ?? Infinity)).map(({ name }) => name)
      if (until !== undefined && names.length === 0) return
      await store.botState.forget([...new Set(names)], Math.max(0, ...all.map(({ at }) => at)))
    } catch (error) {
      log.error({ err: error }, 'the state of deleted bots is left for the next start')
    }
  }

  /** Takes the bot's turn at once: new deliveries wait until the old ones are known. */
  #resume(name: string, read: () => Promise<Pending>): void {
    const { bots, log, runner } = this.#options
    const resumed = runner.inTurn(name, 0, async () => {
      const rows = (await read()).get(name) ?? []
      const waiting = rows.filter(({ isOfBefore }) => !isOfBefore)
      if (waiting.length < rows.length)
        await this.#giveUp(name, { owner: this.#options.bots.removed(name)?.owner, at: -Infinity })
      const idle = waiting.filter(({ id }) => !runner.isRunning(id))
      if (bots.get(name)?.status === 'active') return await this.#runAll(name, idle)
      if (idle.length === 0) return
      const first = bots.get(name) ? ':' : ', whose folder is gone: put it back, then'
      const text = `deliveries wait for this bot${first} run hookline bot start ${name}`
      log.warn({ bot: name, count: idle.length }, text)
    })
    resumed.catch((error: unknown) =>
      log.error({ err: error, bot: name }, 'deliveries that it had accepted are left for the next start'),
    )
  }

  async #runAll(bot: string, rows: readonly PendingRow[]): Promise<void> {
    const { runner } = this.#options
    for (const { id } of rows) runner.claim(id)
    let begun = 0
    // Reopened while the one before it is settled: one commit for each, not two.
    let next: ReturnType<Runner['reopen']> | undefined
    for (const [n, { id }] of rows.entries()) {
      begun++
      const reopened = next ?? runner.reopen(id)
      next = undefined
      const isLeft = await runner.resume(id, bot, reopened, () => {
        const following = rows[n + 1]
        if (following) next = runner.reopen(following.id)
      })
      // Stopped meanwhile: the next start resumes the rest in order.
      if (isLeft) break
    }
    for (const { id } of rows.slice(begun)) runner.unclaim(id)
  }

  /**
   * A new bot of the same name may exist by now: what came later belongs to it, and the store knows, whatever the clock said. Only what was
   * being written while the bot was deleted is told by its time, `at`.
   */
  async #giveUp(bot: string, { owner, at }: Removed): Promise<void> {
    const { log, poster, runner, settler } = this.#options
    const pending = (await this.#pending()).get(bot) ?? []
    const lost = pending.filter(
      ({ id, receivedAt, isOfBefore }) => (isOfBefore || receivedAt <= at) && !runner.isRunning(id),
    )
    const ids = lost.map(({ id }) => id)
    if (ids.length === 0) return
    log.warn({ bot, count: ids.length }, 'deliveries have failed: their bot was deleted')
    await settler.settleAll(bot, poster.giveUp(bot, owner, ids))
  }

  /**
   * One read serves all who ask while another is under way: a reload asks for each bot, and a hundred thousand may be
   * pending.
   */
  #pending(): Promise<Pending> {
    const { deliveries } = this.#options.store
    if (this.#nextPending === undefined) {
      const next = this.#lastPending.then(async () => {
        this.#nextPending = undefined
        return Map.groupBy(await deliveries.pending(), (row) => row.bot)
      })
      this.#nextPending = next
      this.#lastPending = next.catch(() => {})
    }
    return this.#nextPending
  }
}
