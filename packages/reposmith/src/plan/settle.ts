// Sends one write until its outcome is known. A retry must not create a second copy.
import { backoff, done, whyAgain, type Answer, type Failure } from '../failure.ts'
import type { Body, Proof, RequestStep } from './step.ts'

/** The part of the client that a plan needs. */
export interface Wire {
  readonly send: (method: string, path: string, body?: Body) => Promise<Answer<WireReply>>
  /** Undefined when the host answers 404. */
  readonly read: (path: string) => Promise<Answer<unknown>>
  /** All entries of a list that comes in pages, under `key` if each is not the list itself. */
  readonly list: (path: string, key?: string) => Promise<Answer<readonly unknown[]>>
  /** Waits, or returns false when --max-wait is used up. */
  readonly pause: (seconds: number, why: string) => Promise<boolean>
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

/**
 * A write whose answer was lost is sent again only after a read has shown that what it creates is not there. `isFresh`: it
 * is about what this plan has just created, which a host of many machines may not know everywhere yet. Either is tried
 * until it is settled, or --max-wait is used up.
 */
export async function settle(
  step: RequestStep,
  wire: Wire,
  { isFresh = false, body = step.body ?? undefined }: { isFresh?: boolean; body?: Body | undefined } = {},
): Promise<Answer<Sent>> {
  for (let tries = 0; ; tries++) {
    const sent = await wire.send(step.method, step.path, body)
    if (sent.ok) return done({ ...sent.output, already: false })
    const { error } = sent
    // What is to be deleted is gone already.
    if (step.method === 'DELETE' && error.kind === 'not_found')
      return done({ status: 404, data: null, already: true })
    if (isFresh && isEarly(error) && (await wire.pause(backoff(tries), NOT_KNOWN))) continue
    if (!step.proof || !(isLost(error) || isTaken(error))) return sent
    const found = await findCreated(step.proof, wire)
    if (!found.ok) return sent
    if (found.output !== undefined) return done({ data: found.output, already: isTaken(error) })
    const seconds = error.retry_after_s ?? backoff(tries)
    if (isTaken(error) || !(await wire.pause(seconds, whyAgain(error.http?.status)))) return sent
  }
}

const NOT_KNOWN = 'the host does not know yet what was just created'

/** Not there yet, or, after the copy of a template, `A previous repository operation is still in progress`. */
function isEarly({ kind, message }: Failure): boolean {
  return kind === 'not_found' || (kind === 'validation' && /\bstill in progress\b/i.test(message))
}

/** It may have been done: no answer came, or a 5xx. */
function isLost({ kind, http }: Failure): boolean {
  return kind === 'network' || kind === 'timeout' || (kind === 'upstream' && (http?.status ?? 0) >= 500)
}

/** The name is taken: by what was to be created, or by something else. For a policy the host answers 303 then. */
function isTaken({ kind, http }: Failure): boolean {
  return kind === 'validation' || kind === 'conflict' || http?.status === 303
}

/** What the step creates, as the host has it; undefined if it has none. */
async function findCreated(proof: Proof, wire: Wire): Promise<Answer<unknown>> {
  const { path, list } = proof
  const entries = list === undefined ? await readAlone(path, wire) : await wire.list(path, list ?? undefined)
  if (entries.ok) return done(entries.output.find((entry) => isMatch(entry, proof)))
  // As for `read`: what the host does not know has nothing on its list.
  return entries.error.kind === 'not_found' ? done(undefined) : entries
}

async function readAlone(path: string, wire: Wire): Promise<Answer<readonly unknown[]>> {
  const read = await wire.read(path)
  return read.ok ? done([read.output]) : read
}

function isMatch(entry: unknown, { match, ignoresCase }: Proof): boolean {
  const plain = (text: string): string => (ignoresCase ? text.toLowerCase() : text)
  return Object.entries(match).every(([key, value]) => {
    const found = (entry as Record<string, unknown> | null | undefined)?.[key]
    return typeof found === 'string' && plain(found) === plain(value)
  })
}
