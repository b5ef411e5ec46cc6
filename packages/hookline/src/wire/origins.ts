// Which web pages may connect. Any page that somebody opens could try; the browser says which site it is from.
import { fold, matchesMask } from '../irc/names.ts'

/**
 * `origin` is undefined for clients other than browsers, which are always welcome. A page is welcome if it is listed
 * (`https://chat.example.org`, `*` for any part) or comes from the browser's own machine.
 */
export function isWelcome(origin: string | undefined, listed: readonly string[]): boolean {
  if (origin === undefined || isOwnMachine(origin)) return true
  return listed.some((mask) => matchesMask(fold(mask), fold(origin)))
}

function isOwnMachine(origin: string): boolean {
  return /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(origin)
}
