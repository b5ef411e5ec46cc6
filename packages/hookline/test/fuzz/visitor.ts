// One connection of a fuzzed chat: what its socket would do, and which answers its client is owed.
import assert from 'node:assert/strict'
import { opened } from '../../src/chat/features/multiline.ts'
import { labelOf, mayBeLabelled } from '../../src/chat/output/response.ts'
import type { Session } from '../../src/chat/session.ts'
import type { Spine } from '../../src/chat/spine.ts'
import { type Incoming, type Message, parse } from '../../src/irc/message.ts'
import { prefixesOf } from '../../src/irc/modes.ts'
import { type ChannelKey, fold } from '../../src/irc/names.ts'
import { LineDecoder } from '../../src/wire/decoder.ts'
import { Eye, toldCaps } from './eye.ts'

export class Visitor {
  readonly session: Session
  readonly eye: Eye
  readonly #chat: Spine
  readonly #decoder = new LineDecoder()
  /** How often each label was sent. */
  readonly #asked = new Map<string, number>()
  /** Labels that must come back, each with the line it was on. */
  readonly #owed = new Map<string, string>()
  /** The label of a batch that is open. */
  #deferred: string | undefined
  /** Sent by it after we stopped reading. */
  #unread: Buffer[] = []
  /** Written to it and not taken. */
  #untaken: Uint8Array[] = []
  isStalled = false
  #isPaused = false
  #isEnded = false

  constructor(chat: Spine, place: number) {
    this.#chat = chat
    this.eye = new Eye(chat.settings.name)
    const untaken = () => this.#untaken.reduce((sum, { length }) => sum + length, 0)
    const wire = {
      get waiting(): number {
        return untaken()
      },
      write: (bytes: Uint8Array) => (this.isStalled ? void this.#untaken.push(bytes) : this.eye.read(bytes)),
      end: () => void (this.#isEnded = true),
      cut: () => void (this.#isEnded = true),
      pause: () => void (this.#isPaused = true),
      resume: () => void (this.#isPaused = false),
    }
    const host = place % 4 === 3 ? '0::1' : `192.0.2.${place}`
    this.session = chat.connect(wire, { host, isSecure: place % 3 === 0 })
  }

  get isBusy(): boolean {
    return !this.session.isClosed && (this.session.isWorking || this.#unread.length > 0)
  }

  /** Bytes of one read. `isRude`: they come although we stopped reading. */
  send(bytes: Buffer, isRude: boolean): void {
    if ((this.#isPaused && !isRude) || this.#unread.length > 0) return void this.#unread.push(bytes)
    const { session } = this
    const lines = this.#decoder.push(bytes)
    if (lines.length === 0) return
    for (const line of lines) this.#noteAsked(line)
    const isFree = !session.isClosed && !session.isWorking && session.backlog.length === 0
    if (isFree) this.#noteOwed(lines)
    this.#chat.receive(session, lines)
    if (isFree) this.#noteBatch(lines)
  }

  /** A turn of the event loop: a socket that was ended closes, one that may be read again is read. */
  turn(): void {
    if (this.#isEnded) this.hangUp()
    const unread = this.#unread
    this.#unread = []
    while (unread.length > 0 && !this.#isPaused) this.send(unread.shift() ?? Buffer.alloc(0), false)
    this.#unread.push(...unread)
  }

  /** Takes what was held back, and all that comes from now on. */
  drain(): void {
    this.isStalled = false
    for (const bytes of this.#untaken.splice(0)) this.eye.read(bytes)
  }

  hangUp(): void {
    this.#chat.disconnect(this.session, 'Connection closed')
  }

  /** What its client believes, compared with the facts. Channels in `veiled` do not show everybody. */
  check(veiled: ReadonlySet<ChannelKey>): void {
    const { session, eye } = this
    eye.expectQuiet(session.isClosed)
    for (const [label, times] of eye.answers)
      assert.ok(times <= (this.#asked.get(label) ?? 0), `${label} was answered ${times} times`)
    if (session.isClosed) return
    for (const [label, line] of this.#owed)
      assert.ok(eye.answers.has(label), `${label} was not answered: ${line}`)
    eye.caps.delete('cap-notify')
    assert.deepEqual([...eye.caps].toSorted(), toldCaps(session.caps).toSorted(), 'capabilities, as told')
    if (session.user === undefined) return
    assert.equal(eye.nick, session.user.nick)
    const { channels } = session.user
    assert.deepEqual([...eye.channels.keys()].toSorted(), [...channels.keys()].toSorted())
    for (const [key, { members }] of channels) {
      if (veiled.has(key) || eye.unread.has(key)) continue
      const told = eye.channels.get(key) ?? new Map<string, string | undefined>()
      const there = [...members.values()].map(({ user }) => fold(user.nick))
      assert.deepEqual(
        [...told.keys()].toSorted(),
        there.toSorted(),
        `who is in ${key}, as ${eye.nick} was told`,
      )
      for (const { user, ranks } of members.values()) {
        const nick = fold(user.nick)
        const prefixes = prefixesOf(ranks)
        assert.equal(
          told.get(nick) ?? prefixes,
          prefixes,
          `${nick}’s ranks in ${key}, as ${eye.nick} was told`,
        )
        if (user !== session.user) eye.expectKnown(nick, user)
      }
    }
  }

  #noteAsked(line: Incoming): void {
    const label = messageIn(line)?.tags.get('label')
    if (label !== undefined) this.#asked.set(label, (this.#asked.get(label) ?? 0) + 1)
  }

  /** Which answers are owed. What opens a batch is answered when it closes, and what is in it is not answered at all. */
  #noteOwed(lines: readonly Incoming[]): void {
    for (const line of lines) {
      const message = messageIn(line)
      if (message === undefined) continue
      // It may take the capability away, in the middle of the read.
      if (message.command.toUpperCase() === 'CAP') return
      const label = labelOf(this.session.caps, message.tags)
      if (label !== undefined && !opensBatch(message) && !message.tags.has('batch'))
        this.#owed.set(label, JSON.stringify(line))
    }
  }

  #noteBatch(lines: readonly Incoming[]): void {
    const { session } = this
    const open = opened.of(session)?.label
    if (this.#deferred !== undefined && this.#deferred !== open) {
      if (mayBeLabelled(session.caps)) this.#owed.set(this.#deferred, 'a batch')
      this.#deferred = undefined
    }
    const [line] = lines
    const message = lines.length === 1 && typeof line === 'string' ? parse(line) : undefined
    if (message === undefined || !opensBatch(message) || message.tags.has('batch') || session.isWorking)
      return
    const label = labelOf(session.caps, message.tags)
    if (label === undefined) return
    if (label === open) this.#deferred = label
    else this.#owed.set(label, JSON.stringify(line))
  }
}

function messageIn(line: Incoming): Message | undefined {
  if (typeof line === 'string') return parse(line)
  return 'text' in line ? parse(line.text) : undefined
}

function opensBatch({ command, params }: Message): boolean {
  return command.toUpperCase() === 'BATCH' && params[0]?.startsWith('+') === true
}
