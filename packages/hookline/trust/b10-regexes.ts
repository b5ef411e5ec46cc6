// B10: regular expressions on texts made against them. One that tries again at every character lets a single line stop the server.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { attacksOn } from './attacks.ts'
import { figure } from './figure.ts'
import { type Found, regexesIn } from './regexes.ts'

const SRC = join(import.meta.dirname, '../src')
/** A shorter attack that takes that long already is not made longer. */
const STEPS = [32, 512, 4_096, 65_536]
const MOST_MS = 5

export default figure({
  id: 'B10',
  promise: 'No regular expression of ours takes long, whatever text it is given',
  goal: 'at most 5 ms for 64 KiB',
  small: { every: 4 },
  whole: { every: 1 },
  isTimed: true,
  measure({ every }, { seed }) {
    const all = globSync('**/*.ts', { cwd: SRC })
      .filter((file) => !file.endsWith('.test.ts'))
      .flatMap((file) => regexesIn(readFileSync(join(SRC, file), 'utf8'), file))
    const chosen = all.filter((_, index) => (index + seed) % every === 0)
    let attacks = 0
    const slow: string[] = []
    let most = 0
    for (const found of chosen) {
      let worst = { ms: 0, attack: '' }
      for (const attack of attacksOn(found.source)) {
        attacks++
        const ms = msFor(found, attack)
        if (ms > worst.ms) worst = { ms, attack: JSON.stringify(attack(8)) }
        if (ms > MOST_MS) break
      }
      most = Math.max(most, worst.ms)
      if (worst.ms > MOST_MS)
        slow.push(
          `${found.file}:${found.line} /${found.source}/ ${worst.ms.toFixed(0)} ms for ${worst.attack}`,
        )
    }
    const counted = `${chosen.length} of ${all.length} expressions, ${attacks} attacks, at most ${most.toFixed(1)} ms`
    return {
      figure: slow.length === 0 ? counted : `${counted}: ${slow.join('; ')}`,
      isSound: chosen.length > 0,
      isMet: chosen.length > 0 && slow.length === 0,
    }
  },
})

/** Of the longest attack that is worth while. What the machine does meanwhile is left out: the least of nine. */
function msFor({ source, flags }: Found, attack: (length: number) => string): number {
  const regex = new RegExp(source, flags)
  let ms = 0
  for (const length of STEPS) {
    const text = attack(length)
    ms = Infinity
    for (let round = 0; round < 9 && ms > MOST_MS / 2; round++) {
      const began = process.threadCpuUsage()
      run(regex, text)
      const { user, system } = process.threadCpuUsage(began)
      ms = Math.min(ms, (user + system) / 1_000)
    }
    if (ms > MOST_MS) break
  }
  return ms
}

/** One that is used for every match is asked for many of them. */
function run(regex: RegExp, text: string): void {
  regex.lastIndex = 0
  for (let matches = 0; matches < 1_000; matches++) {
    const at = regex.lastIndex
    if (!regex.test(text) || !regex.global || regex.sticky) return
    if (regex.lastIndex === at) regex.lastIndex++
  }
}
