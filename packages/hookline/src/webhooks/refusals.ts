// Why requests to a bot were refused, for whoever runs the server: of a 401 the sender hears no more, and few senders show what they heard.
import type { Logger } from '../bots/bots.ts'
import type { Answer } from './answer.ts'
import type { Verdict } from './scheme.ts'

/** `unreadable`: no secret of the bot can be read. */
type Reason = Exclude<Verdict, 'holds'> | 'unreadable'

/** Logs the first refusal of a bot for a reason, and then one a minute with the number of those between. */
export class Refusals {
  readonly #log: Logger
  /** By bot and kind of reason: a few for each bot. */
  readonly #last = new Map<string, { at: number; unlogged: number }>()

  constructor(log: Logger) {
    this.#log = log
  }

  /** `now` is in ms; of the facts none may be a secret. */
  note(bot: string, reason: Reason, now: number, facts: object = {}): void {
    const more = this.#turn(`${bot} ${reason}`, now)
    if (!more) return
    const level = reason === 'unreadable' ? 'error' : 'warn'
    this.#log[level]({ bot, ...more, ...facts }, `a webhook was refused: ${reasons[reason]}`)
  }

  /** For what was not refused for its proof: as the sender was told. */
  noteAnswer(bot: string, { status, body }: Answer, now: number): void {
    const more = this.#turn(`${bot} ${status}`, now)
    if (!more || !('error' in body)) return
    const why = [body.error, ...(body.detail === undefined ? [] : [body.detail])].join(': ')
    this.#log.warn({ bot, ...more }, `a webhook was refused: ${status} ${why}`)
  }

  /** Undefined where a minute is not over; else how many were not logged in it, if any. */
  #turn(reason: string, now: number): { more?: number } | undefined {
    const last = this.#last.get(reason)
    if (last !== undefined && now - last.at < quietMs) {
      last.unlogged++
      return undefined
    }
    this.#last.set(reason, { at: now, unlogged: 0 })
    return last?.unlogged ? { more: last.unlogged } : {}
  }
}

const reasons: Readonly<Record<Reason, string>> = {
  missing: 'it carries no proof of the kind that trigger.auth asks for',
  forged: 'its proof does not hold: another secret, or a body that was changed on the way',
  unreadable: 'no secret of the bot can be read',
  stale: 'its proof holds, but its time is too far from ours: an old request sent again, or a wrong clock',
}

const quietMs = 60_000
