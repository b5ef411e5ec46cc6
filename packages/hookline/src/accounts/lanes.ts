// Work of the same kind waits for its own kind, and not for others.

export class Lanes {
  readonly #lanes = new Map<string, { running: number; readonly line: (() => void)[] }>()

  /** Runs `work` once fewer than `atOnce` of that lane are under way. */
  async run<T>(lane: string, atOnce: number, work: () => Promise<T>): Promise<T> {
    const entry = this.#lanes.get(lane) ?? { running: 0, line: [] }
    this.#lanes.set(lane, entry)
    if (entry.running >= atOnce) await new Promise<void>((go) => entry.line.push(go))
    else entry.running++
    try {
      return await work()
    } finally {
      // The next one takes over the place.
      const next = entry.line.shift()
      if (next !== undefined) next()
      else if (--entry.running === 0) this.#lanes.delete(lane)
    }
  }
}
