// What a session is still to be sent. Lines gather during a turn of the event loop and leave in one write. Members of a channel
// mostly get the same lines, so the gathered text is a node in a tree they share: equal sequences end on the same node,
// are joined and encoded once, and cost each recipient one comparison a line.

/** One place in the tree: everything that was said on the way to it. */
export class Gathered {
  readonly size: number
  readonly #before: Gathered | undefined
  readonly #text: string
  #lastText = ''
  #lastChild: Gathered | undefined
  #children: Map<string, Gathered> | undefined
  #bytes: Uint8Array | undefined

  constructor(before?: Gathered, text = '') {
    this.#before = before
    this.#text = text
    this.size = before === undefined ? 0 : before.size + text.length
  }

  append(text: string): Gathered {
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

/** Flushes every outbox that has something, once a turn. `soon` runs a function after the turn's input is read. */
export class Post {
  readonly #soon: (flush: () => void) => void
  #root = new Gathered()
  #waiting: Outbox[] = []

  constructor(soon: (flush: () => void) => void) {
    this.#soon = soon
  }

  /** The empty beginning that all sequences of this turn share. */
  get root(): Gathered {
    return this.#root
  }

  add(outbox: Outbox): void {
    if (this.#waiting.push(outbox) === 1) this.#soon(() => this.flush())
  }

  flush(): void {
    const waiting = this.#waiting
    this.#waiting = []
    this.#root = new Gathered()
    for (const outbox of waiting) outbox.flush()
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

  push(text: string): void {
    const before = this.#gathered
    if (before === undefined) {
      this.#gathered = this.#post.root.append(text)
      this.#post.add(this)
    } else {
      this.#gathered = before.append(text)
      if (this.#gathered.size > this.#limit) this.flush()
    }
  }

  flush(): void {
    const gathered = this.#gathered
    this.#gathered = undefined
    if (gathered === undefined || this.#isOver) return
    if (gathered.size + this.#wire.waiting > this.#limit) {
      this.#isOver = true
      this.#owner.overflow()
      return
    }
    this.#wire.write(gathered.bytes())
  }

  /** Writes what is left, whatever the limit: the last words before the connection ends. */
  finish(last: string): void {
    if (!this.#isOver) this.#wire.write((this.#gathered ?? this.#post.root).append(last).bytes())
    this.#gathered = undefined
    this.#isOver = true
  }
}
