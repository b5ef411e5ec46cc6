// One write, until it is known whether it was done. Asking twice for the same thing must not make two of it.
import { done, type Answer, type Failure } from '../failure.ts'
import type { Body, Proof, RequestStep } from './step.ts'

/** The host, as far as a plan needs it. */
export interface Wire {
  readonly send: (method: string, path: string, body?: Body) => Promise<Answer<WireReply>>
  /** Undefined where the host answers 404. */
  readonly read: (path: string) => Promise<Answer<unknown>>
  /** Waits, or says false when all the waiting that is allowed is used up. */
  readonly pause: (seconds: number) => Promise<boolean>
}

interface WireReply {
  readonly status: number
  readonly data: unknown
}

export interface Sent {
  readonly data: unknown
  readonly already: boolean
  readonly status?: number
}

const TRIES = 3

/** A POST is sent again only after a read has shown that what it makes is not there. */
export async function settle(step: RequestStep, wire: Wire): Promise<Answer<Sent>> {
  for (let tries = 1; ; tries++) {
    const sent = await wire.send(step.method, step.path, step.body ?? undefined)
    if (sent.ok) {
      const { status, data } = sent.output
      // The host answers 303 to a policy that is there already.
      return done({ status, data, already: status === 303 })
    }
    const { error } = sent
    // What we are to remove is not there.
    if (step.method === 'DELETE' && error.kind === 'not_found')
      return done({ status: 404, data: null, already: true })
    if (!step.proof || !(isLost(error) || isTaken(error))) return sent
    const found = await wire.read(step.proof.path)
    if (!found.ok) return sent
    const there = matchIn(found.output, step.proof)
    if (there !== undefined) return done({ data: there, already: isTaken(error) })
    if (!isLost(error) || tries === TRIES || !(await wire.pause(tries))) return sent
  }
}

/** Perhaps it was done: no answer came, or one from a server in trouble. */
function isLost({ kind, http }: Failure): boolean {
  return kind === 'network' || kind === 'timeout' || (kind === 'upstream' && (http?.status ?? 0) >= 500)
}

/** The name is taken: by what we wanted to make, or by something else. */
function isTaken({ kind }: Failure): boolean {
  return kind === 'validation' || kind === 'conflict'
}

function matchIn(data: unknown, { list, match }: Proof): unknown {
  const inside: unknown = list === undefined ? [data] : (data as Record<string, unknown> | undefined)?.[list]
  if (!Array.isArray(inside)) return undefined
  return inside.find((each: unknown) =>
    Object.entries(match).every(([key, value]) => {
      const found = (each as Record<string, unknown> | null | undefined)?.[key]
      // Small and capital letters are one in the name of a repository, and two in a pattern.
      if (key !== 'full_name') return found === value
      return typeof found === 'string' && found.toLowerCase() === value.toLowerCase()
    }),
  )
}
