// Tells owners about happenings that were dropped.
import { Notices, type TellOwner } from '../webhooks/noticelimits.ts'
import type { Clock } from './alarm.ts'

export class DropNotices {
  readonly #tellOwner: TellOwner
  readonly #notices: Notices<{ readonly bot: string }>

  constructor({ clock, tellOwner }: { readonly clock: Clock; readonly tellOwner: TellOwner }) {
    this.#tellOwner = tellOwner
    this.#notices = new Notices({
      later: (ms, run) => clock.later(ms, run),
      async tell({ bot }, more) {
        const events = `${more} more event${more === 1 ? '' : 's'}`
        tellOwner(bot, `${bot} missed ${events} in the last minute`)
      },
    })
  }

  /** One more was dropped; `why` is told with the first. */
  count(bot: string, why: string): void {
    if (this.#notices.isNews({ bot })) this.#tellOwner(bot, `${bot} is missing events: ${why}`)
  }

  /** Tells owners at once what they have not heard yet. */
  flush(): void {
    void this.#notices.flush()
  }
}
