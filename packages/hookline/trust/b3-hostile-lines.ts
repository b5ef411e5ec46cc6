// B3: lines that no client would send, over many connections, in chunks of any size.
import { Person } from '../test/person.ts'
import { startRig } from '../test/rig.ts'
import { checkLines, hostileLine, randomFrom, Stranger } from '../test/stranger.ts'
import { figure } from './figure.ts'
import { percentile } from './numbers.ts'

const STRANGERS = 50
const PER_ROUND = 100

export default figure({
  id: 'B3',
  promise: 'Hostile lines crash nothing, every answer is a whole line, and others are answered meanwhile',
  goal: '200,000 lines over 50 connections: no crash, no answer that is no line, p99 of a PING under 50 ms',
  small: { lines: 20_000 },
  whole: { lines: 200_000 },
  isTimed: true,
  async measure({ lines }, { seed }) {
    const crashes: unknown[] = []
    for (const kind of ['uncaughtException', 'unhandledRejection'] as const)
      process.on(kind, (error: unknown) => crashes.push(error))
    await using rig = await startRig()
    using canary = await Person.join(rig.ircPort, 'canary')
    const next = randomFrom(seed)
    const strangers = Array.from({ length: STRANGERS }, (_, i) => new Stranger(rig.ircPort, `evil${i}`))
    const waited: number[] = []
    let broken = 0
    for (let sent = 0; sent < lines;) {
      for (const stranger of strangers) {
        const chunk = Buffer.concat(Array.from({ length: PER_ROUND }, () => hostileLine(next)))
        sent += PER_ROUND
        const [asked] = await Promise.all([ping(canary), stranger.send(chunk, next)])
        waited.push(asked)
      }
    }
    for (const stranger of strangers) {
      try {
        checkLines(await stranger.leave())
      } catch {
        broken++
      }
    }
    const p99 = percentile(waited, 99)
    return {
      figure: `${lines} lines over ${STRANGERS} connections: ${crashes.length} crashes, ${broken} connections with a broken answer, p99 of a PING ${p99.toFixed(1)} ms`,
      isSound: crashes.length + broken === 0,
      isMet: crashes.length === 0 && broken === 0 && p99 < 50,
    }
  },
})

async function ping(canary: Person): Promise<number> {
  const began = performance.now()
  await canary.settle()
  return performance.now() - began
}
