// Prometheus metrics. hookline's own are counted here; process metrics come from prom-client, which takes 10 MB and
// samples the event loop a hundred times a second, so it is loaded at the first scrape.
import { setTimeout } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import type { Store } from '../store/store.ts'
import { Counter, type Metric, gauge, Histogram } from './prometheus.ts'

const OUTCOMES = ['posted', 'skipped', 'failed', 'duplicate', 'refused'] as const
type DeliveryOutcome = (typeof OUTCOMES)[number]

export class Metrics {
  readonly #deliveries = new Counter(
    'hookline_deliveries_total',
    'Webhook deliveries by outcome, once that is known',
    ['bot', 'outcome'],
  )
  readonly #refused = new Counter(
    'hookline_webhooks_refused_total',
    'Webhooks that a bot refused, by reason',
    ['bot', 'reason'],
  )
  readonly #requests = new Histogram(
    'hookline_webhook_request_seconds',
    'From the head of a webhook request to its answer',
    'status',
  )
  readonly #metrics: Metric[] = [this.#deliveries, this.#refused, this.#requests]
  #names: () => readonly string[] = () => []
  #process: Promise<Registry> | undefined
  #making: Promise<{ readonly type: string; readonly text: string }> | undefined

  constructor(store: Pick<Store, 'queued' | 'integrity' | 'stuckMs' | 'trouble'>) {
    this.gauge('hookline_store_queue', 'Jobs that wait for the disk or are being written', () => store.queued)
    this.gauge('hookline_store_failing', '1 if nothing could be written the last time', () =>
      store.trouble === undefined ? 0 : 1,
    )
    this.gauge(
      'hookline_store_stuck_seconds',
      'For how long the disk has not answered; 0 while it does',
      () => Math.floor(store.stuckMs / 1_000),
    )
    this.gauge('hookline_store_damaged', '1 if the database is known to be damaged', () =>
      store.integrity.damage === undefined ? 0 : 1,
    )
    this.gauge(
      'hookline_store_checked_timestamp_seconds',
      'When the database was checked; 0 if not yet',
      () => Math.floor((store.integrity.checkedAt ?? 0) / 1_000),
    )
  }

  delivered(bot: string, outcome: DeliveryOutcome): void {
    this.#deliveries.add(bot, outcome)
  }

  /** `reason` is what the sender was answered, or more: `body too large`. */
  refused(bot: string, reason: string): void {
    this.#refused.add(bot, reason.replaceAll(' ', '_'))
    this.delivered(bot, 'refused')
  }

  /** Whose deliveries are counted: from the first scrape on, none is missing. */
  countFor(names: () => readonly string[]): void {
    this.#names = names
  }

  answered(status: number, seconds: number): void {
    this.#requests.add(String(status), seconds)
  }

  /** A gauge, read at each scrape: connections, users, the length of a queue. */
  gauge(name: string, help: string, read: () => number): void {
    this.#metrics.push(gauge(name, help, read))
  }

  /** Prometheus text, with its content type: the same for all who ask while it is made, as that takes a while. */
  text(): Promise<{ readonly type: string; readonly text: string }> {
    this.#making ??= this.#make().finally(() => (this.#making = undefined))
    return this.#making
  }

  async #make(): Promise<{ type: string; text: string }> {
    this.#process ??= watchProcess()
    const process = await this.#process
    for (const name of this.#names()) for (const outcome of OUTCOMES) this.#deliveries.show(name, outcome)
    const ours = this.#metrics.map((metric) => metric.text())
    return { type: process.contentType, text: [...ours, await process.metrics()].join('\n') }
  }
}

/** Longer than prom-client's 10. */
const SAMPLE_MS = 25

async function watchProcess(): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Without two samples the mean of the event loop's delay is NaN, and its least 292 years. Busy loops take one at a time.
  for (let sample = 0; sample < 2; sample++) await setTimeout(SAMPLE_MS)
  return registry
}
