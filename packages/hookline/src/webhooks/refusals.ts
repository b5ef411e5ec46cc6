// Why requests were refused, for whoever runs the server: the sender hears 401 and no more.
import type { Logger } from '../bots/bots.ts'
import type { Verdict } from './scheme.ts'

/** `unreadable`: no secret of the bot can be read. */
type Reason = Exclude<Verdict, 'holds'> | 'unreadable'

/** Logs the first refusal of a bot, and then one a minute with the number of those between. */
export class Refusals {
  readonly #log: Logger
  /** By bot, so that it is as long as the list of bots. */
  readonly #last = new Map<string, { at: number; unlogged: number }>()

  constructor(log: Logger) {
    this.#log = log
  }

  /** `now` is in ms; of the facts none may be a secret. */
  note(bot: string, reason: Reason, now: number, facts: object = {}): void {
    const last = this.#last.get(bot)
    if (last !== undefined && now - last.at < quietMs) {
      last.unlogged++
      return
    }
    const more = last?.unlogged ? { more: last.unlogged } : {}
    this.#last.set(bot, { at: now, unlogged: 0 })
    const level = reason === 'unreadable' ? 'error' : 'warn'
    this.#log[level]({ bot, ...more, ...facts }, `a webhook was refused: ${reasons[reason]}`)
  }
}

const reasons: Readonly<Record<Reason, string>> = {
  missing: 'it carries no proof of the kind that trigger.auth asks for',
  forged: 'its proof does not hold: another secret, or a body that was changed on the way',
  unreadable: 'no secret of the bot can be read',
  stale: 'its proof holds, but its time is too far from ours: an old request sent again, or a wrong clock',
}

const quietMs = 60_000
