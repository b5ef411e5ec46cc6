// B1: the public vectors for parsers of IRC. What every client and server agrees on.
import { ircVectors } from '../test/ircvectors.ts'
import { figure } from './figure.ts'

export default figure({
  id: 'B1',
  promise: 'Lines, sources and masks mean what the public test vectors say',
  goal: 'all of them; those of host names are left out, since we read none',
  small: {},
  whole: {},
  measure() {
    const checks = Object.values(ircVectors).flat()
    const failed = checks.filter((check) => {
      try {
        check()
        return false
      } catch {
        return true
      }
    })
    return { figure: `${checks.length - failed.length} of ${checks.length}`, isMet: failed.length === 0 }
  },
})
