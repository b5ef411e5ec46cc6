// What operations on presets print.

export interface PresetSummary {
  readonly name: string
  readonly title: string
  readonly description: string
  /** How the service proves itself: what `--auth` should be. */
  readonly auth: string | null
  readonly events: readonly string[]
}
