// Who is told of deliveries: bots that react to them, and those that notice when none come.
import type { Outcome } from '../store/deliveryrows.ts'

/** Called for every delivery, so nothing here may take its time. */
export interface Witness {
  /** It was taken in. */
  came(bot: string, headers: Readonly<Record<string, string>>): void
  /** It has an outcome, which is on disk and told. */
  settled(bot: string, id: string, status: Outcome['status']): void
}
