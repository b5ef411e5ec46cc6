// How V8 compiles a server, which does all its life what it does first.
import { setFlagsFromString } from 'node:v8'

/**
 * Known of Node 24 (V8 13.6), and left alone in any other:
 * - V8 makes its best code of a function that was called 3,000 times, which takes it through the first half of a burst of webhooks.
 *   1,000 calls tell as much.
 * - The second best (Maglev's) is then wanted for a moment, and to make it leaves 10 MB that its threads never give back.
 */
export function chooseCompilers(): void {
  if (!process.versions.v8.startsWith('13.6.')) return
  setFlagsFromString('--invocation-count-for-turbofan=1000')
  setFlagsFromString('--no-maglev')
}
