// Says why requests were refused, for whoever runs the server, and writes down those that were for a bot: a sender is told little of
// a 401, and few senders show their answers.
import type { OutgoingHttpHeaders } from 'node:http'
import type { Log } from '../log/log.ts'
import type { Answer } from './answer.ts'
import type { RefusedWebhooks } from './refused.ts'
import { type Reply, replyWith } from './reply.ts'
import type { Verdict } from '../senders/scheme.ts'
import { QUIET_MS, LogThrottle } from '../log/logthrottle.ts'

/** `unreadable`: a secret of the bot that might prove it cannot be read. */
type Reason = Exclude<Verdict, 'holds'> | 'unreadable'

/** Logs a bot's first refusal for a reason, then at most one a minute with the number in between. */
export class Refusals {
  readonly #log: Log
  readonly #refused: Pick<RefusedWebhooks, 'note'>
  /** By bot and reason. */
  readonly #logThrottle = new LogThrottle()
  /** Unknown names of the last minute: strangers choose them, so a few are logged and the others counted. */
  #unknown = { since: -Infinity, names: new Set<string>(), unlogged: 0 }

  constructor(log: Log, refused: Pick<RefusedWebhooks, 'note'>) {
    this.#log = log
    this.#refused = refused
  }

  /** `now` is in ms; the facts must not contain a secret. */
  note(bot: string, reason: Reason, now: number, facts: object = {}): void {
    const error = reason === 'unreadable' ? 'secret unreadable' : `unauthorized ${reason}`
    this.#refused.note(
      bot,
      { status: reason === 'unreadable' ? 503 : 401, error, detail: REASONS[reason] },
      now,
    )
    const more = this.#logThrottle.admit(`${bot} ${reason}`, now)
    if (!more) return
    const level = reason === 'unreadable' ? 'error' : 'warn'
    this.#log[level]({ bot, ...more, ...facts }, `a webhook was refused: ${REASONS[reason]}`)
  }

  /** For refusals not about the proof: logs what the sender is told. */
  noteAnswer(bot: string, { status, body }: Answer, now: number): void {
    if (!('error' in body)) return
    this.#refused.note(bot, { status, error: body.error, detail: body.detail ?? null }, now)
    const more = this.#logThrottle.admit(`${bot} ${status} ${body.error}`, now)
    if (!more) return
    const why = [body.error, ...(body.detail === undefined ? [] : [body.detail])].join(': ')
    this.#log.warn({ bot, ...more }, `a webhook was refused: ${status} ${why}`)
  }

  /** Logs like `noteAnswer`, and returns the reply. */
  refuse(bot: string, answer: Answer, now: number, headers?: OutgoingHttpHeaders): Reply {
    this.noteAnswer(bot, answer, now)
    return replyWith(answer, headers)
  }

  /** For a path that names no bot. What follows the name may be a secret, and is not logged. */
  noteUnknown(path: string, now: number): void {
    if (Math.abs(now - this.#unknown.since) >= QUIET_MS) {
      const { unlogged: more } = this.#unknown
      if (more > 0) this.#log.warn({ more }, `${more} more webhooks were refused: 404 bot not found`)
      this.#unknown = { since: now, names: new Set(), unlogged: 0 }
    }
    const { names } = this.#unknown
    const bot = shown(path.split('/', 2)[1] ?? '')
    if (names.has(bot) || names.size === UNKNOWN_NAMES) return void this.#unknown.unlogged++
    names.add(bot)
    // `//name` is what a proxy makes of a path whose prefix it cuts off without the slash.
    const why = bot === '' ? 'its URL has no name after the first slash' : `no bot is called "${bot}"`
    this.#log.warn({ bot }, `a webhook was refused: 404 bot not found: ${why}`)
  }
}

const REASONS: Readonly<Record<Reason, string>> = {
  missing: 'it carries no signature or token of the kind that trigger.auth requires',
  forged:
    'its signature or token is wrong: the secret differs, trigger.auth describes another signature, or the body was changed on the way',
  unreadable: 'a secret of the bot cannot be read',
  stale:
    'its signature is right, but its time is too far from ours: an old request sent again, or a wrong clock',
}

/** Only the part that can be a bot's name: after it may come a secret, with its slash encoded. */
function shown(name: string): string {
  const [start = ''] = /^[A-Za-z0-9_-]*/.exec(name.slice(0, NAME_LENGTH)) ?? []
  return start.length < name.length ? `${start}…` : start
}

const UNKNOWN_NAMES = 5
const NAME_LENGTH = 64
