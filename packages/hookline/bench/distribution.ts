// How long millions of things took, in little memory: counts by duration, each within 2 % of what it was.

const PER_DOUBLING = 32
/** A microsecond at the low end; 2^24 µs are 17 s, longer than any measurement waits. */
const DOUBLINGS = 24

export class Distribution {
  readonly #counts = new Uint32Array(PER_DOUBLING * DOUBLINGS + 1)
  #total = 0

  add(ms: number, times = 1): void {
    const place = Math.floor(Math.log2(Math.max(ms * 1000, 1)) * PER_DOUBLING)
    const last = this.#counts.length - 1
    this.#counts[Math.min(place, last)]! += times
    this.#total += times
  }

  /** In ms; 0 where nothing was added. */
  percentile(percent: number): number {
    const rank = Math.ceil((this.#total * percent) / 100)
    let seen = 0
    for (const [place, count] of this.#counts.entries()) {
      seen += count
      if (seen >= rank && count > 0) return 2 ** ((place + 0.5) / PER_DOUBLING) / 1000
    }
    return 0
  }
}
