// Something refused, as a value: the reason says what to do instead.

export type Refusable<T> = ({ readonly ok: true } & T) | Refusal

export interface Refusal {
  readonly ok: false
  readonly reason: string
}

export function refuse(reason: string): Refusal {
  return { ok: false, reason }
}
