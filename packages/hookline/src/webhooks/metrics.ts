// Figures for Prometheus.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Store } from '../store/store.ts'

export class Metrics {
  readonly #registry = new Registry()
  readonly #deliveries: Counter<'outcome'>
  readonly #requests: Histogram<'status'>

  constructor(store: Pick<Store, 'queued'>) {
    const registers = [this.#registry]
    collectDefaultMetrics({ register: this.#registry })
    this.#deliveries = new Counter({
      name: 'hookline_deliveries_total',
      help: 'Webhook deliveries by outcome',
      labelNames: ['outcome'],
      registers,
    })
    this.#requests = new Histogram({
      name: 'hookline_webhook_request_seconds',
      help: 'From the head of a webhook request to its answer',
      labelNames: ['status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    })
    this.gauge('hookline_store_queue', 'Jobs that wait for the disk or are being written', () => store.queued)
  }

  delivered(outcome: 'posted' | 'skipped' | 'duplicate' | 'queued' | 'failed' | 'refused'): void {
    this.#deliveries.inc({ outcome })
  }

  answered(status: number, seconds: number): void {
    this.#requests.observe({ status }, seconds)
  }

  /** A figure that is read when somebody asks: connections, users, the length of a queue. */
  gauge(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [this.#registry],
      collect: () => gauge.set(read()),
    })
  }

  /** Prometheus text, with the type to serve it under. */
  async text(): Promise<{ type: string; text: string }> {
    return { type: this.#registry.contentType, text: await this.#registry.metrics() }
  }
}
