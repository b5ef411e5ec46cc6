/**
 * What one feature keeps of some connections, or of the chat, as long as they last: nobody else reaches it, and those without cost
 * nothing.
 */
export class Slot<Owner extends object, Kept> {
  readonly #kept = new WeakMap<Owner, Kept>()

  of(owner: Owner): Kept | undefined {
    return this.#kept.get(owner)
  }

  keep(owner: Owner, kept: Kept): void {
    this.#kept.set(owner, kept)
  }

  drop(owner: Owner): void {
    this.#kept.delete(owner)
  }
}
