// D8: asked to stop in the middle of work. What a supervisor does at every update.
import { startCommand } from '../test/command.ts'
import { accountOf, Crew, finish, newHome } from '../test/crew.ts'
import { figure } from './figure.ts'
import { percentile } from './numbers.ts'

export default figure({
  id: 'D8',
  promise: 'SIGTERM under load ends the server with exit code 0, with nothing lost and nothing told twice',
  goal: '0 lost, 0 doubled, exit code 0; p99 within 3 s, never more than 10 s',
  small: { stops: 5 },
  whole: { stops: 100 },
  isTimed: true,
  async measure({ stops }) {
    const home = newHome()
    const crew = new Crew()
    const took: number[] = []
    let bad = 0
    for (let round = 0; round < stops; round++) {
      await using server = await startCommand(home)
      crew.serverAt(server.url)
      await crew.acknowledged(16 + ((round * 9) % 80))
      const asked = performance.now()
      server.child.kill('SIGTERM')
      const [code] = await server.exit
      took.push(performance.now() - asked)
      if (code !== 0) bad++
    }
    await using last = await startCommand(home)
    crew.serverAt(last.url)
    await finish(crew, last)
    const { lost, doubled, open, strange } = accountOf(crew, home)
    const p99 = percentile(took, 99) / 1_000
    const most = Math.max(...took) / 1_000
    return {
      figure: `${lost.length} lost, ${doubled.length} doubled of ${crew.markers.size} in ${stops} stops, ${bad} with another exit code; p99 ${p99.toFixed(2)} s`,
      isSound: lost.length + doubled.length + open + strange.length + bad === 0,
      isMet: lost.length + doubled.length + open + strange.length + bad === 0 && p99 < 3 && most < 10,
    }
  },
})
