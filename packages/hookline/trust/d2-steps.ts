// D2: killed at each step of a delivery's way. At the right moment, where D1 only comes by chance.
import type { Step } from '../src/process/crashpoint.ts'
import { startBy } from '../test/command.ts'
import { accountOf, Crew, finish, newHome } from '../test/crew.ts'
import { figure } from './figure.ts'

const STEPS: readonly Step[] = [
  'accepted',
  'recorded',
  'composed',
  'committing',
  'committed',
  'telling',
  'told',
  'draining',
]

export default figure({
  id: 'D2',
  promise: `Killed at any step of a delivery's way (${STEPS.join(', ')}), the server loses and doubles nothing`,
  goal: 'at every step: 0 lost, 0 doubled',
  small: { kills: 2 },
  whole: { kills: 20 },
  wholeMinutes: 20,
  async measure({ kills }) {
    const wrong: string[] = []
    let acknowledged = 0
    for (const step of STEPS) {
      const home = newHome()
      const crew = new Crew()
      for (let round = 0; round < kills; round++) {
        // Not while it starts, and not always at the same delivery.
        const nth = step === 'draining' ? 1 : 20 + ((round * 13) % 60)
        await using server = await startBy(['env', `HOOKLINE_CRASH_AT=${step}:${nth}`], home)
        crew.serverAt(server.url)
        if (step === 'draining') {
          await crew.acknowledged(40)
          server.child.kill('SIGTERM')
        }
        const [, signal] = await server.exit
        if (step !== 'draining') crew.holdOn()
        if (signal !== 'SIGKILL') wrong.push(`${step}: it was never passed`)
      }
      await using last = await startBy([], home)
      crew.serverAt(last.url)
      await finish(crew, last)
      const { lost, doubled, open, strange } = accountOf(crew, home)
      acknowledged += crew.markers.size
      if (lost.length + doubled.length + open + strange.length > 0)
        wrong.push(
          `${step}: ${lost.length} lost, ${doubled.length} doubled, ${open} open ${strange[0] ?? ''}`,
        )
    }
    const kinds = `${STEPS.length} steps × ${kills} kills, ${acknowledged} acknowledged`
    return {
      figure: wrong.length === 0 ? `0 lost, 0 doubled (${kinds})` : wrong.join('; '),
      isMet: wrong.length === 0,
    }
  },
})
