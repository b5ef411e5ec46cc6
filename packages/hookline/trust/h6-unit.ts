// H6: the unit that comes with Hookline, as systemd rates it; and a hostile handler under its settings.
import { NOBODY } from '../test/nobody.ts'
import { HANDLERS, probe } from '../test/probes.ts'
import { cannotConfine, confining, exposure, notApplied } from '../test/unit.ts'
import { figure } from './figure.ts'

const MOST = 3

export default figure({
  id: 'H6',
  promise: 'The unit for systemd leaves the server little, and handlers are isolated under its settings',
  goal: `rated below ${MOST} by systemd-analyze, no way out for a handler`,
  small: { files: ['handler.py'] as const },
  whole: { files: Object.keys(HANDLERS) as (keyof typeof HANDLERS)[] },
  async measure({ files }) {
    const rated = exposure()
    const isRated = typeof rated === 'number'
    const first = isRated ? `rated ${rated}` : `not rated: ${rated}`
    if (cannotConfine)
      return { figure: `${first}; no handler tried: ${cannotConfine}`, isMet: !isRated || rated < MOST }
    const through: string[] = []
    let left: readonly string[] = []
    for (const file of files) {
      const line = { file, handler: 'handler: {}', uid: NOBODY }
      const ways = await probe({
        ...line,
        by: (home) => confining(home, NOBODY),
        look: (home) => void (left = notApplied(home)),
      })
      through.push(...ways)
    }
    // Its own life is not tried: systemd does not run where this does.
    const without = left.map((each) => each.split('=')[0]).join(', ')
    return {
      figure: `${first}; ${through.length} ways out under its settings, applied by hand without ${without}`,
      isMet: (!isRated || rated < MOST) && through.length === 0,
    }
  },
})
