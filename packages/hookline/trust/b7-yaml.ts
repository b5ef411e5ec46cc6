// B7: YAML files made to take long, and files that somebody damaged. Saving one must not hold up everybody else's bots.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { figure } from './figure.ts'

/** What `b7/read.ts` tells. */
export interface Told {
  readonly files: number
  readonly thrown: readonly string[]
  readonly slow: readonly string[]
  readonly mostMs: number
  readonly grownMiB: number
}

export default figure({
  id: 'B7',
  promise: 'No bot.yaml, however it is made, holds up the server or fills its memory',
  goal: '20,000 damaged files and 20 bombs: refused or read within 200 ms and 64 MiB',
  small: { mutations: 1_000 },
  whole: { mutations: 20_000 },
  isTimed: true,
  measure({ mutations }, { seed }) {
    // In little memory: what was read before is not counted, as it has to go.
    const flags = ['--max-old-space-size=80', '--max-semi-space-size=4', '--expose-gc']
    const file = join(import.meta.dirname, 'b7/read.ts')
    const printed = execFileSync(process.execPath, [...flags, file, String(mutations), String(seed)], {
      encoding: 'utf8',
      maxBuffer: 1e8,
    })
    const { files, thrown, slow, mostMs, grownMiB } = JSON.parse(printed) as Told
    const example = [...thrown, ...slow][0]
    return {
      figure: `${files} files: ${thrown.length} thrown, ${slow.length} slow, at most ${mostMs.toFixed(0)} ms and ${grownMiB.toFixed(0)} MiB${example === undefined ? '' : `, such as ${example}`}`,
      isSound: thrown.length === 0,
      isMet: thrown.length + slow.length === 0 && grownMiB < 64,
    }
  },
})
