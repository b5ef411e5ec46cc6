// What a figure of the trust suite is: one file each, beside this one.

/** A promise, how far it goes, and how that is measured. */
export interface Figure<Size = unknown> {
  /** `D1`: a letter for bad input (B), durability (D), load (L) or hygiene (H), and a number. */
  readonly id: string
  /** In words that a user can hold us to. */
  readonly promise: string
  /** The bound that `isMet` stands for. */
  readonly goal: string
  /** For every change: seconds. Without one the figure is measured in its whole size alone. */
  readonly small?: Size
  /** For a release: minutes. */
  readonly whole: Size
  /** Nothing else is measured beside it. Those without run together, on as many processors as there are. */
  readonly isTimed?: boolean
  /** How long the whole size may take, if that is more than 10 minutes. */
  readonly wholeMinutes?: number
  /** The small one, if that is more than 5. */
  readonly smallMinutes?: number
  /** Throws only if it could not be measured. */
  measure(size: Size, facts: Facts): Measured | Promise<Measured>
}

export interface Facts {
  /** Whatever is drawn at random is drawn from it, so that a run can be repeated. */
  readonly seed: number
}

export interface Measured {
  /** What was seen, in one line. */
  readonly figure: string
  readonly isMet: boolean
  /** All that does not depend on how fast the machine is was as it must be: on a busy one, a time may then be missed. */
  readonly isSound?: boolean
  /** Why a figure that is not met is no reason to stop a release. */
  readonly excuse?: string
}

/** Gives `measure` the type of the sizes. */
export function figure<Size>(each: Figure<Size>): Figure<Size> {
  return each
}
