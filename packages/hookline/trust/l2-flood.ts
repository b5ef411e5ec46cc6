// L2: clients that say more than a client may. What they say waits at their own side, and nobody else waits for it.
import { setTimeout as wait } from 'node:timers/promises'
import { CHECKOUT } from '../bench/arguments.ts'
import { startCrowd } from '../bench/crowd.ts'
import { gatherObservers } from '../bench/observers.ts'
import { startSubject } from '../bench/subject.ts'
import { Person } from '../test/person.ts'
import { figure } from './figure.ts'

/** A flooder is held back by then. */
const BEGIN_MS = 5_000

export default figure({
  id: 'L2',
  promise: 'Whoever floods the chat is read at the pace of everybody else; the others do not notice',
  goal: 'one client with 20,000 lines a second, then 50 with 1,000 each: p99 of a message under 100 ms, each flooder held back within 5 s, RSS + 30 MB at most',
  small: { phaseMs: 3_000 },
  whole: { phaseMs: 10_000 },
  isTimed: true,
  async measure({ phaseMs }) {
    const told: string[] = []
    let isMet = true
    let isSound = true
    for (const { count, linesPerSecond } of [
      { count: 1, linesPerSecond: 20_000 },
      { count: 50, linesPerSecond: 50_000 },
    ]) {
      await using server = await startSubject(CHECKOUT, { isFloodProtected: true })
      await using crowd = await startCrowd('flood', { port: server.ircPort, count, linesPerSecond })
      const observers = await gatherObservers(server)
      await observers.observe(2_000)
      const calm = await observers.observe(phaseMs)
      const before = server.residentKiB() ?? 0
      using listener = await Person.join(server.ircPort, 'listener', { channels: '#flood' })
      let heard = 0
      listener.socket.on('data', (text: string) => (heard += text.split(' PRIVMSG ').length - 1))
      await crowd.order('flood')
      const attacked = await observers.observe(BEGIN_MS + phaseMs)
      const grown = ((server.residentKiB() ?? 0) - before) / 1_024
      heard = 0
      await wait(2_000)
      const rate = heard / 2 / count
      await observers.close()
      const p99 = attacked.said.percentile(99)
      isMet &&= p99 < 100 && grown < 30 && attacked.failed === 0 && rate <= MOST_PER_SECOND
      isSound &&= grown < 30 && attacked.failed === 0 && rate <= MOST_PER_SECOND
      told.push(
        `${count}: p99 ${p99.toFixed(1)} ms (calm ${calm.said.percentile(99).toFixed(1)}), ${rate.toFixed(1)} lines a second of each heard, RSS + ${Math.round(grown)} MB`,
      )
    }
    return { figure: told.join('; '), isMet, isSound }
  },
})

/** `limits.flood_lines_per_second`, and one more for where two seconds begin and end. */
const MOST_PER_SECOND = 5
