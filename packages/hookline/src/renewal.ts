// Certificates that are renewed, and those that nobody renews.
import type { Log } from './log.ts'
import type { Clock } from './triggers/alarm.ts'
import { watchFiles } from './wire/keys.ts'
import type { Listener } from './wire/listener.ts'

/** A renewed one counts from now on; one that cannot be used, and one that is about to end, is told in the log. */
export function watchCertificates(
  doors: readonly Listener[],
  { log, clock }: { readonly log: Log; readonly clock: Clock },
): () => void {
  const remind = (door: Listener): void => {
    for (const words of endings(door, clock.now())) log.warn({ listener: door.address }, words)
  }
  const watched = doors.map((door) =>
    watchFiles(door.files, () => {
      try {
        door.reload()
        log.info({ listener: door.address }, 'a changed certificate was read')
        remind(door)
      } catch (error) {
        log.warn(
          { err: error, listener: door.address },
          'a changed certificate cannot be used: the old one stays',
        )
      }
    }),
  )
  let callOff: () => void
  const everyDay = (): void => {
    doors.forEach(remind)
    callOff = clock.later(DAY_MS, everyDay)
  }
  everyDay()
  return () => {
    callOff()
    watched.forEach((stop) => stop())
  }
}

const DAY_MS = 86_400_000
const NOTICE_MS = 14 * DAY_MS

/** Of its certificates those that have ended, or soon will. */
export function endings(door: Listener, now: number): readonly string[] {
  return door.lives().flatMap(({ file, from, until }) => {
    const end = new Date(until).toISOString()
    if (until <= now)
      return `the certificate ${file} ended at ${end}: whoever checks it connects no more; renew it`
    // What renews certificates of a day or a week does so late.
    const notice = Math.min(NOTICE_MS, (until - from) / 5)
    return until - now <= notice ? `the certificate ${file} ends at ${end}: renew it` : []
  })
}
