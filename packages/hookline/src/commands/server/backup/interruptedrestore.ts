// A home that a restore has left half-way must not be served, or be backed up as if it were whole.
import type { Home } from '../../../home/home.ts'
import { type Answer, cannot, done } from '../../../control/failure.ts'
import { stagingIn } from './contents.ts'

export function expectWhole(home: Home): Answer<undefined> {
  const [staging] = stagingIn(home)
  if (staging === undefined) return done(undefined)
  return cannot(
    'setup',
    `a restore was interrupted, or is still running: ${staging} exists`,
    'run it again: hookline server restore FILE --force; or, if nothing is missing here, remove that folder',
  )
}
