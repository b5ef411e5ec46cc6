// Reproducible randomness: the same seed makes the same choices.

export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 to `bound` - 1. Mulberry32: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c (public domain) */
  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let bits = this.#state
    bits = Math.imul(bits ^ (bits >>> 15), bits | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) % bound
  }

  /** True in that many cases of a hundred. */
  isHit(percent: number): boolean {
    return this.below(100) < percent
  }

  pick<T>(list: readonly T[]): T {
    const found = list[this.below(list.length)]
    if (found === undefined) throw new Error('nothing to choose from')
    return found
  }
}
