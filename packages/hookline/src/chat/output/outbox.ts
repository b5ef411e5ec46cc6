// What is still to be sent to a session. Lines gather during a turn of the event loop and leave in one write. Members of a channel
// mostly get the same lines, so the gathered text is a node in a shared tree: equal sequences end on the same node, are joined and
// encoded once, and cost each recipient one comparison a line, or one for consecutive messages in a channel.

/** One node in the tree: all text on the way to it. */
export class Gathered {
  readonly size: number
  readonly #before: Gathered | undefined
  readonly #text: string
  /** How many outboxes have come here. */
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

  /** Unless it `isShared`, no other outbox will come there. */
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
      // A Buffer, since a socket would wrap any other array in one for every recipient.
      this.#bytes = Buffer.from(texts.reverse().join(''))
    }
    return this.#bytes
  }
}

/** What writes outboxes, once a turn; see `flusher`. */
export interface Flushing {
  /** The empty root that all sequences of this turn share. */
  readonly root: Gathered
  add(outbox: Outbox): void
  hurry(outbox: Outbox): void
  settle(): void
}

/** The sending side of a connection, as far as the chat knows one. */
export interface Wire {
  /** Bytes written that the system has not taken yet. */
  readonly waiting: number
  write(bytes: Uint8Array): void
  /** Ends the connection once everything written is sent, or soon after. */
  end(): void
  /** Ends the connection at once; unsent data is lost. */
  cut(): void
  pause(): void
  resume(): void
  /** A gateway speaks for that address, whose limits now apply. Returns why it is refused, or undefined. */
  move?(address: string): string | undefined
}

/** A node with more readers than this holds what was sent to a channel. */
const FEW = 50

/** A reader slower than its send queue would cost everyone memory, and is closed. */
export class Outbox {
  readonly #wire: Wire
  readonly #flusher: Flushing
  /** In bytes. */
  readonly limit: number
  readonly #owner: { overflow(): void }
  #gathered: Gathered | undefined
  #state: 'open' | 'overfull' | 'finished' = 'open'

  /** `owner` is told when more than `limit` bytes wait. */
  constructor(
    wire: Wire,
    flusher: Flushing,
    { limit, owner }: { limit: number; owner: { overflow(): void } },
  ) {
    this.#wire = wire
    this.#flusher = flusher
    this.limit = limit
    this.#owner = owner
  }

  /** Bytes gathered here and bytes the system has not taken yet. */
  get unread(): number {
    return (this.#gathered?.size ?? 0) + this.#wire.waiting
  }

  /** What waits here waits for few others. */
  get isAlone(): boolean {
    return this.#gathered !== undefined && this.#gathered.readers <= FEW
  }

  /** `isShared`: others get it too, and it is the same object for all. */
  push(text: string, isShared = true): void {
    this.#flusher.settle()
    const before = this.#gathered
    this.#gathered = (before ?? this.#flusher.root).append(text, isShared)
    if (before === undefined) this.#flusher.add(this)
    else if (this.#gathered.size > this.limit) this.flush()
    else if (this.isAlone) this.#flusher.hurry(this)
  }

  flush(): void {
    const gathered = this.#gathered
    this.#gathered = undefined
    if (gathered !== undefined) this.write(gathered)
  }

  /** Writes this ahead of all that waits here. */
  write(gathered: Gathered): void {
    if (this.#state !== 'open') return
    if (gathered.size + this.#wire.waiting > this.limit) {
      this.#state = 'overfull'
      this.#owner.overflow()
      return
    }
    this.#wire.write(gathered.bytes())
  }

  settle(): void {
    this.#flusher.settle()
  }

  /** Writes what is left, whatever the limit, and ends the connection. A reader that was too slow is cut off: it would get no more. */
  finish(last: string): void {
    this.settle()
    if (this.#state === 'overfull') this.#wire.cut()
    if (this.#state === 'open') {
      this.#wire.write((this.#gathered ?? this.#flusher.root).append(last).bytes())
      this.#wire.end()
    }
    this.#gathered = undefined
    this.#state = 'finished'
  }
}
