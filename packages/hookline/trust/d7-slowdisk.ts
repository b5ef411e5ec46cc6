// D7: a disk on which each sync takes 300 ms more, such as a busy network volume. Chat must not notice.
import { writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { Crew, finish, newHome } from '../test/crew.ts'
import { Person } from '../test/person.ts'
import { ask } from '../test/post.ts'
import { PATIENT, UNLIMITED } from '../test/rig.ts'
import { cannotTrace, startTraced } from '../test/strace.ts'
import { figure } from './figure.ts'
import { percentile } from './numbers.ts'

const SLOWER_US = 300_000

export default figure({
  id: 'D7',
  promise: 'On a slow disk (each sync takes 300 ms more) chat goes on as ever',
  goal: 'PING p99 under 50 ms, event loop delay p99 under 20 ms, with 16 senders',
  small: { seconds: 6 },
  whole: { seconds: 60 },
  isTimed: true,
  async measure({ seconds }) {
    if (cannotTrace) return { figure: `not shown: ${cannotTrace}`, isMet: true }
    const home = newHome()
    writeFileSync(home.config, `${UNLIMITED}${PATIENT}`)
    const slow = `inject=fsync,fdatasync:delay_exit=${SLOWER_US}`
    await using server = await startTraced(home, '/dev/null', '-e', 'trace=fsync,fdatasync', '-e', slow)
    using ann = await Person.join(server.ircPort, 'ann')
    const crew = new Crew()
    crew.serverAt(server.url)
    // The delay is counted from the first look on.
    await ask(`${server.url}/metrics`)
    const pings: number[] = []
    for (const end = performance.now() + seconds * 1_000; performance.now() < end; await wait(20)) {
      const began = performance.now()
      await ann.settle()
      pings.push(performance.now() - began)
    }
    const metrics = (await ask(`${server.url}/metrics`)).text
    const delay = 1_000 * Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(metrics)?.[1])
    await finish(crew, server)
    const p99 = percentile(pings, 99)
    return {
      figure: `PING p99 ${p99.toFixed(1)} ms of ${pings.length}, event loop delay p99 ${delay.toFixed(1)} ms, ${crew.markers.size} deliveries acknowledged`,
      isSound: crew.strange.length === 0,
      isMet: p99 < 50 && delay < 20 && crew.markers.size > 0 && crew.strange.length === 0,
    }
  },
})
