// What a session is still to be sent. Lines gather during a turn of the event loop and leave in one write. Members of a channel
// mostly get the same lines, so the gathered text is a node in a tree they share: equal sequences end on the same node,
// are joined and encoded once, and cost each recipient one comparison a line, or one for all that is said in a channel in a row.
import type { Post } from './post.ts'

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
  /** Ends the connection at once; what is not taken is lost. */
  cut(): void
  pause(): void
  resume(): void
  /** A gateway speaks for that address: its limits count from now on. Why it may not come in, or undefined. */
  move?(address: string): string | undefined
}

/** Those who are sent the same as more than these are sent what went to a channel. */
const FEW = 50

/** A reader slower than its send queue costs everyone memory, and is closed. */
export class Outbox {
  readonly #wire: Wire
  readonly #post: Post
  readonly #limit: number
  readonly #owner: { overflow(): void }
  #gathered: Gathered | undefined
  #state: 'open' | 'overfull' | 'finished' = 'open'

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
    if (this.#state !== 'open') return
    if (gathered.size + this.#wire.waiting > this.#limit) {
      this.#state = 'overfull'
      this.#owner.overflow()
      return
    }
    this.#wire.write(gathered.bytes())
  }

  settle(): void {
    this.#post.settle()
  }

  /** Writes what is left, whatever the limit, and ends the connection. Who was too slow is cut off: nothing more would reach them. */
  finish(last: string): void {
    this.settle()
    if (this.#state === 'overfull') this.#wire.cut()
    if (this.#state === 'open') {
      this.#wire.write((this.#gathered ?? this.#post.root).append(last).bytes())
      this.#wire.end()
    }
    this.#gathered = undefined
    this.#state = 'finished'
  }
}
