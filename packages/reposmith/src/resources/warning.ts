// A warning that comes with a result.

/** Something that differs from what was asked for, and was left alone. */
export interface Warning {
  readonly code: string
  readonly message: string
}
