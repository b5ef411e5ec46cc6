// How many there are of each, for as long as there are any.

export class Tally<Key> {
  readonly #counts = new Map<Key, number>()

  add(key: Key): void {
    this.#counts.set(key, this.count(key) + 1)
  }

  remove(key: Key): void {
    const others = this.count(key) - 1
    if (others > 0) this.#counts.set(key, others)
    else this.#counts.delete(key)
  }

  has(key: Key): boolean {
    return this.#counts.has(key)
  }

  count(key: Key): number {
    return this.#counts.get(key) ?? 0
  }
}
