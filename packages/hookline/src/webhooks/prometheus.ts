// Metrics in the Prometheus text format: https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format

export interface Metric {
  /** HELP and TYPE, and a line for each value. */
  text(): string
}

/** A counter with labels, whose values have no spaces and need no escaping. */
export class Counter implements Metric {
  readonly #name: string
  readonly #help: string
  readonly #labels: readonly string[]
  readonly #counts = new Map<string, Count>()

  constructor(name: string, help: string, labels: readonly string[]) {
    this.#name = name
    this.#help = help
    this.#labels = labels
  }

  /** A value for each label. */
  add(...values: readonly string[]): void {
    this.#of(values).count++
  }

  /** From now on shown, with 0 until it is counted: Prometheus sees no increase in what it has not seen before. */
  show(...values: readonly string[]): void {
    this.#of(values)
  }

  #of(values: readonly string[]): Count {
    const key = values.join(' ')
    let counted = this.#counts.get(key)
    if (counted === undefined) this.#counts.set(key, (counted = { values, count: 0 }))
    return counted
  }

  text(): string {
    const lines = [...this.#counts.values()].map(({ values, count }) => {
      const labels = this.#labels.map((label, i) => `${label}="${values[i]}"`).join(',')
      return `${this.#name}{${labels}} ${count}`
    })
    return textOf(this.#name, this.#help, 'counter', lines)
  }
}

interface Count {
  readonly values: readonly string[]
  count: number
}

/** A histogram with one label. */
export class Histogram implements Metric {
  readonly #name: string
  readonly #help: string
  readonly #label: string
  readonly #observed = new Map<string, Observed>()

  constructor(name: string, help: string, label: string) {
    this.#name = name
    this.#help = help
    this.#label = label
  }

  add(value: string, seconds: number): void {
    let observed = this.#observed.get(value)
    if (observed === undefined) {
      observed = { within: BOUNDS.map(() => 0), count: 0, sum: 0 }
      this.#observed.set(value, observed)
    }
    BOUNDS.forEach((bound, i) => {
      if (seconds <= bound) observed.within[i] = (observed.within[i] ?? 0) + 1
    })
    observed.count++
    observed.sum += seconds
  }

  text(): string {
    const lines = [...this.#observed].flatMap(([value, { within, count, sum }]) => {
      const label = `${this.#label}="${value}"`
      return [
        ...BOUNDS.map((bound, i) => `${this.#name}_bucket{le="${bound}",${label}} ${within[i]}`),
        `${this.#name}_bucket{le="+Inf",${label}} ${count}`,
        `${this.#name}_sum{${label}} ${sum}`,
        `${this.#name}_count{${label}} ${count}`,
      ]
    })
    return textOf(this.#name, this.#help, 'histogram', lines)
  }
}

interface Observed {
  readonly within: number[]
  count: number
  sum: number
}

/** In seconds. */
const BOUNDS: readonly number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** A gauge, read at each scrape. */
export function gauge(name: string, help: string, read: () => number): Metric {
  return { text: () => textOf(name, help, 'gauge', [`${name} ${read()}`]) }
}

function textOf(name: string, help: string, type: string, lines: readonly string[]): string {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
}
