// A clock that stands still until a test moves it.
import type { Clock } from '../src/triggers/alarm.ts'

export class TestClock implements Clock {
  #now: number
  readonly #waiting = new Set<{ at: number; readonly run: () => void }>()

  constructor(now: number) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  later(ms: number, run: () => void): () => void {
    const entry = { at: this.#now + ms, run }
    this.#waiting.add(entry)
    return () => void this.#waiting.delete(entry)
  }

  get isWaitedFor(): boolean {
    return this.#waiting.size > 0
  }

  /** Runs whatever is due on the way, each at its time. */
  moveTo(time: number): void {
    for (;;) {
      const [next] = [...this.#waiting].filter(({ at }) => at <= time).toSorted((a, b) => a.at - b.at)
      if (!next) break
      this.#waiting.delete(next)
      this.#now = Math.max(this.#now, next.at)
      next.run()
    }
    this.#now = time
  }

  /** At once, as when a machine wakes up: what was due on the way runs late. When set back, timers wait as long as before. */
  jumpTo(time: number): void {
    const back = Math.max(0, this.#now - time)
    for (const entry of this.#waiting) entry.at -= back
    this.#now = time
    this.moveTo(time)
  }
}
