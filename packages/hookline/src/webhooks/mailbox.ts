// Messages to one person or agent: kept on disk until delivered, now or when the nick connects.
import type { Bots } from '../bots/bots.ts'
import type { Log } from '../log/log.ts'
import { roomFor } from '../chat/output/line.ts'
import { linesOf } from '../chat/saidlines.ts'
import type { Draft } from '../chat/drafts.ts'
import type { VirtualUsers } from '../chat/virtual.ts'
import { nickKey } from '../irc/names.ts'
import type { KeptMessage } from '../store/deliveryrows.ts'
import { insist, type Insisting } from '../store/retrywrites.ts'
import type { Store } from '../store/store.ts'
import { historyRow } from './historyrow.ts'
import { fitText, lateMark } from './message.ts'

/** A kept message, with its draft if the nick is online. */
export interface Letter {
  /** In its original spelling. */
  readonly nick: string
  readonly kept: KeptMessage
  readonly draft: Draft | undefined
}

export interface MailboxOptions extends Insisting {
  readonly chat: VirtualUsers
  readonly bots: Pick<Bots, 'get'>
  readonly store: Store
  readonly serverName: string
  readonly log: Log
  /** Lines that one delivery may send to one target. */
  readonly maxLines: number
}

/**
 * A message is marked done only after delivery, so a crash in between repeats it rather than losing it; its id stays
 * the same, and history has it once.
 */
export class Mailbox {
  readonly #options: MailboxOptions
  // Being delivered right now: a nick that connects meanwhile does not get it twice.
  readonly #inHand = new Set<string>()
  /** Nicks that were told how many messages were dropped, which is not noted yet. */
  readonly #toldOfDropped = new Set<string>()

  constructor(options: MailboxOptions) {
    this.#options = options
  }

  /** Call before their record is written. */
  hold(letters: readonly Letter[]): void {
    for (const { kept } of letters) this.#inHand.add(kept.id)
  }

  /** Call when nothing was written. */
  release(letters: readonly Letter[]): void {
    for (const { kept } of letters) this.#inHand.delete(kept.id)
  }

  /** Call once their record is on disk: delivers to the nicks online; the rest stays kept. */
  handOver(letters: readonly Letter[]): void {
    for (const letter of letters) {
      const { id, nick } = letter.kept
      if (this.#attempt(id, () => this.#give(letter))) this.#finish(nick, [id])
      else this.#inHand.delete(id)
    }
  }

  /** For a letter that belongs to no delivery record. Never rejects. */
  async send(letter: Letter): Promise<void> {
    const { store, log } = this.#options
    this.hold([letter])
    try {
      if (letter.draft) store.remember(historyRow(letter.draft))
      await store.kept.add([letter.kept])
      this.handOver([letter])
    } catch (error) {
      this.release([letter])
      log.warn({ err: error, nick: letter.nick }, letter.kept.text)
    }
  }

  /** Called when a nick connects: sends its kept messages, oldest first. */
  async deliverKept(nick: string): Promise<void> {
    const { chat, store } = this.#options
    const key = nickKey(nick)
    const { messages, dropped: all } = await store.kept.of(key)
    const dropped = this.#toldOfDropped.has(key) ? 0 : all
    if (dropped > 0) {
      if (!chat.notice(nick, `${dropped} older messages for you were dropped: at most 100 are kept`)) return
      this.#toldOfDropped.add(key)
    }
    const handed: string[] = []
    for (const message of messages) {
      if (this.#inHand.has(message.id)) continue
      if (!this.#attempt(message.id, () => this.#giveLate(nick, message))) break
      this.#inHand.add(message.id)
      handed.push(message.id)
    }
    if (handed.length > 0 || dropped > 0) this.#finish(key, handed, dropped)
  }

  /** One that fails through a bug counts as delivered: those after it must not wait for ever. */
  #attempt(id: string, give: () => boolean): boolean {
    try {
      return give()
    } catch (error) {
      this.#options.log.error({ err: error, id }, 'a message for somebody could not be delivered')
      return true
    }
  }

  #give({ nick, kept, draft }: Letter): boolean {
    const { chat } = this.#options
    if (!chat.isPresent(nick)) return false
    if (kept.command === 'NOTICE') return chat.notice(nick, kept.text, aboutOf(kept))
    // Its bot may have left while the disk was full.
    return (draft && chat.publish(draft)) || this.#giveLate(nick, kept)
  }

  #giveLate(nick: string, kept: KeptMessage): boolean {
    const { chat, bots, store, serverName } = this.#options
    if (!chat.isPresent(nick)) return false
    // A little more than a delivery has, as the time mark in front may push words to another line.
    const maxLines = this.#options.maxLines + 2
    const text = lateMark(kept.time) + kept.text
    const delivery = kept.delivery ?? 'unknown'
    const user = kept.command === 'PRIVMSG' ? bots.get(kept.source)?.user : undefined
    if (user !== undefined) {
      const said = fitText(text, { room: chat.room(user, nick), maxLines, delivery }).text
      const drafted = chat.draft(user, { target: nick, command: 'PRIVMSG', text: said, delivery })
      if (drafted.ok) {
        const draft = { ...drafted.draft, id: kept.id }
        store.remember(historyRow(draft))
        chat.publish(draft)
        return true
      }
    }
    // The bot is gone or may not message them: the server says it instead.
    const said = kept.command === 'PRIVMSG' ? `${lateMark(kept.time)}<${kept.source}> ${kept.text}` : text
    const room = roomFor(serverName, 'NOTICE', nick)
    return linesOf(fitText(said, { room, maxLines, delivery }).text, room)
      .map((line) => chat.notice(nick, line.text, aboutOf(kept)))
      .every(Boolean)
  }

  #finish(nick: string, ids: readonly string[], told = 0): void {
    const { store, log } = this.#options
    // On a full disk they are in hand until they can be marked: nobody gets them twice.
    insist(() => store.kept.done(nick, ids, told), this.#options)
      .catch((error: unknown) =>
        log.warn({ err: error, nick }, 'kept messages were delivered, but may come again'),
      )
      .finally(() => {
        for (const id of ids) this.#inHand.delete(id)
        if (told > 0) this.#toldOfDropped.delete(nick)
      })
  }
}

/** A notice says when its message was, as kept messages of bots cannot: they are said again, and history has them in order. */
function aboutOf({ time, delivery }: KeptMessage): { at: number; delivery: string | undefined } {
  return { at: time, delivery: delivery ?? undefined }
}
