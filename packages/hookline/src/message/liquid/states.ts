// The services' own words for a status: shown in bold, and coloured by their meaning.
import { between, CODE, coloured } from './codes.ts'

/**
 * `in_progress` as `in progress`. A known word is bold, and red where something is wrong, green where all is well, orange where
 * something is going on or needs attention. The colour only repeats the word; other words are shown plainly.
 */
export function showState(word: string): string {
  const key = word.toLowerCase()
  const colour = meaning.get(key) ?? meaning.get(key.slice(key.lastIndexOf('_') + 1))
  const text = word.replaceAll('_', ' ')
  if (colour === undefined) return text
  const bold = between(CODE.bold, text, CODE.bold)
  return colour === '' ? bold : (coloured(bold, colour) ?? bold)
}

const WORDS = {
  green: `success successful succeeded passed ok up resolved opened reopened created published released approved fixed
    built connected starred paid`,
  red: `failure failed failing alerting error errored firing critical fatal high down triggered timed_out broken
    unstable rejected force-pushed changes_requested`,
  orange: `pending queued in_progress waiting requested running started warning medium moderate acknowledged
    action_required paused no_data`,
  magenta: 'merged',
  '': 'closed deleted cancelled canceled skipped neutral',
}

const meaning: ReadonlyMap<string, string> = new Map(
  Object.entries(WORDS).flatMap(([colour, list]) => list.split(/\s+/).map((word) => [word, colour])),
)
