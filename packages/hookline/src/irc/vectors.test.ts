import { test } from 'node:test'
import { ircVectors } from '../../test/ircvectors.ts'

for (const [name, checks] of Object.entries(ircVectors)) {
  test(name, () => {
    for (const check of checks) check()
  })
}
