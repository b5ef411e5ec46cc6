// A sender does not wait for ever: a slow delivery is answered as queued.
import type { Log } from '../log/log.ts'
import { type Answer, answerQueued } from './answer.ts'

export interface AnswerTimeout {
  /** After this long a sender is answered `queued`. */
  readonly answerWithinMs: number
  readonly log: Log
}

/** The answer, or `queued` if it takes longer. A failure is logged. */
export async function inTime(
  id: string,
  answer: Promise<Answer>,
  { answerWithinMs, log }: AnswerTimeout,
): Promise<Answer> {
  answer.catch((error: unknown) => log.error({ err: error, id }, 'a delivery is left for the next start'))
  const late = Promise.withResolvers<Answer>()
  const timer = setTimeout(() => late.resolve(answerQueued(id)), answerWithinMs)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
