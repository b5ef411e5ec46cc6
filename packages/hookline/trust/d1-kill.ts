// D1: kill -9 at any moment, with a clock that leaps between the rounds. Who was told 200 or 202 must be able to forget about it.
import { accountOf, Crew, finish, newHome } from '../test/crew.ts'
import { startBy } from '../test/command.ts'
import { byClock, cannotTurnClocks } from './clocks.ts'
import { figure } from './figure.ts'
import { median, percentile } from './numbers.ts'

/** In days from now; the last server of a run goes by the right time. */
const LEAPS = [0, 40, 0, -3_650, 0, 4_500, -1]

export default figure({
  id: 'D1',
  promise:
    'kill -9 loses nothing that was acknowledged and doubles nothing, whatever the clock does; it is soon back',
  goal: '0 lost, 0 doubled; ready again within 1 s (p99)',
  small: { kills: 14 },
  whole: { kills: 200 },
  wholeMinutes: 20,
  isTimed: true,
  async measure({ kills }) {
    const home = newHome()
    const crew = new Crew()
    const restarts: number[] = []
    for (let round = 0; round < kills; round++) {
      const began = performance.now()
      await using server = await startBy(byClock(LEAPS[round % LEAPS.length] ?? 0), home)
      if (round > 0) restarts.push(performance.now() - began)
      crew.serverAt(server.url)
      await crew.acknowledged(16 + ((round * 7) % 80))
      server.child.kill('SIGKILL')
      await server.exit
    }
    await using last = await startBy([], home)
    crew.serverAt(last.url)
    await finish(crew, last)
    const { lost, doubled, open, strange } = accountOf(crew, home)
    const p99 = percentile(restarts, 99) / 1_000
    const back = `back in ${(median(restarts) / 1_000).toFixed(2)} s, p99 ${p99.toFixed(2)} s`
    const clock = cannotTurnClocks ? `; the clock stood: ${cannotTurnClocks}` : ''
    return {
      figure: `${lost.length} lost, ${doubled.length} doubled of ${crew.markers.size}, in ${kills} kills with ${crew.resent} sent again; ${back}${clock}`,
      isSound: lost.length + doubled.length + open + strange.length === 0,
      isMet: lost.length + doubled.length + open + strange.length === 0 && crew.resent > 0 && p99 < 1,
    }
  },
})
