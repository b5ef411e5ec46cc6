// Reloads renewed certificates, and warns of those about to expire.
import type { Log } from '../log/log.ts'
import type { Clock } from '../triggers/alarm.ts'
import { expiryOf } from '../wire/keys.ts'
import type { IrcListener } from '../wire/listener.ts'
import { watchFiles } from '../wire/watchfiles.ts'

/** A renewed certificate takes effect at once, or within a day; an unusable one, or one about to expire, is logged. */
export function watchCertificates(
  listeners: readonly IrcListener[],
  { log, clock }: { readonly log: Log; readonly clock: Clock },
): () => void {
  const remind = (listener: IrcListener): void => {
    for (const words of expiryWarnings(listener, clock.now())) log.warn({ listener: listener.address }, words)
  }
  const renew = (listener: IrcListener): void => {
    try {
      listener.reload()
      log.info({ listener: listener.address }, 'a changed certificate was loaded')
      remind(listener)
    } catch (error) {
      log.warn(
        { err: error, listener: listener.address },
        'a changed certificate cannot be used: the old one stays in use',
      )
    }
  }
  const watched = listeners.map((listener) => ({
    listener,
    files: watchFiles(listener.files, () => renew(listener)),
  }))
  let cancel: () => void
  const everyDay = (): void => {
    // The system tells nothing of a folder on a network, or of a link to another folder.
    for (const { listener, files } of watched) if (!files.look()) remind(listener)
    cancel = clock.later(DAY_MS, everyDay)
  }
  everyDay()
  return () => {
    cancel()
    for (const { files } of watched) files.stop()
  }
}

const DAY_MS = 86_400_000

/** Its certificates that have expired or soon will. */
export function expiryWarnings(listener: IrcListener, now: number): readonly string[] {
  return listener.validities().flatMap((validity) => expiryOf(validity, now) ?? [])
}
