// The time in a flag, such as `--duration 1d12h`.
import { parseDuration } from '../chat/duration.ts'
import { type Answer, done, wrong } from '../control/failure.ts'

/** In ms; undefined if the flag was not given. */
export function durationIn(text: string | undefined): Answer<number | undefined> {
  if (text === undefined) return done(undefined)
  const ms = parseDuration(text)
  return ms === undefined
    ? wrong(
        'usage',
        `${JSON.stringify(text)} is not a valid time`,
        'write it as 90m or 1d12h, at most ten years',
      )
    : done(ms)
}
