// L10: a handler is somebody's program. Whatever it does, the server, the chat and the bot next door go on.
import { findNamespace } from '../src/handlers/namespace.ts'
import { ATTACKS } from '../test/attacks.ts'
import { HOSTILE_FILES, HOSTILE_MS, quantile, startHostile } from '../test/hostile.ts'
import { figure } from './figure.ts'

/** Beyond the neighbour's p99 while nobody attacks; starting an interpreter keeps a core busy for as long as that. */
const MORE_MS = 20

export default figure({
  id: 'L10',
  promise: 'Sixteen kinds of hostile handler, in Python and in Node, end in time and harm nobody',
  goal: `each ends within its deadline and 1 s, 0 processes left, a neighbour's p99 within ${MORE_MS} ms of the calm one`,
  small: { files: HOSTILE_FILES.slice(0, 1) },
  whole: { files: HOSTILE_FILES },
  isTimed: true,
  async measure({ files }) {
    const { ok: hasNamespaces } = await findNamespace()
    const attacks = ATTACKS.filter(({ needsNamespace }) => hasNamespaces || !needsNamespace)
    await using crew = await startHostile('handler: {}', 0)
    await crew.beside(new Promise((resolve) => setImmediate(resolve)), 300)
    const calm = quantile(crew.neighbourMs, 0.99)
    crew.neighbourMs.length = 0
    let slowest = 0
    const failed: string[] = []
    for (const file of files) {
      for (const attack of attacks) {
        try {
          slowest = Math.max(slowest, (await crew.attack(file, attack)).tookMs)
        } catch (error) {
          failed.push(`${file} ${attack.kind}: ${String(error).slice(0, 200)}`)
        }
      }
    }
    await crew.stop()
    const attacked = quantile(crew.neighbourMs, 0.99)
    const tried = files.length * attacks.length
    const summary = `${tried - failed.length} of ${tried} held, slowest ${(slowest / 1000).toFixed(1)} s, neighbour's p99 ${attacked.toFixed(1)} ms (calm ${calm.toFixed(1)})`
    const isMet = failed.length === 0 && slowest < HOSTILE_MS + 1_000 && attacked < calm + MORE_MS
    return { figure: [summary, ...failed].join('; '), isMet, isSound: failed.length === 0 }
  },
})
