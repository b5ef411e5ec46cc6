// Observer of deliveries: bots that react to them, and those that notice when none come.
import type { Outcome } from '../store/deliveryrows.ts'

/** Called for every delivery, so it must be quick. */
export interface DeliveryObserver {
  /** A delivery was accepted. */
  arrived(bot: string, headers: Readonly<Record<string, string>>): void
  /** Its outcome is on disk and shown. */
  settled(bot: string, id: string, status: Outcome['status']): void
}
