// Passwords that are no account's: of server operators, of the server, of web gateways.
import type { Guess, Guesses } from './guesses.ts'
import { verify } from './passwords.ts'

/** Whether it is right; `busy` if too many are being checked, `late` if too many were wrong before: it was not looked at. */
export type Compared = 'right' | 'wrong' | 'busy' | 'late'

interface Comparison {
  readonly hash: string
  readonly password: string
  /** The hash is somebody else's, and only takes as long. */
  readonly isDecoy?: boolean
}

export async function compare(guesses: Guesses, guess: Guess & Comparison): Promise<Compared> {
  if (guesses.wait(guess)) return 'late'
  return await guesses.inTurn(guess, async () => {
    if (guesses.wait(guess)) return 'late'
    const isEqual = await verify(guess.hash, guess.password)
    if (isEqual === undefined) return 'busy'
    const isRight = isEqual && !guess.isDecoy
    if (isRight) guesses.right(guess)
    else guesses.wrong(guess)
    return isRight ? 'right' : 'wrong'
  })
}
