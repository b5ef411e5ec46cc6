// What the figures of measurements mean.

/** By key of FIGURES. */
export type Figures = Readonly<Record<string, number>>

export interface Figure {
  readonly label: string
  readonly digits: number
  readonly better: 'more' | 'less'
  /** What it must not exceed. */
  readonly atMost?: number
}

export const FIGURES: Readonly<Record<string, Figure>> = {
  plain_ns: { label: 'ns without tags', digits: 0, better: 'less' },
  time_ns: { label: 'ns with server-time', digits: 0, better: 'less' },
  tagged_ns: { label: 'ns with all tags', digits: 0, better: 'less' },
  deliveries_per_s: { label: 'deliveries/s', digits: 0, better: 'more' },
  requests_per_s: { label: 'requests/s', digits: 0, better: 'more' },
  connects_per_s: { label: 'connects/s', digits: 0, better: 'more' },
  cpu_us_per_delivery: { label: 'µs CPU each', digits: 3, better: 'less' },
  cpu_us_per_request: { label: 'µs CPU each', digits: 0, better: 'less' },
  p50_ms: { label: 'ms p50', digits: 2, better: 'less' },
  p99_ms: { label: 'ms p99', digits: 2, better: 'less' },
  read_p50_ms: { label: 'ms p50 to the reader', digits: 2, better: 'less' },
  read_p99_ms: { label: 'ms p99 to the reader', digits: 2, better: 'less' },
  kib_per_client: { label: 'KiB a client', digits: 1, better: 'less' },
  resident_mb: { label: 'MiB in all', digits: 0, better: 'less' },
  idle_cpu_percent: { label: '% CPU idle', digits: 1, better: 'less' },
  cpu_us_one: { label: 'µs CPU each with one', digits: 3, better: 'less' },
  cpu_us_hundred: { label: 'µs CPU each with 100', digits: 3, better: 'less' },
  cpu_us_thousand: { label: 'µs with 1,000', digits: 3, better: 'less' },
  cpu_us_ten_thousand: { label: 'µs with 10,000', digits: 3, better: 'less' },
  growth: { label: 'times as much', digits: 2, better: 'less', atMost: 1.5 },
  calm_stall_ms: { label: 'ms in calm', digits: 0, better: 'less' },
  names_stall_ms: { label: 'ms with NAMES', digits: 0, better: 'less', atMost: 50 },
  who_stall_ms: { label: 'ms with WHO', digits: 0, better: 'less', atMost: 50 },
  join_stall_ms: { label: 'ms with a JOIN', digits: 0, better: 'less', atMost: 50 },
  say_stall_ms: { label: 'ms with a message', digits: 0, better: 'less', atMost: 50 },
  quit_stall_ms: { label: 'ms with a QUIT', digits: 0, better: 'less', atMost: 50 },
  latest_ms: { label: 'ms LATEST', digits: 2, better: 'less', atMost: 1 },
  before_ms: { label: 'ms BEFORE', digits: 2, better: 'less', atMost: 1 },
  after_ms: { label: 'ms AFTER', digits: 2, better: 'less', atMost: 1 },
  around_ms: { label: 'ms AROUND', digits: 2, better: 'less', atMost: 1 },
  targets_ms: { label: 'ms TARGETS of 120', digits: 2, better: 'less', atMost: 1 },
  start_ms: { label: 'ms to be ready', digits: 0, better: 'less', atMost: 2_000 },
  empty_start_ms: { label: 'ms with one bot', digits: 0, better: 'less' },
  calm_p99_ms: { label: 'ms p99 of a message in calm', digits: 2, better: 'less' },
  attacked_p99_ms: { label: 'ms under attack', digits: 2, better: 'less' },
  p99_growth: { label: 'times', digits: 2, better: 'less', atMost: 2 },
  calm_posted_p99_ms: { label: 'ms p99 of a webhook in calm', digits: 2, better: 'less' },
  attacked_posted_p99_ms: { label: 'ms under attack', digits: 2, better: 'less' },
  posted_p99_growth: { label: 'times', digits: 2, better: 'less', atMost: 2 },
  failed_posts: { label: 'webhooks not answered', digits: 0, better: 'less', atMost: 0 },
  cut_readers: { label: 'of 200 cut', digits: 0, better: 'more' },
  sent_lines: { label: 'lines handed over', digits: 0, better: 'more' },
  grown_mb: { label: 'MiB more', digits: 0, better: 'less' },
}

export function isTooMuch(key: string, value: number): boolean {
  const most = FIGURES[key]?.atMost
  return most !== undefined && !(value <= most)
}
