// Tells owners about happenings that were dropped.
import { type Later, Notices } from '../webhooks/notices.ts'

export interface DropNoticesOptions {
  readonly later: Later
  readonly tellOwner: (bot: string, text: string) => void
}

export class DropNotices {
  readonly #options: DropNoticesOptions
  readonly #notices: Notices<{ readonly bot: string }>

  constructor(options: DropNoticesOptions) {
    this.#options = options
    this.#notices = new Notices({
      later: options.later,
      async tell({ bot }, more) {
        const events = `${more} more event${more === 1 ? '' : 's'}`
        options.tellOwner(bot, `${bot} missed ${events} in the last minute`)
      },
    })
  }

  /** One more was dropped; `why` is told with the first. */
  count(bot: string, why: string): void {
    if (this.#notices.isNews({ bot })) this.#options.tellOwner(bot, `${bot} is missing events: ${why}`)
  }

  /** Tells owners at once what they have not heard yet. */
  flush(): void {
    void this.#notices.flush()
  }
}
