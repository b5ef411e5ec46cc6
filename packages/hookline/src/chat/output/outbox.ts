// What a session is still to be sent. Lines gather during a turn of the event loop and leave in one write. Members of a channel
// mostly get the same lines, so the gathered text is a node in a tree they share: equal sequences end on the same node,
// are joined and encoded once, and cost each recipient one comparison a line, or one for all that is said in a channel in a row.
import type { Session } from '../session.ts'
import type { User } from '../state.ts'
import { Burst } from './burst.ts'
import type { Telling } from './line.ts'

/** One place in the tree: everything that was said on the way to it. */
export class Gathered {
  readonly size: number
  readonly #before: Gathered | undefined
  readonly #text: string
  /** How many have come here. */
  readers = 0
  #lastText = ''
  #lastChild: Gathered | undefined
  #children: Map<string, Gathered> | undefined
  #bytes: Uint8Array | undefined

  constructor(before?: Gathered, text = '') {
    this.#before = before
    this.#text = text
    this.size = before === undefined ? 0 : before.size + text.length
  }

  /** Unless it `isShared` nobody else will come there. */
  append(text: string, isShared = true): Gathered {
    const child = isShared ? this.#childFor(text) : new Gathered(this, text)
    child.readers++
    return child
  }

  #childFor(text: string): Gathered {
    if (this.#lastChild !== undefined && this.#lastText === text) return this.#lastChild
    let child = this.#children?.get(text)
    if (child === undefined) {
      child = new Gathered(this, text)
      if (this.#lastChild !== undefined) {
        this.#children ??= new Map([[this.#lastText, this.#lastChild]])
        this.#children.set(text, child)
      }
    }
    this.#lastText = text
    this.#lastChild = child
    return child
  }

  bytes(): Uint8Array {
    if (this.#bytes === undefined) {
      const texts = [this.#text]
      for (let node = this.#before; node !== undefined; node = node.#before) texts.push(node.#text)
      // A Buffer and no other array: a socket would wrap that in one, for every recipient.
      this.#bytes = Buffer.from(texts.reverse().join(''))
    }
    return this.#bytes
  }
}

/** Where bytes leave: a socket, as far as the chat knows one. */
export interface Wire {
  /** Bytes handed over and not yet taken by the peer. */
  readonly waiting: number
  write(bytes: Uint8Array): void
  /** Ends the connection once everything written is gone, or soon after. */
  end(): void
  pause(): void
  resume(): void
  /** It is truly from that address, whose limits count from now on; why it may not be. */
  move?(address: string): string | undefined
}

/** As many are written to in one turn, so that what is said in a turn is one write for each. A write takes 5 to 12 µs. */
const AT_ONCE = 1_500
/** Of more than those, so many in each turn. */
const PIECE = 500
/** Those who are sent the same as more than these are sent what went to a channel. */
const FEW = 50

/**
 * Flushes the outboxes that have something, once a turn. `soon` runs a function after the turn's input is read. Where there are
 * more than can be written to at once, those who are told something of their own come first, and a channel of ten thousand is
 * written to in as many turns as it takes, while others are read.
 */
export class Post {
  readonly #soon: (flush: () => void) => void
  #root = new Gathered()
  #waiting: Outbox[] = []
  /** Those of earlier turns. What they are told meanwhile joins what waits for them. */
  #late: Outbox[] = []
  #burst: Burst | undefined
  #isDue = false

  constructor(soon: (flush: () => void) => void) {
    this.#soon = soon
  }

  /** The empty beginning that all sequences of this turn share. */
  get root(): Gathered {
    return this.#root
  }

  add(outbox: Outbox): void {
    this.#waiting.push(outbox)
    this.#schedule()
  }

  /** What is said in a channel. `listeners` are the same list until the channel has others. */
  say(listeners: readonly Session[], telling: Telling, narrow: { except: User; cap: number }): void {
    if (this.#burst?.listeners !== listeners) this.settle()
    this.#burst ??= new Burst(listeners)
    this.#burst.add(telling, narrow)
    if (this.#burst.isFull) this.settle()
    else this.#schedule()
  }

  /** Whatever comes now comes after all that was said. */
  settle(): void {
    const burst = this.#burst
    this.#burst = undefined
    burst?.handOut((outbox, text, isShared) => outbox.push(text, isShared))
  }

  /** Has something of its own to be told, and may be waiting behind a channel. */
  hurry(outbox: Outbox): void {
    if (this.#late.length > 0) this.add(outbox)
  }

  /** All at once. */
  flush(): void {
    this.settle()
    while (this.#waiting.length + this.#late.length > 0) this.#write(Number.POSITIVE_INFINITY)
  }

  #schedule(): void {
    if (this.#isDue) return
    this.#isDue = true
    this.#soon(() => this.#turn())
  }

  #turn(): void {
    const burst = this.#burst
    const isAll = this.#waiting.length + this.#late.length === 0
    if (burst !== undefined && isAll && burst.listeners.length <= AT_ONCE) {
      this.#burst = undefined
      this.#isDue = false
      const root = new Gathered()
      burst.handOut((outbox, text, isShared) => outbox.write(root.append(text, isShared)))
      return
    }
    this.settle()
    this.#isDue = false
    const isMuch = this.#late.length > 0 || this.#waiting.length > AT_ONCE
    this.#write(isMuch ? PIECE : AT_ONCE)
  }

  #write(most: number): void {
    const waiting = this.#waiting
    const isMuch = waiting.length > most
    const first = isMuch ? waiting.filter(({ isAlone }) => isAlone) : waiting
    const others = isMuch ? waiting.filter(({ isAlone }) => !isAlone) : []
    const late = [...this.#late, ...first.splice(most), ...others]
    const next = late.splice(0, most)
    this.#waiting = []
    this.#late = late
    this.#root = new Gathered()
    if (late.length > 0) this.#schedule()
    for (const outbox of first) outbox.flush()
    for (const outbox of next) outbox.flush()
  }
}

/** A reader slower than its send queue costs everyone memory, and is closed. */
export class Outbox {
  readonly #wire: Wire
  readonly #post: Post
  readonly #limit: number
  readonly #owner: { overflow(): void }
  #gathered: Gathered | undefined
  #isOver = false

  /** `owner` is told when more than `limit` bytes wait. */
  constructor(wire: Wire, post: Post, { limit, owner }: { limit: number; owner: { overflow(): void } }) {
    this.#wire = wire
    this.#post = post
    this.#limit = limit
    this.#owner = owner
  }

  /** What it has not been handed yet, and what it has not taken. */
  get unread(): number {
    return (this.#gathered?.size ?? 0) + this.#wire.waiting
  }

  /** What waits for it waits for few others. */
  get isAlone(): boolean {
    return this.#gathered !== undefined && this.#gathered.readers <= FEW
  }

  /** `isShared`: others are sent it, too, and it is the same object for all. */
  push(text: string, isShared = true): void {
    this.#post.settle()
    const before = this.#gathered
    this.#gathered = (before ?? this.#post.root).append(text, isShared)
    if (before === undefined) this.#post.add(this)
    else if (this.#gathered.size > this.#limit) this.flush()
    else if (this.isAlone) this.#post.hurry(this)
  }

  flush(): void {
    const gathered = this.#gathered
    this.#gathered = undefined
    if (gathered !== undefined) this.write(gathered)
  }

  /** Before all that waits here. */
  write(gathered: Gathered): void {
    if (this.#isOver) return
    if (gathered.size + this.#wire.waiting > this.#limit) {
      this.#isOver = true
      this.#owner.overflow()
      return
    }
    this.#wire.write(gathered.bytes())
  }

  settle(): void {
    this.#post.settle()
  }

  /** Writes what is left, whatever the limit: the last words before the connection ends. */
  finish(last: string): void {
    this.settle()
    if (!this.#isOver) this.#wire.write((this.#gathered ?? this.#post.root).append(last).bytes())
    this.#gathered = undefined
    this.#isOver = true
  }
}
