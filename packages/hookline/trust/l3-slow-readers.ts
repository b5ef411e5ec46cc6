// L3: many who stop reading in a busy channel. What they are not read costs memory, until they are closed.
import { CHECKOUT } from '../bench/arguments.ts'
import { measureSlowReaders } from '../bench/attacks.ts'
import { figure } from './figure.ts'

/** 200 send queues of 512 KiB, and 20 MB. */
const MOST_MB = 120

export default figure({
  id: 'L3',
  promise:
    '200 clients that stop reading in a channel of 2,000 messages a second are closed; the others notice little',
  goal: `all 200 closed, no webhook fails, at most ${MOST_MB} MB more, a message's p99 within 100 ms`,
  small: {},
  whole: {},
  isTimed: true,
  async measure() {
    const seen = await measureSlowReaders(CHECKOUT)
    const { cut_readers: cut = 0, failed_posts: failed = 0, grown_mb: grown = 0 } = seen
    const { calm_p99_ms: calm = 0, attacked_p99_ms: attacked = 0 } = seen
    return {
      figure: `${cut} closed, ${failed} webhooks failed, ${Math.round(grown)} MB more, p99 ${attacked.toFixed(1)} ms (calm ${calm.toFixed(1)})`,
      isSound: cut === 200 && failed === 0 && grown < MOST_MB,
      isMet: cut === 200 && failed === 0 && grown < MOST_MB && attacked < 100,
    }
  },
})
