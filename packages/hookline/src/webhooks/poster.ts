// Turns what a bot composed into what is recorded and then sent: drafts for channels, letters for persons and agents.
import type { Bots } from '../bots/bots.ts'
import { cleanPayloadText } from '../message/clean.ts'
import type { Composed } from '../message/composed.ts'
import { reasonIn } from '../handlers/reason.ts'
import { placeOf, presenceOf } from '../bots/destination.ts'
import type { ActiveBot } from '../bots/roster.ts'
import { roomFor } from '../chat/output/line.ts'
import type { Draft } from '../chat/drafts.ts'
import type { VirtualUsers } from '../chat/virtual.ts'
import { nickKey } from '../irc/names.ts'
import type { KeptMessage, Outcome } from '../store/deliveryrows.ts'
import { historyRow } from './historyrow.ts'
import type { Letter } from './mailbox.ts'
import { fitText, mentionLine } from './message.ts'
import { type Later, Notices } from './noticelimits.ts'

/** Decided but neither recorded nor sent. */
export interface Prepared {
  readonly outcome: Outcome
  /** The text as sent, cut to its lines; the record has all of it. */
  readonly message: string | null
  readonly drafts: readonly Draft[]
  readonly letters: readonly Letter[]
}

/** A delivery with its outcome. */
export interface Settled {
  /** The delivery's id. */
  readonly id: string
  readonly prepared: Prepared
}

export type Message = Extract<Composed, { kind: 'message' }> & {
  /** What is shown of it; by default all of the text. */
  readonly shown?: string
}

export interface PosterOptions {
  readonly bots: Pick<Bots, 'get'>
  readonly chat: VirtualUsers
  readonly serverName: string
  readonly now: () => number
  readonly newMessageId: () => string
  readonly later: Later
  /** For letters that belong to no outcome. Resolves when sent or kept. */
  readonly send: (letter: Letter) => Promise<void>
  /** Lines that one delivery may send to one target. */
  readonly maxLines: number
}

export class Poster {
  readonly #options: PosterOptions
  readonly #failures: Notices<Failure>
  /** Messages that reached some of their channels but not all. */
  readonly #gaps: Notices<Failure>

  constructor(options: PosterOptions) {
    const { later, send } = options
    this.#options = options
    this.#failures = new Notices({
      later,
      tell: (last, more) => send(this.#countOf(last, more, 'failed', ' --failed')),
    })
    this.#gaps = new Notices({
      later,
      tell: (last, more) => send(this.#countOf(last, more, 'did not reach every channel')),
    })
  }

  /** With the bot as it is now: it may have been stopped, edited or deleted since the message was composed. */
  prepare(bot: string, composed: Composed | Message, id: string): Prepared {
    switch (composed.kind) {
      case 'skip':
        return this.#prepared({ ...composed, status: 'skipped' })
      case 'failed':
        return this.#fail(bot, id, composed.error, composed.unresolved)
      case 'message':
        return this.#prepareMessage(bot, composed, id)
    }
  }

  /** The owner is told, at most once a minute per bot. */
  #fail(bot: string, id: string, error: string, unresolved: readonly string[] = []): Prepared {
    const owner = this.#options.bots.get(bot)?.settings?.owner
    const isNews = owner !== undefined && this.#failures.isNews({ bot, owner, id })
    // A handler's error may contain parts of the payload.
    const reason = cleanPayloadText(reasonIn(error))
    const notice = `delivery ${id} failed: ${reason}. To run it again: hookline bot replay ${id}`
    const letters = isNews ? [this.#direct(bot, owner, notice, id)] : []
    return this.#prepared({ status: 'failed', error: error.slice(0, MOST_ERROR_LENGTH), letters, unresolved })
  }

  /** Takes back a prepared outcome that is neither recorded nor sent. */
  uncount(bot: string, id: string, { status, error }: Outcome): void {
    if (error !== null) this.#noticesOf(status).uncount(bot, (failure) => failure.id === id)
  }

  #noticesOf(status: Outcome['status']): Notices<Failure> {
    return status === 'failed' ? this.#failures : this.#gaps
  }

  /** Sends owners their pending notices now. Resolves when sent or kept. */
  async flush(): Promise<void> {
    await Promise.all([this.#failures.flush(), this.#gaps.flush()])
  }

  /** For deliveries whose bot was deleted: the owner gets one notice for all of them. */
  giveUp(bot: string, owner: string | undefined, ids: readonly string[]): readonly Settled[] {
    const failed = { status: 'failed', error: 'the bot was deleted' } as const
    const what = ids.length === 1 ? '1 accepted delivery has' : `${ids.length} accepted deliveries have`
    const text = `${bot} was deleted: ${what} failed (see: hookline bot deliveries --failed)`
    const letters =
      owner === undefined
        ? []
        : [this.#notice(bot, owner, text, { time: this.#options.chat.now(), delivery: null })]
    return ids.map((id, nth) => ({
      id,
      prepared: this.#prepared(nth === 0 ? { ...failed, letters } : failed),
    }))
  }

  withReason(prepared: Prepared, reason: string): Prepared {
    return { ...prepared, outcome: { ...prepared.outcome, reason } }
  }

  /**
   * For a message merged into another one, which shows it in full (`isWhole`) or only counts it. What went wrong with that
   * one is counted for this one too.
   */
  mergedInto(
    { outcome }: Prepared,
    { name: bot, settings: { owner } }: ActiveBot,
    {
      id,
      message: { composedBy, unresolved, text },
      reason,
      isWhole,
    }: { readonly id: string; readonly message: Message; readonly reason: string; readonly isWhole: boolean },
  ): Prepared {
    const status = outcome.status === 'posted' && !isWhole ? 'skipped' : outcome.status
    const { error, woken } = outcome
    if (error !== null) this.#noticesOf(status).isNews({ bot, owner, id })
    const channels = isWhole ? outcome.channels : []
    return this.#prepared({ status, text, error, channels, composedBy, unresolved, reason, woken })
  }

  #prepareMessage(name: string, composed: Message, id: string): Prepared {
    const { bots, chat } = this.#options
    const { text, shown = text, composedBy, unresolved, reason = null, destination, thread: key } = composed
    const maxLines = Math.min(this.#options.maxLines, composed.maxLines ?? Infinity)
    const bot = bots.get(name)
    if (bot?.status !== 'active')
      return this.#fail(name, id, 'the bot was stopped before its message was posted')
    const { user, settings } = bot
    const { dmOwner } = settings.output
    const { channels, mention } = placeOf(settings, destination)
    // A kicked bot rejoins.
    chat.moveTo(user, presenceOf(settings))

    const mark = mention === null ? '' : `@${mention} `
    const whole = mark + text
    const said = mark + shown
    let message = said
    const drafts: Draft[] = []
    const refusals: string[] = []
    for (const target of channels) {
      const fitting = fitText(said, { room: chat.room(user, target), maxLines, delivery: id })
      if (fitting.isCut) message = fitting.text
      const drafted = chat.draft(user, { target, command: 'PRIVMSG', text: fitting.text, delivery: id })
      if (drafted.ok) drafts.push(drafted.draft)
      else refusals.push(drafted.reason)
    }
    const error = refusals.length > 0 ? refusals.join('; ') : null
    if (error !== null && drafts.length === 0) return this.#fail(name, id, error)

    const letters = mention === null ? [] : drafts.map((draft) => this.#wake(name, mention, draft, whole))
    if (dmOwner) letters.push(this.#direct(name, settings.owner, shown, id, maxLines))
    if (error !== null) letters.push(...this.#gap(name, settings.owner, id, error))
    const woken = mention !== null && drafts.length > 0 ? [mention] : []
    const thread =
      key === undefined ? undefined : { bot: name, key, messages: drafts.map((draft) => draft.id) }
    const story = { composedBy, unresolved, reason, woken, thread }
    return this.#prepared({ status: 'posted', text: whole, message, error, drafts, letters, ...story })
  }

  /** The sender is answered `posted`, so nobody else would learn that a channel refused. */
  #gap(bot: string, owner: string, id: string, error: string): readonly Letter[] {
    if (!this.#gaps.isNews({ bot, owner, id })) return []
    return [this.#direct(bot, owner, `delivery ${id} did not reach every channel: ${error}`, id)]
  }

  #wake(bot: string, nick: string, { target, at, delivery }: Draft, text: string): Letter {
    const line = mentionLine(bot, target, text, roomFor(this.#options.serverName, 'NOTICE', nick))
    return this.#notice(bot, nick, line, { time: at, delivery })
  }

  #notice(
    source: string,
    nick: string,
    text: string,
    { time, delivery }: Pick<KeptMessage, 'time' | 'delivery'>,
  ): Letter {
    const facts = { id: this.#options.newMessageId(), nick: nickKey(nick), source, time, delivery }
    return { nick, kept: { ...facts, command: 'NOTICE', text }, draft: undefined }
  }

  /** The bot may have been stopped or deleted since: commands refuse the name of a deleted one. */
  #countOf({ bot, owner, id }: Failure, more: number, what: string, flag = ''): Letter {
    const count = more === 1 ? '1 more delivery' : `${more} more deliveries`
    const which = this.#options.bots.get(bot) ? ` ${bot}` : ''
    const text = `${count} ${what} (see: hookline bot deliveries${which}${flag})`
    return this.#direct(bot, owner, text, id)
  }

  #direct(bot: string, nick: string, text: string, id: string, maxLines = this.#options.maxLines): Letter {
    const { bots, chat, newMessageId } = this.#options
    const user = bots.get(bot)?.user
    const room = user === undefined ? SAFE_ROOM : chat.room(user, nick)
    const { text: shown } = fitText(text, { room, maxLines, delivery: id })
    const said = { target: nick, command: 'PRIVMSG', text: shown, delivery: id } as const
    const drafted = user !== undefined && chat.isPresent(nick) ? chat.draft(user, said) : undefined
    const draft = drafted?.ok ? drafted.draft : undefined
    const facts = { nick: nickKey(nick), source: bot, delivery: id, text: shown }
    const kept = {
      ...facts,
      id: draft?.id ?? newMessageId(),
      command: 'PRIVMSG',
      time: draft?.at ?? chat.now(),
    } as const
    return { nick, kept, draft }
  }

  #prepared(facts: Facts): Prepared {
    const { status, text = null, message = text, error = null, drafts = [], letters = [] } = facts
    const told = letters.flatMap(({ draft }) => draft ?? [])
    const outcome: Outcome = {
      status,
      finishedAt: this.#options.now(),
      text,
      error,
      channels: facts.channels ?? drafts.map(({ target }) => target),
      history: [...drafts, ...told].map(historyRow),
      kept: letters.map(({ kept }) => kept),
      composedBy: facts.composedBy ?? null,
      unresolved: facts.unresolved ?? [],
      reason: facts.reason ?? null,
      woken: facts.woken ?? [],
      thread: facts.thread,
    }
    return { outcome, message, drafts, letters }
  }
}

/** What follows from drafts and letters is left out; channels may differ from those of the drafts. */
type Facts = Pick<Outcome, 'status'> &
  Partial<Omit<Outcome, 'finishedAt' | 'history' | 'kept'> & Omit<Prepared, 'outcome'>>

interface Failure {
  readonly bot: string
  readonly owner: string
  /** The delivery's id. */
  readonly id: string
}

/** Bytes that always fit after the longest `PRIVMSG <nick> :`. */
export const SAFE_ROOM = 300
const MOST_ERROR_LENGTH = 16 * 1024
